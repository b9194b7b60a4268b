"""What one picture shows against the background: cells that differ, joined to blobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.core.observations import Point
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.limits import shares

CELL = 4
"""Pixels of the small picture in a cell's side."""


@dataclass(frozen=True, eq=False)
class Blob:
    """A connected part of the picture that differs from the background.

    `cells` (the whole grid, bool) are its cells, `box` their bounds as slices (rows, columns). `edge`: it
    reaches the picture's edge. `still`: seconds since something moved in it. `since`: when it began.
    """

    cells: Array
    box: tuple[slice, slice]
    edge: bool
    still: float
    since: float


def reaches_edge(cells: Array) -> bool:
    """Whether cells reach the edge of the picture."""
    return bool(cells[0].sum() + cells[-1].sum() + cells[:, 0].sum() + cells[:, -1].sum() >= 2)


@dataclass(frozen=True, eq=False)
class Change:
    """What one picture shows against the background.

    `picture` is the small picture in the background's light, place and size, `differs` (bool) its pixels that
    differ. `motion`: the camera was bumped or its lens has found another focus, and this transform (2 x 3, in
    small pixels) takes the background to its new place; None while it is where it was. `cut`: the picture
    shows something else altogether; the background has been replaced. `camera_moves`: the camera is
    elsewhere than the background, its lens shows the picture larger, smaller, softer or sharper, or most of
    the picture differs: nothing can be read.
    """

    t: float
    picture: Bytes
    differs: Array
    blobs: tuple[Blob, ...]
    motion: Floats | None = None
    cut: bool = False
    camera_moves: bool = False

    @cached_property
    def grey(self) -> Bytes:
        """The picture without its colours."""
        return grey(self.picture)

    def cells(self, blobs: Iterable[Blob]) -> Array:
        """The cells (the whole grid, bool) of some of its blobs."""
        rows, columns = self.differs.shape
        nothing = np.zeros((-(-rows // CELL), -(-columns // CELL)), bool)
        return np.asarray(np.any([nothing, *(blob.cells for blob in blobs)], axis=0))

    def pixels(self, blobs: Iterable[Blob]) -> Array:
        """The pixels (bool) of the small picture that belong to some of its blobs."""
        return masks.resized(self.cells(blobs), self.differs.shape)


class TableZones:
    """Named parts of the picture."""

    def __init__(self, corners: Mapping[str, Sequence[Point]]) -> None:
        """`corners`: those of each zone, as shares of the picture's width and height."""
        self._shapes = {name: np.array(shape, np.float32) for name, shape in corners.items()}

    def of(self, quad: Floats, size: tuple[float, float]) -> str | None:
        """The first zone that the middle of a card (4, 2) lies in, in a picture of that width and height."""
        middle = (geometry.diagonal_crossing(quad) + 0.5) / np.array(size)
        return next((name for name, shape in self._shapes.items() if geometry.contains(shape, middle)), None)

    def cells(self, shape: tuple[int, ...]) -> Array:
        """Which cells of a grid (rows, columns) over the picture lie in a zone."""
        drawn = np.zeros(shape, np.uint8)
        for corners in self._shapes.values():
            cv2.fillPoly(drawn, [np.round(corners * (shape[1], shape[0])).astype(np.int32)], 1)
        return drawn > 0


def cells_of(pixels: Array, shape: tuple[int, ...]) -> Array:
    """The cells, of a grid of this shape, of which enough pixels are among these."""
    share = cv2.resize(pixels.astype(np.uint8) * 255, shape[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(share >= 255 * shares().cell)


def grey(picture: Bytes) -> Bytes:
    """A picture (height, width, 3) in blue, green, red without its colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
