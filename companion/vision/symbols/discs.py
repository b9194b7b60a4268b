"""Round tiles of one size, whole and in part: where their outlines are.

A tile under a hand, under another tile or cut by the picture's edge shows no whole symbol, so nothing that
looks for symbols reports it, and a count without it is silently too low. But the tiles of a game are all of
one size: every edge votes for the middles of circles (D. Ballard, "Generalizing the Hough transform to detect
arbitrary shapes", Pattern Recognition 13, 1981), the size that most whole circles share is that of the tiles,
and what remains of arcs of that size are tiles of which a part is hidden.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Floats, Image, shrunk
from companion.vision.symbols.limits import CircleLimits

LONGEST = 480
"""Pixels of the longer side in which outlines are searched for."""
RADII = np.geomspace(0.03, 0.2, 40)
"""Radii that a tile may have, as shares of the longer side."""
ANGLES = 96
RIM_BAND = np.linspace(0.82, 0.985, 9).astype(np.float32)
"""Where the colours of a rim are looked at, in radii."""
REACH_STEPS = 15
"""Places across an outline at which edges are looked for."""
CELL = 2.0
"""Pixels. Side of the cells in which edges vote for the middles of circles."""
MOST_CIRCLES, VOTES = 40, 0.4
"""Circles of one size that are looked at, and the share of the votes for an outline that one needs for that.
Both bound the time."""


@dataclass(frozen=True)
class TileCircle:
    """A tile's outline: middle and radius in pixels, and the share of it that is to be seen."""

    centre: tuple[float, float]
    radius: float
    seen: float

    def away(self, other: TileCircle) -> float:
        """The distance of the middles."""
        return math.dist(self.centre, other.centre)

    def far(self, points: Floats) -> Array:
        """The distances of points (n, 2) from the middle."""
        return np.asarray(np.hypot(points[:, 0] - self.centre[0], points[:, 1] - self.centre[1]))


@dataclass(frozen=True)
class _EdgePoints:
    """n places of a picture where its light changes, and the directions of the change, of unit length."""

    at: Floats
    along: Floats
    size: tuple[int, int]

    def only(self, keep: Array) -> _EdgePoints:
        return _EdgePoints(self.at[keep], self.along[keep], self.size)

    def drawn(self) -> Floats:
        """A picture (h, w, 2) of the directions in which the light changes, 0 where it does not."""
        drawn = np.zeros((*self.size, 2), np.float32)
        x, y = self.at.astype(int).T
        drawn[y, x] = self.along
        return drawn


def find_tile_circles(image: Image, limits: CircleLimits) -> tuple[list[TileCircle], list[TileCircle]]:
    """The whole tiles of the most frequent size, and places where a part of one seems to be; best first."""
    small, scale = shrunk(image, LONGEST)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    edges = _edges(soft, limits.least_edge)
    whole = [_refine_circle(edges, one, limits) for one in _whole_circles(edges, limits)]
    if not whole:
        return [], []
    rims = _RimColours.of(soft, whole, limits.rim_agreement)
    parts = _partial_circles(edges, soft, whole, rims, limits)
    late = [one for one in parts if one.seen > limits.whole_share]
    whole += late
    parts = [one for one in parts if one not in late]
    return [_scaled(one, 1 / scale) for one in whole], [_scaled(one, 1 / scale) for one in parts]


