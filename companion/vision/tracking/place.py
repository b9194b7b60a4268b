"""A place of the table that has changed, as one picture shows it, and when it is looked at: once it has lain
still, and again if that explains little."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Floats
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.limits import distances, seconds
from companion.vision.tracking.tracked_card import LitImage, quad_mask, share_in

LOOKS = 2
"""Looks at a place that lies still at most."""


@dataclass(frozen=True, eq=False)
class ChangedPlace:
    """A `blob` of what differs from the background (`change`) in a `picture`; `scale`: pixels of the small
    picture for one of the camera's."""

    blob: Blob
    change: Change
    picture: LitImage
    scale: float

    @cached_property
    def region(self) -> Array:
        """Its pixels of the small picture, and one cell round them."""
        return masks.resized(masks.grown(self.blob.cells), self.change.differs.shape)

    @cached_property
    def differs(self) -> Array:
        """The pixels of its region that differ."""
        return np.asarray(self.region & self.change.differs)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the camera's picture."""
        return self.picture.image.shape[1], self.picture.image.shape[0]

    def mask(self, quads: Iterable[Floats], grow: float = 0.0) -> Array:
        """The pixels of the small picture inside any of the quads, each grown by `grow` of its size."""
        return quad_mask(quads, self.change.differs.shape, self.scale, grow)

    def cells(self, outlines: Iterable[Floats]) -> Array:
        """The cells of the small picture in which cards with these outlines lie."""
        corners = (geometry.to_resized(quad, self.scale) / CELL for quad in outlines)
        return masks.drawn(corners, self.blob.cells.shape)

    def later(self, t: float) -> ChangedPlace:
        """The place as if it had begun to change at the moment `t`, because all before that is known."""
        return replace(self, blob=replace(self.blob, since=max(self.blob.since, t)))

    def explained(self, outlines: Iterable[Floats]) -> float:
        """Share of what differs that cards with these outlines cover."""
        return share_in(self.mask(outlines, distances().outline), self.differs)

    def unexplained(self, outlines: Iterable[Floats]) -> Array:
        """The pixels that differ, without specks, where none of these outlines of cards lies."""
        left = self.region & masks.without_specks(self.change.differs)
        return np.asarray(left & ~self.mask(outlines, distances().outline))

    def is_covered(self, now: Change) -> bool:
        """Whether something that moves, or an arm, is over more than half of the place now."""
        half = 0.5 * np.count_nonzero(self.blob.cells)
        over = [other for other in now.blobs if other.edge or other.still <= 0.0]
        return any(np.count_nonzero(other.cells & self.blob.cells) > half for other in over)


class Looks:
    """When each cell of a grid of this shape was looked at last."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._at = np.full(shape, -np.inf)

    def due(self, blob: Blob, t: float) -> int:
        """Which look at the place it is time for at the moment `t`, 1 for the first; 0 for none. A place of
        which most was looked at since it lies still has had the looks of that moment."""
        before = float(np.median(self._at[blob.cells])) - (t - blob.still)
        count = _looks_after(blob.still)
        if count <= _looks_after(before):
            return 0
        self._at[blob.cells] = t
        return count


def _looks_after(still: float) -> int:
    """How many looks a place has had that is looked at after it has been still for so long."""
    return (still >= seconds().first_look) + (still >= seconds().last_look)
