"""Fits how likely a card begins at a place of a column: by the log-odds of the column network, the
probability of a card that the finder sees there, and the product of that and what the deck leaves
unexplained. The weights are those that make the true numbers of cards likeliest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.display.column_events import ColumnCards, ColumnEvent, cards_of
from companion.vision.display.limits import CountLimits

Numbers = NDArray[np.float64]

NETWORK_ALONE = np.array([0.0, 1.0, 0.0, 0.0])
USUAL = np.array([1.0, 1.0, 10.0, 10.0])
"""Weights that count the network alone, and by how much weights differ from them usually."""
SHRINK = 5e-4
"""Cost of a usual difference, in log-odds of a column."""
LEAST_LIKELY = 1e-4
"""Probability from which it does not matter how unlikely a true number is."""
FINEST = 0.02
"""Change of a weight, in usual differences, up to which it is searched for."""


@dataclass(frozen=True)
class FittedStart:
    """A place where a card may begin, in card lengths along its column: its log-odds by the network, what the
    deck leaves unexplained of the part there, and the probability of a card that the finder sees there."""

    at: float
    odds: float
    left: float
    seen: float


@dataclass(frozen=True)
class FittedCount:
    """Where the cards of a column may begin, in their order, where the open one may end, and how many there
    are."""

    starts: tuple[FittedStart, ...]
    ends: tuple[ColumnEvent, ...]
    truth: int

    def cards(self, limits: CountLimits) -> ColumnCards | None:
        """The cards that these limits make likeliest; None if there are none."""
        starts = [ColumnEvent(one.at, limits.odds(one.odds, one.left, one.seen)) for one in self.starts]
        return cards_of(starts, self.ends)

    def certainty(self, limits: CountLimits) -> tuple[float, bool]:
        """The probability of the number of cards that is taken, and whether it is right."""
        cards = self.cards(limits)
        if cards is None:
            return 1.0, self.truth == 0
        return cards.certainty, len(cards.starts) == self.truth

    def cost(self, limits: CountLimits) -> float:
        """How unlikely these limits make the true number, as a negative logarithm."""
        cards = self.cards(limits)
        likely = float(self.truth == 0) if cards is None else cards.counts.get(self.truth, 0.0)
        return -math.log(max(likely, LEAST_LIKELY))


def fit_evidence(counts: Sequence[FittedCount]) -> tuple[float, float, float, float]:
    """Intercept and slopes of the log-odds of a start by those of the network, what the finder sees, and its
    product with what is left unexplained."""

    def cost(weights: Numbers) -> float:
        intercept, by_odds, by_seen, by_left = (float(one) for one in weights)
        limits = CountLimits(1.0, 0.0, intercept, by_odds, by_seen, by_left, 1.0, 1.0)
        off = float((((weights - NETWORK_ALONE) / USUAL) ** 2).sum())
        return float(np.mean([one.cost(limits) for one in counts])) + SHRINK * off

    intercept, by_odds, by_seen, by_left = (round(float(one), 3) for one in _lowest(cost))
    return intercept, by_odds, by_seen, by_left


def _lowest(cost: Callable[[Numbers], float]) -> Numbers:
    """The weights of least cost: one is changed after the other, by less and less."""
    weights, step = NETWORK_ALONE.copy(), 0.5
    best = cost(weights)
    while step > FINEST:
        before = best
        for way in np.concatenate([np.diag(USUAL), -np.diag(USUAL)]):
            tried = weights + step * way
            found = cost(tried)
            if found < best:
                weights, best = tried, found
        if best == before:
            step /= 2
    return weights
