"""Covered cards by local features: matches vote for a pose, the votes that agree make a hypothesis.

SIFT (Lowe 2004) with square-rooted descriptors (Arandjelovic and Zisserman 2012). A scene feature keeps every
match that is nearly as good as its best, not only a unique one: cards of one deck share numbers and frames,
and a ratio test would throw away exactly what they share. Which of the cards it is, their looks decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.vision import geometry
from companion.vision.picture import Array, Bytes, Floats, Image

LOOK_WIDTHS = (260, 120)
"""Widths in pixels at which a look is searched for features: near by, and as a table camera sees it."""
PER_WIDTH = 260
SCENE_FEATURES = 2000
_NEIGHBOURS = 4
_NEARLY = 1.12
_VOTES = 1000
_FARTHEST = 0.55
"""Distance of unit descriptors above which two features have nothing to do with each other."""


@dataclass(frozen=True)
class Features:
    """n features: places (n, 2) and sizes (n) in card widths or scene pixels, angles (n) in radians, and
    descriptors (n, 128)."""

    places: Floats
    sizes: Floats
    angles: Floats
    descriptors: Bytes

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True)
class Hypothesis:
    """A card that might lie there: `inliers` features agree on it, of which `distinct` are no other
    card's."""

    quad: Floats
    look: int
    inliers: int
    distinct: int


def no_features() -> Features:
    """None at all: a card without any mark."""
    none = np.zeros(0, np.float32)
    return Features(np.zeros((0, 2), np.float32), none, none, np.zeros((0, 128), np.uint8))


