"""Names the cards at a place that has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading
from companion.vision.deck.deck import Deck
from companion.vision.image import masks
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.card_tracker import CardTracker
from companion.vision.tracking.place import ChangedPlace

CardReader = Callable[[Image, Deck, frozenset[str] | None, Array | None], CardReading]
"""Names the cards of a deck in a picture; the labels are those that may be expected, and all that needs to be
explained is what has changed (companion.vision.cards.recognise)."""

SHORTEST = 96
"""Pixels of the camera's picture that are looked at in each direction, however small the place is."""
WINDOW_MARGIN = 0.12
"""Heights of a card that are looked at round a place."""
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
        both = (self.rows, self.columns)
        rows, columns = (slice(int(one.start * scale), int(np.ceil(one.stop * scale))) for one in both)
        return region[rows, columns]


def _padded(low: float, high: float, length: int) -> slice:
    spare = max(0.0, SHORTEST - (high - low)) / 2
    start = max(0, min(int(low - spare), length - SHORTEST))
    return slice(start, min(length, max(int(high + spare), start + SHORTEST)))


class PlaceReader:
    """Names the cards of a deck at places of a table.

    Args:
        deck: the cards. `expected` may come next (None: any); others must fit clearly better.
        read: names the cards in a picture.
        table: the cards that are known to lie there.
    """

    def __init__(self, deck: Deck, read: CardReader, table: CardTracker) -> None:
        self._deck, self._read, self._table = deck, read, table
        self.expected: frozenset[str] | None = None

    def window(self, place: ChangedPlace) -> Window:
        """The part of the picture that shows a place and the cards that reach into it."""
        rows, columns = (np.nonzero(place.region.any(axis=axis))[0] for axis in (1, 0))
        low = np.array([columns[0], rows[0]], float) / place.scale
        high = np.array([columns[-1] + 1, rows[-1] + 1], float) / place.scale
        for card in self._table.touching(place):
            low, high = np.minimum(low, card.quad.min(axis=0)), np.maximum(high, card.quad.max(axis=0))
        margin = WINDOW_MARGIN * (self._table.typical_height() or float((high - low).max()))
        return Window.around(low - margin, high + margin, place.picture.image.shape)

    def cards(self, place: ChangedPlace, window: Window) -> list[Sighting]:
        """The cards in the window of a place."""
        return self._named(place.picture.image, window, place.differs, place.scale)

    def earlier_cards(self, place: ChangedPlace, image: Image) -> list[Sighting]:
        """The cards that an earlier picture surely shows at a place, whatever of it differs by now."""
        return sure(self._named(image, self.window(place), place.region, place.scale))

    def _named(self, image: Image, window: Window, differs: Array, scale: float) -> list[Sighting]:
        solid = masks.grown(masks.without_specks(differs), 2)
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
