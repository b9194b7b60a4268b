"""How many cards a column has: the likeliest arrangement of the events that the column network sees, and how
likely any other number is.

Every place at which the network sees a card begin, or the open card end, has log-odds. An arrangement takes
some of the starts, none further than a card's length from the one before, and one end a card's length after
the last of them; it is likelier than an empty table by the sum of their log-odds. The probability of a number
of cards is that of all arrangements with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.display.column_network import BEYOND, RESOLUTION
from companion.vision.display.limits import column_limits
from companion.vision.image.picture import Floats

NEAR = 2
"""Places on either side over which the network spreads the probability of one event."""


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
    found, limits = list[ColumnEvent](), column_limits().events
    left = likely.astype(np.float64)
    while True:
        at = int(left.argmax())
        window = slice(max(0, at - NEAR), at + NEAR + 1)
        whole = float(left[window].sum())
        if whole < limits.least:
            return sorted(found, key=lambda event: event.at)
        middle = float(left[window] @ np.arange(len(left))[window]) / whole
        share = min(whole, 1.0 - 1e-6)
        odds = float(np.clip(math.log(share / (1.0 - share)), -limits.most_odds, limits.most_odds))
        found.append(ColumnEvent((middle + 0.5) / RESOLUTION - BEYOND, odds))
        left[window] = 0.0


def cards_of(starts: Sequence[ColumnEvent], ends: Sequence[ColumnEvent]) -> ColumnCards:
    """The likeliest cards of a column with these events; none if there is no start or no end."""
    whole, best = _chains(starts)
    counts: dict[int, float] = {0: 1.0}
    arrangements: list[tuple[float, float, tuple[int, ...]]] = []
    for last, start in enumerate(starts):
        for end in ends:
            odds = end.odds + _length_odds(end.at - start.at - 1.0)
            for more, weight in enumerate(whole[last]):
                counts[more + 1] = counts.get(more + 1, 0.0) + math.exp(odds) * weight
            arrangements.append((odds + best[last][0], end.at, best[last][1]))
    weight = sum(counts.values())
    likely = {number: one / weight for number, one in counts.items()}
    if not arrangements:
        return ColumnCards((), 0.0, (), 0.0, likely)
    total, place, chain = max(arrangements)
    unused = tuple(one for at, one in enumerate(starts[: chain[-1]]) if at not in chain)
    return ColumnCards(tuple(starts[one] for one in chain), place, unused, total, likely)


def _chains(starts: Sequence[ColumnEvent]) -> tuple[list[list[float]], list[tuple[float, tuple[int, ...]]]]:
    """Of all ways to take some of the starts up to each of them, that one last: the weights of 1, 2, ...
    cards against taking none, and the log-odds of the likeliest way with the indices it takes."""
    whole: list[list[float]] = []
    best: list[tuple[float, tuple[int, ...]]] = []
    for at, start in enumerate(starts):
        steps = [_length_odds(max(0.0, start.at - one.at - 1.0)) for one in starts[:at]]
        weights = [1.0] + [0.0] * at
        for step, before in zip(steps, whole, strict=True):
            for more, weight in enumerate(before):
                weights[more + 1] += math.exp(step) * weight
        whole.append([math.exp(start.odds) * weight for weight in weights])
        ways = [
            (step + odds, chain) for step, (odds, chain) in zip(steps, best, strict=True) if step + odds > 0
        ]
        odds, chain = max(ways, default=(0.0, ()))
        best.append((odds + start.odds, (*chain, at)))
    return whole, best


def _length_odds(off: float) -> float:
    """Log-odds of a card that is longer than one of the deck by that many card lengths. What is seen of a
    covered card may be shorter, not longer."""
    return -0.5 * (off / column_limits().events.length) ** 2
