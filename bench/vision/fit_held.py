"""Fits when a card of a soft picture is named, on pictures of held cards (bench.vision.held).

The weights are those of largest likelihood; the least probability is the one at which at most FALSE_SHARE of
the pictures get a false name, each deck judged by weights that were fitted without it. Decks of similar cards
have their own. From which likeness on cards are similar is chosen so that most cards are named in all decks
together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.vision.held import HeldPicture, HeldSet
from companion.vision.cards.recognise import CardSearch, worked_on
from companion.vision.cards.verified_places import (
    LikelyPlace,
    choice_probabilities,
    place_candidates,
)
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats
from companion.vision.verifier.limits import PlaceLimits

FALSE_SHARE, SIMILAR_FALSE_SHARE, MARGIN = 0.005, 0.0025, 0.002
"""Shares of pictures that get a false name, the second in decks of similar cards, and what the limit lies
above the first name too many. These pictures are harder than those of people who enrol their whole deck:
every fourth card is not enrolled, of similar cards every second one."""
SLOPES, OFFSETS = np.arange(0.3, 2.51, 0.05), np.arange(-9.0, 3.01, 0.1)
SIMILAR = (0.0, -1.0, -2.0, -3.0, -3.5, -4.0, -5.0, -6.0)
"""Likenesses of a deck that are tried."""
NEAR = 0.25
"""Card sizes by which the middle of a right card may be off."""


@dataclass(frozen=True)
class FittedPlace:
    """One place of a picture: the log odds of its cards (k,), and which of them is right (k: none)."""

    log_odds: Floats
    right: int


@dataclass(frozen=True)
class FittedPicture:
    """The places of one picture, and whether an enrolled card is in it."""

    places: tuple[FittedPlace, ...]
    known: bool


@dataclass(frozen=True)
class FittedDeck:
    """The pictures of a deck, and how nearly the verifier takes its cards for each other."""

    likeness: float
    pictures: tuple[FittedPicture, ...]


def fitted_deck(held: HeldSet) -> FittedDeck:
    """A set as it is fitted on."""
    return FittedDeck(held.deck.pictures.likeness, tuple(pictures_of(held)))


def pictures_of(held: HeldSet) -> Iterator[FittedPicture]:
    """The places of the pictures of a set as the search finds them."""
    for picture in held.pictures:
        image, scale = worked_on(picture.image)
        search = CardSearch(image, held.deck)
        places = tuple(_fitted(held.deck, search, place, picture, scale) for place in search.likely_places())
        yield FittedPicture(places, picture.label is not None)


def _fitted(
    deck: Deck, search: CardSearch, place: LikelyPlace, picture: HeldPicture, scale: float
) -> FittedPlace:
    """A place with its right card, if that lies roughly where the card is."""
    cards = place_candidates(search.evaluator.scene, deck, place)
    right, corners = len(cards), picture.corners * scale
    size = float(np.linalg.norm(corners[0] - corners[2]))
    for index, card in enumerate(cards):
        away = float(np.linalg.norm(card.quad.mean(axis=0) - corners.mean(axis=0)))
        if deck.labels[card.look] == picture.label and away < NEAR * size:
            right = index
    return FittedPlace(np.array([card.log_odds for card in cards], np.float32), right)


def fit_slope(pictures: Sequence[FittedPicture]) -> tuple[float, float]:
    """Slope and offset of largest likelihood."""
    places = [place for picture in pictures for place in picture.places]
    most = max(len(place.log_odds) for place in places)
    odds = np.full((len(places), most), np.nan)
    for row, place in enumerate(places):
        odds[row, : len(place.log_odds)] = place.log_odds
    right = np.array([place.right if place.right < len(place.log_odds) else -1 for place in places])
    own = np.where(right >= 0, odds[np.arange(len(places)), right], np.nan)
    best, found = -np.inf, (1.0, 0.0)
    for slope in SLOPES:
        for offset in OFFSETS:
            total = np.log1p(np.nansum(np.exp(slope * odds + offset), axis=1))
            likelihood = float(np.nansum(slope * own + offset) - total.sum())
            if likelihood > best:
                best, found = likelihood, (float(slope), float(offset))
    return found


def fit_limits_of(pictures: Sequence[FittedPicture]) -> PlaceLimits:
    """All weights; no least probability."""
    return PlaceLimits(*fit_slope(pictures), least=0.0)


def outcomes(pictures: Sequence[FittedPicture], limits: PlaceLimits) -> list[tuple[float, bool]]:
    """For each picture the highest probability of a card, and whether that card is right."""
    found = []
    for picture in pictures:
        best = (0.0, False)
        for place in picture.places:
            chance = choice_probabilities(place.log_odds, limits)
            best = max(best, (float(chance.max()), int(chance.argmax()) == place.right))
        found.append(best)
    return found


def cross_fitted(decks: Sequence[Sequence[FittedPicture]]) -> list[tuple[float, bool]]:
    """The outcomes of each deck by weights that were fitted without every second deck, its own among
    them."""
    found = []
    for half in (0, 1):
        limits = fit_limits_of([one for i, deck in enumerate(decks) if i % 2 != half for one in deck])
        found += outcomes([one for i, deck in enumerate(decks) if i % 2 == half for one in deck], limits)
    return found


def least_probability(found: Sequence[tuple[float, bool]], most_false: int) -> float:
    """The least probability of a name at which at most so many of the names are false."""
    false = sorted((chance for chance, right in found if not right), reverse=True)
    return round(false[most_false] + MARGIN, 3) if len(false) > most_false else 0.5


def fit_limits(decks: Sequence[FittedDeck]) -> dict[str, object]:
    """The limits fitted on some decks, with what they give there, each deck judged by the others."""
    return max((limits_with(decks, similar) for similar in SIMILAR), key=lambda one: one["recall"])


def limits_with(decks: Sequence[FittedDeck], similar: float) -> dict[str, Any]:
    """The same if decks of a likeness above `similar` count as similar: all is fitted on them by
    themselves."""
    about: dict[str, Any] = {"similar": similar}
    right, known = 0, sum(picture.known for deck in decks for picture in deck.pictures)
    for name, alike in (("different", False), ("alike", True)):
        group = [deck.pictures for deck in decks if (deck.likeness > similar) is alike]
        limits, found = fit_limits_of([one for deck in group for one in deck]), cross_fitted(group)
        share = SIMILAR_FALSE_SHARE if alike else FALSE_SHARE
        least = least_probability(found, int(share * len(found)))
        named = [is_right for chance, is_right in found if chance > least]
        right += sum(named)
        about[name] = {
            "slope": round(limits.slope, 3),
            "offset": round(limits.offset, 3),
            "least": least,
            "decks": len(group),
            "pictures": len(found),
            "named": len(named),
            "precision": round(sum(named) / max(1, len(named)), 4),
            "recall": round(sum(named) / max(1, sum(one.known for deck in group for one in deck)), 4),
        }
    return {**about, "recall": round(right / max(1, known), 4)}
