"""Fits a ChoiceModel and when a card is named (companion.vision.verifier.limits) on places of which it is
known what they show.

The weights are those of largest likelihood (McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974; Newton's method, the problem is concave). Each deck is judged by weights that were fitted
without it. The limit is the one with the largest number of right names minus COST times the number of wrong
ones. What it gives is told of each deck within the limit of the other decks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from companion.vision.choice import choice_odds
from companion.vision.image.picture import Array
from companion.vision.verifier.limits import (
    ChoiceModel,
    NameLimit,
    PlaceEvidence,
    least_probability,
)

COST = 8.0
"""A false name costs as much as so many cards that are asked about. The pictures are far harder than those of
people who enrol a whole deck: many cards are not enrolled, and the cards of similar decks differ by one mark,
which may be hidden."""
ALIKE, SHARE_ALIKE = "alike", 0.4
"""Begins the names of decks of similar cards, and what share of all pictures those of them count as."""
LOG_ODDS, BY_LIKENESS = np.arange(0.0, 5.0, 0.05).round(2), np.arange(0.0, 0.61, 0.05).round(2)
"""Limits that are tried: of these log odds, for each of these slopes."""
STEPS = 40
"""Steps of Newton's method; ten are enough."""
SCALES = np.array([1.0, 10.0, 1.0, 1.0, 1.0])
"""Evidence is fitted in these units, so that all weights are of one size."""
HALVED = 20
"""How often a step is halved until it makes the choices likelier."""
PRIOR = 0.1
"""Weight of the prior, that weights are about 3: without it features that part the cards of a few decks
wholly would outweigh all else."""


@dataclass(frozen=True, eq=False)
class FittedPlace:
    """One place of a picture: what speaks for its cards (k,), and which of them is right (k: none)."""

    evidence: PlaceEvidence
    right: int


@dataclass(frozen=True, eq=False)
class FittedPicture:
    """The places of one picture, and how many enrolled cards are in it."""

    places: tuple[FittedPlace, ...]
    known: int


@dataclass(frozen=True, eq=False)
class FittedDeck:
    """The pictures of a deck or of a part of it (all by one `name`), and how nearly the verifier takes its
    cards for each other."""

    name: str
    likeness: float
    pictures: tuple[FittedPicture, ...]


@dataclass(frozen=True)
class NameOutcome:
    """The likeliest card of a place: its probability, and whether it is right."""

    probability: float
    right: bool


def fit_weights(decks: Sequence[FittedDeck]) -> ChoiceModel:
    """The weights of largest likelihood."""
    places = [place for deck in decks for picture in deck.pictures for place in picture.places]
    most = max(len(place.evidence.log_odds) for place in places)
    values, known = np.zeros((len(places), most, len(SCALES))), np.zeros((len(places), most), bool)
    right = np.zeros((len(places), most), bool)
    for row, place in enumerate(places):
        columns = place.evidence.columns()
        values[row, : len(columns), :-1], values[row, : len(columns), -1] = columns, 1.0
        known[row, : len(columns)] = True
        right[row, place.right : place.right + 1] = place.right < len(columns)
    weights = likeliest_weights(values / SCALES, known, right) / SCALES
    return ChoiceModel(*(round(float(one), 3) for one in weights))


def likeliest_weights(values: Array, known: Array, right: Array) -> Array:
    """The weights (k,) of the choices (places, most, k) that make the right ones likeliest."""
    own, count = (values * right[..., None]).sum(axis=(0, 1)), values.shape[-1]

    def chances_and_worth(weights: Array) -> tuple[Array, float]:
        """The probabilities (places, most), and the logarithm of what is to be made largest."""
        odds = np.where(known, choice_odds(values @ weights), 0.0)
        whole = 1.0 + odds.sum(axis=1, keepdims=True)
        worth = float(own @ weights - np.log(whole).sum() - 0.5 * PRIOR * weights @ weights)
        return odds / whole, worth

    weights = np.zeros(count)
    chances, worth = chances_and_worth(weights)
    for _ in range(STEPS):
        mean = (chances[..., None] * values).sum(axis=1)
        spread = np.einsum("ij,ijk,ijl->kl", chances, values, values) - mean.T @ mean
        step = np.linalg.solve(spread + PRIOR * np.eye(count), own - mean.sum(axis=0) - PRIOR * weights)
        shares = (0.5**halved for halved in range(HALVED))
        tried = ((share * step, *chances_and_worth(weights + share * step)) for share in shares)
        better = next((one for one in tried if one[2] > worth), None)
        if better is None:
            break
        weights, chances, worth = weights + better[0], better[1], better[2]
    return np.asarray(weights)


