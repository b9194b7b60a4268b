"""The benchmark of enrolling: its scenes hold what they say, and a missed or false outline counts."""

from pathlib import Path

import numpy as np

from bench.enrolment.__main__ import outcomes
from bench.enrolment.scenes import EnrolmentCard, EnrolmentScene, enrolment_scene, printed_cards
from companion.vision.deck.collect import CollectedCard

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
