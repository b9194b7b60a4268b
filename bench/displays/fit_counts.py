"""Fits how likely a card begins at a place of a column, by what speaks for it (StartEvidence). The weights
are those that make the true numbers of cards likeliest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.display.column_events import ColumnCards, ColumnEvent, cards_of
from companion.vision.display.limits import EvidenceWeights, StartEvidence

Numbers = NDArray[np.float64]

NETWORK_ALONE = np.array([0.0, 1.0, 0.0, 0.0])
USUAL = np.array([10.0, 1.0, 10.0, 10.0])
"""Weights that count the network alone, and by how much weights differ from them usually."""
SHRINK = 5e-4
"""Cost of a usual difference, in log-odds of a column."""
LEAST_LIKELY = 1e-4
"""Probability from which it does not matter how unlikely a true number is."""
FINEST = 0.02
"""Change of a weight, in usual differences, up to which it is searched for."""


@dataclass(frozen=True)
class FittedStart:
    """A place where a card may begin, in card lengths along its column, and what speaks for it."""

    at: float
    evidence: StartEvidence


@dataclass(frozen=True)
class FittedCount:
    """Where the cards of a column may begin, in their order, where the open one may end, and how many there
    are."""

    starts: tuple[FittedStart, ...]
    ends: tuple[ColumnEvent, ...]
    truth: int

    def cards(self, weights: EvidenceWeights) -> ColumnCards:
        """The cards that these weights make likeliest."""
        starts = [ColumnEvent(one.at, weights.odds(one.evidence)) for one in self.starts]
        return cards_of(starts, self.ends)

    def certainty(self, weights: EvidenceWeights) -> tuple[float, bool]:
        """The probability of the number of cards that is taken, and whether it is right."""
        cards = self.cards(weights)
        return cards.certainty, len(cards.starts) == self.truth

    def cost(self, weights: EvidenceWeights) -> float:
        """How unlikely these weights make the true number, as a negative logarithm."""
        likely = self.cards(weights).counts.get(self.truth, 0.0)
        return -math.log(max(likely, LEAST_LIKELY))


def fit_evidence(counts: Sequence[FittedCount]) -> EvidenceWeights:
    """The weights of evidence that make the true numbers of cards likeliest."""

    def cost(values: Numbers) -> float:
        weights = EvidenceWeights(*(float(one) for one in values))
        off = float((((values - NETWORK_ALONE) / USUAL) ** 2).sum())
        return float(np.mean([one.cost(weights) for one in counts])) + SHRINK * off

    return EvidenceWeights(*(round(float(one), 3) for one in _lowest(cost)))


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
