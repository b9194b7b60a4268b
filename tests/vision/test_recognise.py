"""Naming the cards in a picture: lying free, covered, absent, from another deck."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_cards import GAME, WIDTH, drawn, lay, quad_at, table

from companion import art
from companion.core.errors import Unreadable
from companion.core.observations import Sighting
from companion.vision.cards.recognise import recognise
from companion.vision.cards.residual import Residual
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.deck.header import FILE, card_names
from companion.vision.image.geometry import contains
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.limits import search_limits


@pytest.fixture(scope="module")
def cards() -> dict[str, Image]:
    return drawn(list(art.card_labels(GAME)[::8]))


@pytest.fixture(scope="module")
def deck(cards: dict[str, Image]) -> Deck:
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def named_at(seen: Sequence[Sighting], quad: Floats) -> list[str]:
    """Labels of the sightings that cover the middle of the quad."""
    x, y = (float(v) for v in quad.mean(axis=0))
    return [card.label for card in seen if contains(np.array(card.corners, np.float32), (x, y))]


def test_every_free_card_is_named_where_it_lies(deck: Deck, cards: dict[str, Image]) -> None:
    picture = table(np.random.default_rng(1))
    places = [quad_at(170, 180, 10), quad_at(440, 380, -75), quad_at(730, 240, 190)]
    labels = list(cards)[:3]
    for label, quad in zip(labels, places, strict=True):
        lay(picture, cards[label], quad)
    reading = recognise(picture, deck)
    assert [named_at(reading.cards, quad) for quad in places] == [[label] for label in labels]
    assert len(reading.cards) == 3
    assert reading.unknown == 0
    for card, quad in zip((named_card(reading.cards, label) for label in labels), places, strict=True):
        assert np.abs(np.array(card.corners) - quad).max() < 0.06 * WIDTH


def named_card(seen: Sequence[Sighting], label: str) -> Sighting:
    """The sighting of that card."""
    return next(card for card in seen if card.label == label)


def test_equal_cards_are_named_twice(deck: Deck, cards: dict[str, Image]) -> None:
    picture = table(np.random.default_rng(2))
    label = list(cards)[1]
    for quad in (quad_at(200, 300, 0), quad_at(600, 300, 30)):
        lay(picture, cards[label], quad)
    assert [card.label for card in recognise(picture, deck).cards] == [label, label]


def test_the_networks_are_asked_where_nothing_else_finds_a_card(
    deck: Deck, cards: dict[str, Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.vision.cards.match_search.find_quads", lambda *_, **__: [])
    monkeypatch.setattr("companion.vision.cards.match_search.MOST_FEATURES", 2)
    picture = table(np.random.default_rng(6))
    label, quad = list(cards)[3], quad_at(450, 280, 15)
    lay(picture, cards[label], quad)
    (found,) = recognise(picture, deck).cards
    assert found.label == label
    assert np.abs(np.array(found.corners) - quad).max() < 0.1 * WIDTH


@pytest.mark.parametrize("part", [1 / 2, 1 / 3])
def test_a_covered_card_is_named_by_what_sticks_out(deck: Deck, cards: dict[str, Image], part: float) -> None:
    picture = table(np.random.default_rng(3))
    below, above = list(cards)[2], list(cards)[4]
    quad = quad_at(450, 250, 5)
    lay(picture, cards[below], quad)
    lay(picture, cards[above], np.asarray(quad + (quad[3] - quad[0]) * part, np.float32))
    assert sorted(card.label for card in recognise(picture, deck).cards) == sorted([below, above])


def test_a_card_of_another_deck_gets_no_name_but_is_counted(deck: Deck) -> None:
    picture = table(np.random.default_rng(4))
    other = np.asarray(art.draw_card("nasty_7", art.card_labels("nasty_7")[0], 400), np.uint8)
    lay(picture, other, quad_at(450, 300, 12))
    reading = recognise(picture, deck)
    assert reading.cards == ()
    assert reading.unknown == 1


def test_a_bare_table_shows_nothing(deck: Deck) -> None:
    reading = recognise(table(np.random.default_rng(5)), deck)
    assert reading.cards == ()
    assert reading.unknown == 0


def test_what_is_no_picture_is_refused(deck: Deck) -> None:
    with pytest.raises(Unreadable):
        recognise(np.zeros((8, 8, 3), np.uint8), deck)


def test_known_cards_leave_nothing_to_be_explained(cards: dict[str, Image]) -> None:
    picture = table(np.random.default_rng(6))
    quad = quad_at(450, 300, 20)
    lay(picture, next(iter(cards.values())), quad)
    left = Residual(picture, None, search_limits().structure)
    box = left.box()
    assert box is not None
    assert box[0] < quad[:, 0].min() + 30
    assert box[2] > quad[:, 0].max() - 30
    left.cover(quad)
    assert left.box() is None


def test_a_card_explains_most_of_a_narrow_strip_of_its_own(deck: Deck) -> None:
    bare = np.arange(descriptor.BLOCKS) < 3 * descriptor.COLUMNS
    card = art.draw_card(GAME, deck.labels[2], 300)
    height, width = card.shape[:2]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    seen = descriptor.PicturePyramid(np.asarray(card, np.uint8)).card_at(whole)
    fits = [
        deck.strip_templates.fit(seen, bare, look, search_limits().strips) for look in range(len(deck.looks))
    ]
    assert int(np.argmax(fits)) == 2
    assert fits[2] > 0.9


def test_the_rough_comparison_keeps_the_right_look(deck: Deck) -> None:
    ranks = deck.gallery.ranked(deck.looks)
    assert (ranks.argmin(axis=1) == np.arange(len(deck.looks))).all()
    half = np.tile(np.arange(descriptor.BLOCKS) < descriptor.BLOCKS // 2, (len(deck.looks), 1))
    assert (deck.gallery.ranked(deck.looks, half).argmin(axis=1) == np.arange(len(deck.looks))).all()


def test_a_deck_comes_back_from_its_file_and_another_version_is_refused(deck: Deck, tmp_path: Path) -> None:
    file = deck.save(tmp_path / "deck")
    back = Deck.load(tmp_path / "deck")
    assert back.labels == deck.labels
    assert (back.looks == deck.looks).all()
    data = dict(np.load(file))
    meta = data["meta"].tobytes().replace(b'"version": 1', b'"version": 0')
    data["meta"] = np.frombuffer(meta, np.uint8)
    np.savez(tmp_path / FILE, **data)
    with pytest.raises(Unreadable, match=r"another version .* enrol the deck again"):
        Deck.load(tmp_path / FILE)


@pytest.mark.parametrize("packed", [False, True])
def test_the_names_alone_are_those_of_the_deck(deck: Deck, packed: bool, tmp_path: Path) -> None:
    file = deck.save(tmp_path)
    if not packed:  # as a deck that somebody has written anew would lie there
        np.savez(file, **dict(np.load(file)))
    assert card_names(tmp_path) == deck.names


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda file: file.unlink(), "no deck there"),
        (lambda file: file.write_bytes(file.read_bytes()[:-200]), "damaged"),
        (lambda file: file.write_bytes(b"cards"), "damaged"),
        (lambda file: np.savez(file, looks=np.zeros(3)), "damaged"),
        (lambda file: np.savez(file, meta=np.frombuffer(b"{}", np.uint8)), "damaged"),
        (lambda file: np.savez(file, meta=np.frombuffer(b'{"kind": "tarot"}', np.uint8)), "damaged"),
        (lambda file: np.savez(file, meta=about(version=0)), "another version"),
        (lambda file: np.savez(file, meta=about(labels=[])), "damaged"),
        (lambda file: np.savez(file, meta=about(labels=3)), "damaged"),
    ],
)
def test_names_of_what_is_no_deck_are_refused(
    deck: Deck, tmp_path: Path, change: Callable[[Path], Any], why: str
) -> None:
    change(deck.save(tmp_path))
    with pytest.raises(Unreadable, match=why):
        card_names(tmp_path)


def about(**other: Any) -> Any:
    meta = {"kind": "companion deck", "version": 1, "name": "x", "labels": ["a"], "aspect": 1.5, **other}
    return np.frombuffer(json.dumps(meta).encode(), np.uint8)