def find_features(image: Image, limit: int, contrast: float) -> Features:
    """Up to `limit` features of the image, places in its pixels."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=limit, contrastThreshold=contrast, edgeThreshold=12)
    points, raw = sift.detectAndCompute(grey, None)
    if raw is None or not len(points):
        return no_features()
    table = np.array([(*p.pt, p.size, np.deg2rad(p.angle)) for p in points], np.float32)
    return Features(table[:, :2], table[:, 2], table[:, 3], _rooted(raw))


def _rooted(raw: Array) -> Bytes:
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
        features = find_features(np.asarray(edge, np.uint8), PER_WIDTH, 0.015)
        places = np.asarray((features.places - margin + 0.5) / width, np.float32)
        sizes = np.asarray(features.sizes / width, np.float32)
        found.append(Features(places, sizes, features.angles, features.descriptors))
    return joined(found)


def joined(parts: Sequence[Features]) -> Features:
    """The features of all parts, in their order."""
    return Features(
        np.concatenate([p.places for p in parts]),
        np.concatenate([p.sizes for p in parts]),
        np.concatenate([p.angles for p in parts]),
        np.concatenate([p.descriptors for p in parts]),
    )


class Matcher:
    """Finds the deck's features in a scene. Building the index takes some 0.1 s per 10,000 features, so one
    matcher serves a deck for good."""

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
            self._index = cv2.flann.Index(self._table, {"algorithm": 1, "trees": 4})

    def hypotheses(
        self, image: Image, *, instances: int = 8, least: int = 5, contrast: float = 0.02
    ) -> list[Hypothesis]:
        """Poses on which at least `least` matches of one look agree, quads in pixels of `image`; strongest
        first."""
        scene = find_features(image, SCENE_FEATURES, contrast)
        if len(scene) < least or self._index is None:
            return []
        found: list[Hypothesis] = []
        pairs, alone = self._matches(scene)
        order = np.argsort(self._owners[pairs[:, 1]], kind="stable")
        pairs = pairs[order]
        owners = self._owners[pairs[:, 1]]
        bounds = np.flatnonzero(np.diff(owners)) + 1
        for group in np.split(pairs, bounds):
            if len(group) >= least:
                found.extend(self._poses(scene, group, alone, instances, least))
        found.sort(key=lambda h: h.inliers, reverse=True)
        return found

    def _matches(self, scene: Features) -> tuple[Array, Array]:
        """Pairs (scene feature, deck feature), several for one scene feature where they are as good; and
        which scene features (n,) no two cards have in common."""
        query = scene.descriptors.astype(np.float32) / 512.0
        found, squared = self._index.knnSearch(query, _NEIGHBOURS, params={"checks": 48})
        distance = np.sqrt(np.maximum(squared, 0.0))
        good = (distance <= _NEARLY * distance[:, :1] + 0.02) & (distance[:, :1] < _FARTHEST)
        at, rank = np.nonzero(good)
        cards = self._cards[found]
        alone = ((cards == cards[:, :1]) | ~good).all(axis=1)
        return np.stack([at, found[at, rank]], axis=1).astype(np.int32), alone

    def _poses(
        self, scene: Features, pairs: Array, alone: Array, instances: int, least: int
    ) -> list[Hypothesis]:
        """Hypotheses of one look: votes for centre, size and angle that agree, then a fitted pose each."""
        deck = self._features
        look = int(self._owners[pairs[0, 1]])
        pairs = pairs[:_VOTES]
        at, of = pairs[:, 0], pairs[:, 1]
        size = scene.sizes[at] / deck.sizes[of]
        angle = scene.angles[at] - deck.angles[of]
        arm = np.array([0.5, self._aspect / 2], np.float32) - deck.places[of]
        cos, sin = np.cos(angle) * size, np.sin(angle) * size
        centres = scene.places[at] + np.stack(
            [cos * arm[:, 0] - sin * arm[:, 1], sin * arm[:, 0] + cos * arm[:, 1]], 1
        )
        agree = _agreement(centres, size, angle)
        left = np.ones(len(pairs), bool)
        found: list[Hypothesis] = []
        for _ in range(instances):
            votes = agree[:, left].sum(axis=1)
            chosen = agree[int(votes.argmax())] & left
            if chosen.sum() < least:
                break
            fitted = self._fitted(scene.places[at[chosen]], deck.places[of[chosen]], least)
            if fitted is None:
                left &= ~chosen
                continue
            matrix, agreeing = fitted
            own = at[chosen][agreeing & alone[at[chosen]]]
            quad = geometry.moved(geometry.UNIT * np.array([1.0, self._aspect], np.float32), matrix)
            everywhere = geometry.moved(deck.places[of], matrix)
            near = np.linalg.norm(everywhere - scene.places[at], axis=1) < 0.06 * float(
                geometry.sides(quad)[0]
            )
            left &= ~(near | chosen)
            if geometry.is_card_like(quad, 12.0, (0.5 * self._aspect, 2.0 * self._aspect)):
                number = len(np.unique(np.round(scene.places[at[chosen]][agreeing]), axis=0))
                distinct = len(np.unique(np.round(scene.places[own]), axis=0))
                found.append(Hypothesis(quad, look, number, distinct))
        return found

    def _fitted(self, there: Floats, here: Floats, least: int) -> tuple[Array, Array] | None:
        """Matrix from card widths to scene pixels and which features agree on it (n,)."""
        span_there, span_here = np.ptp(there, axis=0), np.ptp(here, axis=0)
        spread = math.hypot(*span_there.tolist()) / max(math.hypot(*span_here.tolist()), 1e-3)
        limit = 0.035 * spread
        similar = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=limit * 1.4)
        matrix: Array | None = similar[0]
        if matrix is None:
            return None
        good = similar[1].ravel() > 0
        if good.sum() >= 7:
            affine = cv2.estimateAffine2D(here, there, ransacReprojThreshold=limit)
            if affine[0] is not None and affine[1].sum() >= good.sum() - 1:
                matrix, good = affine[0], affine[1].ravel() > 0
        distinct = len(np.unique(np.round(there[good]), axis=0))
        if distinct < least:
            return None
        return np.asarray(matrix), np.asarray(good)


def _agreement(centres: Floats, size: Floats, angle: Floats) -> Array:
    """Which votes agree (n, n): centre within a third of a card, size within 1.5, turn within 30 degrees."""
    where = centres[:, 0] + 1j * centres[:, 1]
    apart = np.abs(where[:, None] - where[None]) < 0.33 * size[:, None]
    spread = np.log(size)
    alike = np.abs(spread[:, None] - spread[None]) < 0.405
    facing = np.exp(1j * angle).astype(np.complex64)
    return np.asarray(apart & alike & ((facing[:, None] * facing.conj()[None]).real > 0.866))
