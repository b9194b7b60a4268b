"""Names the cards at a changed place, and finds those without a name: face down, or of another deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.image.quads import find_quads
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
SAME_PATTERN = 0.85
"""Normalised correlation from which on two places show the same."""
UNKNOWN_CARD_AREA = (0.55, 1.7)
"""Area of an unknown card against that of the known ones."""


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

    def _window(self, place: ChangedPlace) -> Window:
        """The part of the picture that shows a place and the cards that reach into it."""
        rows, columns = (np.nonzero(place.region.any(axis=axis))[0] for axis in (1, 0))
        low = np.array([columns[0], rows[0]], float) / place.scale
        high = np.array([columns[-1] + 1, rows[-1] + 1], float) / place.scale
        for card in self._table.touching(place):
            low, high = np.minimum(low, card.quad.min(axis=0)), np.maximum(high, card.quad.max(axis=0))
        margin = WINDOW_MARGIN * (self._table.typical_height() or float((high - low).max()))
        return Window.around(low - margin, high + margin, place.picture.image.shape)

    def cards(self, place: ChangedPlace) -> list[Sighting]:
        """The cards at a place, and those that reach into it."""
        return self._named(place.picture.image, place, place.differs)

    def earlier_cards(self, place: ChangedPlace, image: Image) -> list[Sighting]:
        """The cards that an earlier picture surely shows at a place, whatever of it differs by now."""
        return sure(self._named(image, place, place.region))

    def unknown_cards(self, place: ChangedPlace, was: Bytes) -> list[Floats]:
        """Outlines (4, 2), in pixels of the camera's picture, of cards that came and have no name: nearly all
        inside them differs. `was`: the small grey picture of the table at rest."""
        window = self._window(place)
        found: list[Floats] = []
        for outline in find_quads(window.cut(place.picture.image)):
            quad = outline + np.array(window.corner, np.float32)
            middle = geometry.diagonal_crossing(quad)
            seen = any(geometry.contains(other, middle) for other in found)
            if not seen and self._may_have_come(quad, place, was):
                found.append(quad)
        return found

    def _may_have_come(self, quad: Floats, place: ChangedPlace, was: Bytes) -> bool:
        """Whether an outline is as large as the known cards and shows what differs, and not a figure of the
        table itself in another light."""
        tall = self._table.typical_height()
        if tall:
            low, high = UNKNOWN_CARD_AREA
            if not low < geometry.area(quad) * self._deck.aspect / tall**2 < high:
                return False
        mask, share = place.shares.mask([quad]), place.shares.share
        if min(share(place.differs, mask), share(mask, place.differs)) < 0.6:
            return False
        return not _same_pattern(was, place.change.grey, mask)

    def _named(self, image: Image, place: ChangedPlace, differs: Array) -> list[Sighting]:
        window = self._window(place)
        solid = masks.grown(masks.without_specks(differs), 2)
        changed = window.cut_small(solid, place.scale)
        reading = self._read(window.cut(image), self._deck, self.expected, changed)
        return [_shifted(card, *window.corner) for card in reading.cards]


def sure(cards: list[Sighting]) -> list[Sighting]:
    """Those that are surely seen."""
    return [card for card in cards if card.confidence >= SURE_CONFIDENCE]


def _same_pattern(was: Array, now: Array, mask: Array) -> bool:
    """Whether the same is drawn there in both grey pictures, whatever the light."""
    one, other = (part[mask].astype(np.float32) for part in (was, now))
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((one @ one) * (other @ other)))
    return spread > 0 and float(one @ other) / spread > SAME_PATTERN


def _shifted(card: Sighting, left: int, top: int) -> Sighting:
    """The sighting in a window as one in the whole picture."""
    a, b, c, d = ((x + left, y + top) for x, y in card.corners)
    return Sighting(card.label, card.confidence, (a, b, c, d))
