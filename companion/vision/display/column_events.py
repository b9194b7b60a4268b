"""How many cards a column has: the likeliest arrangement of the events that the column network sees, and how
likely any other number is.

Every place at which the network sees a card begin, or the open card end, has log-odds. An arrangement takes
some of the starts and one end a card's length after the last of them; it is likelier than an empty table by
the sum of their log-odds. The probability of a number of cards is that of all arrangements with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.display.column_network import BEYOND, RESOLUTION
from companion.vision.image.picture import Floats

NEAR = 2
"""Places of ColumnEvents on either side over which the probability of one event spreads."""
LEAST, MOST_LOG_ODDS = 0.02, 7.0
"""Probability from which an event is considered, and the largest log-odds."""
LENGTH_DEVIATION, LENGTH_LIMIT = 0.06, 0.25
"""Standard deviation of the length of an open card, in card lengths, and its largest error."""


@dataclass(frozen=True)
class ColumnEvent:
    """A place along a column, in card lengths from its covered end, and the log-odds that a card begins (or
    the open card ends) there."""

    at: float
    odds: float


@dataclass(frozen=True)
class ColumnCards:
    """The cards of a column: where each begins, covered end first, and where the open card ends.

    `unused`: where cards may begin as well; `total`: log-odds of all of it against an empty table;
    `counts`: the probability of each number of cards, 0 for an empty table.
    """

    starts: tuple[ColumnEvent, ...]
    end: float
    unused: tuple[ColumnEvent, ...]
    total: float
    counts: Mapping[int, float]

    @property
    def certainty(self) -> float:
        """The probability of the number of cards that is taken."""
        return self.counts.get(len(self.starts), 0.0)


def peaks(likely: Floats) -> list[ColumnEvent]:
    """The events in probabilities of places, in their order."""
    found: list[ColumnEvent] = []
    left = likely.astype(np.float64)
    while True:
        at = int(left.argmax())
        window = slice(max(0, at - NEAR), at + NEAR + 1)
        whole = float(left[window].sum())
        if whole < LEAST:
            return sorted(found, key=_place)
        middle = float(left[window] @ np.arange(len(left))[window]) / whole
        share = min(whole, 1.0 - 1e-6)
        odds = float(np.clip(math.log(share / (1.0 - share)), -MOST_LOG_ODDS, MOST_LOG_ODDS))
        found.append(ColumnEvent((middle + 0.5) / RESOLUTION - BEYOND, odds))
        left[window] = 0.0


def cards_of(starts: Sequence[ColumnEvent], ends: Sequence[ColumnEvent]) -> ColumnCards | None:
    """The likeliest cards of a column with these events; None if none of them may be an open card's."""
    best: tuple[float, ColumnEvent, ColumnEvent] | None = None
    weights: dict[int, float] = {0: 1.0}
    for last in starts:
        for end in ends:
            off = end.at - last.at - 1.0
            if abs(off) >= LENGTH_LIMIT:
                continue
            odds = last.odds + end.odds - 0.5 * (off / LENGTH_DEVIATION) ** 2
            before = [one.odds for one in starts if one.at < last.at]
            for more, weight in enumerate(_numbers_taken(before)):
                weights[more + 1] = weights.get(more + 1, 0.0) + math.exp(odds) * weight
            total = odds + sum(max(0.0, one) for one in before)
            if best is None or total > best[0]:
                best = (total, last, end)
    if best is None:
        return None
    total, last, end = best
    whole = sum(weights.values())
    taken = tuple(one for one in starts if one == last or (one.at < last.at and one.odds > 0))
    unused = tuple(one for one in starts if one.at < last.at and one.odds <= 0)
    return ColumnCards(taken, end.at, unused, total, {n: one / whole for n, one in weights.items()})


def _numbers_taken(odds: Sequence[float]) -> list[float]:
    """Of independent events the weight of taking 0, 1, 2, ... of them, against taking none of any."""
    weights = [1.0]
    for one in odds:
        more = [weight * math.exp(one) for weight in weights]
        weights = [
            (weights[n] if n < len(weights) else 0.0) + (more[n - 1] if n else 0.0)
            for n in range(len(weights) + 1)
        ]
    return weights


def _place(event: ColumnEvent) -> float:
    return event.at
