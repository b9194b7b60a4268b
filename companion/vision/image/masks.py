"""Masks (bool) of a picture, or of its cells: drawn, grown, without gaps or specks, in another size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats


def drawn(outlines: Iterable[Array], shape: tuple[int, ...]) -> Array:
    """The pixels in any of these convex outlines (corners, 2), on a raster of this shape (rows, columns)."""
    inside = np.zeros(shape, np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    return inside > 0


def grown(mask: Array, by: int = 1) -> Array:
    """The mask and `by` pixels more all round."""
    return cv2.dilate(mask.astype(np.uint8), _square(by)) > 0


def without_gaps(mask: Array, by: int = 1) -> Array:
    """The mask with what lies within `by` pixels between two of its parts."""
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _square(by)) > 0


def without_specks(mask: Array, by: int = 1) -> Array:
    """The mask without what is not `by` pixels round some pixel."""
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _square(by)) > 0


def resized(mask: Array, shape: tuple[int, ...]) -> Array:
    """The mask on a raster of another shape (rows, columns)."""
    return cv2.resize(mask.astype(np.uint8), shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0


def parts(mask: Array) -> Iterator[Floats]:
    """The pixels (x, y), row by row, of each part of a mask that is connected by sides of pixels."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    for at in range(1, count):
        left, top, width, height = stats[at, :4].tolist()
        y, x = np.nonzero(labels[top : top + height, left : left + width] == at)
        yield np.stack([x + left, y + top], axis=1).astype(np.float32)


def _square(by: int) -> Bytes:
    return np.ones((2 * by + 1, 2 * by + 1), np.uint8)
