"""What is compared of a place and of a card by the network of triangular cards (models/vision/triangles).

Both are sampled at the middles of small triangles, as triangles.appearance does, but some way beyond the
card's sides too: what lies beside it tells whether there is an edge. The points form a square array: two of
the three shares of the corners are its rows and columns, and each cell has the two small triangles of a
rhombus.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.colours import Illuminant, TriangleTemplates, lit_colours
from companion.vision.triangles.appearance import (
    CUTS,
    WHITE,
    opponent_logarithms,
    sample_points,
)

BEYOND = 2
"""Small triangles beyond each side of the card that are seen."""
CELLS = CUTS + 2 * BEYOND
"""Rows and columns of the array."""
SEEN_PLANES, LOOK_PLANES = 16, 14
"""Planes of what is seen and of a look: two of each quantity, one for each triangle of a rhombus."""


@lru_cache(maxsize=1)
def _numerators() -> Array:
    """The shares (CELLS, CELLS, 2, 3) of the corners in each point, in parts of 3 * CUTS."""
    i, j = np.indices((CELLS, CELLS)) - BEYOND
    k = CUTS - 1 - i - j
    upward = np.stack([3 * i + 1, 3 * j + 1, 3 * k + 1], axis=-1)
    downward = np.stack([3 * i + 2, 3 * j + 2, 3 * k - 1], axis=-1)
    return np.stack([upward, downward], axis=2)


@lru_cache(maxsize=1)
def view_points() -> Floats:
    """The shares (n, 3) that the three corners have in each point that is seen."""
    return np.asarray(_numerators()[_is_seen()] / (3 * CUTS), np.float32)


@lru_cache(maxsize=1)
def _is_seen() -> Array:
    """Which points (CELLS, CELLS, 2) lie near enough to the card."""
    return np.asarray(_numerators().min(axis=-1) > -3 * BEYOND)


@lru_cache(maxsize=1)
def _of_card() -> Array:
    """The row, column and triangle (3, points) of each point of appearance.sample_points."""
    found = {tuple(_numerators()[at].tolist()): at for at in np.ndindex(CELLS, CELLS, 2)}
    keys = np.round(sample_points() * 3 * CUTS).astype(int).tolist()
    return np.array([found[tuple(key)] for key in keys]).T


def seen_planes(
    colours: Floats, covered: Array, white: float, picture_white: Floats, lamp: Illuminant
) -> Floats:
    """What places show (places, SEEN_PLANES, CELLS, CELLS).

    Args:
        colours: (places, points, 3), the levels at view_points.
        covered: (places, points), whether another card may lie there.
        white: the level that is white on the cards.
        picture_white: (3,), the levels of the picture's white.
        lamp: the lamp of the table.
    """
    logs = opponent_logarithms(colours, white) - np.array([lamp.brightness, *lamp.colour], np.float32)
    levels = colours / np.maximum(picture_white, 1.0)
    values = np.concatenate([logs, levels, covered[..., None], np.ones_like(logs[..., :1])], axis=-1)
    whole = np.zeros((len(colours), CELLS, CELLS, 2, values.shape[-1]), np.float32)
    whole[:, _is_seen()] = values
    return _planes(whole)


def look_planes(looks: TriangleTemplates, white: float, picture_white: Floats, lamp: Illuminant) -> Floats:
    """What turned looks show under the lamp of a picture (looks, LOOK_PLANES, CELLS, CELLS)."""
    levels = lit_colours(looks, lamp) * (white / WHITE) / np.maximum(picture_white, 1.0)
    logs = looks.values[..., :3]
    values = np.concatenate([logs, levels, np.ones_like(logs[..., :1])], axis=-1)
    whole = np.zeros((len(values), CELLS, CELLS, 2, values.shape[-1]), np.float32)
    rows, columns, which = _of_card()
    whole[:, rows, columns, which] = values
    return _planes(whole)


def _planes(whole: Floats) -> Floats:
    """Values (n, CELLS, CELLS, 2, quantities) as planes (n, 2 * quantities, CELLS, CELLS)."""
    n = len(whole)
    return np.ascontiguousarray(whole.transpose(0, 4, 3, 1, 2).reshape(n, -1, CELLS, CELLS))
