"""How the corners of a quad move, and the points within it with them: for Lucas-Kanade on light
(match.refine) and on features (verifier.align)."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array, Floats


def corner_motions(x: Array, y: Array) -> Floats:
    """The motions (8, 4, 2) of corners that lie at `x` and `y` (4,) about the middle of a card: right, down,
    larger, turned, two that shear, and two of perspective. The first six are affine, all make any quad.

    >>> square = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> corner_motions(*square)[0].tolist()
    [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    one, none = np.ones(4), np.zeros(4)
    pairs = [(one, none), (none, one), (x, y), (-y, x), (x, -y), (y, x), (x * y, none), (none, x * y)]
    return np.stack([np.stack(pair, axis=1) for pair in pairs]).astype(np.float32)


def corner_shares(u: Array, v: Array) -> Array:
    """By how much each corner moves points of the unit card at `u`, `v` (rows, columns) with it (rows,
    columns, 4).

    >>> corner_shares(np.array([[0.0, 0.5]]), np.array([[0.0, 0.5]])).tolist()
    [[[1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]]
    """
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=2)
