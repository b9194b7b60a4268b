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

LONGEST = 480
"""Pixels of the longer side in which outlines are searched for."""
RADII = np.geomspace(0.03, 0.2, 40)
"""Radii that a tile may have, as shares of the longer side."""
ONE_SIZE = 1.13
"""Largest radius of a table's tiles against the typical one, and the typical one against the smallest. Every
edge that lies so many radii from the middle of a tile is its own or its shadow's."""
ANGLES = 96
WHOLE_SHARE, PART_SHARE = 0.62, 0.2
"""Shares of its outline that a whole tile and a part of one show."""
LEAST_RUN, LARGEST_GAP = 13, 2
"""Of ANGLES directions: how many one after the other a part shows at least (a straight line that touches the
circle makes up to 10), and across how many that are missing they still hang together."""
LEAST_EDGE = 6.75
"""Grey levels by which the light changes at an outline."""
FOREIGN_RIM = 50.0
"""Levels, their light apart, by which a circle that is no tile differs from the others everywhere in its rim.
Rims that differ by a third of it on average have a colour in common."""
RIM_BAND = np.linspace(0.82, 0.985, 9).astype(np.float32)
"""Where the colours of a rim are looked at, in radii."""
RIM_AGREEMENT, RIM_LIKENESS = 0.1, 0.16
"""Shares of the light by which the rims of whole tiles vary where they agree, and by which one like them may
differ."""
CELL = 2.0
"""Pixels. Side of the cells in which edges vote for the middles of circles."""
MOST_CIRCLES = 40
"""Circles of one size that are looked at."""


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


def find_tile_circles(image: Image) -> tuple[list[TileCircle], list[TileCircle]]:
    """The whole tiles of the most frequent size, and places where a part of one seems to be; best first."""
    small, scale = shrunk(image, LONGEST)
    soft = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    edges = _edges(soft)
    whole = [_refine_circle(edges, one) for one in _whole_circles(edges)]
    if not whole:
        return [], []
    rims, own = _RimColours.of(soft, whole)
    whole = [one for one, is_own in zip(whole, own.tolist(), strict=True) if is_own]
    parts = _partial_circles(edges, soft, whole, rims)
    late = [one for one in parts if one.seen > WHOLE_SHARE]
    whole += [_refine_circle(edges, one) for one in late]
    parts = [one for one in parts if one not in late]
    return [_scaled(one, 1 / scale) for one in whole], [_scaled(one, 1 / scale) for one in parts]


