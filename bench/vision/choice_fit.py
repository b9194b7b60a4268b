"""Fits a ChoiceModel and when a card is named (companion.vision.verifier.limits) on places of which it is
known what they show.

The weights are those of largest likelihood (McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974; Newton's method, the problem is concave). Each deck is judged by weights that were fitted
without it. A limit is worth the number of right names minus COST times the number of wrong ones. Which limit
is worth most depends on a few names of a few decks: the limit that is fitted is the mean of those that are
worth most on samples of the decks (Breiman, "Bagging predictors", 1996). What it gives is told of each deck
within the limit of the other decks.
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
SAMPLES = 100
"""Samples of the decks, with replacement, on each of which the best limit is chosen."""
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

    def names(self, log_odds: Array, by_likeness: Array) -> Array:
        """How many cards are named rightly, and how many names are wrong, within limits (2, *shape that both
        arrays broadcast to); a card may be found at several places."""
        least = least_probability(log_odds, by_likeness, self.likeness)
        chances = np.array([one.probability for one in self.places])
        given = chances.reshape(-1, *[1] * least.ndim) > least
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


def fit_places(decks: Sequence[FittedDeck]) -> dict[str, Any]:
    """The Naming of places, with what it gives."""
    return {"model": asdict(fit_weights(decks))} | fit_limit(cross_fitted(decks))


def fit_limit(decks: JudgedDecks) -> dict[str, Any]:
    """The limit, and what comes of it: each deck within the limit of the others."""
    decks = {name: pictures for name, pictures in decks.items() if pictures}
    counts = _weights({name: len(pictures) for name, pictures in decks.items()})
    worth = {
        name: counts[name] * _worth(_named(pictures, LOG_ODDS, BY_LIKENESS[:, None]))
        for name, pictures in decks.items()
    }
    given = np.zeros(2, int)
    for name, pictures in decks.items():
        limit = _mean_limit([one for other, one in worth.items() if other != name])
        given += _named(pictures, np.array(limit.log_odds), np.array(limit.by_likeness))
    found = [picture for pictures in decks.values() for picture in pictures]
    known = sum(one.known for one in found)
    return {
        "limit": asdict(_mean_limit(list(worth.values()))),
        "pictures": len(found),
        "cards": known,
        "named": int(given[0]),
        "named_wrongly": int(given[1]),
        "recall": round(float(given[0]) / max(1, known), 4),
    }


def _named(pictures: Sequence[JudgedPicture], log_odds: Array, by_likeness: Array) -> Array:
    """How many cards are named rightly, and how many names are wrong, within limits (2, *their shape)."""
    return np.asarray(np.sum([one.names(log_odds, by_likeness) for one in pictures], axis=0))


def _worth(named: Array) -> Array:
    """What limits are worth by the names within them (2, *shape)."""
    return np.asarray(named[0] - COST * named[1])


def _weights(pictures: Mapping[str, int]) -> dict[str, float]:
    """What each picture of a deck counts, by how many there are of each."""
    alike = sum(count for name, count in pictures.items() if name.startswith(ALIKE))
    others = sum(pictures.values()) - alike
    less = SHARE_ALIKE / (1.0 - SHARE_ALIKE) * others / alike if alike and others else 1.0
    return {name: less if name.startswith(ALIKE) else 1.0 for name in pictures}


def _mean_limit(worth: Sequence[Array]) -> NameLimit:
    """The mean of the limits that are worth most on samples of decks, by what each limit is worth on each of
    them (slopes, log odds)."""
    count = len(worth)
    samples = np.random.default_rng(0).multinomial(count, np.full(count, 1.0 / count), SAMPLES)
    best = np.array([_best(total) for total in np.tensordot(samples, np.stack(worth), 1)])
    slope, log_odds = BY_LIKENESS[best[:, 0]].mean(), LOG_ODDS[best[:, 1]].mean()
    return NameLimit(round(float(log_odds), 3), round(float(slope), 3))


def _best(worth: Array) -> tuple[int, int]:
    """Which limit is worth most (slopes, log odds): of equal ones the middle."""
    slopes, log_odds = np.nonzero(worth == worth.max())
    return int(slopes[len(slopes) // 2]), int(log_odds[len(slopes) // 2])
