"""Where cards begin in a column: from the edges across it, its length, and the usual step from card to
card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

CERTAIN_CUT = 0.5
"""Mean probability of an edge across the column from which it is a card's end."""
OPEN_LENGTH = 0.13
"""Deviation (a share) of an open card's length from the usual one."""
BEYOND = 0.1
"""Lengths by which a column is longer than a card from which a card must be covered."""
SAME_CUT = 0.07
"""Card lengths within which two cuts are one."""
LONG_STEP = 1.5
"""Usual steps from card to card from which one may lie between."""
FORCED_COST, DOUBT_COST, LENGTH_COST = 0.45, 0.3, 3.0
"""What an arrangement costs for an open card that no edge shows, for a weak edge, and for each share of a
card by which the open card is too long or too short."""

Cut = tuple[float, float]
"""Place along the column and strength, 0 to 1."""


@dataclass(frozen=True)
class Arrangement:
    """Where cards begin in a column, from its covered end (without 0), where they may begin as well, and
    whether the open card must be checked."""

    cost: float
    sure: tuple[float, ...]
    doubtful: tuple[float, ...]
    divided: bool


def arrange(cuts: Sequence[Cut], length: float, card: float) -> Arrangement | None:
    """The likeliest arrangement of a column that is cut there, its open card at the end; None if that cannot
    be an open card."""
    starts = [(0.0, 1.0), *cuts]
    expected = length - card
    if expected > BEYOND * card and not any(abs(at - expected) < SAME_CUT * card for at, _ in cuts):
        starts.append((expected, 0.0))
    found: list[Arrangement] = []
    for start, strength in starts:
        off = abs((length - start) / card - 1)
        if off > 2 * OPEN_LENGTH:
            continue
        inside = [s for at, s in cuts if at > start]
        before = [(at, s) for at, s in cuts if 0 < at < start]
        sure = [at for at, s in before if s >= CERTAIN_CUT] + ([start] if start > 0 else [])
        doubtful = [at for at, s in before if s < CERTAIN_CUT]
        cost = LENGTH_COST * off + sum(inside) + (1.0 - strength if strength else FORCED_COST)
        divided = off > OPEN_LENGTH or any(s >= CERTAIN_CUT for s in inside) or strength < CERTAIN_CUT
        found.append(Arrangement(cost + DOUBT_COST * len(doubtful), tuple(sure), tuple(doubtful), divided))
    return min(found, key=cost_of, default=None)


def cost_of(arrangement: Arrangement) -> float:
    """What an arrangement costs."""
    return arrangement.cost


def backward(cuts: Sequence[Cut], length: float) -> list[Cut]:
    """The cuts of a column from its other end."""
    return sorted((length - at, strength) for at, strength in cuts)


def usual_step(arrangements: Sequence[Arrangement]) -> float | None:
    """The median step from card to card; None if there is none."""
    steps = [float(step) for one in arrangements for step in np.diff([0.0, *one.sure])]
    return float(np.median(steps)) if steps else None


def missing_cuts(arrangement: Arrangement, step: float) -> list[float]:
    """Where cards may begin that no edge shows, because the step there is so long."""
    found = []
    bounds = [0.0, *arrangement.sure]
    known = [*bounds, *arrangement.doubtful]
    for start, end in pairwise(bounds):
        count = round((end - start) / step)
        if (end - start) / step > LONG_STEP and count > 1:
            even = [start + (end - start) * k / count for k in range(1, count)]
            found += [at for at in even if all(abs(at - other) > step / 3 for other in known)]
    return found
