"""When a place that has changed is looked at: once it has lain still, and again if that explains little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Array
from companion.vision.tracking.change import Blob

REMEMBERED_S, MOST = 60.0, 64
"""Looks are remembered for so many seconds, and so many of them."""


@dataclass(frozen=True, eq=False)
class _Look:
    """The latest look at a place, which was its `count`-th."""

    cells: Array
    t: float
    count: int


class Looks:
    """The looks at the places of a table."""

    def __init__(self) -> None:
        self._looks: list[_Look] = []

    def clear(self) -> None:
        """Another table."""
        self._looks.clear()

    def due(self, blob: Blob, t: float, waits: Sequence[float]) -> int:
        """Which look at the place it would be now, 1 for the first; 0 if it is not time for one. The place
        must have been still for `waits` seconds, one value for each look."""
        if blob.still < waits[0]:
            return 0
        self._looks = [look for look in self._looks if t - look.t < REMEMBERED_S][-MOST:]
        for look in self._looks:
            common = np.count_nonzero(look.cells & blob.cells)
            if common > 0.5 * np.count_nonzero(look.cells | blob.cells) and look.t > t - blob.still:
                if look.count >= len(waits) or blob.still < waits[look.count]:
                    return 0
                self._looks.remove(look)
                self._looks.append(_Look(blob.cells, t, look.count + 1))
                return look.count + 1
        self._looks.append(_Look(blob.cells, t, 1))
        return 1
