"""Cards that lay on the table before the first landing and were not found then.

A card that was not recognised at first, and is recognised after it was pushed or the light has changed, has
not landed. A card named for the first time is therefore searched in the pictures from which the table was
learnt: where it lies now, if that place looked like it already, and where more has changed than the card
covers, because it may have been pushed from there.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.cards.recognise import CardReading
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.tracking.card_tracker import LARGEST_PUSH
from companion.vision.tracking.tracked_card import QuadMasks, card_height, corners_of

CardReader = Callable[[Image, Deck, frozenset[str] | None, Array | None], CardReading]
"""Names the cards of a deck in a picture; the labels are those that may be expected, and all that needs to be
explained is what has changed (companion.vision.cards.recognise)."""

LEAST_CORRELATION = 0.25
"""Correlation of its light from which on a place of an earlier picture may have shown the card already."""
PUSHED_SHARE = 0.06
"""Share of a card that must have changed round it for it to have been pushed from there."""
SEARCH_MARGIN = 0.3
"""How much larger than the card the place is in which the card is looked for."""
RIM = 4
"""Pixels (of 48 x 72) at a card's edge that are left out."""
CARD_MARGIN = 0.08
"""How far beyond its edges a card is looked for, as a share of its size."""
SHORTEST = 96
"""Pixels of the camera's picture that are looked at in each direction, however small the place is."""


class InitialCards:
    """The pictures that a table was learnt from, and the cards named so far."""

    def __init__(self, deck: Deck, read: CardReader) -> None:
        self._deck, self._read = deck, read
        self._named: set[str] = set()
        self._doubtful: list[Image] = []

    def clear(self) -> None:
        """Another table: nothing of it is known."""
        self._named, self._doubtful = set(), []

    def learn(self, image: Image) -> tuple[Sighting, ...]:
        """The cards in a picture of the table at rest; it is kept if more may be there."""
        reading = self._read(image, self._deck, None, None)
        self._named |= {card.label for card in reading.cards}
        if reading.unknown:
            self._doubtful.append(image)
        return reading.cards

    def was_there(self, sighting: Sighting, differs: Array, shares: QuadMasks, scale: float) -> bool:
        """Whether a card that was never named before lay there from the beginning. `differs` are the pixels
        of the small picture, `scale` times the camera's, that have changed; `shares` draws there."""
        if sighting.label in self._named:
            return False
        self._named.add(sighting.label)
        quad = corners_of(sighting)
        far = LARGEST_PUSH * card_height(quad)
        low, high = quad.min(axis=0) - far, quad.max(axis=0) + far
        own = shares.mask([quad], CARD_MARGIN).astype(bool)
        left = differs & ~own
        left = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        for image in self._doubtful:
            window = (
                padded_slice(low[1], high[1], image.shape[0]),
                padded_slice(low[0], high[0], image.shape[1]),
            )
            part = crop_region(left, window, scale)
            if np.count_nonzero(part) < PUSHED_SHARE * np.count_nonzero(own):
                part = np.zeros_like(part)
            if self._looked_like(sighting.label, quad - (window[1].start, window[0].start), image[window]):
                part = part | crop_region(own, window, scale)
            if not part.any():
                continue
            crop = np.ascontiguousarray(image[window])
            seen = self._read(crop, self._deck, frozenset({sighting.label}), part).cards
            if any(card.label == sighting.label for card in seen):
                return True
        return False

    def _looked_like(self, label: str, quad: Floats, image: Image) -> bool:
        """Whether a part of an earlier picture may show the card in `quad`, or hardly beside it."""
        scene = PicturePyramid(np.ascontiguousarray(image))
        around = np.asarray(geometry.grown(quad, 1.0 + SEARCH_MARGIN), np.float32)
        size = (
            round(descriptor.WIDTH * (1.0 + SEARCH_MARGIN)),
            round(descriptor.HEIGHT * (1.0 + SEARCH_MARGIN)),
        )
        light = descriptor.normalised_light(scene.warped(around, *size))
        looks = [i for i, name in enumerate(self._deck.labels) if name == label]
        return max(self._agreement(light, look) for look in looks) > LEAST_CORRELATION

    def _agreement(self, light: Floats, look: int) -> float:
        """How well a look correlates with the light where it fits best (-1 to 1)."""
        inner = np.ascontiguousarray(self._deck.light_template(look).light[RIM:-RIM, RIM:-RIM])
        return float(cv2.matchTemplate(light, inner, cv2.TM_CCOEFF_NORMED).max())


def padded_slice(low: float, high: float, length: int) -> slice:
    """From low to high within `length` pixels, and long enough for a card to be seen in it."""
    spare = max(0.0, SHORTEST - (high - low)) / 2
    start = max(0, min(int(low - spare), length - SHORTEST))
    return slice(start, min(length, max(int(high + spare), start + SHORTEST)))


def crop_region(region: Array, window: tuple[slice, slice], scale: float) -> Array:
    """What of a region (small pixels) lies in a window of the picture."""
    rows, columns = (slice(int(part.start * scale), int(np.ceil(part.stop * scale))) for part in window)
    return region[rows, columns]
