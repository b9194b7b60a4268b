"""From where the arm came that laid a card: the side of the picture tells the players apart."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from companion.vision.image import masks
from companion.vision.image.picture import Floats
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.recent_pictures import KEPT_S

BEFORE_S = 0.4
"""Seconds by which an arm may have left before its card begins to differ: until then the cells round the card
differed because of the arm."""
AGREED = 0.95
"""Length of the mean of unit vectors from which on they are directions of one arm, whose cells at the edge
lie less than 18 degrees from their mean direction."""


class Arms:
    """The arms of the last seconds: parts of the picture that differ and reach its edge."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, tuple[Blob, ...]]] = deque()

    def see(self, change: Change) -> None:
        """Takes what one picture shows against the background."""
        arms = tuple(blob for blob in change.blobs if blob.edge)
        if change.cut:
            self._seen.clear()
        if arms:
            self._seen.append((change.t, arms))
        while self._seen and self._seen[0][0] < change.t - KEPT_S:
            self._seen.popleft()

    def direction(self, quad: Floats, t: float) -> float | None:
        """From where the arm came that laid the card in `quad` (4, 2), in pixels of the small picture, at the
        moment `t`.

        It is where the arm crosses the picture's edge, seen from the card: degrees from 0 to 360, clockwise
        from the right of the picture. None if no arm was over the card, or if another one was there as well
        since then: a hand that fidgets may have misled the date of the landing.
        """
        ways = [
            _ways_out(arm, quad)
            for moment, arms in self._seen
            if t - BEFORE_S <= moment
            for arm in arms
            if _is_over(arm, quad)
        ]
        if not ways:
            return None
        mean = np.mean([way.mean() for way in ways])
        return None if abs(mean) < AGREED else math.degrees(np.angle(mean)) % 360.0


def _is_over(arm: Blob, quad: Floats) -> bool:
    """Whether an arm covers some of a card."""
    return bool((arm.cells & masks.drawn([quad / CELL], arm.cells.shape)).any())


def _ways_out(arm: Blob, quad: Floats) -> NDArray[np.complex128]:
    """The directions (complex, of length 1) from a card to the cells where an arm leaves the picture."""
    at_edge = arm.cells.copy()
    at_edge[1:-1, 1:-1] = False
    rows, columns = np.nonzero(at_edge)
    x, y = quad.mean(axis=0) / CELL
    ways = (columns + 0.5 - x) + 1j * (rows + 0.5 - y)
    return np.asarray(ways / np.maximum(np.abs(ways), 1.0))
