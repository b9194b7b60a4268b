"""The fit of when a card is named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bench.vision.choice_fit import (
    ALIKE,
    COST,
    FittedDeck,
    FittedPicture,
    FittedPlace,
    JudgedPicture,
    NameOutcome,
    cross_fitted,
    fit_limit,
    fit_places,
    fit_weights,
    outcomes,
)
from companion.vision.verifier.limits import ChoiceModel, NameLimit, PlaceEvidence, verifier_limits

PLAIN = ChoiceModel(by_log_odds=1.0, by_features=0.0, by_support=0.0, by_lead=0.0, offset=0.0)


def evidence(
    log_odds: Sequence[float], features: Sequence[float] = (), support: Sequence[float] = ()
) -> PlaceEvidence:
    """That of so many cards; 0 where nothing is given."""
    none = [0.0] * len(log_odds)
    given = (log_odds, features or none, support or none, none)
    return PlaceEvidence(*(np.array(one, np.float32) for one in given))


def picture(first: float, second: float, right: int) -> FittedPicture:
    """A picture with one place and two candidates of these log odds."""
    return FittedPicture((FittedPlace(evidence([first, second]), right),), known=int(right < 2))


def judged(*places: tuple[float, bool], known: int = 1, likeness: float = 0.0) -> JudgedPicture:
    """A picture of places by their probabilities and whether they are right."""
    return JudgedPicture(tuple(NameOutcome(*one) for one in places), known, likeness)


def drawn_deck(seed: int, weight: float, offset: float, count: int = 400) -> FittedDeck:
    """Pictures whose cards are right as often as a model of these weights says."""
    rng = np.random.default_rng(seed)
    pictures = []
    for _ in range(count):
        odds = rng.normal(0, 3, 2)
        shares = np.exp(weight * odds + offset)
        chances = np.array([*shares, 1.0]) / (1.0 + shares.sum())
        pictures.append(picture(float(odds[0]), float(odds[1]), int(rng.choice(3, p=chances))))
    return FittedDeck(f"deck {seed}", 0.0, tuple(pictures))


def totals(about: dict[str, Any]) -> list[int]:
    """Pictures, cards, and how many are named rightly and wrongly."""
    return [about[name] for name in ("pictures", "cards", "named", "named_wrongly")]


def test_the_weights_are_found_again() -> None:
    model = fit_weights([drawn_deck(seed, 0.8, -1.0) for seed in range(12)])
    assert model.by_log_odds == pytest.approx(0.8, abs=0.06)
    assert model.offset == pytest.approx(-1.0, abs=0.15)


def test_the_weights_of_features_and_support_are_found_again() -> None:
    rng, pictures = np.random.default_rng(7), []
    for _ in range(4000):
        features, support = float(rng.integers(0, 20)), float(rng.uniform(0, 40))
        exponent = 0.3 * min(features, verifier_limits().bounds.features) + 1.2 * math.log1p(support) - 5.0
        right = rng.random() < 1 / (1 + math.exp(-exponent))
        place = FittedPlace(evidence([0.0], [features], [support]), int(not right))
        pictures.append(FittedPicture((place,), known=1))
    model = fit_weights([FittedDeck("drawn", 0.0, tuple(pictures))])
    assert model.by_features == pytest.approx(0.3, abs=0.03)
    assert model.by_support == pytest.approx(1.2, abs=0.15)
    assert model.offset == pytest.approx(-5.0, abs=0.5)


def test_no_card_that_is_not_enrolled_is_named_where_none_may_be() -> None:
    rng = np.random.default_rng(3)
    known = [picture(float(rng.uniform(2, 9)), float(rng.uniform(-6, 1)), 0) for _ in range(80)]
    others = [picture(float(rng.uniform(-8, 0)), float(rng.uniform(-8, 0)), 2) for _ in range(40)]
    decks = [FittedDeck(f"deck {at}", 0.0, (*known[at::4], *others[at::4])) for at in range(4)]
    assert totals(fit_places(decks)) == [120, 80, 80, 0]


def test_each_deck_is_judged_by_the_others() -> None:
    decks = [drawn_deck(seed, 0.8, -1.0, 40) for seed in range(2)]
    assert cross_fitted(decks) == {
        decks[0].name: outcomes(decks[0], fit_weights(decks[1:])),
        decks[1].name: outcomes(decks[1], fit_weights(decks[:1])),
    }


def test_parts_of_one_deck_are_judged_without_each_other() -> None:
    decks = [replace(drawn_deck(seed, 0.8, -1.0, 40), name="one") for seed in range(2)]
    other = drawn_deck(2, 0.8, -1.0, 40)
    without_it = [place for deck in decks for place in outcomes(deck, fit_weights([other]))]
    assert cross_fitted([*decks, other])["one"] == without_it


def test_two_cards_that_are_as_likely_halve_the_probability() -> None:
    alone, contested = (
        outcomes(FittedDeck("deck", 0.0, (picture(5.0, other, 0),)), PLAIN)[0].places[0].probability
        for other in (-9.0, 5.0)
    )
    assert alone > 0.98
    assert contested < 0.51


def limit_of(*decks: list[JudgedPicture]) -> NameLimit:
    """What is fitted on decks, each twice: a limit is chosen with and without each of them."""
    twice = {f"{at}": pictures for at, pictures in enumerate([*decks, *decks])}
    return NameLimit(**fit_limit(twice)["limit"])


def test_a_limit_lies_above_false_names_and_below_right_ones() -> None:
    deck = [judged((0.9, True))] * 3 + [judged((0.7, False), known=0)]
    assert 0.7 <= limit_of(deck).probability(0.0) < 0.9


def test_a_card_is_more_probable_than_all_else() -> None:
    deck = [judged((0.9, True)), judged((0.4, True)), judged((0.1, False))]
    assert limit_of(deck).probability(0.0) >= 0.5


@pytest.mark.parametrize(("right", "passes"), [(int(COST) - 1, False), (int(COST) + 1, True)])
def test_a_false_name_passes_for_enough_right_ones(right: int, passes: bool) -> None:
    deck = [judged((0.7, True))] * right + [judged((0.8, False), known=0)]
    assert (limit_of(deck).probability(0.0) < 0.7) is passes


def test_a_card_found_at_two_places_counts_once() -> None:
    right, wrong = judged((0.9, True), (0.8, True), (0.7, False)).names()
    assert (right[0, 0], wrong[0, 0]) == (1, 1)


def test_what_a_limit_gives_is_told_of_decks_that_did_not_choose_it() -> None:
    """One deck has a false name as probable as no other's: the limit of the others lets it pass."""
    deck = [judged((0.8, True)), judged((0.6, False), known=0)]
    odd = [judged((0.95, True)), judged((0.9, False), known=0)]
    about = fit_limit({"one": deck, "two": deck, "odd": odd})
    assert totals(about) == [6, 3, 1, 1]
    assert NameLimit(**about["limit"]).probability(0.0) >= 0.9


def test_cards_of_similar_decks_must_be_more_probable() -> None:
    different = [judged((chance, True), likeness=-4.0) for chance in np.linspace(0.55, 0.95, 40)]
    alike = [judged((chance, False), known=0, likeness=4.0) for chance in np.linspace(0.3, 0.85, 40)]
    limit = limit_of(different, alike)
    assert limit.by_likeness > 0.05
    assert limit.probability(-4.0) < 0.6
    assert limit.probability(4.0) >= 0.85


def test_decks_of_similar_cards_count_as_a_share_however_many_there_are() -> None:
    """A false name in each similar deck, of which there are as many as of others, or three times as many."""
    false = [judged((0.7, False), known=0)] + [judged((0.3, False), known=0)] * 7
    decks = {f"made {at}": [judged((0.6, True))] * 8 for at in range(2)}
    few, many = ({f"{ALIKE} {at}": false for at in range(count)} for count in (2, 6))
    limits = [NameLimit(**fit_limit(decks | similar)["limit"]) for similar in (few, many)]
    assert limits[0] == limits[1]
    assert limits[0].probability(0.0) < 0.6, "the right names are worth the false ones"
