"""The fit of when a card is named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bench.vision.choice_fit import (
    FittedDeck,
    FittedPicture,
    FittedPlace,
    JudgedPicture,
    NameOutcome,
    cross_fitted,
    fit_places,
    fit_weights,
    least_probability,
    limits_at,
    outcomes,
)
from companion.vision.verifier.limits import MOST_FEATURES, ChoiceModel, NameLimits, PlaceEvidence

EVERY = NameLimits(ahead=0.0, least_ahead=0.0, least=0.0)
PLAIN = ChoiceModel(by_log_odds=1.0, by_features=0.0, by_support=0.0, by_rivals=0.0, offset=0.0)


def evidence(
    log_odds: Sequence[float], features: Sequence[float] = (), support: Sequence[float] = ()
) -> PlaceEvidence:
    """That of so many cards; 0 where nothing is given."""
    none = [0.0] * len(log_odds)
    given = (log_odds, features or none, support or none, none)
    return PlaceEvidence(*(np.array(one, np.float32) for one in given))


def picture(first: float, second: float, right: int, margin: float = 0.0) -> FittedPicture:
    """A picture with one place and two candidates of these log odds and that margin."""
    both = np.full(2, margin, np.float32)
    return FittedPicture((FittedPlace(evidence([first, second]), right, both),), known=int(right < 2))


def outcome(probability: float, right: bool, margin: float = 0.0) -> NameOutcome:
    return NameOutcome(probability, right, margin)


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


def totals(about: dict[str, Any]) -> dict[str, int]:
    """What is known of decks of different and of similar cards, together."""
    counts = ("pictures", "cards", "named", "named_wrongly")
    return {name: about["different"][name] + about["alike"][name] for name in counts}


def test_the_weights_are_found_again() -> None:
    model = fit_weights([drawn_deck(seed, 0.8, -1.0) for seed in range(12)])
    assert model.by_log_odds == pytest.approx(0.8, abs=0.06)
    assert model.offset == pytest.approx(-1.0, abs=0.15)


def test_the_weights_of_features_and_support_are_found_again() -> None:
    rng, pictures = np.random.default_rng(7), []
    for _ in range(4000):
        features, support = float(rng.integers(0, 20)), float(rng.uniform(0, 40))
        exponent = 0.3 * min(features, MOST_FEATURES) + 1.2 * math.log1p(support) - 5.0
        right = rng.random() < 1 / (1 + math.exp(-exponent))
        none = np.zeros(1, np.float32)
        place = FittedPlace(evidence([0.0], [features], [support]), int(not right), none)
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
    assert totals(fit_places(decks)) == {"pictures": 120, "cards": 80, "named": 80, "named_wrongly": 0}


def test_each_deck_is_judged_by_the_others() -> None:
    decks = [drawn_deck(seed, 0.8, -1.0, 40) for seed in range(2)]
    judged = [*outcomes(decks[0], fit_weights(decks[1:])), *outcomes(decks[1], fit_weights(decks[:1]))]
    assert cross_fitted(decks) == judged


def test_parts_of_one_deck_are_judged_without_each_other() -> None:
    decks = [replace(drawn_deck(seed, 0.8, -1.0, 40), name="one") for seed in range(2)]
    other = drawn_deck(2, 0.8, -1.0, 40)
    judged = [place for deck in decks for place in outcomes(deck, fit_weights([other]))]
    assert cross_fitted([*decks, other])[40:] == judged


def test_two_cards_that_are_as_likely_halve_the_probability() -> None:
    alone, contested = (
        outcomes(FittedDeck("deck", 0.0, (picture(5.0, other, 0),)), PLAIN)[0].places[0].probability
        for other in (-9.0, 5.0)
    )
    assert alone > 0.98
    assert contested < 0.51


@pytest.mark.parametrize(("most", "least"), [(0, 0.952), (1, 0.902), (2, 0.852)])
def test_the_least_probability_lets_so_many_pictures_pass(most: int, least: float) -> None:
    found = [
        [outcome(0.99, right=True), outcome(0.95, right=False)],
        [outcome(0.9, right=False), outcome(0.88, right=False)],
        [outcome(0.85, right=False)],
        [],
    ]
    assert least_probability(found, most) == pytest.approx(least)


def test_a_card_is_more_probable_than_all_else() -> None:
    assert least_probability([[outcome(0.1, right=False)]], 0) == 0.5


def test_cards_ahead_of_others_have_a_least_probability_of_their_own() -> None:
    found = [
        [outcome(0.9, right=False, margin=0.05)],
        [outcome(0.6, right=False, margin=0.3)],
        [outcome(0.7, right=True, margin=0.3)],
        [outcome(0.85, right=True, margin=0.05)],
    ]
    judged = [JudgedPicture(tuple(places), known=1, likeness=0.0) for places in found]
    limits = limits_at(judged, ahead=0.1)
    assert (limits.least, limits.least_ahead) == pytest.approx((0.902, 0.602))
    assert [picture.names(limits) for picture in judged] == [(0, 0), (0, 0), (1, 0), (0, 0)]
    assert limits_at(judged, ahead=0.01).least == 0.902, "no less than of those that are ahead"


def test_a_card_found_at_two_places_counts_once() -> None:
    places = (outcome(0.9, right=True), outcome(0.8, right=True), outcome(0.7, right=False))
    assert JudgedPicture(places, known=1, likeness=0.0).names(EVERY) == (1, 1)


def test_the_margin_that_parts_right_cards_from_false_ones_is_found() -> None:
    """Right cards of a probability of .6 to .9, false ones up to .8, which are not ahead."""
    right = [picture(float(x), -9.0, 0, margin=0.15) for x in np.linspace(0.4, 2.2, 60)]
    false = [picture(float(x), -9.0, 2, margin=0.05) for x in np.linspace(-6.0, 1.4, 30)]
    about = fit_places([FittedDeck(f"deck {at}", 0.0, (*right[at::3], *false[at::3])) for at in range(3)])
    limits = about["different"] if about["different"]["pictures"] else about["alike"]
    assert limits["ahead"] == pytest.approx(0.1, abs=0.01)
    assert limits["least_ahead"] == 0.5


def test_decks_of_similar_cards_have_limits_of_their_own() -> None:
    """In decks of similar cards false names are more probable than most right ones of others."""
    different = [picture(float(x), -9.0, 0) for x in np.linspace(0.9, 2.2, 60)]
    right = [picture(float(x), -9.0, 0) for x in np.linspace(2.5, 4.0, 20)]
    false = [picture(float(x), -9.0, 2) for x in np.linspace(-6.0, 1.9, 40)]
    decks = [FittedDeck(f"different {at}", -1.5, tuple(different[at::3])) for at in range(3)]
    decks += [FittedDeck(f"alike {at}", 1.5, (*right[at::3], *false[at::3])) for at in range(3)]
    about = fit_places(decks)
    assert about["similar"] in (1.0, 0.0, -1.0)
    assert totals(about) == {"pictures": 120, "cards": 80, "named": 80, "named_wrongly": 0}