def _scaled(one: TileCircle, scale: float) -> TileCircle:
    x, y = one.centre
    return TileCircle(((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5), one.radius * scale, one.seen)


def _edges(soft: Floats, least_edge: float) -> _EdgePoints:
    """In each pixel the edge of the channel that changes most, thinned to ridges."""
    along_x = np.stack([cv2.Sobel(soft[..., c], cv2.CV_32F, 1, 0, scale=0.25) for c in range(3)], axis=-1)
    along_y = np.stack([cv2.Sobel(soft[..., c], cv2.CV_32F, 0, 1, scale=0.25) for c in range(3)], axis=-1)
    strength = along_x**2 + along_y**2
    most = strength.argmax(axis=2)[..., None]
    gx, gy = (np.take_along_axis(v, most, axis=2)[..., 0] for v in (along_x, along_y))
    size = np.hypot(gx, gy)
    rows, columns = np.nonzero(size[2:-2, 2:-2] > least_edge)
    rows, columns = rows + 2, columns + 2
    here = size[rows, columns]
    ux, uy = gx[rows, columns] / here, gy[rows, columns] / here
    dx, dy = np.rint(1.2 * ux).astype(int), np.rint(1.2 * uy).astype(int)
    ridge = (here >= size[rows + dy, columns + dx]) & (here >= size[rows - dy, columns - dx])
    at = np.column_stack([columns, rows])[ridge].astype(np.float32)
    along = np.column_stack([ux, uy])[ridge].astype(np.float32)
    return _EdgePoints(at, along, (soft.shape[0], soft.shape[1]))


def _whole_circles(edges: _EdgePoints, limits: CircleLimits) -> list[TileCircle]:
    """The circles whose outline is to be seen nearly all round and which are all of one size."""
    longest = max(edges.size)
    drawn = edges.drawn()
    found = []
    for radius in (float(share * longest) for share in RADII):
        middles = _circle_centres(edges, radius, limits.whole_share)
        shares = _edges_on_circles(drawn, middles, radius, limits).mean(axis=1).tolist()
        found += [
            TileCircle(at, radius, seen)
            for at, seen in zip(middles, shares, strict=True)
            if seen > limits.whole_share
        ]
    outer = _outermost_circles(found, limits.whole_share)
    if not outer:
        return []
    sizes = np.log([one.radius for one in outer])
    near = np.abs(sizes[:, None] - sizes[None]) < np.log(limits.one_size)
    typical = sizes[int(near.sum(axis=1).argmax())]
    return [
        one for one, size in zip(outer, sizes, strict=True) if abs(size - typical) < np.log(limits.one_size)
    ]


def _refine_circle(edges: _EdgePoints, one: TileCircle, limits: CircleLimits) -> TileCircle:
    """The circle through the edges near its outline, by least squares (I. Kasa, 1976), twice."""
    for _ in range(2):
        away = edges.at - np.array(one.centre, np.float32)
        far = one.far(edges.at)
        near = np.abs(far - one.radius) < limits.reach * one.radius
        near &= np.abs((away * edges.along).sum(axis=1)) > limits.across * far
        if near.sum() < ANGLES / 4:
            break
        x, y = away[near].T.astype(float)
        (a, b, c), *_rest = np.linalg.lstsq(
            np.column_stack([2 * x, 2 * y, np.ones(len(x))]), x * x + y * y, rcond=None
        )
        middle = (one.centre[0] + float(a), one.centre[1] + float(b))
        one = TileCircle(middle, float(np.sqrt(max(c + a * a + b * b, 1.0))), one.seen)
    return one


def _outermost_circles(found: Sequence[TileCircle], least: float) -> list[TileCircle]:
    """The circle round each middle of which most is seen beyond the share `least` of its outline, as a
    length: smaller ones may be printed on the tile, larger ones may be of a shadow or of several tiles."""
    chosen: list[TileCircle] = []
    for one in sorted(found, key=lambda disc: -disc.radius * (disc.seen - least)):
        if all(one.away(other) > other.radius for other in chosen):
            chosen.append(one)
    return chosen


def _partial_circles(
    edges: _EdgePoints, soft: Floats, whole: Sequence[TileCircle], rims: _RimColours, limits: CircleLimits
) -> list[TileCircle]:
    """Arcs that lie on no whole tile, with a rim like theirs."""
    free = np.ones(len(edges.at), bool)
    for one in whole:
        free &= one.far(edges.at) > limits.one_size * one.radius
    rest = edges.only(free)
    drawn = rest.drawn()
    typical = float(np.median([one.radius for one in whole]))
    found = []
    for radius in (np.linspace(1 / limits.one_size, limits.one_size, 7) * typical).tolist():
        middles = _circle_centres(rest, radius, limits.part_share)
        for middle, seen in zip(middles, _edges_on_circles(drawn, middles, radius, limits), strict=True):
            if _longest_run(seen) >= limits.part_share * ANGLES:
                own = seen & rims.like(soft, middle, radius, limits.rim_likeness)
                if _longest_run(own) >= limits.part_share * ANGLES:
                    found.append(TileCircle(middle, radius, float(own.mean())))
    chosen: list[TileCircle] = []
    for one in sorted(found, key=lambda disc: -disc.seen):
        if all(one.away(other) > typical for other in chosen):
            chosen.append(one)
    return chosen


def _circle_centres(edges: _EdgePoints, radius: float, share: float) -> list[tuple[float, float]]:
    """Middles of circles of this radius for which most edges vote, MOST_CIRCLES at most, and no fewer edges
    than VOTES of what this share of an outline has; they may be outside the picture."""
    high, wide = (int((side + 2 * radius) / CELL) + 2 for side in edges.size)
    cells, steps = (edges.at + radius) / CELL, edges.along * (radius / CELL)
    places = np.concatenate([cells + steps, cells - steps]).astype(np.int32)  # none is outside
    votes = np.bincount(places[:, 1] * wide + places[:, 0], minlength=high * wide)
    field = cv2.boxFilter(votes.reshape(high, wide).astype(np.float32), -1, (5, 5), normalize=False)
    least = VOTES * share * 2 * np.pi * radius
    peaks = (field > least) & (field >= cv2.dilate(field, np.ones((7, 7), np.uint8)))
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-field[rows, columns])[:MOST_CIRCLES]
    at = (np.column_stack([columns, rows])[best] + 0.5) * CELL - radius
    return [(x, y) for x, y in at.tolist()]


