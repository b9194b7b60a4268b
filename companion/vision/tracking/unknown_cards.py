"""Cards that came and have no name: lying face down, or of another deck."""

from __future__ import annotations

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.image.quads import find_quads
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.place_reader import Window

SAME_PATTERN = 0.85
"""Normalised correlation from which on two places show the same."""
UNKNOWN_CARD_AREA = (0.55, 1.7)
"""Area of an unknown card against that of the known ones."""


def unknown_cards(place: ChangedPlace, window: Window, was: Bytes, area: float | None) -> list[Floats]:
    """Outlines (4, 2), in pixels of the camera's picture, of cards that came and have no name: nearly all
    inside them differs. The `window` of a place is looked at; `was` is the small grey picture of the table at
    rest, and `area` that of a known card in pixels of the camera's picture (None: none is known)."""
    shares, differs = place.shares, place.differs
    found: list[Floats] = []
    for outline in find_quads(window.cut(place.picture.image)):
        quad = outline + np.array(window.corner, np.float32)
        if area and not UNKNOWN_CARD_AREA[0] < geometry.area(quad) / area < UNKNOWN_CARD_AREA[1]:
            continue
        mask = shares.mask([quad])
        if shares.share(differs, mask) < 0.6 or shares.share(mask, differs) < 0.6:
            continue
        if _same_pattern(was, place.change.grey, mask):
            continue  # a figure of the table itself, in another light
        middle = geometry.diagonal_crossing(quad)
        if not any(geometry.contains(other, middle) for other in found):
            found.append(quad)
    return found


def _same_pattern(was: Array, now: Array, mask: Array) -> bool:
    """Whether the same is drawn there in both grey pictures, whatever the light."""
    one, other = (part[mask].astype(np.float32) for part in (was, now))
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((one @ one) * (other @ other)))
    return spread > 0 and float(one @ other) / spread > SAME_PATTERN
