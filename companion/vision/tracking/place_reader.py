"""Names the cards at a place that has changed: cuts it out of the picture and says what is new there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.place import without_specks

CardReader = Callable[[Image, Deck, frozenset[str] | None, Array | None], CardReading]
"""Names the cards of a deck in a picture; the labels are those that may be expected, and all that needs to be
explained is what has changed (companion.vision.cards.recognise)."""

SHORTEST = 96
"""Pixels of the camera's picture that are looked at in each direction, however small the place is."""
SURE_CONFIDENCE = 0.8
"""Confidence of a card that is surely seen, although the place is not at rest."""


@dataclass(frozen=True)
class Window:
    """Rows and columns of the camera's picture that are looked at."""

    rows: slice
    columns: slice

    @classmethod
    def around(cls, low: Array, high: Array, shape: tuple[int, ...]) -> Window:
        """From one corner to another, in a picture of that shape; large enough for a card to be seen."""
        return cls(_padded(low[1], high[1], shape[0]), _padded(low[0], high[0], shape[1]))

    @property
    def corner(self) -> tuple[int, int]:
        """Its left and upper end."""
        return self.columns.start, self.rows.start

    def cut(self, image: Image) -> Image:
        """What it shows of the camera's picture."""
        return np.ascontiguousarray(image[self.rows, self.columns])

    def cut_small(self, region: Array, scale: float) -> Array:
        """What of a region of the small picture, which is `scale` times the camera's, lies in it."""
        rows, columns = (
            slice(int(part.start * scale), int(np.ceil(part.stop * scale)))
            for part in (self.rows, self.columns)
        )
        return region[rows, columns]


def _padded(low: float, high: float, length: int) -> slice:
    spare = max(0.0, SHORTEST - (high - low)) / 2
    start = max(0, min(int(low - spare), length - SHORTEST))
    return slice(start, min(length, max(int(high + spare), start + SHORTEST)))


class PlaceReader:
    """Names the cards of a deck; `expected` may come next (None: any), others must fit clearly better."""

    def __init__(self, deck: Deck, read: CardReader) -> None:
        self._deck, self._read = deck, read
        self.expected: frozenset[str] | None = None

    def cards(self, image: Image, window: Window, differs: Array, scale: float) -> list[Sighting]:
        """The cards in a window of the camera's picture, in which pixels of the small one differ."""
        solid = cv2.dilate(without_specks(differs).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        changed = window.cut_small(solid, scale)
        reading = self._read(window.cut(image), self._deck, self.expected, changed)
        return [_shifted(card, *window.corner) for card in reading.cards]


def sure(cards: list[Sighting]) -> list[Sighting]:
    """Those that are surely seen."""
    return [card for card in cards if card.confidence >= SURE_CONFIDENCE]


def _shifted(card: Sighting, left: int, top: int) -> Sighting:
    """The sighting in a window as one in the whole picture."""
    a, b, c, d = ((x + left, y + top) for x, y in card.corners)
    return Sighting(card.label, card.confidence, (a, b, c, d))
