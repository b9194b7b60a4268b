"""Fits a ChoiceModel and when a card is named (companion.vision.verifier.limits) on places of which it is
known what they show.

The weights are those of largest likelihood (McFadden, "Conditional logit analysis of qualitative choice
behavior", 1974; Newton's method, the problem is concave). Each deck is judged by weights that were fitted
without it. The limits are those that name most cards rightly where at most a share of the pictures get a
false name: half of it from cards that are ahead of all others, half from others. Decks of similar cards have
limits of their own; from which likeness on is chosen so that most cards are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from companion.vision.choice import choice_odds
from companion.vision.image.picture import Array, Floats
from companion.vision.verifier.limits import ChoiceModel, NameLimits, PlaceEvidence

MARGIN = 0.002
"""What the least probability lies above the first false name too many."""
FALSE = 0.005
"""Share of pictures that get a false name. They are harder than those of people who enrol a whole deck: of
half of them the card is not enrolled."""
LEAST = 0.5
"""A card is more probable than all else together."""
STEPS = 40
"""Steps of Newton's method; ten are enough."""
SCALES = np.array([1.0, 10.0, 1.0, 1.0, 1.0])
"""Evidence is fitted in these units, so that all weights are of one size."""
HALVED = 20
"""How often a step is halved until it makes the choices likelier."""
PRIOR = 0.1
"""Weight of the prior, that weights are about 3: without it features that part the cards of a few decks
wholly would outweigh all else."""
AHEAD = np.arange(0.0, 0.201, 0.005).round(3)
"""Margins that are tried."""
SIMILAR = (20.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0, -2.5, -3.0, -3.5)
"""Likenesses that are tried."""


@dataclass(frozen=True, eq=False)
class FittedPlace:
    """One place of a picture: what speaks for its cards (k,), which of them is right (k: none), and the
    margin of each (k,)."""

    evidence: PlaceEvidence
    right: int
    margins: Floats


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
    """The likeliest card of a place: its probability, whether it is right, and its margin."""

    probability: float
    right: bool
    margin: float


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

    def names(self, limits: NameLimits) -> tuple[int, int]:
        """How many cards are named rightly, and how many names are wrong; a card may be found at several
        places."""
        given = [one for one in self.places if limits.is_named(one.probability, one.margin)]
        right = sum(one.right for one in given)
        return min(right, self.known), len(given) - right


def outcomes(deck: FittedDeck, model: ChoiceModel) -> list[JudgedPicture]:
    """Each picture as the model judges it."""
    return [
        JudgedPicture(tuple(_outcome(place, model) for place in picture.places), picture.known, deck.likeness)
        for picture in deck.pictures
    ]


def _outcome(place: FittedPlace, model: ChoiceModel) -> NameOutcome:
    chances = model.probabilities(place.evidence)
    best = int(chances.argmax())
    return NameOutcome(float(chances[best]), best == place.right, float(place.margins[best]))


def cross_fitted(decks: Sequence[FittedDeck]) -> list[JudgedPicture]:
    """Each picture as weights judge it that were fitted without its deck."""
    found: list[JudgedPicture] = []
    for name in sorted({deck.name for deck in decks}):
        model = fit_weights([deck for deck in decks if deck.name != name])
        for deck in decks:
            if deck.name == name:
                found += outcomes(deck, model)
    return found


def least_probability(found: Sequence[Sequence[NameOutcome]], most: int) -> float:
    """The least probability of a name at which at most so many of the pictures get a false name."""
    worst = [max((one.probability for one in places if not one.right), default=0.0) for places in found]
    false = sorted(worst, reverse=True)
    return max(LEAST, round(false[most] + MARGIN, 3)) if len(false) > most else LEAST


def limits_at(found: Sequence[JudgedPicture], ahead: float, false: float = FALSE) -> NameLimits:
    """The least probabilities, if cards of a larger margin than `ahead` are ahead and that share of the
    pictures may get a false name."""
    most = int(false / 2 * len(found))
    before = [[one for one in picture.places if one.margin > ahead] for picture in found]
    others = [[one for one in picture.places if one.margin <= ahead] for picture in found]
    least_ahead = least_probability(before, most)
    return NameLimits(ahead, least_ahead, max(least_ahead, least_probability(others, most)))


def fit_limits(found: Sequence[JudgedPicture], false: float = FALSE) -> tuple[NameLimits, int, int]:
    """The limits that name most cards rightly (of equal ones the middle one), and how many they name rightly
    and wrongly, which is at most that share of the pictures."""
    tried = []
    for ahead in AHEAD:
        limits = limits_at(found, float(ahead), false)
        right, wrong = np.sum([(0, 0), *(picture.names(limits) for picture in found)], axis=0)
        tried.append((limits, int(right), int(wrong)))
    most = max(right for _, right, _ in tried)
    best = [one for one in tried if one[1] == most]
    return best[len(best) // 2]


def fit_places(decks: Sequence[FittedDeck]) -> dict[str, Any]:
    """NamingLimits of places, with what they give on these decks, each judged by the others."""
    return {"model": asdict(fit_weights(decks))} | fit_by_likeness(cross_fitted(decks))


def fit_by_likeness(found: Sequence[JudgedPicture], false: float = FALSE) -> dict[str, Any]:
    """When a card is named of decks of different and of similar cards, and from which likeness on they are
    similar, with what that gives."""
    tried = []
    for similar in SIMILAR:
        parts = [[one for one in found if (one.likeness > similar) is alike] for alike in (False, True)]
        tried.append((similar, parts, [fit_limits(part, false) for part in parts]))
    named = [sum(right for _, right, _ in one[2]) for one in tried]
    best = [one for one, right in zip(tried, named, strict=True) if right == max(named)]
    similar, parts, fitted = best[len(best) // 2]
    about: dict[str, Any] = {"similar": similar}
    for name, part, (limits, right, wrong) in zip(("different", "alike"), parts, fitted, strict=True):
        known = sum(one.known for one in part)
        about[name] = {
            **asdict(limits),
            "pictures": len(part),
            "cards": known,
            "named": right,
            "named_wrongly": wrong,
            "recall": round(right / max(1, known), 4),
        }
    return about
