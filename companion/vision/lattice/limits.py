"""What speaks for a card at a place of the lattice, and when it is named. All of it is fitted by
`python -m bench --fit lattice` and stands in models/vision/lattice.json."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import msgspec
import numpy as np

from companion.vision.choice import choice_odds, choice_probabilities
from companion.vision.image.picture import Floats
from companion.vision.models import shipped_limits

FILE = "lattice.json"
LEAST_COST = 0.02
"""Added to costs before their logarithm is taken: smaller ones are noise of the camera."""


@dataclass(frozen=True, eq=False)
class AddedLightFit:
    """A place under added light: the `costs` (cards,) from 0 (the very card) to 1, and that of one
    `single_colour`."""

    costs: Floats
    single_colour: float


@dataclass(frozen=True, eq=False)
class LatticeEvidence:
    """What a place shows: the `costs` (cards,) of all cards in plain light, 0 to 1; how far the `pattern` of
    the likeliest is seen in plain light and under glare, -1 to 1; the share of the least visible `side` along
    which the picture changes; the share of the place that is `burnt` out; whether it lies `beside` a card;
    and, once it was compared so, the card under `added` light."""

    costs: Floats
    pattern: float
    pattern_under_glare: float
    side: float
    burnt: float
    beside: bool
    added: AddedLightFit | None = None

    def columns(self) -> Floats:
        """All of it as a model weighs it (cards, 8; with added light 10), in the order of its weights. What
        is compared in plain light says nothing where the place is burnt out. How many cards lie round it does
        not count: a hole in the table has most."""
        alike = np.ones(len(self.costs))
        lit = 1.0 - self.burnt
        columns = [
            alike,
            lit * np.log(self.costs + LEAST_COST),
            lit * self.pattern * alike,
            self.pattern_under_glare * alike,
            self.burnt * self.pattern_under_glare * alike,
            self.side * alike,
            self.burnt * self.side * alike,
            self.beside * alike,
        ]
        if self.added is not None:
            costs = (self.added.costs, self.added.single_colour * alike)
            columns += [np.log(cost + LEAST_COST) for cost in costs]
        return np.asarray(np.stack(columns, axis=1), np.float32)


@dataclass(frozen=True)
class PlaceModel:
    """Which card lies at a place, or none (companion.vision.choice): what speaks for a card is the sum of its
    LatticeEvidence.columns, each times its weight."""

    intercept: float
    by_cost: float
    by_pattern: float
    by_pattern_under_glare: float
    by_pattern_if_burnt: float
    by_side: float
    by_side_if_burnt: float
    if_beside: float

    def probabilities(self, evidence: LatticeEvidence) -> Floats:
        """The probability of each card (cards,); what is left to 1 is that of no card.

        >>> nothing = LatticeEvidence(np.ones(3, np.float32), 0.0, 0.0, 0.0, 0.0, False)
        >>> PlaceModel(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0).probabilities(nothing).round(2).tolist()
        [0.25, 0.25, 0.25]
        """
        return choice_probabilities(choice_odds(evidence.columns() @ np.array(astuple(self))))


@dataclass(frozen=True)
class LightedPlaceModel(PlaceModel):
    """The same for a place that was compared under added light."""

    by_added_light: float
    by_single_colour: float


@dataclass(frozen=True)
class LampModel:
    """Which of a few lamps a table has: what speaks for a lamp is the sum of lamp.LampEvidence.columns, each
    times its weight."""

    by_network: float
    by_cost: float
    by_colour: float

    def log_odds(self, columns: Floats, deviation: float | None = None, kinds: int = 1) -> float:
        """What speaks for a lamp by its columns (3,). `deviation`: the square of how far it is from the known
        lamp of this table, in variances, which counts instead of its colour. Cards of so many `kinds` are as
        many observations: those of one kind err together.

        >>> LampModel(0.5, -1.0, -2.0).log_odds(np.array([4.0, -1.0, 0.5], np.float32))
        2.0
        >>> LampModel(0.5, -1.0, -2.0).log_odds(np.array([4.0, -1.0, 0.5], np.float32), deviation=4.0)
        1.0
        """
        weights = np.array(astuple(self))
        prior = self.by_colour * float(columns[-1]) if deviation is None else -deviation / 2
        return kinds * float(columns[:-1] @ weights[:-1]) + prior


@dataclass(frozen=True)
class SearchModel:
    """The log-odds that a card lies at a place that is searched, by its outline (share along which the
    picture changes), its pattern, its cost in plain light and how far it lies from where it is expected."""

    intercept: float
    by_outline: float
    by_pattern: float
    by_cost: float
    by_offset: float

    def log_odds(self, outline: float, pattern: float, cost: float, offset: float) -> float:
        """The log-odds of such a place; the first three from 0 to 1, the offset in sides.

        >>> SearchModel(-1.0, 2.0, 1.0, -1.0, 0.0).log_odds(outline=1.0, pattern=0.5, cost=0.5, offset=0.1)
        1.0
        """
        return (
            self.intercept
            + self.by_outline * outline
            + self.by_pattern * pattern
            + self.by_cost * cost
            + self.by_offset * offset
        )


class LatticeLimits(msgspec.Struct, frozen=True):
    """`lamp` is for the lamps of a table, `search` for places that are tried out, `first` for all of them in
    plain light and under glare, and `last` for the likely ones, added light included. `anchor`: the
    probability from which a card adapts the deck to the picture. `named`: the one from which a card is
    named."""

    lamp: LampModel
    search: SearchModel
    first: PlaceModel
    last: LightedPlaceModel
    anchor: float
    named: float


def lattice_limits() -> LatticeLimits:
    """The limits that are shipped."""
    return shipped_limits(FILE, LatticeLimits)
