"""Triangular cards on the lattice of Trio Monsters, laid as carelessly as people do."""

from __future__ import annotations

import math

import numpy as np

from companion.art.decks.trio_monsters import SIDE, TALL
from companion.art.scene.layouts import Placed


def triangle(
    label: str,
    at: tuple[int, int],
    rng: np.random.Generator,
    *,
    turn: float = 0.0,
    copy: int = 0,
    careless: tuple[float, float] = (1.5, 2.0),
) -> Placed:
    """The card at a place of docs/events.md; the middle of [0, 0] is the middle of the table.

    Args:
        turn: degrees clockwise by which the whole lattice is turned about that middle.
        careless: standard deviations of the laying: mm of place, degrees of turn. Which of its three corners
            points away is chance.
    """
    row, column = at
    up = (row + column) % 2 == 0
    x = column * SIDE / 2 + rng.normal(0, careless[0])
    y = (row if up else row - 1 / 3) * TALL + rng.normal(0, careless[0])
    degrees = (0 if up else 180) + 120 * int(rng.integers(3)) + rng.normal(0, careless[1]) + turn
    way, own = math.radians(turn), math.radians(degrees)
    x, y = x * math.cos(way) - y * math.sin(way), x * math.sin(way) + y * math.cos(way)
    # a drawn card's middle is that of its box: a sixth of its height beyond the triangle's
    x, y = x + math.sin(own) * TALL / 6, y - math.cos(own) * TALL / 6
    return Placed(label, x, y, degrees, copy, size=(SIDE, TALL))
