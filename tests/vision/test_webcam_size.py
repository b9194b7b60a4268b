"""The size at which a picture is searched: a soft one of a webcam is shrunk, any other is not."""

import cv2
import numpy as np
import pytest

from companion.vision.cards.match_search import SOFT_SIDE
from companion.vision.cards.recognise import WEBCAM_SIDE, CardReader, recognise, worked_on
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import LONGEST, Image

RNG = np.random.default_rng(6)
CARDS = {str(index): RNG.integers(0, 255, (9, 6, 3), np.uint8) for index in range(4)}


def picture(width: int, softness: float) -> Image:
    """A card on a plain ground, a quarter of the picture wide."""
    canvas = np.full((width * 9 // 16, width, 3), 120, np.uint8)
    wide = width // 4
    card = cv2.resize(CARDS["2"], (wide, wide * 3 // 2), interpolation=cv2.INTER_NEAREST)
    canvas[40 : 40 + card.shape[0], wide : 2 * wide] = card
    return np.asarray(cv2.GaussianBlur(canvas, (0, 0), softness), np.uint8)


@pytest.mark.parametrize(
    ("width", "softness", "longest"),
    [(1280, 4.0, SOFT_SIDE), (1280, 0.3, 1280), (1920, 6.0, 1920), (640, 3.0, 640), (2600, 8.0, LONGEST)],
)
def test_only_a_soft_picture_of_a_webcam_is_shrunk(width: int, softness: float, longest: int) -> None:
    small, scale = worked_on(picture(width, softness))
    assert max(small.shape) == longest
    assert scale == pytest.approx(longest / width)


def test_where_only_a_change_is_searched_nothing_is_shrunk() -> None:
    assert max(worked_on(picture(WEBCAM_SIDE, 4.0), whole=False)[0].shape) == WEBCAM_SIDE


def test_corners_are_those_of_the_picture_that_was_given() -> None:
    large = [cv2.resize(card, (180, 270), interpolation=cv2.INTER_NEAREST) for card in CARDS.values()]
    deck: Deck = enrol_pictures("squares", list(CARDS), [np.asarray(one, np.uint8) for one in large]).deck
    image = picture(1280, 3.0)
    assert CardReader(worked_on(image)[0], deck).found.is_soft
    (card,) = recognise(image, deck).cards
    assert card.label == "2"
    assert np.abs(np.array(card.corners) - [[320, 40], [640, 40], [640, 520], [320, 520]]).max() < 12
