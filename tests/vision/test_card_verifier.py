"""The verifier: whether what is in a quad is an enrolled card, and which card a soft picture shows."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from flat_cards import GAME, drawn, lay, quad_at, table

from companion import art
from companion.vision.cards import recognise as recognising
from companion.vision.cards.recognise import recognise
from companion.vision.cards.verified_places import (
    LikelyPlace,
    choice_probabilities,
    place_candidates,
    verified_cards,
)
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import select_looks
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.score import CardMatch
from companion.vision.verifier.limits import PlaceLimits, verifier_limits
from companion.vision.verifier.network import planes_of
from companion.vision.verifier.verify import place_log_odds

LABELS = [f"{colour} {number}" for colour in ("red", "blue") for number in (1, 3, 5)]


@pytest.fixture(scope="module")
def deck() -> Deck:
    assert set(LABELS) <= set(art.card_labels(GAME))
    cards = drawn(LABELS)
    return enrol_pictures(GAME, list(cards), list(cards.values())).deck


def soft_picture(label: str, quad: Floats) -> Image:
    """A card on a table, out of focus and pale."""
    picture = table(np.random.default_rng(5))
    lay(picture, drawn([label])[label], quad)
    soft = cv2.GaussianBlur(picture, (0, 0), 2.0).astype(np.float32)
    return np.asarray(np.clip(0.6 * soft + 70, 0, 255), np.uint8)


QUAD = quad_at(480, 310, 12.0)


def test_the_card_that_lies_there_has_the_highest_log_odds(deck: Deck) -> None:
    for label in LABELS:
        scene = PicturePyramid(soft_picture(label, QUAD))
        odds = place_log_odds(scene, deck.pictures, [(look, QUAD) for look in range(len(deck.labels))])
        assert deck.labels[int(odds.argmax())] == label
        assert odds.max() > 0


def test_a_bare_table_is_no_card(deck: Deck) -> None:
    scene = PicturePyramid(table(np.random.default_rng(5)))
    odds = place_log_odds(scene, deck.pictures, [(look, QUAD) for look in range(len(deck.labels))])
    assert odds.max() < 0


def test_no_pose_has_no_log_odds(deck: Deck) -> None:
    assert place_log_odds(PicturePyramid(table(np.random.default_rng(5))), deck.pictures, []).shape == (0,)


def test_another_lamp_changes_only_the_planes_with_the_colours() -> None:
    picture = np.random.default_rng(2).integers(60, 120, (1, 96, 64, 3), np.uint8)
    first, second = planes_of(picture), planes_of(2 * picture)
    assert first.shape == (1, 6, 96, 64)
    assert np.abs(first[:, :3] - second[:, :3]).mean() > 0.2
    assert np.allclose(first[:, 3:], second[:, 3:], atol=1e-3)


@pytest.mark.parametrize("over", [False, True])
def test_a_card_is_moved_onto_a_place_that_is_a_little_off(deck: Deck, over: bool) -> None:
    quad = geometry.rotated_half_turn(QUAD) if over else QUAD
    place = LikelyPlace(np.asarray(quad + np.array((6.0, -5.0)), np.float32))
    cards = place_candidates(PicturePyramid(soft_picture("blue 3", QUAD)), deck, place)
    best = max(cards, key=lambda card: card.log_odds)
    assert deck.labels[best.look] == "blue 3"
    assert float(np.abs(best.quad - QUAD).mean()) < 3.0


def test_a_part_of_a_picture_shows_one_card(deck: Deck) -> None:
    scene = PicturePyramid(soft_picture("red 5", QUAD))
    places = [LikelyPlace(QUAD), LikelyPlace(np.asarray(QUAD + np.array((9.0, 4.0)), np.float32))]
    assert [deck.labels[card.look] for card in verified_cards(scene, deck, places)] == ["red 5"]


def test_a_card_of_a_soft_picture_is_named_and_one_that_is_not_enrolled_is_not(deck: Deck) -> None:
    picture = soft_picture("red 3", QUAD)
    assert [card.label for card in recognise(picture, deck).cards] == ["red 3"]
    others = select_looks(deck, [look for look, label in enumerate(deck.labels) if label != "red 3"])
    assert verified_cards(PicturePyramid(picture), others, [LikelyPlace(QUAD)]) == []


def test_a_place_left_over_beside_a_named_card_is_asked_about(
    deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = table(np.random.default_rng(5))
    for label, x in (("red 1", 300), ("blue 3", 620)):
        lay(picture, drawn([label])[label], quad_at(x, 310, 8.0))
    own = recognising.select_matches

    def only_red(*arguments: Any) -> list[CardMatch]:
        return [match for match in own(*arguments) if match.label == "red 1"]

    monkeypatch.setattr(recognising, "select_matches", only_red)
    assert sorted(card.label for card in recognise(picture, deck).cards) == ["blue 3", "red 1"]
    others = select_looks(deck, [look for look, label in enumerate(deck.labels) if label != "blue 3"])
    assert [card.label for card in recognise(picture, others).cards] == ["red 1"]


def test_probabilities_leave_room_for_none_of_the_cards() -> None:
    chances = choice_probabilities(np.array([1.0, -9.0], np.float32), PlaceLimits(1.0, 0.0, 0.5))
    assert chances.sum() < 1.0
    assert chances[0] == pytest.approx(np.e / (1 + np.e), abs=0.01)


def test_cards_that_are_taken_for_each_other_are_similar(deck: Deck) -> None:
    assert not deck.pictures.are_similar
    cards = drawn(["red 1", "red 3", "blue 5"])
    twin = np.ascontiguousarray(np.clip(cards["red 1"].astype(int) + 3, 0, 255).astype(np.uint8))
    pictures = [cards["red 1"], twin, cards["red 3"], cards["blue 5"]]
    assert enrol_pictures(GAME, ["one", "its twin", "red 3", "blue 5"], pictures).deck.pictures.are_similar


def test_two_looks_of_one_card_are_not_similar_cards() -> None:
    cards = drawn(["red 1", "red 3", "blue 5"])
    labels = [*cards, "red 1"]
    made = enrol_pictures(GAME, labels, [cards[label] for label in labels]).deck
    assert len(made.labels) == 4
    assert not made.pictures.are_similar


def test_the_fitted_limits_are_there() -> None:
    limits = verifier_limits()
    for places in (limits.places.different, limits.places.alike):
        assert places.slope > 0
        assert 0.3 < places.least < 1.0
    assert limits.places.of(9.0) == limits.places.alike
    assert limits.places.of(-9.0) == limits.places.different
    assert limits.table.least(-9.0) == limits.table.different < limits.table.alike == limits.table.least(9.0)
    assert 0.0 < limits.field.card < 1.0
