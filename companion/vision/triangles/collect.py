"""Triangular cards that lie apart on the table, to be learned: found, and compared with those learned before.

Cards are passed on as quads, so that whoever shows and learns cards treats all shapes alike: the rectangle
that has the triangle's base as its lower side and the apex in the middle of its upper one.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.image.quads import edge_support
from companion.vision.triangles.appearance import (
    log_colours,
    point_costs,
    rotations,
    white_of,
)
from companion.vision.triangles.find import TALL, find_triangles, is_regular, side_of
from companion.vision.triangles.limits import triangle_limits

ASPECT = TALL
"""Height / width of the rectangle round an equilateral triangle."""


def quad_of(triangle: Array) -> Floats:
    """The quad (4, 2), clockwise from its top left, of a triangle (3, 2) clockwise from its apex."""
    apex, right, left = np.asarray(triangle, np.float32)
    half = (right - left) / 2
    return np.array([apex - half, apex + half, right, left], np.float32)


def triangle_of(quad: Array) -> Floats:
    """The triangle (3, 2) of `quad_of`'s quad."""
    top_left, top_right, right, left = np.asarray(quad, np.float32)
    return np.array([(top_left + top_right) / 2, right, left], np.float32)


def separate_triangles(image: Image) -> list[Floats]:
    """The triangular cards (3, 2) that lie apart in a picture, each clockwise from its highest corner.

    Signs printed on cards may be triangles as well. The outlines of one size that cover most of the picture
    are the cards; a camera that looks obliquely sees the far ones smaller.
    """
    limits, (height, width) = triangle_limits(), image.shape[:2]
    found = [
        triangle
        for triangle in find_triangles(image)
        if triangle.min() > 1
        and triangle[:, 0].max() < width - 2
        and triangle[:, 1].max() < height - 2
        and is_regular(triangle)
        and edge_support(image, triangle) > limits.learned.edge_support
    ]
    sides = [float(side_of(triangle)) for triangle in found]
    pairs = list(zip(found, sides, strict=True))
    ratio = limits.outlines.usual_ratio
    groups = [_apart([one for one, other in pairs if side / ratio < other <= side]) for side in sides]
    best = max(groups, key=lambda group: sum(map(_area, group)), default=[])
    return [np.roll(one, -int(np.argmin(one[:, 1])), axis=0) for one in best]


def _apart(triangles: list[Floats]) -> list[Floats]:
    """The largest first, without those that lie over one taken before."""
    largest = sorted(triangles, key=_area, reverse=True)
    return [largest[index] for index in geometry.apart(largest, triangle_limits().learned.shared)]


def _area(triangle: Floats) -> float:
    return float(cv2.contourArea(triangle))


def look_costs(seen: Array, looks: Array) -> Floats:
    """How much a card's colours (points, 3) differ from looks (n, points, 3), each at its best turn: 0 the
    same, 1 nothing in common (n,)."""
    known = np.stack([_values(look) for look in looks])
    away = np.stack([known[:, order] for order in rotations()]) - _values(seen)
    return np.asarray(
        point_costs(away[..., 3], away[..., 1], away[..., 2]).mean(axis=-1).min(axis=0), np.float32
    )


def _values(colours: Array) -> Floats:
    """What is compared of a card (points, 4), by the white of its own."""
    floats = np.asarray(colours, np.float32)
    return log_colours(floats, white_of(floats))
