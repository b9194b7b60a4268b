"""Cards whose outline is broken by a finger, another card or the lack of contrast, by their straight edges.

Line segments (Grompone von Gioi et al., "LSD", 2012) are joined where they continue each other. Two parallel
ones as far apart as a card is wide or high, with a third across one end, make a quad even if its corners are
covered and its last side is not there at all; the deck's proportions supply what is missing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import geometry
from companion.vision.picture import Array, Floats, Image, shrunk

WORKING_SIDE = 800
SHORTEST = 18.0
"""Pixels of a segment in the working picture."""
MOST_SEGMENTS = 90
SMALLEST_CARD = 40.0
"""Width in pixels of the smallest card sought in the working picture."""
TURN = math.sin(math.radians(9.0))
"""Sine of the angle up to which two sides count as parallel."""
SQUARE = math.sin(math.radians(14.0))
"""Sine of the angle by which a corner may differ from a right one."""
MOST_QUADS = 40
DIRECTIONS = 18
"""Sectors of half a turn by which the direction of a side is compared with that of the segments along it."""
LEAST_SUPPORT = 0.4
"""Share of a quad's sides that must run along segments."""


@dataclass(frozen=True)
class Lines:
    """n segments: starts and ends (n, 2), directions (n, 2) of length 1, lengths (n), and how much of each
    is really there (n) where several pieces were joined."""

    starts: Floats
    ends: Floats
    directions: Floats
    lengths: Floats
    solid: Floats


def find_line_quads(image: Image, aspect: float) -> list[Floats]:
    """Quads that may be cards of height / width `aspect`, in pixels of `image`, standing on a short side;
    best supported first."""
    small, scale = shrunk(image, WORKING_SIDE)
    lines = joined(segments(small))
    if len(lines.lengths) < 3:
        return []
    quads = _closed(lines, _parallels(lines, aspect), aspect)
    support = _support(lines, quads, small.shape)
    worth = support * np.sqrt(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))
    order = np.argsort(-worth)
    order = order[support[order] > LEAST_SUPPORT]
    kept: list[Floats] = []
    while len(order) and len(kept) < MOST_QUADS:
        best = quads[order[0]]
        kept.append(best)
        near = np.abs(quads[order] - best).max(axis=(1, 2)) < 0.05 * geometry.width_of(best)
        order = order[~near]
    return [np.asarray((quad + 0.5) / scale - 0.5, np.float32) for quad in kept]