def _scaled(one: TileCircle, scale: float) -> TileCircle:
    x, y = one.centre
    return TileCircle(((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5), one.radius * scale, one.seen)


def _edges(soft: Floats) -> _EdgePoints:
    """In each pixel the edge of the channel that changes most, thinned to ridges."""
    along_x = np.stack([cv2.Sobel(soft[..., c], cv2.CV_32F, 1, 0, scale=0.25) for c in range(3)], axis=-1)
    along_y = np.stack([cv2.Sobel(soft[..., c], cv2.CV_32F, 0, 1, scale=0.25) for c in range(3)], axis=-1)
    strength = along_x**2 + along_y**2
    most = strength.argmax(axis=2)[..., None]
    gx, gy = (np.take_along_axis(v, most, axis=2)[..., 0] for v in (along_x, along_y))
    size = np.hypot(gx, gy)
    rows, columns = np.nonzero(size[2:-2, 2:-2] > LEAST_EDGE)
    rows, columns = rows + 2, columns + 2
    here = size[rows, columns]
    ux, uy = gx[rows, columns] / here, gy[rows, columns] / here
    dx, dy = np.rint(1.2 * ux).astype(int), np.rint(1.2 * uy).astype(int)
    ridge = (here >= size[rows + dy, columns + dx]) & (here >= size[rows - dy, columns - dx])
    at = np.column_stack([columns, rows])[ridge].astype(np.float32)
    along = np.column_stack([ux, uy])[ridge].astype(np.float32)
    return _EdgePoints(at, along, (soft.shape[0], soft.shape[1]))


def _whole_circles(edges: _EdgePoints) -> list[TileCircle]:
    """The circles whose outline is to be seen nearly all round and which are all of one size."""
    longest = max(edges.size)
    drawn = edges.drawn()
    found = []
    for radius in (float(share * longest) for share in RADII):
        middles = _circle_centres(edges, radius, 1.6 * WHOLE_SHARE)
        shares = _edges_on_circles(drawn, middles, radius).mean(axis=1).tolist()
        found += [
            TileCircle(at, radius, seen)
            for at, seen in zip(middles, shares, strict=True)
            if seen > WHOLE_SHARE
        ]
    outer = _outermost_circles(found)
    if not outer:
        return []
    sizes = np.log([one.radius for one in outer])
    near = np.abs(sizes[:, None] - sizes[None]) < np.log(ONE_SIZE)
    typical = sizes[int((near * np.exp(0.3 * sizes)[None]).sum(axis=1).argmax())]
    return [one for one, size in zip(outer, sizes, strict=True) if abs(size - typical) < np.log(ONE_SIZE)]


def _refine_circle(edges: _EdgePoints, one: TileCircle) -> TileCircle:
    """The circle through the edges near its outline, by least squares (I. Kasa, 1976), twice."""
    for _ in range(2):
        away = edges.at - np.array(one.centre, np.float32)
        far = one.far(edges.at)
        near = np.abs(far - one.radius) < 0.055 * one.radius
        near &= np.abs((away * edges.along).sum(axis=1)) > 0.93 * far
        if near.sum() < ANGLES / 4:
            break
        x, y = away[near].T.astype(float)
        (a, b, c), *_rest = np.linalg.lstsq(
            np.column_stack([2 * x, 2 * y, np.ones(len(x))]), x * x + y * y, rcond=None
        )
        middle = (one.centre[0] + float(a), one.centre[1] + float(b))
        one = TileCircle(middle, float(np.sqrt(max(c + a * a + b * b, 1.0))), one.seen)
    return one


def _outermost_circles(found: Sequence[TileCircle]) -> list[TileCircle]:
    """One circle round each middle: the largest that is seen about as well as the best."""
    chosen: list[TileCircle] = []
    for one in sorted(found, key=lambda disc: -disc.radius * (disc.seen > 0.75) - disc.seen):
        if all(one.away(other) > 0.8 * max(one.radius, other.radius) for other in chosen):
            chosen.append(one)
    return chosen


def _partial_circles(
    edges: _EdgePoints, soft: Floats, whole: Sequence[TileCircle], rims: _RimColours
) -> list[TileCircle]:
    """Arcs that lie on no whole tile, with a rim like theirs."""
    free = np.ones(len(edges.at), bool)
    for one in whole:
        free &= one.far(edges.at) > ONE_SIZE * one.radius
    rest = edges.only(free)
    drawn = rest.drawn()
    typical = float(np.median([one.radius for one in whole]))
    found = []
    for radius in (np.linspace(1 / ONE_SIZE, ONE_SIZE, 7) * typical).tolist():
        middles = _circle_centres(rest, radius, 1.2 * PART_SHARE)
        for middle, seen in zip(middles, _edges_on_circles(drawn, middles, radius), strict=True):
            if seen.mean() > PART_SHARE and _longest_run(seen) >= LEAST_RUN:
                own = seen & rims.like(soft, middle, radius)
                share = float(own.mean()) if _longest_run(own) >= LEAST_RUN else 0.0
                found.append(TileCircle(middle, radius, share))
    chosen: list[TileCircle] = []
    for one in sorted(found, key=lambda disc: -disc.seen):
        if one.seen > PART_SHARE and all(one.away(other) > 0.6 * typical for other in chosen):
            chosen.append(one)
    return chosen


def _circle_centres(edges: _EdgePoints, radius: float, share: float) -> list[tuple[float, float]]:
    """Middles of circles of this radius on which about this share of an outline agrees; they may be outside
    the picture."""
    high, wide = (int((side + 2 * radius) / CELL) + 2 for side in edges.size)
    cells, steps = (edges.at + radius) / CELL, edges.along * (radius / CELL)
    places = np.concatenate([cells + steps, cells - steps]).astype(np.int32)  # none is outside
    votes = np.bincount(places[:, 1] * wide + places[:, 0], minlength=high * wide)
    field = cv2.boxFilter(votes.reshape(high, wide).astype(np.float32), -1, (5, 5), normalize=False)
    least = 0.35 * share * 2 * np.pi * radius
    peaks = (field > least) & (field >= cv2.dilate(field, np.ones((7, 7), np.uint8)))
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-field[rows, columns])[:MOST_CIRCLES]
    at = (np.column_stack([columns, rows])[best] + 0.5) * CELL - radius
    return [(x, y) for x, y in at.tolist()]