@dataclass(frozen=True)
class JudgedPicture:
    """The outcomes of the places of a picture, how many enrolled cards are in it, and the likeness of its
    deck."""

    places: tuple[NameOutcome, ...]
    known: int
    likeness: float

    def names(self, least_of_all: float = NameLimit.least) -> Array:
        """How many cards are named rightly, and how many names are wrong, within each limit that is tried
        (2, slopes, log odds), none below `least_of_all`; a card may be found at several places."""
        least = np.maximum(least_of_all, least_probability(LOG_ODDS, BY_LIKENESS[:, None], self.likeness))
        given = np.array([one.probability for one in self.places])[:, None, None] > least
        right = np.array([one.right for one in self.places], bool)
        return np.array([np.minimum(given[right].sum(axis=0), self.known), given[~right].sum(axis=0)])


JudgedDecks = Mapping[str, Sequence[JudgedPicture]]
"""The pictures of each deck, as weights judge them that were fitted without it."""


def outcomes(deck: FittedDeck, model: ChoiceModel) -> list[JudgedPicture]:
    """Each picture as the model judges it."""
    return [
        JudgedPicture(tuple(_outcome(place, model) for place in picture.places), picture.known, deck.likeness)
        for picture in deck.pictures
    ]


def _outcome(place: FittedPlace, model: ChoiceModel) -> NameOutcome:
    chances = model.probabilities(place.evidence)
    best = int(chances.argmax())
    return NameOutcome(float(chances[best]), best == place.right)


def models_without(decks: Sequence[FittedDeck]) -> dict[str, ChoiceModel]:
    """For each deck, by its name, the weights that are fitted without it."""
    names = sorted({deck.name for deck in decks})
    return {name: fit_weights([deck for deck in decks if deck.name != name]) for name in names}


def cross_fitted(decks: Sequence[FittedDeck]) -> JudgedDecks:
    """Each picture as weights judge it that were fitted without its deck."""
    return {
        name: [picture for deck in decks if deck.name == name for picture in outcomes(deck, model)]
        for name, model in models_without(decks).items()
    }


def fit_places(decks: Sequence[FittedDeck], least: float = NameLimit.least) -> dict[str, Any]:
    """The Naming of places, with what it gives. `least`: the least probability of a name in any deck."""
    return {"model": asdict(fit_weights(decks))} | fit_limit(cross_fitted(decks), least)


def fit_limit(decks: JudgedDecks, least: float = NameLimit.least) -> dict[str, Any]:
    """The limit that is worth most, and what comes of it: each deck within the limit of the others."""
    decks = {name: pictures for name, pictures in decks.items() if pictures}
    named = {name: np.sum([one.names(least) for one in pictures], axis=0) for name, pictures in decks.items()}
    weights = _weights({name: len(pictures) for name, pictures in decks.items()})
    total = np.sum([weights[name] * own for name, own in named.items()], axis=0)
    given = np.sum([own[:, *_best(total - weights[name] * own)] for name, own in named.items()], axis=0)
    slope, log_odds = _best(total)
    found = [picture for pictures in decks.values() for picture in pictures]
    known = sum(one.known for one in found)
    return {
        "limit": asdict(NameLimit(float(LOG_ODDS[log_odds]), float(BY_LIKENESS[slope]), least)),
        "pictures": len(found),
        "cards": known,
        "named": int(given[0]),
        "named_wrongly": int(given[1]),
        "recall": round(float(given[0]) / max(1, known), 4),
    }


def _weights(pictures: Mapping[str, int]) -> dict[str, float]:
    """What each picture of a deck counts, by how many there are of each."""
    alike = sum(count for name, count in pictures.items() if name.startswith(ALIKE))
    others = sum(pictures.values()) - alike
    less = SHARE_ALIKE / (1.0 - SHARE_ALIKE) * others / alike if alike and others else 1.0
    return {name: less if name.startswith(ALIKE) else 1.0 for name in pictures}


def _best(named: Array) -> tuple[int, int]:
    """Which limit is worth most by the names within each (2, slopes, log odds): of equal ones the middle."""
    worth = named[0] - COST * named[1]
    slopes, log_odds = np.nonzero(worth == worth.max())
    return int(slopes[len(slopes) // 2]), int(log_odds[len(slopes) // 2])
