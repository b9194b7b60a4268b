"""The zones of a table: in which of them a card lies, and which cells of a small picture are in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.observations import Point
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats


class TableZones:
    """Named parts of the picture.

    Args:
        corners: of each zone by its name, as shares of the picture's width and height.
    """

    def __init__(self, corners: Mapping[str, Sequence[Point]]) -> None:
        self._shapes = {name: np.array(shape, np.float32) for name, shape in corners.items()}
        self._cells: Array | None = None

    def of(self, quad: Floats, size: tuple[float, float]) -> str | None:
        """The first zone that the middle of a card (4, 2) lies in, in a picture of that width and height."""
        x, y = (geometry.diagonal_crossing(quad) + 0.5) / np.array(size)
        for name, shape in self._shapes.items():
            if cv2.pointPolygonTest(shape.reshape(-1, 1, 2), (float(x), float(y)), False) >= 0:
                return name
        return None

    def cells(self, shape: tuple[int, ...]) -> Array:
        """Which cells of a grid (rows, columns) over the picture lie in a zone."""
        if self._cells is None or self._cells.shape != shape:
            drawn = np.zeros(shape, np.uint8)
            for corners in self._shapes.values():
                cv2.fillPoly(drawn, [np.round(corners * (shape[1], shape[0])).astype(np.int32)], 1)
            self._cells = drawn > 0
        return self._cells
