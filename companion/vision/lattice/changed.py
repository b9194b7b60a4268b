"""Where cards may lie: the part of the picture that has changed since no card lay there.

A watched table was seen before its cards. Checks and figures of a cloth are part of it and stay as they are,
so no outline in them is a card (background subtraction, as in companion.vision.tracking.background).
"""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array, Floats

LEAST_SHARE = 0.5
"""Share of a card's surface that must have changed. Where a card has the colour of the cloth nothing does."""
_BARYCENTRIC = (
    np.array(
        [(a, b, 9 - a - b) for a in range(1, 8) for b in range(1, 9 - a)],
        np.float32,
    )
    / 9.0
)
"""Points spread evenly over a triangle, without its border."""


def have_changed(triangles: Floats, changed: Array | None, size: tuple[int, int]) -> Array:
    """Which triangles lie where cards may lie.

    Args:
        triangles: corners (n, 3, 2) in pixels of the picture.
        changed: bool mask of any size, laid over the whole picture; None: cards may lie everywhere.
        size: height and width of the picture in pixels.

    Returns:
        n truth values. What is outside of the picture has not changed.
    """
    if changed is None or not len(triangles):
        return np.ones(len(triangles), bool)
    points = np.einsum("pk,nkd->npd", _BARYCENTRIC, triangles)
    column = np.floor(points[..., 0] * changed.shape[1] / size[1]).astype(int)
    row = np.floor(points[..., 1] * changed.shape[0] / size[0]).astype(int)
    inside = (row >= 0) & (row < changed.shape[0]) & (column >= 0) & (column < changed.shape[1])
    values = changed[np.clip(row, 0, changed.shape[0] - 1), np.clip(column, 0, changed.shape[1] - 1)]
    return np.asarray((values & inside).mean(axis=1) >= LEAST_SHARE)
