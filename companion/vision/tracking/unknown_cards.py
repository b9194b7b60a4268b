"""Cards that came and have no name: lying face down, or of another deck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.image.quads import find_quads
from companion.vision.tracking.tracked_card import QuadMasks

SAME_PATTERN = 0.85
"""Normalised correlation from which on two places show the same."""
UNKNOWN_CARD_AREA = (0.55, 1.7)
"""Area of an unknown card against that of the known ones."""


@dataclass(frozen=True, eq=False)
class BeforeAndNow:
    """The small grey pictures of the table at rest and of now, and the camera's picture of now."""

    was: Bytes
    now: Bytes
    image: Image


def unknown_cards(
    differs: Array,
    shares: QuadMasks,
    pictures: BeforeAndNow,
    window: tuple[slice, slice],
    area: float | None,
) -> list[Floats]:
    """Outlines of cards that came and have no name: nearly all inside them differs.

    Args:
        differs: pixels of the small picture that have changed at the place.
        shares: outlines as masks of the small picture.
        pictures: before and now.
        window: rows and columns of the camera's picture to look at.
        area: of a known card, in pixels of the camera's picture; None: none is known.

    Returns:
        corners (4, 2) in pixels of the camera's picture.
    """
    found: list[Floats] = []
    for outline in find_quads(np.ascontiguousarray(pictures.image[window])):
        quad = outline + np.array([window[1].start, window[0].start], np.float32)
        if area and not UNKNOWN_CARD_AREA[0] < geometry.area(quad) / area < UNKNOWN_CARD_AREA[1]:
            continue
        mask = shares.mask([quad]).astype(bool)
        if shares.share(differs, mask) < 0.6 or shares.share(mask, differs) < 0.6:
            continue
        if _same_pattern(pictures.was, pictures.now, mask):
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
