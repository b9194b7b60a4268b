"""Candidates: looks that a quad might show, before the quad is refined onto any of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.match.score import VISIBLE_COST

MOST_TRIED = 4
CLOSE_LEAD = 0.12
"""Lead of one guess over another that is too small to dismiss the other untried."""


@dataclass(frozen=True)
class Candidate:
    """A look that a quad might show, and what it costs before the quad is moved onto it."""

    cost: float
    look: int
    quad: Floats


def plausible(guesses: list[Candidate]) -> list[Candidate]:
    """The guesses that may still turn out best, best first."""
    guesses.sort(key=lambda g: g.cost)
    return [g for g in guesses[:MOST_TRIED] if g.cost < guesses[0].cost + CLOSE_LEAD]


def explained_marks(costs: Floats, weights: Floats) -> Floats:
    """What each of several looks explains: its marks that fit, (n, BLOCKS) costs and weights to (n,)."""
    return np.asarray((weights * np.maximum(VISIBLE_COST - costs, 0.0)).sum(axis=1))


def lowest(values: Floats, count: int) -> Array:
    """The indices of the `count` lowest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]


def orientation(quad: Floats) -> int:
    """Which of two ways up a quad lies."""
    down = quad[2:].sum(axis=0) - quad[:2].sum(axis=0)
    return int(down[1] > 0 if abs(down[1]) > abs(down[0]) else down[0] > 0)
