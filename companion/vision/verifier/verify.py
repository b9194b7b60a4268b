"""Whether places of a picture show enrolled cards: each is compared with the picture of the card as it was
enrolled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.namer.network import CARD, HEIGHT, MARGIN, WIDTH, reference_view
from companion.vision.verifier.network import log_odds, planes_of

AROUND = geometry.UNIT + (2 * geometry.UNIT - 1) * MARGIN / np.array(CARD, np.float32)
"""Corners of what the verifier looks at, on the unit card."""


NEIGHBOURS, MOST_SAMPLED = 8, 24
"""Whether the cards of a deck are similar is seen from so many of them, each beside so many others, those
that differ least: 0.2 s once."""
SIMILAR_LOG_ODDS, SIMILAR_SHARE = -1.5, 0.1
"""The cards of a deck are similar if for more than that share of them the log odds of another card are above
that: a card that is not enrolled may be nearer still. In 14 of 29 development decks the share is smaller; the
others, among them all decks of pips, have cards that differ by a pip, a small numeral, a shade."""


class EnrolledPictures:
    """The pictures of the cards as they were enrolled, each made again from its look when first asked for.

    `looks` are the descriptors (n, VALUES), `cards[i]` is the card that look i shows."""

    def __init__(self, looks: Bytes, cards: Array) -> None:
        self._looks, self._cards = looks, cards
        self._planes: dict[int, Floats] = {}

    def planes(self, look: int) -> Floats:
        """The picture of a look as the verifier takes it (6, HEIGHT, WIDTH)."""
        if look not in self._planes:
            self._planes[look] = planes_of(reference_view(self._looks[look])[None])[0]
        return self._planes[look]

    @cached_property
    def are_similar(self) -> bool:
        """Whether the verifier nearly takes enrolled cards for each other: then it would take one that is not
        enrolled for one of them. The deck must have two cards."""
        count = len(self._looks)
        some = np.unique(np.linspace(0, count - 1, min(count, MOST_SAMPLED)).astype(int))
        taken = [self._log_odds_of_others(int(look)).max() > SIMILAR_LOG_ODDS for look in some]
        return float(np.mean(taken)) > SIMILAR_SHARE

    def _log_odds_of_others(self, look: int) -> Floats:
        """The log odds that the pictures of the cards that differ least from a card show that card."""
        apart = np.abs(self._looks.astype(np.float32) - self._looks[look]).mean(axis=1)
        apart[self._cards == self._cards[look]] = np.inf
        nearest = [int(i) for i in np.argsort(apart)[:NEIGHBOURS] if np.isfinite(apart[i])]
        seen = np.stack([self.planes(other) for other in nearest])
        return log_odds(seen, np.repeat(self.planes(look)[None], len(nearest), axis=0))


def place_log_odds(
    scene: PicturePyramid, cards: EnrolledPictures, poses: Sequence[tuple[int, Floats]]
) -> Floats:
    """For each look in its quad (4, 2), from the card's own top left, the log odds (n,) that it is there and
    no other card."""
    if not poses:
        return np.zeros(0, np.float32)
    seen = planes_of(np.stack([_seen_at(scene, quad) for _, quad in poses]))
    return log_odds(seen, np.stack([cards.planes(look) for look, _ in poses]))


def _seen_at(scene: PicturePyramid, quad: Floats) -> Bytes:
    """What is in a quad and a little round it, (HEIGHT, WIDTH, 3); black beyond the picture's edge."""
    around = geometry.transform(AROUND, geometry.homography(geometry.UNIT, quad))
    seen = scene.warped(around, WIDTH, HEIGHT, cv2.BORDER_CONSTANT)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)
