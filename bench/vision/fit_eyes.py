"""Fits when a card of a soft picture is named, on development decks (bench.vision.held), and writes it to
models/vision/verifier/verifier.json.

    python -m bench --fit eyes --work DIR [--count N]

DIR holds the packages that the decks are made of, and is filled where it is empty. The weights are those of
largest likelihood over all decks; the least probability is the one at which at most FALSE_SHARE of the
pictures get a false name, each deck judged by weights that were fitted without it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.vision.held import HeldPicture, HeldSet, held_sets
from companion.vision.cards.recognise import CardSearch, worked_on
from companion.vision.cards.verified_places import (
    LikelyPlace,
    PlaceLimits,
    choice_probabilities,
    place_candidates,
)
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Floats
from companion.vision.namer.network import FOLDER
from companion.vision.verifier.network import ABOUT

FALSE_SHARE, MARGIN = 0.005, 0.002
"""Share of pictures that get a false name, and what the limit lies above the first name too many. These
pictures are harder than those of people who enrol their whole deck: every fourth card is not enrolled."""
SLOPES, OFFSETS = np.arange(0.3, 2.51, 0.05), np.arange(-9.0, 3.01, 0.1)
NEWTON_STEPS = 20
PICTURES = 60
"""Pictures of each deck."""
NEAR = 0.25
"""Card sizes by which the middle of a right card may be off."""


@dataclass(frozen=True)
class FittedPlace:
    """One place of a picture: the log odds of its cards (k,), which of them is right (k: none), and whether
    the marks of the likeliest speak against it."""

    log_odds: Floats
    right: int
    objected: bool = False


@dataclass(frozen=True)
class FittedPicture:
    """The places of one picture, and whether an enrolled card is in it."""

    places: tuple[FittedPlace, ...]
    known: bool


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
    likeliest = search.evaluator.named(max(cards, key=lambda card: card.log_odds))
    objected = search.evaluator.shows_other_card(likeliest)
    return FittedPlace(np.array([card.log_odds for card in cards], np.float32), right, objected)


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


def fit_objection(pictures: Sequence[FittedPicture], slope: float, offset: float) -> float:
    """By how much the log odds of a card are lower if its marks speak against it: a logistic regression of
    whether the likeliest card of a place is right."""
    limits = PlaceLimits(slope, offset, 0.0, 0.0)
    places = [place for picture in pictures for place in picture.places]
    chances = np.array([choice_probabilities(place.log_odds, limits).max() for place in places], np.float64)
    chances = np.clip(chances, 1e-6, 1.0 - 1e-6)
    right = np.array([int(place.log_odds.argmax()) == place.right for place in places])
    objected = np.array([place.objected for place in places], np.float64)
    values = np.column_stack([np.log(chances / (1.0 - chances)), objected, np.ones(len(places))])
    weights = np.zeros(3)
    for _ in range(NEWTON_STEPS):
        expected = 1.0 / (1.0 + np.exp(-np.clip(values @ weights, -50.0, 50.0)))
        curve = (values.T * (expected * (1.0 - expected))) @ values + 1e-3 * np.eye(3)
        weights = weights + np.linalg.solve(curve, values.T @ (right - expected) - 1e-3 * weights)
    return max(0.0, float(-weights[1] / weights[0]))


def fit_limits_of(pictures: Sequence[FittedPicture]) -> PlaceLimits:
    """All weights; no least probability."""
    slope, offset = fit_slope(pictures)
    return PlaceLimits(slope, offset, fit_objection(pictures, slope, offset), 0.0)


def outcomes(pictures: Sequence[FittedPicture], limits: PlaceLimits) -> list[tuple[float, bool]]:
    """For each picture the highest probability of a card, and whether that card is right."""
    found = []
    for picture in pictures:
        best = (0.0, False)
        for place in picture.places:
            chance = choice_probabilities(place.log_odds, limits)
            with_marks = limits.with_objection(float(chance.max()), objected=place.objected)
            best = max(best, (with_marks, int(chance.argmax()) == place.right))
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


def fit_limits(decks: Sequence[Sequence[FittedPicture]], data: str) -> dict[str, object]:
    """The limits fitted on some decks, with what they give there, each deck judged by the others."""
    everything = [picture for deck in decks for picture in deck]
    limits = fit_limits_of(everything)
    found = cross_fitted(decks)
    least = least_probability(found, int(FALSE_SHARE * len(everything)))
    named = [right for chance, right in found if chance > least]
    return {
        "slope": round(limits.slope, 3),
        "offset": round(limits.offset, 3),
        "objection": round(limits.objection, 3),
        "least": least,
        "data": data,
        "pictures": len(everything),
        "named": len(named),
        "precision": round(sum(named) / max(1, len(named)), 4),
        "recall": round(sum(named) / max(1, sum(picture.known for picture in everything)), 4),
    }


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit eyes`."""
    parser = argparse.ArgumentParser(prog="python -m bench --fit eyes")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--count", type=int, default=PICTURES)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    decks = []
    for held in held_sets(options.work, options.count):
        similar = held.deck.pictures.are_similar
        print(f"{held.deck.name}: {len(held.deck.labels)} cards{', similar' * similar}", flush=True)
        if not similar:  # of similar cards the marks are compared as well
            decks.append(list(pictures_of(held)))
    limits = fit_limits(decks, f"bench.vision.held: {len(decks)} decks, a quarter of the cards not enrolled")
    file = FOLDER / ABOUT
    about = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(about | {"places": limits}, indent=1) + "\n")
    print(json.dumps(limits, indent=1))
    return 0
