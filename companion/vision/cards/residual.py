"""What the known cards leave unexplained of a picture, and whether there is structure in it.

Local features cost ten times what outlines cost. They are searched only where structure is left that no known
card explains; known cards are painted over.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk
from companion.vision.match.limits import StructureLimits

SIDE = 480
"""Longer side of the picture in which structure is searched for."""
CELL = 12
"""Pixels of the cells in which structure is counted."""


class ChangedArea:
    """What has changed of a picture, and how much of it is explained by the cards that are known."""

    def __init__(self, changed: Array, shape: tuple[int, ...], limits: StructureLimits) -> None:
        """`changed` (bool) covers the picture of that shape, in any resolution."""
        self._limits = limits
        self._all = np.asarray(changed, np.uint8)
        self._left = self._all.copy()
        self._scale = changed.shape[1] / shape[1]
        self._total = int(np.count_nonzero(changed))

    def share(self, quad: Floats) -> float:
        """How much of a quad has changed, 0 to 1."""
        corners = np.round(quad * self._scale).astype(np.int32)
        low = np.maximum(corners.min(axis=0), 0)
        high = np.minimum(corners.max(axis=0) + 1, self._all.shape[::-1])
        if (high <= low).any():
            return 0.0
        mask = np.zeros((high - low)[::-1], np.uint8)
        cv2.fillConvexPoly(mask, corners - low, 1)
        part = self._all[low[1] : high[1], low[0] : high[0]]
        return cv2.countNonZero(mask & part) / max(1, cv2.countNonZero(mask))

    def mask_within(self, box: tuple[int, int, int, int], size: tuple[int, int]) -> Bytes:
        """Where something has changed within a box of the picture (left, top, right, bottom), and hardly
        beside it, as a mask of that size (width, height)."""
        left, top, right, bottom = (v * self._scale for v in box)
        part = self._all[int(top) : math.ceil(bottom), int(left) : math.ceil(right)]
        whole = cv2.resize(part, size, interpolation=cv2.INTER_NEAREST)
        reach = 2 * math.ceil(self._limits.change_margin * max(size) / max(part.shape)) + 1
        return np.asarray(cv2.dilate(whole, np.ones((reach, reach), np.uint8)), np.uint8)

    def cover(self, quad: Floats) -> None:
        """A card that is known explains what has changed within it."""
        cv2.fillConvexPoly(self._left, _grown_polygon(quad, self._limits.cover, self._scale), 0)

    @property
    def is_explained(self) -> bool:
        """Whether so little is left that no other card can have come or gone."""
        return cv2.countNonZero(self._left) <= self._limits.unexplained * self._total


class Residual:
    """The structure of one picture less the cards that are known."""

    def __init__(self, image: Image, changed: Array | None, limits: StructureLimits) -> None:
        """`changed` (bool) covers the image, in any resolution: nothing needs to be explained elsewhere."""
        self._limits = limits
        small, self._scale = shrunk(image, SIDE)
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0)
        across, down = cv2.Sobel(grey, cv2.CV_16S, 1, 0), cv2.Sobel(grey, cv2.CV_16S, 0, 1)
        steep = cv2.add(cv2.convertScaleAbs(across, alpha=0.25), cv2.convertScaleAbs(down, alpha=0.25))
        # A third of what the steepest edges of the picture have: a webcam's are soft.
        third = float(np.percentile(steep[::2, ::2], 99.0)) / 3.0
        least = max(third, limits.steep)
        self._steep: Bytes = np.asarray(steep > least, np.uint8)
        if changed is not None:
            self._steep &= masks.resized(changed, self._steep.shape)
        self._known: list[Floats] = []

    def cover(self, quad: Floats) -> None:
        """Takes a known card out, its quad in pixels of the image."""
        self._known.append(quad)
        cv2.fillConvexPoly(self._steep, _grown_polygon(quad, self._limits.cover, self._scale), 0)

    def box(self) -> tuple[int, int, int, int] | None:
        """Left, top, right and bottom (pixels of the image) of what is not explained yet; None: all is."""
        rows, columns = (max(1, n // CELL) for n in self._steep.shape)
        share = cv2.resize(self._steep * np.float32(1), (columns, rows), interpolation=cv2.INTER_AREA)
        busy = np.asarray(share > self._limits.busy, np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=8)
        groups = [
            stats[i] for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= self._limits.fewest_cells
        ]
        if not groups:
            return None
        low = np.min([g[:2] for g in groups], axis=0) - 1
        high = np.max([g[:2] + g[2:4] for g in groups], axis=0) + 1
        size = np.array([self._steep.shape[1] / columns, self._steep.shape[0] / rows]) / self._scale
        left, top = (max(0, int(v)) for v in low * size)
        right, bottom = (int(v) for v in high * size)
        return left, top, right, bottom

    def painted(self, image: Image, scale: float, origin: Floats) -> Image:
        """The image, a part of the picture from `origin` on and `scale` times its size, with the known cards
        painted over in the colour of the ground."""
        if not self._known:
            return image
        canvas = image.copy()
        colour = tuple(float(v) for v in np.median(image[::16, ::16].reshape(-1, 3), axis=0))
        for quad in self._known:
            cv2.fillConvexPoly(canvas, _grown_polygon(quad - origin, self._limits.cover, scale), colour)
        return canvas


def _grown_polygon(quad: Floats, factor: float, scale: float) -> Array:
    return np.asarray(np.round(geometry.grown(quad, factor) * scale), np.int32)
