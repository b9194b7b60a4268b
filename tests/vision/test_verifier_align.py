"""A quad is moved onto the card that lies there, by the verifier's features."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from flat_cards import GAME, drawn, lay, quad_at, table

from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.geometry import is_card_like, width_of
from companion.vision.image.picture import Floats, Image
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.verifier.align import ASPECTS, LEAST_WIDTH, align_quad

LABELS = ("red 1", "red 3", "blue 5")
QUAD = quad_at(480, 310, 12.0)


@pytest.fixture(scope="module")
def deck() -> Deck:
    cards = drawn(LABELS)
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def before_a_webcam(label: str) -> Image:
    """A card on a table, out of focus and pale."""
    picture = table(np.random.default_rng(5))
    lay(picture, drawn([label])[label], QUAD)
    soft = cv2.GaussianBlur(picture, (0, 0), 2.5).astype(np.float32)
    return np.asarray(np.clip(0.5 * soft + 90, 0, 255), np.uint8)


def aligned(deck: Deck, image: Image, label: str, quad: Floats) -> Floats:
    features = deck.enrolled.features([deck.labels.index(label)])[0]
    return align_quad(PicturePyramid(image), quad, features)


def off(quad: Floats) -> float:
    """By how many card widths the corners are off, on average."""
    return float(np.linalg.norm(quad - QUAD, axis=1).mean()) / width_of(QUAD)


@pytest.mark.parametrize(
    "moved",
    [
        pytest.param(QUAD + width_of(QUAD) * np.array([0.12, -0.08]), id="shifted"),
        pytest.param(QUAD.mean(axis=0) + 1.15 * (QUAD - QUAD.mean(axis=0)), id="too large"),
        pytest.param(quad_at(480, 310, 20.0), id="turned"),
    ],
)
def test_a_quad_that_is_off_is_moved_onto_the_card(deck: Deck, moved: Floats) -> None:
    quad = np.asarray(moved, np.float32)
    assert off(quad) > 0.1
    assert off(aligned(deck, before_a_webcam("red 3"), "red 3", quad)) < 0.02


def test_what_covers_a_card_does_not_move_its_quad(deck: Deck) -> None:
    image = before_a_webcam("red 3")
    left, top = QUAD.min(axis=0).astype(int)
    image[top : top + 90, left : left + 90] = (60, 120, 190)
    quad = np.asarray(QUAD + width_of(QUAD) * np.array([0.08, 0.05]), np.float32)
    assert off(aligned(deck, image, "red 3", quad)) < 0.04


def test_another_card_with_the_same_frame_lies_the_same_way(deck: Deck) -> None:
    quad = np.asarray(QUAD + width_of(QUAD) * np.array([0.1, 0.04]), np.float32)
    assert off(aligned(deck, before_a_webcam("red 3"), "red 1", quad)) < 0.04


def test_a_quad_outside_the_picture_stays(deck: Deck) -> None:
    beyond = np.asarray(QUAD + np.array([5000.0, 0.0]), np.float32)
    assert aligned(deck, before_a_webcam("red 3"), "red 3", beyond).tolist() == beyond.tolist()


def test_on_an_even_picture_the_quad_stays_a_card(deck: Deck) -> None:
    even = np.full((480, 640, 3), 128, np.uint8)
    quad = aligned(deck, even, "red 3", QUAD)
    assert np.isfinite(quad).all()
    assert is_card_like(quad, LEAST_WIDTH, ASPECTS)
