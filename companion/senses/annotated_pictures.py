"""Stores the picture of an observation for the pages, with what was recognised drawn on it."""

from __future__ import annotations

from typing import Any

from companion.core.observations import Landing, LatticeSeen
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos


class AnnotatedPictures:
    """Writes pictures of observations into `photos` (in memory only)."""

    def __init__(self, photos: Photos) -> None:
        self._photos = photos

    def keep(self, image: Any, seen: Landing | LatticeSeen) -> str:
        """Stores the picture of an observation and returns its id in the photos. Triangular cards are drawn
        on it with their names."""
        if isinstance(seen, LatticeSeen):
            from companion.vision.lattice.draw import draw_lattice

            image = draw_lattice(image, seen.cards, seen.unsure)
        return self._photos.keep(small_jpeg(image))
