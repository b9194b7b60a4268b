"""Whether places of a picture show enrolled cards: each is compared with the picture of the card as it was
enrolled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.namer.network import CARD, HEIGHT, MARGIN, WIDTH, reference_view
from companion.vision.verifier.limits import verifier_limits
from companion.vision.verifier.network import features_of, log_odds

AROUND = geometry.UNIT + (2 * geometry.UNIT - 1) * MARGIN / np.array(CARD, np.float32)
"""Corners of what the verifier looks at, on the unit card."""


NEIGHBOURS, MOST_SAMPLED = 8, 24
"""Whether the cards of a deck are similar is seen from so many of them, each beside so many others, those
that differ least: 0.2 s once."""
LIKE_SHARE = 0.1
"""The likeness of a deck is what the log odds of another card exceed for that share of its cards."""


class EnrolledPictures:
    """The features of the cards' pictures as they were enrolled, made from a look when first asked for.

    `looks` are the descriptors (n, VALUES), `cards[i]` is the card that look i shows."""

    def __init__(self, looks: Bytes, cards: Array) -> None:
        self._looks, self._cards = looks, cards
        self._features: dict[int, Floats] = {}

    def features(self, look: int) -> Floats:
        """What the verifier makes of the picture of a look (channels, rows, columns)."""
        if look not in self._features:
            self._features[look] = features_of(reference_view(self._looks[look])[None])[0]
        return self._features[look]

    @property
    def are_similar(self) -> bool:
        """Whether the verifier nearly takes enrolled cards for each other: then it would take one that is not
        enrolled for one of them."""
        return self.likeness > verifier_limits().places.similar

    @cached_property
    def likeness(self) -> float:
        """How nearly the verifier takes enrolled cards for each other, as log odds."""
        if len(np.unique(self._cards)) < 2:
            return -math.inf
        count = len(self._looks)
        some = np.unique(np.linspace(0, count - 1, min(count, MOST_SAMPLED)).astype(int))
        taken = [self._log_odds_of_others(int(look)).max() for look in some]
        return float(np.quantile(taken, 1.0 - LIKE_SHARE))

    def _log_odds_of_others(self, look: int) -> Floats:
        """The log odds that the pictures of the cards that differ least from a card show that card."""
        apart = np.abs(self._looks.astype(np.float32) - self._looks[look]).mean(axis=1)
        apart[self._cards == self._cards[look]] = np.inf
        nearest = [int(i) for i in np.argsort(apart)[:NEIGHBOURS] if np.isfinite(apart[i])]
        seen = np.stack([self.features(other) for other in nearest])
        return log_odds(seen, np.repeat(self.features(look)[None], len(nearest), axis=0))


def place_log_odds(
    scene: PicturePyramid, cards: EnrolledPictures, poses: Sequence[tuple[int, Floats]]
) -> Floats:
    """For each look in its quad (4, 2), from the card's own top left, the log odds (n,) that it is there and
    no other card."""
    if not poses:
        return np.zeros(0, np.float32)
    quads = {id(quad): quad for _, quad in poses}  # many cards are laid upon one quad
    numbers = {name: number for number, name in enumerate(quads)}
    seen = features_of(np.stack([_seen_at(scene, quad) for quad in quads.values()]))
    shown = seen[[numbers[id(quad)] for _, quad in poses]]
    return log_odds(shown, np.stack([cards.features(look) for look, _ in poses]))


def _seen_at(scene: PicturePyramid, quad: Floats) -> Bytes:
    """What is in a quad and a little round it, (HEIGHT, WIDTH, 3); black beyond the picture's edge."""
    around = geometry.transform(AROUND, geometry.homography(geometry.UNIT, quad))
    seen = scene.warped(around, WIDTH, HEIGHT, cv2.BORDER_CONSTANT)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)
