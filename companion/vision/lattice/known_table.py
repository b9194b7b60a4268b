"""What one reading of a watched table tells the next: its lamp, how the camera sees it, where cards lay.

Lamp and camera stay while cards come and go. A single card on an empty table shows neither: under another
lamp it may be another card, and one wrong corner of its outline skews the lattice round it. Where cards lay,
most still lie, also if their outlines are not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.observations import LatticeCard, Point
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.colours import Illuminant, KnownLamp
from companion.vision.lattice.fit import KnownPlane

FEWEST_CARDS = 3
"""Cards by which a plane is known: their 18 numbers determine the 8 of a homography twice over."""


@dataclass(frozen=True)
class KnownTable:
    """The lamp and the plane of a table that was read before (None: not known yet), and the corners of the
    cards that were sure."""

    lamp: KnownLamp | None = None
    plane: KnownPlane | None = None
    corners: tuple[tuple[Point, Point, Point], ...] = ()

    @property
    def outlines(self) -> Floats:
        """The corners as an array (n, 3, 2), in pixels."""
        return np.array(self.corners, np.float32).reshape(-1, 3, 2)

    def scaled(self, scale: float) -> KnownTable:
        """The same for the picture shrunk to this share."""
        return self.moved(np.asarray(geometry.resizing(scale)[:2], np.float32))

    def moved(self, motion: Floats) -> KnownTable:
        """The same after the picture has moved by `motion` (2 x 3, pixels)."""
        plane = self.plane
        if plane is not None:
            plane = KnownPlane(np.vstack([motion, [0.0, 0.0, 1.0]]) @ plane.view, plane.cards)
        seen = self.outlines @ motion[:, :2].T + motion[:, 2]
        return replace(self, plane=plane, corners=tuple(as_corners(one) for one in seen))

    def after(self, cards: Sequence[LatticeCard], view: Array, lamp: Illuminant) -> KnownTable:
        """What is known after a reading: its sure cards, the view fitted to them and its lamp."""
        kinds = len({card.card for card in cards})
        plane = self.plane
        if len(cards) >= max(FEWEST_CARDS, plane.cards if plane is not None else 0):
            plane = KnownPlane(view, len(cards))
        return KnownTable(KnownLamp.after(lamp, kinds, self.lamp), plane).on_which_lie(cards)

    def on_which_lie(self, cards: Sequence[LatticeCard]) -> KnownTable:
        """The same table with these sure cards."""
        return replace(self, corners=tuple(card.corners for card in cards))


def as_corners(triangle: Array) -> tuple[Point, Point, Point]:
    """The corners of a triangle (3, 2) as a `LatticeCard` has them."""
    a, b, c = ((float(x), float(y)) for x, y in triangle)
    return a, b, c


NOTHING_KNOWN = KnownTable()
