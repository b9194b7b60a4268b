"""The drawn sets that stand for photographs: the same from the same seed, true about what they show."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.surrogates import sets as surrogates
from bench.surrogates.__main__ import write
from bench.vision import real, rendered
from models.drawn import camera

CARDS = {f"{n}": np.full((60, 40, 3), 40 * n + 60, np.uint8) for n in range(3)}


def test_equal_seeds_give_equal_pictures() -> None:
    def first(seed: int) -> np.ndarray:
        return next(surrogates.shots(surrogates.PictureSet(CARDS, CARDS, surrogates.strip), seed, 1)).image

    assert np.array_equal(first(3), first(3))
    assert not np.array_equal(first(3), first(4))


@pytest.mark.parametrize("part", [1 / 2, 1 / 5])
def test_of_a_covered_card_shows_as_much_as_is_said(part: float) -> None:
    rng = np.random.default_rng(5)
    shot = surrogates.strip(CARDS, rng, part, wide=80.0)
    below, above = shot.cards
    shared, _ = cv2.intersectConvexConvex(below.corners, above.corners)
    assert shared / cv2.contourArea(below.corners) == pytest.approx(1 - part, abs=0.05)
    assert below.visible == part
    assert np.linalg.norm(below.corners[1] - below.corners[0]) == pytest.approx(80, rel=0.1)


def test_fingers_take_what_can_be_seen_of_a_held_card() -> None:
    shots = surrogates.shots(surrogates.PictureSet(CARDS, CARDS, surrogates.hand), 1, 3)
    visible = [card.visible for shot in shots for card in shot.cards]
    assert len(visible) == 3
    assert all(0 < value < 0.99 for value in visible)


def test_a_written_set_is_read_like_a_real_one(tmp_path: Path) -> None:
    made = surrogates.PictureSet(CARDS, CARDS, surrogates.strip)
    write(made, tmp_path, 2, 2)
    photos = real.photos(tmp_path)
    shown = list(surrogates.shots(made, 2, 2))
    assert [[i.label for i in photo.instances] for photo in photos] == [
        [card.label for card in shot.cards] for shot in shown
    ]
    assert all(not i.neutral and 0 < i.x < 1 and 0 < i.y < 1 for photo in photos for i in photo.instances)
    assert photos[0].load().shape == shown[0].image.shape
    assert sorted(path.stem for path in (tmp_path / "refs").iterdir()) == sorted(CARDS)
    assert set(json.loads((tmp_path / "detail.json").read_text())) == {p.path.name for p in photos}


def test_only_the_lowest_card_of_a_strip_is_asked_for() -> None:
    made = surrogates.PictureSet(CARDS, CARDS, surrogates.strip)
    photo = next(rendered.photos(made, 1, 1, only_lowest=True))
    assert [instance.neutral for instance in photo.instances] == [False, True]


def test_an_exposure_is_what_it_is_called() -> None:
    grey = np.full((80, 120, 3), 100, np.float32)
    still = camera.CameraModel(exposure=1.5, blur=0, noise=0, jpeg=100)
    assert camera.taken(grey, still, np.random.default_rng(1)).mean() == pytest.approx(150, abs=1)
    noisy = camera.CameraModel(blur=0, noise=5, jpeg=100)
    light = cv2.cvtColor(camera.taken(grey, noisy, np.random.default_rng(1)), cv2.COLOR_BGR2GRAY)
    # 5 at mid-grey is 4.6 at 100; light keeps 0.67 of three channels that vary each for itself.
    assert light.std() == pytest.approx(4.6 * 0.67, rel=0.15)
    edge = grey.copy()
    edge[:, 60:] = 200
    blurred = camera.taken(edge, camera.CameraModel(blur=4, noise=0, jpeg=100), np.random.default_rng(1))
    assert 110 < blurred[40, 57].mean() < 145


def test_glare_burns_out_what_is_glossy_only() -> None:
    canvas = np.full((200, 200, 3), 90, np.float32)
    gloss = np.zeros((200, 200), np.float32)
    gloss[:, :100] = 1.0
    camera.glare(canvas, gloss, 3, np.random.default_rng(4), size=60)
    assert canvas[:, :100].max() == 255
    assert canvas[:, 110:].max() == 90
