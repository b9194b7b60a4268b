"""Names the cards at a changed place, and finds those without a name: face down, or of another deck."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry, masks
from companion.vision.image.picture import SMALLEST_SIDE, Array, Floats, Image
from companion.vision.image.quads import find_quads
from companion.vision.tracking.card_tracker import CardTracker
from companion.vision.tracking.limits import distances, shares
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.tracked_card import share_in

CardReader = Callable[[Image, Deck, frozenset[str] | None, Array | None], CardReading]
"""Names the cards of a deck in a picture; the labels are those that may be expected, and all that needs to be
explained is what has changed (companion.vision.cards.recognise)."""
Window = tuple[slice, slice]
"""Rows and columns of the camera's picture."""


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

    def cards(self, place: ChangedPlace) -> list[Sighting]:
        """The cards at a place, and those that reach into it."""
        return self._named(place.picture.image, place, place.differs)

    def earlier_cards(self, place: ChangedPlace, image: Image) -> list[Sighting]:
        """The cards that an earlier picture surely shows at a place, whatever of it differs by now."""
        return sure(self._named(image, place, place.region))

    def unknown_cards(self, place: ChangedPlace) -> list[Floats]:
        """Outlines (4, 2), in pixels of the camera's picture, of cards that came and have no name: most of
        what lies inside them differs, and most of what differs lies inside."""
        window = self._window(place)
        found: list[Floats] = []
        for outline in find_quads(np.ascontiguousarray(place.picture.image[window])):
            quad = outline + np.array((window[1].start, window[0].start), np.float32)
            inside, middle = place.mask([quad]), geometry.diagonal_crossing(quad)
            if min(share_in(place.differs, inside), share_in(inside, place.differs)) < shares().explained:
                continue
            if not any(geometry.contains(other, middle) for other in found):
                found.append(quad)
        return found

    def _window(self, place: ChangedPlace) -> Window:
        """The part of the camera's picture that shows a place and the cards that reach into it."""
        rows, columns = (np.nonzero(place.region.any(axis=axis))[0] for axis in (1, 0))
        low = np.array([columns[0], rows[0]], float) / place.scale
        high = np.array([columns[-1] + 1, rows[-1] + 1], float) / place.scale
        for card in self._table.touching(place):
            low, high = np.minimum(low, card.quad.min(axis=0)), np.maximum(high, card.quad.max(axis=0))
        margin = 2 * distances().outline * float((high - low).max())
        (left, top), (right, bottom) = (
            np.clip(at, 0, place.size).astype(int) for at in (low - margin, high + margin)
        )
        return slice(int(top), int(bottom)), slice(int(left), int(right))

    def _named(self, image: Image, place: ChangedPlace, differs: Array) -> list[Sighting]:
        """The cards that a picture shows at a place, of which these pixels of the small picture differ."""
        window = self._window(place)
        solid = masks.grown(masks.without_specks(differs), 2)
        rows, columns = (
            slice(int(part.start * place.scale), int(np.ceil(part.stop * place.scale))) for part in window
        )
        part = np.ascontiguousarray(image[window])
        if min(part.shape[:2]) < SMALLEST_SIDE:  # no card is so small
            return []
        reading = self._read(part, self._deck, self.expected, solid[rows, columns])
        return [_in_whole_picture(card, window) for card in reading.cards]


def sure(cards: Iterable[Sighting]) -> list[Sighting]:
    """The cards of which the reader is sure, although their place is not at rest."""
    return [card for card in cards if card.confidence >= shares().sure]


def _in_whole_picture(card: Sighting, window: Window) -> Sighting:
    """A sighting in a window as one in the whole picture."""
    rows, columns = window
    a, b, c, d = ((x + columns.start, y + rows.start) for x, y in card.corners)
    return Sighting(card.label, card.confidence, (a, b, c, d))
