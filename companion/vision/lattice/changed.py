"""Where cards may lie: the part of the picture that has changed since no card lay there.

A watched table was seen before its cards. Checks and figures of a cloth are part of it and stay as they are,
so no outline in them is a card (background subtraction, as in companion.vision.tracking.background).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import masks
from companion.vision.image.picture import Array, Floats
from companion.vision.triangles.appearance import sample_points
from companion.vision.triangles.find import corner_triangles, merged
from companion.vision.triangles.limits import triangle_limits


@dataclass(frozen=True)
class ChangedTable:
    """Bool masks, of any size, laid over the whole picture: `where` cards may lie, without gaps, and the
    `pixels` there that differ."""

    where: Array
    pixels: Array


def uncovered(changed: ChangedTable, triangles: Floats, size: tuple[int, int]) -> ChangedTable:
    """What has changed and is not explained by cards at these places (n, 3, 2; pixels of the picture)."""
    scale = np.array([changed.where.shape[1] / size[1], changed.where.shape[0] / size[0]], np.float32)
    free = ~masks.drawn(triangles * scale, changed.where.shape)
    return ChangedTable(np.asarray(changed.where & free), np.asarray(changed.pixels & free))


def changed_outlines(changed: ChangedTable | None, size: tuple[int, int]) -> Floats:
    """The triangles at the sharp corners of what has changed, whatever the cloth's figures do to their
    outlines: a card that lies by itself has three of them, two cards that lie side by side have one each.

    Args:
        changed: where cards may lie; None: everywhere.
        size: height and width of the picture in pixels.

    Returns:
        corners (n, 3, 2) in pixels of the picture, clockwise.
    """
    if changed is None:
        return np.zeros((0, 3, 2), np.float32)
    drawn = changed.pixels.astype(np.uint8)
    contours, _ = cv2.findContours(drawn, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    scale = np.array([size[1] / drawn.shape[1], size[0] / drawn.shape[0]], np.float32)
    enlarged = (np.asarray(contour * scale, np.float32) for contour in contours)
    return merged(one for contour in enlarged for one in corner_triangles(contour))


def have_changed(triangles: Floats, changed: ChangedTable | None, size: tuple[int, int]) -> Array:
    """Which triangles lie where cards may lie.

    Args:
        triangles: corners (n, 3, 2) in pixels of the picture.
        changed: where cards may lie; None: everywhere in the picture.
        size: height and width of the picture in pixels.

    Returns:
        n truth values. What is outside of the picture has not changed.
    """
    points = np.einsum("pk,nkd->npd", sample_points(), triangles.reshape(-1, 3, 2))
    mask = np.ones((1, 1), bool) if changed is None else changed.where
    column = np.floor(points[..., 0] * mask.shape[1] / size[1]).astype(int)
    row = np.floor(points[..., 1] * mask.shape[0] / size[0]).astype(int)
    inside = (row >= 0) & (row < mask.shape[0]) & (column >= 0) & (column < mask.shape[1])
    values = mask[np.clip(row, 0, mask.shape[0] - 1), np.clip(column, 0, mask.shape[1] - 1)]
    return np.asarray((values & inside).mean(axis=1) >= triangle_limits().places.half)