_TURNS = np.arange(ANGLES) * 2 * np.pi / ANGLES
_DIRECTIONS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]).astype(np.float32)


def _edges_on_circles(drawn: Floats, middles: Sequence[tuple[float, float]], radius: float) -> Array:
    """For each middle (n) and each of ANGLES directions whether there is an edge across the circle close to
    its outline: (n, ANGLES)."""
    if not middles:
        return np.zeros((0, ANGLES), bool)
    reach = np.arange(-0.045 * radius - 0.8, 0.045 * radius + 0.81, 0.7) + radius
    ring = np.asarray(_DIRECTIONS[:, None] * reach[None, :, None], np.float32)
    x, y = (
        np.add.outer(np.array(along, np.float32), ring[..., axis]).reshape(-1, len(reach))
        for axis, along in enumerate(zip(*middles, strict=True))
    )
    edge = cv2.remap(drawn, x, y, cv2.INTER_NEAREST).reshape(len(middles), ANGLES, len(reach), 2)
    across = np.abs(edge[..., 0] * _DIRECTIONS[:, None, 0] + edge[..., 1] * _DIRECTIONS[:, None, 1])
    return np.asarray((across > 0.93).any(axis=2))


def _longest_run(seen: Array) -> int:
    """How many directions hang together that are seen, all round."""
    places = np.flatnonzero(seen)
    if len(places) < 2:
        return len(places)
    steps = np.diff(np.concatenate([places, places[:1] + len(seen)]))
    breaks = np.flatnonzero(steps > LARGEST_GAP + 1)
    if not len(breaks):
        return len(places)
    return int(np.diff(np.concatenate([breaks, breaks[:1] + len(places)])).max())


@dataclass(frozen=True)
class _RimColours:
    """What the rims of the whole tiles have in common along RIM_BAND: the colours (len(RIM_BAND), 3) as
    shares of the light at the place `surest`, where the rims agree most; at which places they agree; and the
    light at `surest`, in grey levels."""

    colours: Floats
    agreed: Array
    surest: int
    light: float

    @staticmethod
    def of(soft: Floats, whole: Sequence[TileCircle]) -> tuple[_RimColours, Array]:
        """What whole circles have in common, and which of them are tiles by their rims: others may be printed
        on the table."""
        rims = np.array([np.median(_band(soft, one.centre, one.radius)[0], axis=0) for one in whole])
        tints = _tint(rims)
        apart = np.abs(tints - np.median(tints, axis=0)).max(axis=2)
        surest = int(apart.mean(axis=0).argmin())
        own = apart.min(axis=1) < FOREIGN_RIM
        in_common = 2 * own.sum() > len(own) and apart[own, surest].mean() < FOREIGN_RIM / 3
        own |= not in_common
        light = rims[own, surest].max(axis=1)
        shares = rims[own] / np.maximum(light, 8.0)[:, None, None]
        colours = np.median(shares, axis=0)
        agreed = in_common & (np.abs(shares - colours).max(axis=2).mean(axis=0) < RIM_AGREEMENT)
        return _RimColours(np.asarray(colours, np.float32), agreed, surest, float(np.median(light))), own

    def like(self, soft: Floats, middle: tuple[float, float], radius: float) -> Array:
        """For each of ANGLES directions whether the rim, which may be a pixel further out or in, has these
        colours."""
        good = np.zeros(ANGLES, bool)
        for aside in (-1.0, 0.0, 1.0):
            here, inside = _band(soft, middle, radius + aside)
            if not self.agreed.any():
                return inside
            light = here[:, self.surest].max(axis=1)
            shares = here / np.maximum(light, 8.0)[:, None, None]
            off = np.abs(shares - self.colours).max(axis=2)[:, self.agreed].mean(axis=1)
            good |= inside & (off < RIM_LIKENESS) & (light > 0.4 * self.light) & (light < 2.0 * self.light)
        return good


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
