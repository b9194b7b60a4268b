"""The networks that propose: where a held card is, and which card it may be."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from flat_cards import GAME, drawn, lay, quad_at, table

from companion import art
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.namer.locate import locate_cards
from companion.vision.namer.network import (
    FRAME,
    reference_view,
    straightened,
)
from companion.vision.namer.propose import name_place, name_places


@pytest.fixture(scope="module")
def deck() -> Deck:
    cards = drawn(list(art.card_labels(GAME)[::8]))
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def before_a_wall(label: str, quad: Floats) -> Image:
    """A card on a table that a finger hides a part of."""
    picture = table(np.random.default_rng(5))
    lay(picture, drawn([label])[label], quad)
    edge, middle = (quad[2] + quad[3]) / 2, quad.mean(axis=0)
    tip = 0.7 * edge + 0.3 * middle
    cv2.line(picture, tuple(map(int, 2 * edge - middle)), tuple(map(int, tip)), (95, 130, 190), 26)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)


def test_a_card_with_a_finger_over_it_is_located(deck: Deck) -> None:
    quad = np.asarray((quad_at(480, 310, 12.0) - (480, 310)) * 1.8 + (480, 310), np.float32)
    places = locate_cards(before_a_wall(deck.names[1], quad))
    assert places
    ways = (quad, geometry.rotated_half_turn(quad))
    assert min(float(np.abs(places[0].quad - way).mean()) for way in ways) < 0.15 * 1.8 * 130.0


def test_nothing_is_located_on_a_plain_wall() -> None:
    assert locate_cards(np.full((480, 640, 3), 130, np.uint8)) == []


@pytest.mark.parametrize("over", [False, True])
def test_an_enrolled_card_is_most_like_itself_in_its_orientation(deck: Deck, over: bool) -> None:
    label = deck.names[2]
    quad = quad_at(480, 310, 12.0)
    picture = table(np.random.default_rng(5))
    lay(picture, drawn([label])[label], quad)
    begun = geometry.rotated_half_turn(quad) if over else quad
    place = name_place(picture, begun, deck.embeddings)
    ranked = place.ranked(deck.cards)
    assert deck.labels[ranked[0][0]] == label
    assert sorted(int(deck.cards[look]) for look, _ in ranked) == list(range(len(deck.names)))
    assert (
        float(np.abs((geometry.rotated_half_turn(place.quad) if ranked[0][1] else place.quad) - quad).mean())
        < 0.06 * 130.0
    )


def test_what_lies_outside_the_picture_is_black() -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    quad = np.array([[-100, 20], [60, 20], [60, 180], [-100, 180]], np.float32)
    (view,) = straightened(picture, quad[None])
    assert view.shape == (FRAME.height, FRAME.width, 3)
    assert (view[:, :20] == 0).all()
    assert (view[:, -20:] == 90).all()


def test_a_reference_fills_the_frame(deck: Deck) -> None:
    view = reference_view(deck.looks[0])
    low, high = (
        np.ceil(FRAME.corners.min(axis=0)).astype(int),
        np.floor(FRAME.corners.max(axis=0)).astype(int),
    )
    assert view.shape == (FRAME.height, FRAME.width, 3)
    assert (view[: low[1]] == 128).all()
    assert (view[:, high[0] + 1 :] == 128).all()
    assert view[low[1] : high[1], low[0] : high[0]].std() > 10


def test_a_picture_without_cards_has_no_named_places(deck: Deck) -> None:
    assert name_places(np.full((480, 640, 3), 90, np.uint8), deck.embeddings) == []
