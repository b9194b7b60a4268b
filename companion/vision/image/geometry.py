"""Quads: four corners of a card in a picture, and the arithmetic they need.

A quad is a float32 array of shape (4, 2), corners clockwise from the card's own top left, in pixels.
The unit card has its corners at (0, 0), (1, 0), (1, 1), (0, 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.observations import Point
from companion.vision.image.picture import Array, Floats

FOCAL = 0.9
"""Focal length as a share of the picture's longer side, of cameras whose lens is not known: what phones,
webcams and table cameras have (field of view 58 degrees; 50 to 70 change a die's face by less than its pips
can tell)."""
Line = tuple[float, float, float, float]
"""A point of a line (x, y) and its direction (x, y), of length 1."""
_NEXT = np.array([1, 2, 3, 0])
_HALF_TURN = np.array([2, 3, 0, 1])


def rectangle(left: float, top: float, right: float, bottom: float) -> Floats:
    """The corners of an upright rectangle, from its top left."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


UNIT = rectangle(0, 0, 1, 1)


def whole(width: int, height: int) -> Floats:
    """The outline of a whole picture of that size: its pixels have their middles at whole numbers."""
    return np.asarray(rectangle(0, 0, width, height) - 0.5, np.float32)


def cell_centres(columns: int, rows: int) -> Array:
    """The middles (rows x columns, 2) of the cells into which the unit card is cut, row by row."""
    x, y = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
    return np.stack([x, y], axis=2).reshape(-1, 2)


def grown(outline: Array, factor: float) -> Array:
    """An outline (corners, 2) made larger, or smaller, about its middle."""
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * factor)


def along_sides(outline: Floats, shares: Floats) -> Floats:
    """The points at these shares (n, 1) of each side of an outline (corners, 2), side by side."""
    ends = zip(outline, np.roll(outline, -1, axis=0), strict=True)
    return np.concatenate([start + shares * (end - start) for start, end in ends])


def to_resized(points: Array, scale: float) -> Floats:
    """Points of a picture in the same picture resized by `scale`."""
    return np.asarray((points + 0.5) * scale - 0.5, np.float32)


def to_original(points: Array, scale: float) -> Floats:
    """Points of a picture that was resized by `scale` in the picture that it was made of."""
    return np.asarray((points + 0.5) / scale - 0.5, np.float32)


def resizing(scale: float) -> Array:
    """The matrix (3, 3) of `to_resized`."""
    shift = (scale - 1.0) / 2
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])


def homography(source: Array, target: Array) -> Array:
    """The 3x3 matrix that takes the four points of `source` to those of `target`."""
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)))


def rectified(picture: Array, quad: Array, size: tuple[int, int], beyond: int = cv2.BORDER_CONSTANT) -> Array:
    """What is within a quad as a picture of that size (width, height), interpolated linearly. `beyond`:
    OpenCV's kind of border beyond the picture's edge; by default there is 0."""
    matrix = homography(quad, whole(*size))
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=beyond))


def transform(points: Array, matrix: Array) -> Floats:
    """Points (n, 2) under a 2x3 or 3x3 matrix."""
    if matrix.shape[0] == 2:
        return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], np.float32)


def corner_points(quad: Array) -> tuple[Point, Point, Point, Point]:
    """The corners of a quad as a `Sighting` has them."""
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


def sides(quad: Array) -> Floats:
    """Lengths of the four sides: top, right, bottom, left."""
    along = quad[_NEXT] - quad
    return np.asarray(np.sqrt(along[:, 0] ** 2 + along[:, 1] ** 2), np.float32)


def width_of(quad: Array) -> float:
    """Mean length of the top and bottom side."""
    top, _, bottom, _ = sides(quad).tolist()
    return float(top + bottom) / 2


