"""A card's picture made again from its descriptor, and the likely cards of a strip held against such."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from flat_cards import lay, quad_at, table

from companion.vision.image.picture import Bytes, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import HEIGHT, WIDTH, PicturePyramid
from companion.vision.match.reconstruction import reconstruct
from companion.vision.match.refine import move_quad
from companion.vision.match.score import STRIP_RATIO
from companion.vision.match.strip_colour import (
    MOST_RATIO,
    ReferencePictures,
    StripCandidate,
    StripColours,
    StripDecision,
)
from companion.vision.match.suppression import ExplainedMap

SIZE = (240, 360)
YELLOW, GREEN = (40, 200, 235), (70, 170, 40)
FIGURES = ("0", "3", "5", "6", "8")


def yellow(figure: str, colour: tuple[int, int, int] = YELLOW) -> Image:
    """A yellow card, its figure in white: nearly as light as its ground."""
    card = np.full((SIZE[1], SIZE[0], 3), 245, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), colour, -1)
    cv2.putText(card, figure, (24, 72), cv2.FONT_HERSHEY_SIMPLEX, 1.9, (245, 245, 245), 9)
    return card


def rectified(card: Image) -> Floats:
    return cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)


@pytest.fixture(scope="module")
def looks() -> Bytes:
    return np.concatenate([descriptor.describe(rectified(yellow(figure))[None]) for figure in FIGURES])


def test_a_picture_is_made_again_from_its_descriptor(looks: Bytes) -> None:
    card = rectified(yellow("5"))
    wanted = card * descriptor.white_balance(card).reshape(3)
    again = reconstruct(looks[FIGURES.index("5")])
    away = (again - wanted)[2:-2, 2:-2]
    assert float(np.abs(away).mean()) < 12.0
    assert abs(float(np.median(away))) < 6.0


def read(looks: Bytes, lies: str, among: str) -> StripDecision | None:
    """Which of the figures enrolled is read on a card of which a fifth is seen."""
    picture = table(np.random.default_rng(5))
    under = quad_at(450, 250, 4)
    over = np.asarray(under + (under[3] - under[0]) / 5, np.float32)
    lay(picture, yellow(lies), under)
    lay(picture, yellow("3"), over)
    noise = np.random.default_rng(7).normal(0, 2, picture.shape)
    seen = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)
    scene, explained = PicturePyramid(seen), ExplainedMap(seen.shape[:2])
    explained.add_whole_quad(over)
    inks = StripColours(
        scene, ReferencePictures(looks), explained, descriptor.white_balance(scene.rectified_fast(over))
    )
    off = move_quad(under, np.array([0.6, -0.5, 0.01, 0.0, 0.0]))
    likely = [StripCandidate(FIGURES.index(figure), FIGURES.index(figure), False, off) for figure in among]
    return inks.decide(likely)


def told(looks: Bytes, lies: str, among: str) -> tuple[str, float]:
    """The figure that is read, and the ratio."""
    found = read(looks, lies, among)
    assert found is not None
    return among[found.at], found.ratio


@pytest.mark.parametrize("figure", ["5", "6", "8"])
def test_yellow_cards_are_told_though_they_are_nearly_even_in_light(looks: Bytes, figure: str) -> None:
    name, ratio = told(looks, figure, "03568")
    assert name == figure
    assert ratio > STRIP_RATIO


@pytest.mark.parametrize("figure", ["5", "6", "8"])
def test_no_other_card_is_far_ahead_where_the_right_one_is_not_enrolled(looks: Bytes, figure: str) -> None:
    assert told(looks, figure, "03568".replace(figure, ""))[1] < STRIP_RATIO


def test_no_tint_makes_a_green_card_a_yellow_one() -> None:
    looks = np.concatenate(
        [descriptor.describe(rectified(yellow(figure, GREEN))[None]) for figure in FIGURES]
    )
    assert read(looks, "5", "03568") is None


def test_a_card_that_none_is_compared_with_is_as_far_ahead_as_can_be(looks: Bytes) -> None:
    assert told(looks, "5", "5") == ("5", MOST_RATIO)


def test_nothing_is_said_of_what_is_hidden(looks: Bytes) -> None:
    picture = table(np.random.default_rng(5))
    quad = quad_at(450, 250, 4)
    explained = ExplainedMap(picture.shape[:2])
    explained.add_whole_quad(quad)
    inks = StripColours(
        PicturePyramid(picture), ReferencePictures(looks), explained, np.ones((1, 1, 3), np.float32)
    )
    assert inks.decide([StripCandidate(0, 0, False, quad)]) is None
