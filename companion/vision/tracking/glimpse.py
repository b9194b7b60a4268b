"""Places that lay open for a moment before the next hand came over them.

Players lay cards within a second of each other: the first card lies open for two or three pictures only, too
briefly for a place that must settle. Its last picture is kept, and looked at once something covers it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.tracked_card import LitImage


class Glimpses:
    """The latest picture of each place that waits to settle."""

    def __init__(self) -> None:
        self._open: list[ChangedPlace] = []

    def clear(self) -> None:
        """The camera has moved, or sees another table."""
        self._open.clear()

    def covered(self, change: Change) -> list[ChangedPlace]:
        """The places that have just been covered before they had settled; they are forgotten."""
        left = self._open
        self._open = []
        return [one for one in left if _is_covered(one.blob, change)]

    def keep(self, place: ChangedPlace) -> None:
        """A place that has not settled yet, as this picture shows it."""
        if not place.blob.edge and place.blob.still > 0.0:
            kept = LitImage(place.picture.image.copy(), place.picture.gain)
            self._open.append(replace(place, picture=kept))


def _is_covered(blob: Blob, change: Change) -> bool:
    """Whether something now moves over the place, or an arm has reached it."""
    return any((other.edge or other.still <= 0.0) and _overlap(other, blob) for other in change.blobs)


def _overlap(one: Blob, other: Blob) -> bool:
    """Whether one place covers half of the other."""
    common = np.count_nonzero(one.cells & other.cells)
    return bool(common > 0.5 * np.count_nonzero(other.cells))
