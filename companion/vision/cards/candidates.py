"""Candidates: looks that a quad might show, before the quad is refined onto any of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.match.score import VISIBLE_COST

MOST_TRIED = 4
"""Candidates that are tried at a place."""


@dataclass(frozen=True)
class Candidate:
    """A look that a quad might show, and what it costs before the quad is moved onto it."""

    cost: float
    look: int
    quad: Floats


def explained_marks(costs: Floats, weights: Floats) -> Floats:
    """What each of several looks explains: its marks that fit, (n, BLOCKS) costs and weights to (n,)."""
    return np.asarray((weights * np.maximum(VISIBLE_COST - costs, 0.0)).sum(axis=1))


def lowest(values: Floats, count: int) -> Array:
    """The indices of the `count` lowest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]


def orientation(quad: Floats) -> int:
    """In which of two orientations a quad is: 1 if its top is up (to the left if it is more across), else
    0."""
    down = quad[2:].sum(axis=0) - quad[:2].sum(axis=0)
    return int(down[1] > 0 if abs(down[1]) > abs(down[0]) else down[0] > 0)
