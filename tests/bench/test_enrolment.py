"""The benchmark of enrolling: its scenes hold what they say, and a missed or false outline counts."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from bench.enrolment import fit as enrolment_fit
from bench.enrolment.__main__ import outcomes
from bench.enrolment.scenes import EnrolmentCard, EnrolmentScene, enrolment_scene, printed_cards
from bench.fitted_limits import numbers_of
from companion.vision.deck.collect import CollectedCard
from companion.vision.finder.limits import FILE, EnrolmentLimits, enrolment_limits

QUAD = np.array([[10, 10], [60, 10], [60, 80], [10, 80]], np.float32)
PICTURE = np.zeros((200, 300, 3), np.uint8)


def test_scenes_have_cut_off_cards_and_mirrored_lamps() -> None:
    cards = printed_cards("bands", 3, Path())
    scenes = [enrolment_scene(cards, "cloth", np.random.default_rng([1, n])) for n in range(6)]
    found = [card for scene in scenes for card in scene.cards]
    assert any(card.outside > 0.1 for card in found)
    assert any(card.mirrored > 0.02 for card in found)
    assert any(card.outside < 1e-3 and card.mirrored == 0 for card in found)
    assert all(scene.image.shape == (960, 1280, 3) for scene in scenes)


def test_outcomes_tell_found_missed_false_and_refused_apart() -> None:
    whole, cut = EnrolmentCard(QUAD, 0.0, 0.0), EnrolmentCard(QUAD + 100, 0.2, 0.0)
    scene = EnrolmentScene(PICTURE, (whole, cut), "wood")
    right = CollectedCard(QUAD + 1, PICTURE)
    half = CollectedCard(np.asarray(QUAD * (1, 0.5), np.float32), PICTURE)
    refused = CollectedCard(QUAD + 100, PICTURE, "cut_off")
    assert outcomes(scene, [right, refused])["good learned"] == 1
    assert outcomes(scene, [right, refused])["cut refused"] == 1
    assert outcomes(scene, [half])["false"] == 1
    assert outcomes(scene, [half])["good learned"] == 0
    assert outcomes(scene, [CollectedCard(QUAD + 100, PICTURE)])["cut learned"] == 1


def test_the_limit_that_finds_the_cards_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    places = [QUAD + np.array([60 * at, 0], np.float32) for at in range(4)]
    scene = EnrolmentScene(PICTURE, tuple(EnrolmentCard(quad, 0.0, 0.0) for quad in places), "wood")

    def collected(image: object) -> list[CollectedCard]:
        found = places if enrolment_limits().outlines.edge < 0.3 else [QUAD + 100]
        return [CollectedCard(quad, PICTURE) for quad in found]

    monkeypatch.setattr(enrolment_fit, "collect_cards", collected)
    assert enrolment_fit.cost_of(numbers_of(enrolment_limits()), scene) == 4 + 5
    assert enrolment_fit.fit([scene], ["outlines.edge", "known."], 1, tmp_path / FILE) == 0
    data = (tmp_path / FILE).read_bytes()
    fitted = msgspec.json.decode(data, type=EnrolmentLimits)
    assert numbers_of(fitted) == numbers_of(enrolment_limits()) | {"outlines.edge": 0.24}
    about = msgspec.json.decode(data)["fit"]
    assert (about["cost"], about["good learned"], about["fitted"]) == (0.0, 4, ["outlines.edge"])
