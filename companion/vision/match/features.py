"""Covered cards by local features: matches vote for a pose, the votes that agree make a hypothesis.

SIFT (Lowe 2004) with square-rooted descriptors (Arandjelovic and Zisserman 2012). A scene feature keeps every
match that is nearly as good as its best, not only a unique one: cards of one deck share numbers and frames,
and a ratio test would throw away exactly what they share. Which of the cards it is, their looks decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.match.limits import PoseLimits
from companion.vision.match.poses import PoseHypothesis, Votes, find_poses

LOOK_WIDTHS = (260, 120)
"""Widths in pixels at which a look is searched for features: near by, and as a table camera sees it."""
FEATURES_PER_WIDTH = 260
SEED = 1
"""Seeds the random trees of the index, which FLANN grows by OpenCV's own generator: the same picture is read
the same in every run."""
_NEIGHBOURS = 4
"""Features of the deck that a feature of the scene may match."""


@dataclass(frozen=True)
class Features:
    """n features: places (n, 2) and sizes (n) in card widths or scene pixels, angles (n) in radians, and
    descriptors (n, 128) of bytes."""

    places: Floats
    sizes: Floats
    angles: Floats
    descriptors: Bytes

    def __len__(self) -> int:
        return len(self.places)


def find_features(image: Image, limit: int, contrast: float, where: Bytes | None = None) -> Features:
    """Up to `limit` features, in pixels of the image, where the mask `where` of its size is not 0."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=limit, contrastThreshold=contrast, edgeThreshold=12)
    points, raw = sift.detectAndCompute(grey, where)
    if not points:
        none = np.zeros(0, np.float32)
        return Features(none.reshape(0, 2), none, none, np.zeros((0, 128), np.uint8))
    table = np.array([(*p.pt, p.size, np.deg2rad(p.angle)) for p in points], np.float32)
    return Features(table[:, :2], table[:, 2], table[:, 3], _root_descriptors(raw))


def _root_descriptors(raw: Array) -> Bytes:
    total = np.maximum(raw.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.minimum(np.sqrt(raw / total) * 512.0, 255.0) + 0.5, np.uint8)


def look_features(card: Image) -> Features:
    """The features of one look (a rectified card of any size), in card widths."""
    found = []
    for width in LOOK_WIDTHS:
        height = max(8, round(card.shape[0] * width / card.shape[1]))
        method = cv2.INTER_AREA if width < card.shape[1] else cv2.INTER_CUBIC
        scaled = np.asarray(cv2.resize(card, (width, height), interpolation=method), np.uint8)
        margin = width // 10
        edge = cv2.copyMakeBorder(scaled, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
        features = find_features(np.asarray(edge, np.uint8), FEATURES_PER_WIDTH, 0.015)
        places = np.asarray((features.places - margin + 0.5) / width, np.float32)
        sizes = np.asarray(features.sizes / width, np.float32)
        found.append(Features(places, sizes, features.angles, features.descriptors))
    return concatenate(found)


def concatenate(parts: Sequence[Features]) -> Features:
    """The features of all parts, in their order."""
    return Features(
        np.concatenate([p.places for p in parts]),
        np.concatenate([p.sizes for p in parts]),
        np.concatenate([p.angles for p in parts]),
        np.concatenate([p.descriptors for p in parts]),
    )


class FeatureMatcher:
    """Finds the deck's features in scenes; building its index takes 0.1 s per 10,000 features."""

    def __init__(self, features: Features, owners: Array, cards: Array, aspect: float) -> None:
        """`owners[i]` is the look that feature i belongs to, `cards[j]` the card that look j shows; `aspect`
        is height / width of the cards."""
        self._features = features
        self._owners = owners
        self._cards = cards[owners]
        self._aspect = aspect
        self._table = features.descriptors.astype(np.float32) / 512.0
        self._index: Any = None
        if len(features) >= _NEIGHBOURS:
            cv2.setRNGSeed(SEED)
            self._index = cv2.flann.Index(self._table, {"algorithm": 1, "trees": 4})

    def hypotheses(
        self, scene: Features, widths: tuple[float, float], most: int, limits: PoseLimits
    ) -> Iterator[PoseHypothesis]:
        """Where cards may be whose width in pixels of the `scene` is within `widths`, and which they may be;
        at most so many, most votes first, each worked out when it is asked for."""
        if len(scene) < limits.least_places or self._index is None:
            return
        pairs, alone = self._matches(scene, limits)
        at, of = pairs.T
        _, place = np.unique(np.round(scene.places[at] / 2.0), axis=0, return_inverse=True)
        deck = self._features
        votes = Votes(
            scene.places[at],
            deck.places[of],
            scene.sizes[at] / deck.sizes[of],
            scene.angles[at] - deck.angles[of],
            self._owners[of],
            self._cards[of],
            place.ravel(),
            alone[at],
        )
        yield from find_poses(votes, self._aspect, widths, most, limits)

    def _matches(self, scene: Features, limits: PoseLimits) -> tuple[Array, Array]:
        """Pairs (scene feature, deck feature), several for one scene feature where they are as good; and
        which scene features (n,) no two cards have in common."""
        query = scene.descriptors.astype(np.float32) / 512.0
        found, squared = self._index.knnSearch(query, _NEIGHBOURS, params={"checks": 48})
        distance = np.sqrt(np.maximum(squared, 0.0))
        good = (distance <= limits.alike * distance[:, :1] + 0.02) & (distance[:, :1] < limits.unlike)
        at, rank = np.nonzero(good)
        cards = self._cards[found]
        alone = ((cards == cards[:, :1]) | ~good).all(axis=1)
        return np.stack([at, found[at, rank]], axis=1).astype(np.int32), alone
