"""How much of a quad's sides the card finder sees as edges of cards, and the quad whose sides lie on them.

The finder was trained to tell where a card ends from frames printed on it and from lines of the ground, so
its map of edges serves where the picture itself has many edges that are as strong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.finder.limits import enrolment_limits
from companion.vision.finder.network import PartMaps
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats

SAMPLES, STEPS = 48, 20
"""Points along a side that are looked at, and steps by which it may move outwards or inwards."""
BESIDE = np.arange(-2.0, 3.0)
"""Pixels of the map on either side of a quad's side where the edge may be seen."""


def weakest_side(maps: PartMaps, quad: Floats) -> float:
    """The mean probability of an edge along a quad (4, 2; pixels of the picture), at the side that has the
    least: a card has four."""
    beside = BESIDE / maps.scale
    return min(float(_edge(maps, quad, side, beside).max(axis=1).mean()) for side in range(4))


def fit_to_edges(looks: Sequence[PartMaps], quad: Floats) -> Floats:
    """The quad (4, 2; pixels of the picture) with each side moved and turned a little to where the looks
    together see an edge along the whole side; the same quad if that is no card's outline."""
    reach = enrolment_limits().outlines.reach
    offsets = np.arange(-STEPS, STEPS + 1) * reach * geometry.width_of(quad) / STEPS
    lines = [_moved_side(looks, quad, side, offsets) for side in range(4)]
    corners = [geometry.crossing(lines[side - 1], lines[side]) for side in range(4)]
    if any(corner is None for corner in corners):
        return quad
    fitted = np.array(corners, np.float32)
    return fitted if geometry.is_card_like(fitted, 1.0, (0.5, 3.0)) else quad


def _moved_side(looks: Sequence[PartMaps], quad: Floats, side: int, offsets: Array) -> geometry.Line:
    """The line to which one side of the quad is moved: of all pairs of offsets at its ends that with the most
    edge between them."""
    seen = np.zeros((SAMPLES, len(offsets) + 2 * STEPS), np.float32)
    seen[:, STEPS:-STEPS] = np.sum([_edge(maps, quad, side, offsets) for maps in looks], axis=0)
    sums = seen.ravel()[_lines(len(offsets))].sum(axis=1)
    turn, place = np.unravel_index(int(sums.argmax()), sums.shape)
    points, out = _side(quad, side)
    tilt = offsets[turn]
    start, end = points[0] + out * (offsets[place] - tilt), points[-1] + out * (offsets[place] + tilt)
    return geometry.line_through(start, end)


@cache
def _lines(count: int) -> NDArray[np.intp]:
    """Which points of a side (SAMPLES x STEPS + count + STEPS offsets) each line passes: (turns, SAMPLES,
    count)."""
    turns = np.arange(-STEPS, STEPS + 1)
    shifts = np.round(turns[:, None] * np.linspace(-1, 1, SAMPLES)).astype(np.intp)
    columns = STEPS + np.arange(count) + shifts[..., None]
    return np.asarray(np.arange(SAMPLES)[:, None] * (count + 2 * STEPS) + columns, np.intp)


def _edge(maps: PartMaps, quad: Floats, side: int, offsets: Array) -> Floats:
    """The probability of an edge at points along a side, moved outwards by offsets in pixels of the picture
    (points, offsets); 0 outside the picture."""
    points, out = _side(quad, side)
    places = geometry.to_resized(points[:, None] + offsets[None, :, None] * out, maps.scale)
    x, y = (np.asarray(places[..., axis], np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(maps.edge, x, y, cv2.INTER_LINEAR, borderValue=0), np.float32)


def _side(quad: Floats, side: int) -> tuple[Floats, Floats]:
    """Points along a side (SAMPLES, 2), and the direction outwards (2,)."""
    start, end = quad[side], quad[(side + 1) % 4]
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    corner = enrolment_limits().outlines.corner
    points = start + np.linspace(corner, 1 - corner, SAMPLES, dtype=np.float32)[:, None] * (end - start)
    return points, np.array([along[1], -along[0]], np.float32)
