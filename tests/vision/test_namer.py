"""The networks: where a held card is, which card it may be, and a namer that a deck brings along."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flat_cards import GAME, drawn, lay, quad_at, table

from companion import art
from companion.commands.deck import command
from companion.core.errors import Unreadable, UsageError
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import merge, rename, select_looks
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.namer.locate import locate_cards
from companion.vision.namer.network import (
    EMBEDDING,
    FRAME,
    HEIGHT,
    WIDTH,
    as_input,
    generic_namer,
    namer_with,
    number_of_weights,
    reference_view,
    shipped_weights,
    straightened,
)
from companion.vision.namer.propose import name_place, name_places


@pytest.fixture(scope="module")
def deck() -> Deck:
    cards = drawn(list(art.card_labels(GAME)[::8]))
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


@pytest.fixture(scope="module")
def refined(deck: Deck) -> Deck:
    """The deck with a namer of other weights."""
    prototypes = np.asarray(deck.embeddings.values, np.float32)
    return dataclasses.replace(deck, namer=shipped_weights() * 0.5, prototypes=prototypes)


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
    place = name_place(picture, begun, 1.0, deck.embeddings)
    ranked = place.ranked(deck.cards)
    assert deck.labels[ranked[0][0]] == label
    assert sorted(int(deck.cards[look]) for look, _ in ranked) == list(range(len(deck.names)))
    assert float(np.abs(place.pose(ranked[0][1]) - quad).mean()) < 0.06 * 130.0


def test_what_lies_outside_the_picture_is_black() -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    quad = np.array([[-100, 20], [60, 20], [60, 180], [-100, 180]], np.float32)
    (view,) = straightened(picture, quad[None])
    assert view.shape == (HEIGHT, WIDTH, 3)
    assert (view[:, :20] == 0).all()
    assert (view[:, -20:] == 90).all()


def test_a_reference_fills_the_frame(deck: Deck) -> None:
    view = reference_view(deck.looks[0])
    low, high = np.ceil(FRAME.min(axis=0)).astype(int), np.floor(FRAME.max(axis=0)).astype(int)
    assert view.shape == (HEIGHT, WIDTH, 3)
    assert (view[: low[1]] == 128).all()
    assert (view[:, high[0] + 1 :] == 128).all()
    assert view[low[1] : high[1], low[0] : high[0]].std() > 10


def test_a_namer_with_the_shipped_weights_is_the_shipped_namer(deck: Deck) -> None:
    views = as_input(reference_view(deck.looks[0])[None])
    assert len(shipped_weights()) == number_of_weights()
    ours, theirs = (
        net.forward_all(views)["embedding"] for net in (generic_namer(), namer_with(shipped_weights()))
    )
    assert np.allclose(ours, theirs, atol=1e-5)
    assert ours.shape == (1, EMBEDDING)
    assert np.linalg.norm(ours) == pytest.approx(1.0, abs=1e-3)
    other = namer_with(shipped_weights() * 0.5).forward_all(views)["embedding"]
    assert not np.allclose(ours, other, atol=1e-3)


def test_a_refined_namer_travels_with_its_deck(refined: Deck, tmp_path: Path) -> None:
    again = Deck.load(refined.save(tmp_path))
    assert refined.namer is not None
    assert again.namer is not None
    assert again.prototypes is not None
    assert np.allclose(again.namer, refined.namer, atol=2e-3)
    assert again.is_refined
    assert again.embeddings.values.shape == (2 * len(again.labels), EMBEDDING)


def test_a_namer_of_another_size_is_no_deck(refined: Deck, tmp_path: Path) -> None:
    assert refined.namer is not None
    assert refined.prototypes is not None
    for odd in (
        dataclasses.replace(refined, namer=refined.namer[:-1]),
        dataclasses.replace(refined, prototypes=refined.prototypes[:-2]),
        dataclasses.replace(refined, namer=np.full_like(refined.namer, np.nan)),
    ):
        with pytest.raises(Unreadable):
            Deck.load(odd.save(tmp_path))


def test_editing_keeps_a_refined_namer_where_it_still_fits(refined: Deck) -> None:
    assert refined.prototypes is not None
    count = len(refined.labels)
    part = select_looks(refined, [2, 0])
    assert part.prototypes is not None
    assert np.array_equal(part.prototypes, refined.prototypes[[2, 0, count + 2, count]])
    assert part.is_refined
    assert rename(refined, refined.names[0], "another").is_refined
    assert not merge(refined, part).is_refined


def test_refining_without_torch_says_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "models.vision.namer.refine", raising=False)
    result = CliRunner().invoke(command, ["refine", f"models/decks/{GAME}"])
    assert isinstance(result.exception, UsageError)
    assert "pip install torch" in str(result.exception.message)


def test_a_picture_without_cards_has_no_named_places(deck: Deck) -> None:
    assert name_places(np.full((480, 640, 3), 90, np.uint8), deck.embeddings) == []
