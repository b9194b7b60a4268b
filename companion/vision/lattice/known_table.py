"""What one reading of a watched table tells the next: the colour of its lamp and how the camera sees it.

Lamp and camera stay while cards come and go. A single card on an empty table shows neither: under another
lamp it may be another card, and one wrong corner of its outline skews the lattice round it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.observations import LatticeCard
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.colours import Illuminant, KnownLamp
from companion.vision.lattice.fit import KnownPlane

FEWEST_CARDS = 3
"""Cards by which a plane is known: their 18 numbers determine the 8 of a homography twice over."""


@dataclass(frozen=True)
class KnownTable:
    """The lamp and the plane of a table that was read before; None: not known yet."""

    lamp: KnownLamp | None = None
    plane: KnownPlane | None = None

    def scaled(self, scale: float) -> KnownTable:
        """The same for the picture shrunk to this share."""
        middle = 0.5 * scale - 0.5
        return self.moved(np.array([[scale, 0, middle], [0, scale, middle]], np.float32))

    def moved(self, motion: Floats) -> KnownTable:
        """The same after the picture has moved by `motion` (2 x 3, pixels)."""
        if self.plane is None:
            return self
        whole = np.vstack([motion, [0.0, 0.0, 1.0]])
        return replace(self, plane=KnownPlane(whole @ self.plane.view, self.plane.cards))

    def after(self, cards: Sequence[LatticeCard], view: Array, lamp: Illuminant) -> KnownTable:
        """What is known after a reading: its sure cards, the view fitted to them and its lamp."""
        kinds = len({card.card for card in cards})
        plane = self.plane
        if len(cards) >= max(FEWEST_CARDS, plane.cards if plane is not None else 0):
            plane = KnownPlane(view, len(cards))
        return KnownTable(KnownLamp.after(lamp, kinds, self.lamp), plane)


NOTHING_KNOWN = KnownTable()
