"""What sticks out from under a card is compared with all cards, and named by the verifier."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from flat_cards import WIDTH, lay, quad_at, table

from companion.vision.cards.edges import has_edge_pair
from companion.vision.cards.recognise import CardReader, recognise
from companion.vision.cards.strips import StripReader
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import search_limits
from companion.vision.match.strip_match import StripMatcher, moved
from companion.vision.match.strip_templates import sample_strip
from companion.vision.match.suppression import ExplainedMap
from companion.vision.verifier.network import features_of
from companion.vision.verifier.verify import seen_at

NUMBERS = ("1", "2", "3", "4", "7", "8")
COLOURS = {"red": (40, 40, 190), "blue": (170, 80, 30)}
SIZE = (240, 360)
LIMITS = search_limits().strips


def flat(colour: str, number: str) -> Image:
    """A card of plain colour with an oval, a number in it, and smaller ones in two corners."""
    card = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), COLOURS[colour], -1)
    cv2.ellipse(card, (120, 180), (95, 110), 20, 0, 360, (240, 240, 240), -1)
    cv2.putText(card, number, (72, 232), cv2.FONT_HERSHEY_SIMPLEX, 5.0, COLOURS[colour], 26)
    cv2.putText(card, number, (24, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (250, 250, 250), 6)
    half = card[: SIZE[1] // 4, : SIZE[0] // 3]
    card[-half.shape[0] :, -half.shape[1] :] = half[::-1, ::-1]
    return card


@pytest.fixture(scope="module")
def cards() -> dict[str, Image]:
    return {f"{colour} {number}": flat(colour, number) for colour in COLOURS for number in NUMBERS}


@pytest.fixture(scope="module")
def deck(cards: dict[str, Image]) -> Deck:
    return enrol_pictures("flat", list(cards), list(cards.values())).deck


def pair(cards: dict[str, Image], below: str, above: str, part: float) -> tuple[Image, Floats, Floats]:
    """A picture of one card of which `part` sticks out from under another one, and both quads."""
    picture = table(np.random.default_rng(3))
    under = quad_at(450, 250, 4)
    over = np.asarray(quad_at(0, 0, 2) + under.mean(axis=0) + (under[3] - under[0]) * part, np.float32)
    lay(picture, cards[below], under)
    lay(picture, cards[above], over)
    return picture, under, over


@pytest.mark.parametrize("below", ["red 1", "red 8", "blue 2", "blue 7"])
def test_a_fifth_of_a_card_is_likeliest_from_a_place_that_is_off(
    deck: Deck, cards: dict[str, Image], below: str
) -> None:
    picture, under, over = pair(cards, below, "red 4", 1 / 5)
    explained = ExplainedMap(picture.shape[:2])
    explained.add_whole(over)
    off = moved(under, np.array([2.0, -2.5, 0.03, 0.0]))
    found = StripMatcher(PicturePyramid(picture), deck.strip_templates, explained, LIMITS).compare(
        [off], over
    )
    assert found is not None
    assert below in [deck.labels[look] for look in found.looks[:2]]
    assert float(np.linalg.norm(found.quad - under, axis=1).max()) < 0.1 * WIDTH
    assert sorted(deck.labels[look] for look in found.looks) == sorted(deck.names)


def test_a_bare_table_beside_a_card_is_explained_by_none(deck: Deck, cards: dict[str, Image]) -> None:
    picture, under, over = pair(cards, "red 1", "red 4", 1 / 5)
    explained = ExplainedMap(picture.shape[:2])
    explained.add_whole(over)
    beyond = geometry.rotated_half_turn(over)
    bare = np.asarray(beyond + (beyond[0] - beyond[3]) / 5, np.float32)
    strips = StripMatcher(PicturePyramid(picture), deck.strip_templates, explained, LIMITS)
    empty, shown = strips.compare([bare], over), strips.compare([under], over)
    assert empty is not None
    assert shown is not None
    assert empty.left > 0.7 > 0.5 > shown.left


def test_edges_tell_that_a_card_lies_below(cards: dict[str, Image]) -> None:
    picture, _, over = pair(cards, "red 1", "blue 7", 1 / 5)
    scene = PicturePyramid(picture)
    assert has_edge_pair(scene, over, LIMITS)
    assert not has_edge_pair(scene, geometry.rotated_half_turn(over), LIMITS)


def test_strips_are_read_only_where_the_edges_of_a_card_run_on(
    deck: Deck, cards: dict[str, Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, own = [], StripReader.read

    def counted(*arguments: Any) -> Any:
        read.append(arguments)
        return own(*arguments)

    monkeypatch.setattr(StripReader, "read", counted)
    alone = table(np.random.default_rng(3))
    lay(alone, cards["red 4"], quad_at(450, 250, 4))
    assert [card.label for card in recognise(alone, deck).cards] == ["red 4"]
    assert not read
    covered, _, _ = pair(cards, "red 1", "red 4", 1 / 5)
    recognise(covered, deck)
    assert read


def test_nothing_is_said_of_what_is_hidden(deck: Deck, cards: dict[str, Image]) -> None:
    picture, _, over = pair(cards, "red 1", "red 4", 1 / 5)
    explained = ExplainedMap(picture.shape[:2])
    explained.add_whole(np.asarray(over + (over - over.mean(axis=0)) / 2, np.float32))
    strips = StripMatcher(PicturePyramid(picture), deck.strip_templates, explained, LIMITS)
    assert strips.compare([over], over) is None


def test_a_card_that_moved_one_way_and_back_lies_where_it_was() -> None:
    quad, motion = quad_at(450, 250, 4), np.array([2.0, -3.0, 0.0, 0.0])
    assert np.allclose(moved(moved(quad, motion), -motion), quad, atol=1e-2)
    grown = moved(quad, np.array([0.0, 0.0, 0.3, 0.1]))
    assert geometry.area(grown) == pytest.approx(geometry.area(quad) * np.exp(0.2), rel=1e-3)


@pytest.mark.parametrize("part", [1 / 3, 1 / 5])
def test_the_strip_is_named_beside_the_card_on_top(deck: Deck, cards: dict[str, Image], part: float) -> None:
    picture, _, _ = pair(cards, "blue 8", "red 3", part)
    assert sorted(card.label for card in recognise(picture, deck).cards) == ["blue 8", "red 3"]


def test_a_card_that_is_not_enrolled_gets_no_name_by_its_strip(cards: dict[str, Image]) -> None:
    known = {label: card for label, card in cards.items() if label != "blue 7"}
    deck = enrol_pictures("flat", list(known), list(known.values())).deck
    picture, _, _ = pair(cards, "blue 7", "red 3", 1 / 5)
    assert [card.label for card in recognise(picture, deck).cards] == ["red 3"]


def test_the_rows_of_all_looks_say_what_each_one_says(deck: Deck, cards: dict[str, Image]) -> None:
    """Of its own upper end a look leaves nothing, and some entries leave what they leave among all."""
    card = descriptor.picture_of(cards["red 7"], frame(), descriptor.WIDTH, descriptor.HEIGHT)
    light, colour = descriptor.normalised_planes(card.astype(np.float32)[None])
    rows = 24
    everywhere = np.ones((1, rows, descriptor.WIDTH), np.float32)
    seen = sample_strip(light[:, :rows], colour[:, :rows], everywhere, LIMITS)
    left, total = deck.strip_templates.residuals(seen, LIMITS)
    own = deck.labels.index("red 7")
    assert left[0, own] < 0.005 * total[0]
    assert int(left[0].argmin()) % len(deck.labels) == own
    some = np.array([deck.labels.index("blue 2"), own])
    assert np.allclose(
        deck.strip_templates.residuals(seen, LIMITS, some)[0],
        left[:, some],
        atol=1e-4,
    )


def test_what_one_look_leaves_in_doubt_is_the_mean_of_five(deck: Deck, cards: dict[str, Image]) -> None:
    picture, under, over = pair(cards, "blue 8", "red 4", 1 / 3)
    scene, explained = PicturePyramid(picture), ExplainedMap(picture.shape[:2])
    explained.add_whole(over)
    strip = StripReader(scene, deck, explained, LIMITS).read([under], over)
    assert strip is not None
    first, again = strip.cards(len(deck.cards)), strip.cards_looked_at_again(len(deck.cards))
    doubtful = [LIMITS.doubtful_from < card.log_odds < LIMITS.doubtful_to for card in first]
    assert any(doubtful)
    assert not all(doubtful)
    for card, other, in_doubt in zip(first, again, doubtful, strict=True):
        assert (other.look, other.quad.tolist()) == (card.look, card.quad.tolist())
        across, down = (card.quad[1] - card.quad[0]) * 2 / 80, (card.quad[3] - card.quad[0]) * 2 / 128
        beside = [card.quad + way for way in (across, -across, down, -down)] if in_doubt else []
        shown = [seen_at(scene, quad, explained) for quad in (card.quad, *beside)]
        features = features_of(np.stack([one for one, _ in shown]), np.stack([seen for _, seen in shown]))
        looks = deck.enrolled.log_odds(features, [card.look] * len(features))
        assert other.log_odds == pytest.approx(float(looks.mean()), abs=0.1)


def test_a_clear_strip_is_sure(deck: Deck, cards: dict[str, Image]) -> None:
    picture, _, _ = pair(cards, "blue 7", "red 4", 1 / 3)
    (read,) = (match for match in CardReader(picture, deck).read() if match.label == "blue 7")
    assert read.probability is not None
    assert read.probability > 0.8


def frame() -> Floats:
    """The corners of a whole picture of a card."""
    return np.array([[0, 0], [SIZE[0], 0], [SIZE[0], SIZE[1]], [0, SIZE[1]]], np.float32) - 0.5
