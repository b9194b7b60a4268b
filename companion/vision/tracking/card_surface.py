"""Where cards may lie on a table that is watched: where it is not as it was before the cards.

The checks and figures of a cloth look like outlines of cards, but they were there before. So the table is
read only where the first reading has found cards, and where something has come to rest since and still
differs from the table of that moment (background subtraction, see companion.vision.tracking.background).
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import masks
from companion.vision.image.exposure import LightEstimate
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.lattice.changed import ChangedTable
from companion.vision.tracking.background import Background
from companion.vision.tracking.camera_view import warped
from companion.vision.tracking.change import CELL


class CardSurface:
    """The part of the small picture (bool masks of its size) on which cards may lie."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._before: Bytes | None = None
        self._first: Array
        self._touched: Array

    @property
    def known(self) -> bool:
        """Whether the table has been read once; before, cards may lie everywhere."""
        return self._before is not None

    def forget(self) -> None:
        """The camera sees another table."""
        self._before = None

    def begin(self, picture: Bytes, cards: Array) -> None:
        """The first reading: the small picture, and the mask of the cards found in it."""
        self._before, self._first = picture, _grown(cards)
        self._touched = np.zeros_like(self._first)

    def touch(self, pixels: Array) -> None:
        """Something has come to rest on these pixels, or was taken away from there."""
        if self.known:
            self._touched |= _grown(pixels)

    def move(self, motion: Floats) -> None:
        """The camera was bumped: `motion` (2 x 3) takes the small picture to its new place."""
        if self._before is None:
            return
        self._before = warped(self._before, motion)
        for mask in (self._first, self._touched):
            mask[:] = warped(mask.astype(np.uint8), motion, cv2.INTER_NEAREST) > 0

    def changed(self, picture: Bytes, also: Array | None = None) -> ChangedTable | None:
        """Where cards may lie in the present small picture; None: everywhere. `also`: a mask of what has
        come to lie there for now, e.g. a card with a hand on it."""
        if self._before is None:
            return None
        touched = self._touched if also is None else self._touched | _grown(also)
        light = LightEstimate()
        light.measure(picture, self._before, 0.0)
        lit = np.asarray(np.clip(np.rint(self._before * light.gain), 0, 255), np.uint8)
        pixels, cells = self._background.compare(picture, lit)
        differs = masks.resized(masks.without_gaps(cells), self._first.shape)
        where = np.asarray(self._first | (touched & differs))
        solid = masks.without_specks(masks.without_gaps(pixels, CELL // 2), CELL // 2)
        return ChangedTable(where, where & solid)


def _grown(mask: Array) -> Array:
    """The mask without its gaps, and two cells more all round."""
    return masks.grown(masks.without_gaps(mask, 2 * CELL), 2 * CELL)
