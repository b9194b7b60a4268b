"""Cards that lay on the table before the first landing and were not found then.

A card that was not recognised at first, and is recognised after it was pushed or the light has changed, has
not landed. A card named for the first time is therefore searched in the pictures from which the table was
learnt: where it lies now, if that place looked like it already, and where more has changed than the card
covers, because it may have been pushed from there.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.tracking.matching import LARGEST_PUSH
from companion.vision.tracking.place import OUTLINE_MARGIN, ChangedPlace
from companion.vision.tracking.place_reader import CardReader, Window
from companion.vision.tracking.tracked_card import card_height, corners_of

LEAST_CORRELATION = 0.25
"""Correlation of its light from which on a place of an earlier picture may have shown the card already."""
PUSHED_SHARE = 0.06
"""Share of a card that must have changed round it for it to have been pushed from there."""
SEARCH_MARGIN = 0.3
"""How much larger than the card the place is in which the card is looked for."""
RIM = 4
"""Pixels (of 48 x 72) at a card's edge that are left out."""


class InitialCards:
    """The pictures that a table was learnt from, and the cards named so far."""

    def __init__(self, deck: Deck, read: CardReader) -> None:
        self._deck, self._read = deck, read
        self._named: set[str] = set()
        self._doubtful: list[Image] = []

    def learn(self, image: Image) -> tuple[Sighting, ...]:
        """The cards in a picture of the table at rest; it is kept if more may be there."""
        reading = self._read(image, self._deck, None, None)
        self._named |= {card.label for card in reading.cards}
        if reading.unknown:
            self._doubtful.append(image)
        return reading.cards

    def was_there(self, sighting: Sighting, place: ChangedPlace) -> bool:
        """Whether a card that was never named before lay there from the beginning, at a place or near it."""
        if sighting.label in self._named:
            return False
        self._named.add(sighting.label)
        quad = corners_of(sighting)
        far = LARGEST_PUSH * card_height(quad)
        low, high = quad.min(axis=0) - far, quad.max(axis=0) + far
        own = place.shares.mask([quad], OUTLINE_MARGIN)
        left = masks.without_specks(place.change.differs & ~own)
        for image in self._doubtful:
            window = Window.around(low, high, image.shape)
            crop, part = window.cut(image), window.cut_small(left, place.scale)
            if np.count_nonzero(part) < PUSHED_SHARE * np.count_nonzero(own):
                part = np.zeros_like(part)
            if self._looked_like(sighting.label, quad - window.corner, crop):
                part = part | window.cut_small(own, place.scale)
            if not part.any():
                continue
            seen = self._read(crop, self._deck, frozenset({sighting.label}), part).cards
            if any(card.label == sighting.label for card in seen):
                return True
        return False

    def _looked_like(self, label: str, quad: Floats, image: Image) -> bool:
        """Whether a part of an earlier picture may show the card in `quad`, or hardly beside it."""
        scene = PicturePyramid(image)
        around = np.asarray(geometry.grown(quad, 1.0 + SEARCH_MARGIN), np.float32)
        size = (
            round(descriptor.WIDTH * (1.0 + SEARCH_MARGIN)),
            round(descriptor.HEIGHT * (1.0 + SEARCH_MARGIN)),
        )
        light = descriptor.normalised_light(scene.warped(around, *size))
        looks = [self._deck.light_template(i) for i, name in enumerate(self._deck.labels) if name == label]
        inner = [np.ascontiguousarray(look.light[RIM:-RIM, RIM:-RIM]) for look in looks]
        found = [cv2.matchTemplate(light, one, cv2.TM_CCOEFF_NORMED).max() for one in inner]
        return bool(max(found) > LEAST_CORRELATION)