_TURNS = np.arange(ANGLES) * 2 * np.pi / ANGLES
_DIRECTIONS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]).astype(np.float32)


def _edges_on_circles(
    drawn: Floats, middles: Sequence[tuple[float, float]], radius: float, limits: CircleLimits
) -> Array:
    """For each middle (n) and each of ANGLES directions whether there is an edge across the circle close to
    its outline: (n, ANGLES)."""
    if not middles:
        return np.zeros((0, ANGLES), bool)
    reach = np.linspace(1 - limits.reach, 1 + limits.reach, REACH_STEPS) * radius
    ring = np.asarray(_DIRECTIONS[:, None] * reach[None, :, None], np.float32)
    x, y = (
        np.add.outer(np.array(along, np.float32), ring[..., axis]).reshape(-1, len(reach))
        for axis, along in enumerate(zip(*middles, strict=True))
    )
    edge = cv2.remap(drawn, x, y, cv2.INTER_NEAREST).reshape(len(middles), ANGLES, len(reach), 2)
    across = np.abs(edge[..., 0] * _DIRECTIONS[:, None, 0] + edge[..., 1] * _DIRECTIONS[:, None, 1])
    return np.asarray((across > limits.across).any(axis=2))


def _longest_run(seen: Array) -> int:
    """How many directions one after the other are seen, all round."""
    places = np.flatnonzero(seen)
    if len(places) < 2:
        return len(places)
    steps = np.diff(np.concatenate([places, places[:1] + len(seen)]))
    breaks = np.flatnonzero(steps > 1)
    if not len(breaks):
        return len(places)
    return int(np.diff(np.concatenate([breaks, breaks[:1] + len(places)])).max())


@dataclass(frozen=True)
class _RimColours:
    """What the rims of the whole tiles have in common along RIM_BAND: the colours (len(RIM_BAND), 3) as
    shares of the light at the place `surest`, where the rims agree most; and at which places they agree."""

    colours: Floats
    agreed: Array
    surest: int

    @staticmethod
    def of(soft: Floats, whole: Sequence[TileCircle], agreement: float) -> _RimColours:
        """What whole circles have in common where their rims vary by less than `agreement`."""
        rims = np.array([np.median(_band(soft, one.centre, one.radius)[0], axis=0) for one in whole])
        tints = _tint(rims)
        apart = np.abs(tints - np.median(tints, axis=0)).max(axis=2)
        surest = int(apart.mean(axis=0).argmin())
        shares = _shares(rims, surest)
        colours = np.median(shares, axis=0)
        agreed = np.abs(shares - colours).max(axis=2).mean(axis=0) < agreement
        return _RimColours(np.asarray(colours, np.float32), agreed, surest)

    def like(self, soft: Floats, middle: tuple[float, float], radius: float, likeness: float) -> Array:
        """For each of ANGLES directions whether the rim, which may be a pixel further out or in, has these
        colours."""
        good = np.zeros(ANGLES, bool)
        for aside in (-1.0, 0.0, 1.0):
            here, inside = _band(soft, middle, radius + aside)
            if not self.agreed.any():
                return inside
            off = np.abs(_shares(here, self.surest) - self.colours).max(axis=2)[:, self.agreed].mean(axis=1)
            good |= inside & (off < likeness)
        return good


def _shares(colours: Floats, at: int) -> Array:
    """Colours (n, len(RIM_BAND), 3) as shares of the light at a place of the band."""
    light = np.maximum(colours[:, at].max(axis=1), 8.0)
    return np.asarray(colours / light[:, None, None])


def _tint(colours: Array) -> Array:
    """Colours (..., 3) as if each were of the same light: 0 to 255."""
    return np.asarray(255.0 * colours / np.maximum(colours.max(axis=-1, keepdims=True), 20.0))


def _band(soft: Floats, middle: tuple[float, float], radius: float) -> tuple[Floats, Array]:
    """Colours (ANGLES, len(RIM_BAND), 3) just inside the outline, and which directions lie in the picture."""
    places = np.array(middle, np.float32) + (RIM_BAND[:, None] * np.float32(radius)) * _DIRECTIONS[:, None]
    x, y = places[..., 0], places[..., 1]
    inside = ((x >= 0) & (y >= 0) & (x <= soft.shape[1] - 1) & (y <= soft.shape[0] - 1)).all(axis=1)
    colours = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.blur(colours, (1, 3), borderType=cv2.BORDER_REPLICATE), np.float32), inside
