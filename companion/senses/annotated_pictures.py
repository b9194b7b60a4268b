"""Stores the picture of an observation for the pages, with what was recognised drawn on it."""

from __future__ import annotations

from typing import Any

from companion.core.observations import Landing, LatticeSeen, Removal
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos


class AnnotatedPictures:
    """Writes pictures of observations into `photos` (in memory only)."""

    def __init__(self, photos: Photos) -> None:
        self._photos = photos

    def keep(self, image: Any, seen: Landing | Removal | LatticeSeen) -> str:
        """Stores the picture of an observation and returns its id in the photos.

        Triangular cards are drawn on it with their names, of a card that came or went the outline."""
        if isinstance(seen, LatticeSeen):
            from companion.vision.image.annotate import draw_lattice

            image = draw_lattice(image, seen.cards, seen.unsure)
        elif seen.sighting is not None:
            from companion.vision.image.annotate import outlined

            image = outlined(image, seen.sighting)
        return self._photos.keep(small_jpeg(image))
