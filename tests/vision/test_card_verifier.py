"""The verifier: whether what is in a quad is an enrolled card, and which card a soft picture shows."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flat_cards import GAME, drawn, lay, quad_at, table

from companion import art
from companion.vision.cards import recognise as recognising
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.recognise import CardReader, recognise
from companion.vision.cards.verified_places import LikelyPlace, place_candidates, verified_cards
from companion.vision.deck import deck as deck_module
from companion.vision.deck.check import check_deck
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import merge, select_looks
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.limits import search_limits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import same_place
from companion.vision.verifier.limits import (
    ChoiceModel,
    PlaceEvidence,
    verifier_limits,
)
from companion.vision.verifier.network import FEATURES_SHAPE, FRAME, planes_of
from companion.vision.verifier.verify import place_log_odds, seen_at

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
        odds = place_log_odds(scene, deck.enrolled, [(look, QUAD) for look in range(len(deck.labels))])
        assert deck.labels[int(odds.argmax())] == label
        assert odds.max() > 0


def test_a_bare_table_is_no_card(deck: Deck) -> None:
    scene = PicturePyramid(table(np.random.default_rng(5)))
    odds = place_log_odds(scene, deck.enrolled, [(look, QUAD) for look in range(len(deck.labels))])
    assert odds.max() < 0


def test_no_pose_has_no_log_odds(deck: Deck) -> None:
    assert place_log_odds(PicturePyramid(table(np.random.default_rng(5))), deck.enrolled, []).shape == (0,)


def test_another_lamp_changes_only_the_planes_with_the_colours() -> None:
    size = (FRAME.height, FRAME.width)
    picture = np.random.default_rng(2).integers(60, 120, (1, *size, 3), np.uint8)
    visible = np.ones((1, *size), bool)
    visible[:, :40] = False
    first, second = planes_of(picture, visible), planes_of(2 * picture, visible)
    assert first.shape == (1, 7, *size)
    assert np.abs(first[:, :3, 40:] - second[:, :3, 40:]).mean() > 0.2
    assert np.allclose(first[:, 3:], second[:, 3:], atol=1e-3)


def test_what_is_hidden_does_not_count() -> None:
    size = (FRAME.height, FRAME.width)
    picture = np.random.default_rng(2).integers(60, 120, (1, *size, 3), np.uint8)
    other = picture.copy()
    other[:, :40] = 255
    visible = np.ones((1, *size), bool)
    visible[:, :40] = False
    assert np.array_equal(planes_of(picture, visible), planes_of(other, visible))


def test_nothing_beyond_the_picture_is_visible() -> None:
    scene = PicturePyramid(table(np.random.default_rng(5)))
    _, visible = seen_at(scene, quad_at(480, 310, 0.0))
    assert visible.all()
    _, visible = seen_at(scene, quad_at(0, 310, 0.0))
    assert not visible[:, : FRAME.width // 2 - 3].any()
    assert visible[:, FRAME.width // 2 + 3 :].all()


def test_a_deck_keeps_what_the_verifier_saw_of_its_cards(deck: Deck, tmp_path: Path) -> None:
    assert deck.verifier_features is not None
    assert deck.verifier_features.shape == (len(LABELS), *FEATURES_SHAPE)
    again = Deck.load(deck.save(tmp_path).parent)
    assert again.verifier_features is not None
    assert np.array_equal(again.verifier_features, deck.verifier_features)


def test_features_of_another_network_are_not_used(
    deck: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = deck.save(tmp_path).parent
    monkeypatch.setattr(deck_module, "network_version", lambda: "another")
    found = Deck.load(folder)
    assert found.verifier_features is None
    assert found.without_detail == found.names
    assert [note.code for note in check_deck(found).notes()] == ["deck_check.without_detail"]
    assert check_deck(deck).notes() == ()


def test_cards_of_which_only_descriptors_are_known_are_named(deck: Deck) -> None:
    known = dataclasses.replace(deck, verifier_features=None)
    scene = PicturePyramid(soft_picture("blue 3", QUAD))
    odds = place_log_odds(scene, known.enrolled, [(look, QUAD) for look in range(len(known.labels))])
    assert known.labels[int(odds.argmax())] == "blue 3"


def test_features_that_one_deck_lacks_are_made_again_after_a_merge(deck: Deck, tmp_path: Path) -> None:
    without = dataclasses.replace(deck, verifier_features=None)
    merge(without, select_looks(deck, [2, 3])).save(tmp_path)
    both = Deck.load(tmp_path)
    count = len(LABELS)
    again = both.enrolled.features(range(count))
    assert np.array_equal(again, without.enrolled.features(range(count)))
    assert np.array_equal(both.enrolled.features([count, count + 1]), deck.enrolled.features([2, 3]))
    assert both.without_detail == tuple(label for label in deck.labels if label not in deck.labels[2:4])
    assert merge(without, without).verifier_features is None


@pytest.mark.parametrize("over", [False, True])
def test_a_card_is_moved_onto_a_place_that_is_a_little_off(deck: Deck, over: bool) -> None:
    quad = geometry.rotated_half_turn(QUAD) if over else QUAD
    place = LikelyPlace(np.asarray(quad + np.array((6.0, -5.0)), np.float32))
    scene, limits = PicturePyramid(soft_picture("blue 3", QUAD)), search_limits().places
    cards = place_candidates(scene, deck, place, deck.enrolled, limits)
    best = max(cards, key=lambda card: card.log_odds)
    assert deck.labels[best.look] == "blue 3"
    assert float(np.abs(best.quad - QUAD).mean()) < 3.0


def verified(picture: Image, deck: Deck, places: list[LikelyPlace]) -> list[CardMatch]:
    evaluator = Evaluator(picture, deck, soft=True)
    naming, limits = verifier_limits().places, search_limits().places
    return verified_cards(evaluator.scene, deck, places, evaluator.matched, deck.enrolled, naming, limits)


def test_a_part_of_a_picture_shows_one_card(deck: Deck) -> None:
    places = [LikelyPlace(QUAD), LikelyPlace(np.asarray(QUAD + np.array((9.0, 4.0)), np.float32))]
    assert [card.label for card in verified(soft_picture("red 5", QUAD), deck, places)] == ["red 5"]


def test_a_card_of_a_soft_picture_is_named_and_one_that_is_not_enrolled_is_not(deck: Deck) -> None:
    picture = soft_picture("red 3", QUAD)
    assert [card.label for card in recognise(picture, deck).cards] == ["red 3"]
    others = select_looks(deck, [look for look, label in enumerate(deck.labels) if label != "red 3"])
    assert verified(picture, others, [LikelyPlace(QUAD)]) == []


def test_in_a_soft_picture_no_place_is_asked_about_that_a_named_match_covers(deck: Deck) -> None:
    picture = table(np.random.default_rng(5))
    lay(picture, drawn(["red 3"])["red 3"], QUAD)
    reader = CardReader(np.asarray(cv2.GaussianBlur(picture, (0, 0), 4.0), np.uint8), deck)
    assert reader.found.is_soft
    assert any(same_place(place.quad, QUAD) for place in reader.places_beside([]))
    (named,) = reader.confirmed()
    assert named.label == "red 3"
    assert same_place(named.quad, QUAD)
    assert not any(same_place(place.quad, QUAD) for place in reader.places_beside([named]))


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
    model = ChoiceModel(by_log_odds=1.0, by_features=0.1, by_support=0.5, by_lead=0.0, offset=0.0)
    none = np.zeros(2, np.float32)
    odds = np.array([1.0, -9.0], np.float32)
    chances = model.probabilities(PlaceEvidence(odds, none, none, none))
    assert chances.sum() < 1.0
    assert chances[0] == pytest.approx(np.e / (1 + np.e), abs=0.01)
    features = np.array([20.0, 0.0], np.float32)
    with_features, with_support = (
        model.probabilities(PlaceEvidence(odds, *more, none)) for more in ((features, none), (none, features))
    )
    assert with_features[0] > chances[0]
    assert with_support[0] > chances[0]
    most = verifier_limits().bounds.features
    many, bound = (
        model.probabilities(PlaceEvidence(odds, np.array([count, 0.0], np.float32), none, none))
        for count in (10 * most, most)
    )
    assert many.tolist() == bound.tolist()


def test_cards_that_are_taken_for_each_other_are_similar(deck: Deck) -> None:
    cards = drawn(["red 1", "red 3", "blue 5"])
    twin = np.ascontiguousarray(np.clip(cards["red 1"].astype(int) + 3, 0, 255).astype(np.uint8))
    pictures = [cards["red 1"], twin, cards["red 3"], cards["blue 5"]]
    alike = enrol_pictures(GAME, ["one", "its twin", "red 3", "blue 5"], pictures).deck
    assert alike.enrolled.likeness > deck.enrolled.likeness + 1.0


def test_two_looks_of_one_card_are_not_similar_cards() -> None:
    cards = drawn(["red 1", "red 3", "blue 5"])
    labels = [*cards, "red 1"]
    made = enrol_pictures(GAME, labels, [cards[label] for label in labels]).deck
    assert len(made.labels) == 4
    once = enrol_pictures(GAME, list(cards), list(cards.values())).deck
    assert made.enrolled.likeness < once.enrolled.likeness + 1.0


def test_cards_that_differ_in_the_middle_alone_are_similar_by_their_ends() -> None:
    cards = drawn(["red 1", "red 3", "blue 5", "blue 2"])
    rows = cards["red 1"].shape[0]
    for label, of in (("red 3", "red 1"), ("blue 2", "blue 5")):
        cards[label][: 2 * rows // 5], cards[label][-2 * rows // 5 :] = (
            cards[of][: 2 * rows // 5],
            cards[of][-2 * rows // 5 :],
        )
    made = enrol_pictures(GAME, list(cards), list(cards.values())).deck
    assert made.enrolled.likeness_of_ends > made.enrolled.likeness + 1.0


def test_a_strip_is_less_likely_the_likelier_another_card_is() -> None:
    model = verifier_limits().strips.model
    alone, beside, contested = (
        float(model.probabilities(PlaceEvidence.of_strip(np.array(odds, np.float32)))[0])
        for odds in ([3.0, -9.0], [3.0, 0.0], [3.0, 2.0])
    )
    assert alone > beside + 0.05
    assert beside > contested + 0.1


def test_cards_that_are_alone_do_not_compete() -> None:
    model = ChoiceModel(by_log_odds=1.0, by_features=0.0, by_support=0.0, by_lead=0.0, offset=0.0)
    none = np.zeros(2, np.float32)
    both = PlaceEvidence(np.array([2.0, 2.0], np.float32), none, none, none)
    alone = model.each_alone(both)
    assert alone[0] == alone[1] == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert model.probabilities(both)[0] < 0.5


def test_the_fitted_limits_are_there() -> None:
    shipped = verifier_limits()
    for model in (shipped.sharp.model, shipped.matches.model):
        assert min(model.by_log_odds, model.by_features, model.by_support) > 0
    for model in (shipped.places.model, shipped.places_refined.model):
        assert min(model.by_log_odds, model.by_support) > 0
    assert min(shipped.strips.model.by_log_odds, shipped.strips.model.by_lead) > 0
    for naming in (shipped.places, shipped.places_refined, shipped.matches):
        assert 0.5 <= naming.limit.probability(-np.inf) < naming.limit.probability(5.0) < 1.0
    assert 0.4 <= shipped.strips.limit.probability(-np.inf) < shipped.strips.limit.probability(5.0) < 1.0
    assert 0.5 <= shipped.sharp.limit.probability(-np.inf) <= shipped.sharp.limit.probability(5.0) < 1.0
    assert 0.0 < shipped.field.card < 1.0
    assert 0.0 < shipped.field.seen < 1.0
