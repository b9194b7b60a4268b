"""Explains each part of the picture by one card only.

Suppression by the distance of centres would delete covered cards, whose centres lie under their neighbours.
Here an accepted card explains its visible blocks, and every further card must rest on what is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bools, Bytes, Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import SelectionLimits
from companion.vision.match.score import CardMatch

COVER_RADIUS = 2.0
"""Gaussian radius in pixels (of 48 x 72) within which a cover spoils what is seen beside it."""
MOST_COVERED = 0.6
"""Share of a card that cards found before it may cover."""
MAP_SIDE = 640
"""Longer side of the map of explained pixels."""


class ExplainedMap:
    """The map of what accepted cards explain."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """`shape` of the picture, height first."""
        self._scale = min(1.0, MAP_SIDE / max(shape[:2]))
        size = (max(1, round(shape[0] * self._scale)), max(1, round(shape[1] * self._scale)))
        self._map: Bytes = np.zeros(size, np.uint8)

    def add(self, match: CardMatch) -> None:
        """Marks the blocks seen of an accepted card."""
        grid = match.seen.reshape(descriptor.ROWS, descriptor.COLUMNS).astype(np.uint8) * 255
        frame = geometry.whole(descriptor.COLUMNS, descriptor.ROWS)
        matrix = geometry.homography(frame, self._small(match.quad))
        size = (self._map.shape[1], self._map.shape[0])
        self._map |= np.asarray(cv2.warpPerspective(grid, matrix, size, flags=cv2.INTER_NEAREST), np.uint8)

    def add_whole(self, quad: Floats) -> None:
        """Marks the whole place of a card that nothing covers: what is below it cannot be seen."""
        cv2.fillConvexPoly(self._map, np.round(self._small(quad)).astype(np.int32), 255)

    def explained_share(self, quad: Floats) -> Floats:
        """The share of each block of a card in `quad` that is explained already (BLOCKS,)."""
        size = (descriptor.COLUMNS, descriptor.ROWS)
        grid = cv2.resize(self.explained_pixels(quad), size, interpolation=cv2.INTER_AREA)
        return np.asarray(grid, np.float32).ravel()

    def explained_pixels(self, quad: Floats, beyond: int = 0, rows: int = descriptor.HEIGHT) -> Floats:
        """The share of each pixel of the upper `rows` (rows, 48) of a card in `quad` that is explained
        already; `beyond` (0 to 255) is what counts beyond the picture."""
        frame = geometry.whole(descriptor.WIDTH, descriptor.HEIGHT)
        matrix = geometry.homography(self._small(quad), frame)
        card = cv2.warpPerspective(self._map, matrix, (descriptor.WIDTH, rows), borderValue=beyond)
        return np.asarray(card, np.float32) / 255.0

    def visible_within(self, quad: Floats, size: tuple[int, int]) -> Bools:
        """Where nothing explains what is within a quad, seen with that `size` (columns, rows)."""
        return np.asarray(geometry.rectified(self._map, self._small(quad), size) < 128)

    def visible_weights(self, quad: Floats, rows: int) -> Floats:
        """How much each pixel of the upper `rows` of a card in `quad` counts (rows, 48): not at all where
        something explains it or the picture ends, less beside that."""
        return weights_beside_cover(np.asarray(self.explained_pixels(quad, 255, rows) < 0.5, np.float32))

    def _small(self, quad: Floats) -> Floats:
        return geometry.to_resized(quad, self._scale)


def weights_beside_cover(free: Floats) -> Floats:
    """How much pixels of a card count (h, w), of which 1 are free and 0 covered: light is normalised by its
    surroundings, so those beside a cover count less."""
    around = cv2.GaussianBlur(free, (0, 0), COVER_RADIUS, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(free * np.clip(2.0 * around - 1.0, 0.0, 1.0), np.float32)


def same_place(first: Floats, second: Floats, share: float = 0.16) -> bool:
    """Whether both quads show one card, in either orientation: corners within `share` of its width."""
    a, b = first.tolist(), second.tolist()
    width = (math.dist(a[0], a[1]) + math.dist(a[2], a[3])) / 2
    limit = 4 * share * width
    if abs(sum(p[0] - q[0] for p, q in zip(a, b, strict=True))) > limit:
        return False
    straight = sum(math.dist(p, q) for p, q in zip(a, b, strict=True))
    return straight < limit or sum(math.dist(p, q) for p, q in zip(a, b[2:] + b[:2], strict=True)) < limit


def is_free(quad: Floats, taken: Sequence[Floats]) -> bool:
    """Whether none of the quads that are taken covers much of a place."""
    return all(geometry.shared_part(quad, other) < MOST_COVERED for other in taken)


def unexplained_blocks(match: CardMatch, explained: Array) -> Array:
    """The blocks seen of a card that nothing else explains (BLOCKS,), bool."""
    return np.asarray(match.seen & (explained < 0.5))


def by_strength(found: Sequence[CardMatch], limits: SelectionLimits) -> list[CardMatch]:
    """Strongest first: those that explain most marks best."""
    return sorted(found, key=lambda match: match.gain + limits.feature_worth * match.distinct, reverse=True)


def select_matches(
    found: Sequence[CardMatch], shape: tuple[int, ...], limits: SelectionLimits
) -> list[CardMatch]:
    """The matches that stand, strongest first, of all that were `found` in a picture of this shape (height
    first), also several at one place. A match stands if no stronger one stands at its place, and if those
    that stand elsewhere leave enough of it unexplained. Whether it is named the verifier decides."""
    explained = ExplainedMap(shape)
    accepted: list[CardMatch] = []
    for match in by_strength(found, limits):
        if any(same_place(match.quad, other.quad) for other in accepted):
            continue
        fresh = unexplained_blocks(match, explained.explained_share(match.quad))
        if fresh.sum() >= limits.fresh * match.seen.sum() and match.gain_of(fresh) > 0:
            accepted.append(match)
            explained.add(match)
    return accepted
