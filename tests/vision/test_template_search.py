"""Places of soft cards, sought everywhere in a picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from flat_cards import GAME, drawn, lay, quad_at, table

from companion import art
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.geometry import rotated_half_turn
from companion.vision.image.picture import Floats, Image


@pytest.fixture(scope="module")
def deck() -> Deck:
    cards = drawn(list(art.card_labels(GAME)[::8]))
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def held(label: str, quad: Floats) -> Image:
    """A card before a soft webcam with two fingers across it."""
    picture = table(np.random.default_rng(5))
    lay(picture, drawn([label])[label], quad)
    for corner in (0, 2):
        tip = quad.mean(axis=0) * 0.5 + quad[corner] * 0.5
        out = quad.mean(axis=0) * -0.6 + quad[corner] * 1.6
        cv2.line(picture, tuple(map(int, out)), tuple(map(int, tip)), (95, 130, 190), 34)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 4.0), np.uint8)


@pytest.mark.parametrize("degrees", [8.0, -64.0, 163.0])
def test_a_soft_card_that_fingers_hide_is_the_first_place(deck: Deck, degrees: float) -> None:
    quad = quad_at(480, 310, degrees)
    label = deck.names[1]
    places = deck.template_search.find(held(label, quad), 5)
    assert places
    off = min(float(np.abs(places[0].quad - way).mean()) for way in (quad, rotated_half_turn(quad)))
    assert off < 0.25 * 130.0
    assert places[0].fit > places[-1].fit or len(places) == 1


def test_a_plain_table_has_no_place(deck: Deck) -> None:
    assert deck.template_search.find(np.full((480, 640, 3), 130, np.uint8), 5) == []