def area(quad: Array) -> float:
    """Signed area; positive for corners that run clockwise on the screen."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def clockwise(quad: Array) -> Floats:
    """The corners clockwise on the screen."""
    return np.asarray(quad if area(quad) > 0 else quad[::-1], np.float32)


def aspect_of(quad: Array) -> float:
    """Height / width, by the means of opposite sides."""
    top, right, bottom, left = sides(quad).tolist()
    return float((right + left) / (top + bottom))


def shared_part(one: Array, other: Array) -> float:
    """Share of the smaller of two convex outlines (corners, 2) that both cover."""
    return _shared_area(one, other) / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other)))


def intersection_over_union(one: Array, other: Array) -> float:
    """The area that two convex outlines (corners, 2) share, by the area that they cover together."""
    shared = _shared_area(one, other)
    return shared / max(1.0, cv2.contourArea(one) + cv2.contourArea(other) - shared)


def apart(outlines: Sequence[Array], most: float) -> list[int]:
    """The indices of the convex outlines (corners, 2), in their order, without those of which the smaller of
    it and one kept before shares `most` or more.

    >>> square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    >>> apart([square, square + 2, square + 20], 0.15)
    [0, 2]
    """
    kept: list[int] = []
    for index, outline in enumerate(outlines):
        if all(shared_part(outline, outlines[other]) < most for other in kept):
            kept.append(index)
    return kept


def _shared_area(one: Array, other: Array) -> float:
    area, _ = cv2.intersectConvexConvex(np.asarray(one, np.float32), np.asarray(other, np.float32))
    return float(area)


def line_through(start: Array, end: Array) -> Line:
    """The line through two points (2,)."""
    (px, py), way = start.tolist(), end - start
    dx, dy = (way / max(float(np.linalg.norm(way)), 1e-6)).tolist()
    return px, py, dx, dy


def crossing(first: Line, second: Line) -> tuple[float, float] | None:
    """Where two lines meet; None if they are nearly parallel."""
    (px, py, dx, dy), (qx, qy, ex, ey) = first, second
    cross = dx * ey - dy * ex
    if abs(cross) < 0.2:
        return None
    t = ((qx - px) * ey - (qy - py) * ex) / cross
    return px + t * dx, py + t * dy


def diagonal_crossing(quad: Array) -> Floats:
    """Where the card's diagonals meet: its true middle, also in perspective."""
    matrix = homography(UNIT, quad)
    return np.asarray(transform(np.array([[0.5, 0.5]], np.float32), matrix)[0], np.float32)


def is_card_like(quad: Array, smallest: float, aspect: tuple[float, float] = (1.1, 2.1)) -> bool:
    """True for a convex clockwise quad whose shorter sides measure at least `smallest` pixels, whose opposite
    sides are of like length and whose height / width lies in `aspect`: a flat card seen by a camera."""
    corners = quad.tolist()
    turns = [(q[0] - p[0], q[1] - p[1]) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]
    lengths = [math.hypot(x, y) for x, y in turns]
    if not all(math.isfinite(v) for v in lengths) or min(lengths) < smallest:
        return False
    for i in range(4):
        (x, y), (u, v) = turns[i - 1], turns[i]
        if x * v - y * u < 0.5 * lengths[i - 1] * lengths[i]:
            return False
    top, right, bottom, left = lengths
    if max(top, bottom) > 1.6 * min(top, bottom) or max(left, right) > 1.6 * min(left, right):
        return False
    return aspect[0] <= (left + right) / (top + bottom) <= aspect[1]


def upright(quad: Array) -> Floats:
    """The quad turned so that its first side is a short one (a card stands on its short side)."""
    top, right, bottom, left = sides(quad)
    return np.asarray(quad[_NEXT] if top + bottom > right + left else quad, np.float32)


def rotated_half_turn(quad: Array) -> Floats:
    """The quad from its other end: the card in it upside down."""
    return np.asarray(quad[_HALF_TURN], np.float32)


def contains(quad: Array, point: Array | tuple[float, float]) -> bool:
    """True if the point lies in the quad."""
    x, y = (float(value) for value in point)
    return cv2.pointPolygonTest(quad.astype(np.float32).reshape(-1, 1, 2), (x, y), False) >= 0


def corner_motions(x: Array, y: Array) -> Floats:
    """The motions (8, 4, 2) of corners that lie at `x` and `y` (4,) about the middle of a card: right, down,
    larger, turned, two that shear, and two of perspective. The first six are affine; together the eight make
    any quad. Cards are aligned by them (Lucas and Kanade's alignment: match.refine, verifier.align).

    >>> square = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    >>> corner_motions(*square)[0].tolist()
    [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    """
    one, none = np.ones(4), np.zeros(4)
    pairs = [(one, none), (none, one), (x, y), (-y, x), (x, -y), (y, x), (x * y, none), (none, x * y)]
    return np.stack([np.stack(pair, axis=1) for pair in pairs]).astype(np.float32)


def corner_shares(u: Array, v: Array) -> Array:
    """The shares (rows, columns, 4) of each corner's motion by which points of the unit card at `u`, `v`
    (rows, columns) move with it.

    >>> corner_shares(np.array([[0.0, 0.5]]), np.array([[0.0, 0.5]])).tolist()
    [[[1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]]
    """
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=2)