def segments(image: Image) -> Floats:
    """The longest line segments of the picture (n, 4): x, y of start and end."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: Array | None = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(grey)[0]
    flat = np.zeros((0, 4), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 4)
    lengths = np.hypot(flat[:, 2] - flat[:, 0], flat[:, 3] - flat[:, 1])
    order = np.argsort(-lengths)[: 3 * MOST_SEGMENTS]
    return np.asarray(flat[order[lengths[order] >= SHORTEST * 0.6]], np.float32)


def joined(found: Floats) -> Lines:
    """Segments that continue each other made one; the longest ones that result."""
    ends = found.reshape(-1, 2, 2).copy()
    solid = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) if len(ends) else np.zeros(0, np.float32)
    alive = np.ones(len(ends), bool)
    for i in range(len(ends)):
        if not alive[i]:
            continue
        for _ in range(3):
            span = ends[i, 1] - ends[i, 0]
            length = max(float(np.linalg.norm(span)), 1e-3)
            along = span / length
            normal = np.array([-along[1], along[0]])
            offset = ends - ends[i, 0]
            away = np.abs(offset @ normal).max(axis=1)
            places = offset @ along
            gap = np.maximum(places.min(axis=1) - length, -places.max(axis=1))
            near = alive & (away < 2.5) & (gap < 0.6 * np.minimum(length, 4 * solid)) & (gap > -3.0)
            near[i] = False
            others = np.flatnonzero(near)
            if not len(others):
                break
            points = np.concatenate([ends[i], ends[others].reshape(-1, 2)])
            reach = (points - ends[i, 0]) @ along
            solid[i] += solid[others].sum()
            ends[i] = np.stack([points[reach.argmin()], points[reach.argmax()]])
            alive[others] = False
    ends, solid = ends[alive], solid[alive]
    span = ends[:, 1] - ends[:, 0]
    lengths = np.maximum(np.linalg.norm(span, axis=1), 1e-3)
    order = np.argsort(-solid)[:MOST_SEGMENTS]
    order = order[lengths[order] >= SHORTEST]
    return Lines(
        ends[order, 0],
        ends[order, 1],
        (span / lengths[:, None])[order],
        lengths[order],
        np.minimum(solid, lengths)[order],
    )


@dataclass(frozen=True)
class _Parallels:
    """n pairs of parallel lines: their indices, how long the sides along them must be, and how far apart they
    lie."""

    first: Array
    second: Array
    along: Floats
    across: Floats


def _parallels(lines: Lines, aspect: float) -> _Parallels:
    """Pairs of lines that may be two long or two short sides of a card."""
    turn = np.abs(_cross(lines.directions, lines.directions))
    first, second = np.nonzero(np.triu(turn < TURN, 1))
    normal = lines.directions[first][:, ::-1] * np.array([-1.0, 1.0], np.float32)
    middle = (lines.starts[second] + lines.ends[second]) / 2 - lines.starts[first]
    apart = np.abs((middle * normal).sum(axis=1))
    first, second, apart = np.tile(first, 2), np.tile(second, 2), np.tile(apart, 2)
    half = len(apart) // 2
    along = np.concatenate([apart[:half] * aspect, apart[half:] / aspect])
    width = np.minimum(along, apart)
    longest = np.maximum(lines.lengths[first], lines.lengths[second])
    good = (width > SMALLEST_CARD) & (longest < 1.2 * along)
    return _Parallels(first[good], second[good], along[good], apart[good])


def _closed(lines: Lines, pairs: _Parallels, aspect: float) -> Floats:
    """Quads (n, 4, 2) between two parallel lines, closed by each line across them at one end."""
    direction = lines.directions[pairs.first]
    origin = lines.starts[pairs.first]
    places = np.stack(
        [
            ((points[index] - origin) * direction).sum(axis=1)
            for points in (lines.starts, lines.ends)
            for index in (pairs.first, pairs.second)
        ]
    )
    low, high = places.min(axis=0)[:, None], places.max(axis=0)[:, None]
    length = pairs.along[:, None]
    middles = (lines.starts + lines.ends) / 2
    at = direction @ middles.T - (origin * direction).sum(axis=1)[:, None]
    square = np.abs(_cross(direction, lines.directions)) > math.sqrt(1 - SQUARE * SQUARE)
    square &= lines.solid[None] > 0.25 * pairs.across[:, None]
    square &= (high - low < 1.25 * length) & (np.abs(at - (low + high) / 2) < length)
    found = []
    for sign, near, far in ((1.0, low, high), (-1.0, -high, -low)):
        begins = sign * at
        fits = square & (begins < near + 0.12 * length) & (far < begins + 1.12 * length)
        pair, third = np.nonzero(fits)
        found.append(_quads(lines, pairs, pair, third, sign))
    quads = np.concatenate(found)
    return quads[geometry.are_card_like(quads, 0.7 * SMALLEST_CARD, (1.05, 2.2))]


def _quads(lines: Lines, pairs: _Parallels, pair: Array, third: Array, sign: float) -> Floats:
    """The quads (n, 4, 2) of pairs of parallel lines from the lines across them on."""
    first, second = pairs.first[pair], pairs.second[pair]
    reach = pairs.along[pair][:, None] * sign
    along = lines.directions[first]
    other = lines.directions[second]
    other = other * np.sign((other * along).sum(axis=1))[:, None]
    a, b = _meet(lines, first, third), _meet(lines, second, third)
    quads = np.stack([a, b, b + other * reach, a + along * reach], axis=1)
    turned_over = _cross_of(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 1]) < 0
    quads[turned_over] = quads[turned_over][:, ::-1]
    top = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    side = np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    lying = top > side
    quads[lying] = quads[lying][:, [1, 2, 3, 0]]
    return np.asarray(quads, np.float32)


def _meet(lines: Lines, first: Array, second: Array) -> Floats:
    """Where lines cross (n, 2)."""
    p, d = lines.starts[first], lines.directions[first]
    q, e = lines.starts[second], lines.directions[second]
    t = _cross_of(q - p, e) / _cross_of(d, e)
    return np.asarray(p + t[:, None] * d, np.float32)


def _support(lines: Lines, quads: Floats, shape: tuple[int, ...]) -> Floats:
    """Share of the sides of each quad (n, 4, 2) that runs along segments of the same direction (n,)."""
    drawn = np.zeros((DIRECTIONS, shape[0], shape[1]), np.uint8)
    sector = _sector(lines.directions)
    for start, end, kind in zip(lines.starts, lines.ends, sector, strict=True):
        a, b = (tuple(int(v) for v in np.round(point)) for point in (start, end))
        for near in (kind, (kind + 1) % DIRECTIONS, (kind - 1) % DIRECTIONS):
            cv2.line(drawn[near], (a[0], a[1]), (b[0], b[1]), 255, 4)
    ends = quads[:, [1, 2, 3, 0]]
    steps = np.linspace(0.04, 0.96, 24, dtype=np.float32)[None, None, :, None]
    points = quads[:, :, None] * (1 - steps) + ends[:, :, None] * steps
    x, y = np.round(points[..., 0]).astype(np.int32), np.round(points[..., 1]).astype(np.int32)
    inside = (x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0])
    kinds = np.broadcast_to(_sector(ends - quads)[..., None], x.shape)
    hit = drawn[kinds, np.clip(y, 0, shape[0] - 1), np.clip(x, 0, shape[1] - 1)] > 0
    lengths = np.linalg.norm(ends - quads, axis=2)
    share = (hit & inside).mean(axis=2)
    return np.asarray((share * lengths).sum(axis=1) / lengths.sum(axis=1), np.float32)


def _sector(directions: Floats) -> Array:
    """Which of `DIRECTIONS` sectors of half a turn each direction (..., 2) points into."""
    angle = np.arctan2(directions[..., 1], directions[..., 0]) % np.pi
    return np.minimum((angle * (DIRECTIONS / np.pi)).astype(np.int32), DIRECTIONS - 1)


def _cross(first: Floats, second: Floats) -> Array:
    """Cross products of every direction of the one with every one of the other (n, m)."""
    return np.asarray(first[:, None, 0] * second[None, :, 1] - first[:, None, 1] * second[None, :, 0])


def _cross_of(first: Floats, second: Floats) -> Array:
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
