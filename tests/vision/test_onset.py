"""When a card came to lie, from small grey pictures: under a hand, sliding, after the light changed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.image.picture import Bytes
from companion.vision.tracking.recent_pictures import RecentPictures, SmallPicture, onset_of

QUAD = np.array([[60, 40], [108, 40], [108, 106], [60, 106]], np.float32)
RNG = np.random.default_rng(6)
GROUND = np.asarray(RNG.integers(96, 104, (180, 240)), np.uint8)


def _card() -> Bytes:
    """A white card with blots."""
    card = np.full((66, 48), 225, np.uint8)
    for x, y, size in ((12, 14, 7), (34, 20, 9), (20, 44, 11), (38, 54, 5)):
        cv2.circle(card, (x, y), size, 40 + 3 * size, -1)
    return card


def picture(off: tuple[int, int] | None, hand: int = 0, light: float = 1.0) -> Bytes:
    """The table with the card `off` pixels away from its place (None: no card), and a hand from below that
    covers `hand` rows of the card."""
    image = GROUND.copy()
    if off is not None:
        x, y = 60 + off[0], 40 + off[1]
        image[y : y + 66, x : x + 48] = _card()
        if hand:
            cv2.ellipse(image, (84 + off[0], 106 + off[1] + 40 - hand), (30, 40), 0, 0, 360, 165, -1)
    noisy = image * light + RNG.normal(0, 1.5, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def landed(*frames: tuple[Bytes, float]) -> float:
    """The moment found when pictures, with the brightness of the background then, come ten a second."""
    recent: RecentPictures[None] = RecentPictures(0)
    for index, (image, light) in enumerate(frames):
        recent.add(SmallPicture(index / 10, image, light))
    ground = np.asarray(np.clip(GROUND * frames[-1][1], 0, 255), np.uint8)
    return onset_of(recent.small, QUAD, ground, 0.0)


@pytest.mark.parametrize("hand", [0, 20, 36, 48])
def test_the_first_picture_in_which_it_lies_counts_also_under_a_hand(hand: int) -> None:
    coming = [(picture((0, off), hand), 1.0) for off in (40, 25, 12, 5, 2)]
    under = [(picture((0, 0), hand), 1.0)] * 4
    leaving = [(picture((0, 0), cover), 1.0) for cover in (hand // 2, 0, 0)]
    assert landed(*coming, *under, *leaving) == pytest.approx(0.5)


def test_a_hand_alone_is_no_card() -> None:
    hands = [(picture(None), 1.0)] * 3
    assert landed(*hands, *[(picture((0, 0)), 1.0)] * 3) == pytest.approx(0.3)


@pytest.mark.parametrize("light", [0.6, 1.5])
def test_pictures_from_before_the_lamp_was_switched_are_seen_in_todays_light(light: float) -> None:
    before = [(picture((0, 12), 20), 1.0), *[(picture((0, 0), 20), 1.0)] * 3]
    after = [(picture((0, 0), 0, light), light)] * 3
    assert landed(*before, *after) == pytest.approx(0.1)
