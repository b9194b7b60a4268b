"""The camera's motion, undone in what a background is compared with."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image.picture import Bytes
from companion.vision.tracking.background import Background

FPS = 30.0


def table(hand: float = 0.0, bump: tuple[int, int] = (0, 0)) -> Bytes:
    """A plain cloth with a pile of cards, all that has corners, and perhaps a hand from the lower edge over
    so much of the pile."""
    rng = np.random.default_rng(3)
    image = np.full((360, 640, 3), 110, np.float32)
    marks = rng.integers(0, 255, (20, 32, 3)).astype(np.float32)
    image[80:280, 160:480] = cv2.resize(marks, (320, 200), interpolation=cv2.INTER_LINEAR)
    motion = np.array([[1, 0, bump[0]], [0, 1, bump[1]]], np.float32)
    image = cv2.warpAffine(image, motion, (640, 360), borderMode=cv2.BORDER_REPLICATE)
    if hand:
        image[round(280 - 200 * hand) :, 150:490] = (150, 170, 200)
    return np.asarray(np.clip(image + rng.normal(0, 2, image.shape), 0, 255), np.uint8)


def test_a_hand_over_what_the_motion_is_found_by_does_not_undo_it() -> None:
    """The motion was taken for a change of focus, which explains little, until the hand had gone: the card
    that it laid seemed to come to rest only then."""
    background = Background()
    pictures = [table()] * 10 + [table(0.0, (4, -3))] * 3 + [table(0.75, (4, -3))] * 8
    changes = [background.feed(image, number / FPS) for number, image in enumerate(pictures)]
    for change in changes[13:]:
        (hand,) = change.blobs
        assert hand.edge
        top = hand.box[0].start * 4
        assert abs(top - (130 + 3)) <= 8, "the pile above the hand does not differ"


def grained(cloth: int, pile: int, hand: bool = False) -> Bytes:
    """Faint grain without corners, and on it a pile that has them; each moved to the right by so much."""
    rng = np.random.default_rng(5)
    grain = np.repeat(rng.normal(120, 12, (1, 160, 1)), 3, axis=2).astype(np.float32)
    image = np.roll(cv2.resize(grain, (640, 360), interpolation=cv2.INTER_LINEAR), cloth, axis=1)
    marks = rng.integers(0, 255, (12, 8, 3)).astype(np.float32)
    image[120:240, 280 + pile : 360 + pile] = cv2.resize(marks, (80, 120), interpolation=cv2.INTER_LINEAR)
    if hand:
        image[:60, 300:360] = (150, 170, 200)
    return np.asarray(np.clip(image + rng.normal(0, 2, image.shape), 0, 255), np.uint8)


def test_a_bump_is_found_by_the_pile_alone_if_it_explains_the_table_round_it() -> None:
    """It was taken for a change of focus, and every card of the pile for one that had gone (32010)."""
    background = Background()
    for number, image in enumerate([grained(0, 0)] * 10 + [grained(6, 6)] * 3):
        background.feed(image, number / FPS)
    change = background.feed(grained(6, 6, hand=True), 13 / FPS)
    (hand,) = change.blobs
    assert hand.edge
    assert hand.cells.sum() < 400


def test_a_pile_that_is_pushed_is_no_bump() -> None:
    background = Background()
    for number, image in enumerate([grained(0, 0)] * 10 + [grained(0, 6)] * 3):
        change = background.feed(image, number / FPS)
    assert change.motion is None
    (pile,) = change.blobs
    assert not pile.edge
    assert pile.box[1].start * 4 >= 272


def test_nothing_is_to_be_read_between_a_bump_and_the_background_that_follows_it() -> None:
    """A card read in between seemed pushed, and was moved with all others once more (33029)."""
    background = Background()
    pictures = [table()] * 10 + [table(0.0, (4, -3))] * 25
    changes = [background.feed(image, number / FPS) for number, image in enumerate(pictures)]
    followed = next(number for number, change in enumerate(changes) if change.motion is not None)
    assert followed > 20
    moves = [change.camera_moves for change in changes[: followed + 1]]
    assert moves == [False] * 10 + [True] * (followed - 9)
    assert not any(change.camera_moves or change.blobs for change in changes[followed + 1 :])
