"""The fit of when the verifier refuses the name of a match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.vision.choice_fit import FittedDeck, FittedPicture, FittedPlace
from bench.vision.fit_matches import FittedMatches, LikelyNames, fit_matches, matched_places
from companion.vision.image.picture import Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import search_limits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import by_strength
from companion.vision.verifier.limits import ChoiceModel, NameLimit, PlaceEvidence

PLACE = np.array([[200, 100], [360, 100], [360, 340], [200, 340]], np.float32)
BESIDE = np.asarray(PLACE + np.array([200, 0], np.float32))
CARDS = np.array([0, 0, 1, 2])
"""Two looks of card 0."""


def match_at(look: int, quad: Floats, gain: float) -> CardMatch:
    return CardMatch(
        quad=quad, look=look, label=str(look), descriptor=np.zeros(0, np.uint8),
        costs=np.full(descriptor.BLOCKS, 0.2, np.float32), seen=np.ones(descriptor.BLOCKS, bool), cost=0.2,
        seen_cost=0.2, margin=0.3, support=25.0, weights=np.ones(descriptor.BLOCKS, np.float32), gain=gain,
        inliers=0,
    )  # fmt: skip


def evidence(log_odds: list[float]) -> PlaceEvidence:
    none = np.zeros(len(log_odds), np.float32)
    return PlaceEvidence(np.array(log_odds, np.float32), none, none, none)


def fitted(name: str, right: list[float], false: list[float]) -> FittedMatches:
    """A deck of so many pictures with one card of these log odds each, all of which would be named."""
    places = [FittedPlace(evidence([x]), 0) for x in right]
    places += [FittedPlace(evidence([x]), 1) for x in false]
    pictures = tuple(FittedPicture((place,), known=1) for place in places)
    names = tuple(LikelyNames(evidence([x]), np.array([x in right])) for x in (*right, *false))
    return FittedMatches(FittedDeck(name, 0.0, pictures), names)


def counts(about: dict[str, Any]) -> list[int]:
    """Pictures, cards, and how many are named rightly and wrongly."""
    return [about[name] for name in ("pictures", "cards", "named", "named_wrongly")]


def test_false_names_are_refused_and_right_ones_kept() -> None:
    decks = [fitted(f"deck {at}", [2.0 + at / 10, 5.0], [-2.0 - at / 10, -5.0]) for at in range(4)]
    about = fit_matches(decks)
    assert counts(about) == [16, 16, 8, 0]
    kept, refused = ChoiceModel(**about["model"]).each_alone(evidence([2.0, -2.0]))
    assert kept > NameLimit(**about["limit"]).probability(0.0) > refused


def test_a_deck_is_judged_by_the_others() -> None:
    """One deck's right names look like the false ones of all others, and the other way round."""
    decks = [fitted(f"deck {at}", [3.0, 4.0], [-3.0, -4.0]) for at in range(3)]
    about = fit_matches([*decks, fitted("contrary", [-3.0], [3.5])])
    assert counts(about)[3] == 1, "the limit of the others does not know it"


def test_each_card_of_a_place_has_its_strongest_match() -> None:
    weak, strong = match_at(0, PLACE, 5.0), match_at(1, PLACE + 4, 9.0)
    other, beside = match_at(2, PLACE, 7.0), match_at(3, BESIDE, 8.0)
    limits = search_limits().selection
    found = [*matched_places(CARDS, by_strength([weak, other, strong, beside], limits))]
    assert [[one.look for one in place] for place in found] == [[1, 2], [3]]
    assert not [*matched_places(CARDS, [replace(strong, gain=1.0)])]
