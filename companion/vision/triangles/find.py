"""Triangular cards by their outline: several binarisations, smallest enclosing triangles, three fitted sides.

A triangle is a float32 array of shape (3, 2): corners clockwise on the screen, in pixels; which of them is
the card's own top is not known. The smallest triangle round a hull (O'Rourke et al. 1986,
cv2.minEnclosingTriangle) is a card's if the hull fills it; its sides are then fitted again to the outline's
points, so that corners are sharp where the card's are round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk
from companion.vision.image.quads import binary_masks, merge_outlines
from companion.vision.triangles.appearance import SAMPLED_SIDE
from companion.vision.triangles.limits import triangle_limits

TALL = math.sqrt(3) / 2
"""Height of a triangle whose sides are 1."""
WORKING_SIDE = 1280
"""Longer side in pixels of the picture in which outlines are searched for."""
SMALLEST_SIDE = SAMPLED_SIDE / 2
"""Pixels of a side in that picture; twice as many of cards that have no outline of their own."""
_AFTER = np.array([1, 2, 0])


def find_triangles(image: Image) -> Floats:
    """Outlines (n, 3, 2) that may be triangular cards, in pixels of `image`; what was found twice is one,
    the most often found first."""
    return _found(image, _outlines)


def find_corner_triangles(image: Image) -> Floats:
    """The triangles (n, 3, 2) at the sharp corners of all outlines, in pixels of `image`: some are cards
    that lie side by side and have one outline together. Only large ones, as regular as cards seen from above:
    pips, printed figures and dice have sharp corners, too."""
    return _found(image, _large_corners)


def corner_triangles(contour: Array) -> list[Floats]:
    """The triangles (3, 2) at the sharp corners of a contour (n, 1, 2): a card that lies by itself has three,
    two cards side by side have one each. An edge of the contour is as long as one card or several."""
    corners = cv2.approxPolyDP(
        contour, triangle_limits().outlines.straight * cv2.arcLength(contour, True), True
    )
    shape = corners.reshape(-1, 2).astype(np.float32)
    found = []
    for corner, before, after in zip(shape, np.roll(shape, 1, 0), np.roll(shape, -1, 0), strict=True):
        edges = np.stack([before - corner, after - corner])
        if edges[0] @ edges[1] <= 0:
            continue  # cards meet there, or the polygon is none
        lengths = np.linalg.norm(edges, axis=1, keepdims=True)
        triangle = clockwise(np.stack([corner, *(corner + edges / np.round(lengths / lengths.min()))]))
        if is_card_like(triangle):
            found.append(triangle)
    return found


def merged(triangles: Iterable[Floats]) -> Floats:
    """The triangles as an array (n, 3, 2); what was found several times is one, the most often found
    first."""
    return np.array(
        merge_outlines(list(triangles), range(3), triangle_limits().outlines.same), np.float32
    ).reshape(-1, 3, 2)


def sides_of(triangles: Array) -> Array:
    """Lengths (..., 3) of the sides of triangles (..., 3, 2)."""
    return np.asarray(np.linalg.norm(triangles[..., _AFTER, :] - triangles, axis=-1))


def side_of(triangles: Array) -> Floats:
    """Mean length of the sides of triangles (..., 3, 2)."""
    return np.asarray(sides_of(triangles).mean(axis=-1), np.float32)


def clockwise(triangle: Array) -> Floats:
    """The corners clockwise on the screen."""
    (ax, ay), (bx, by), (cx, cy) = triangle.tolist()
    turns = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) >= 0
    return np.asarray(triangle if turns else triangle[::-1], np.float32)


def _found(image: Image, triangles_of: Callable[[Bytes], Iterable[Floats]]) -> Floats:
    """What `triangles_of` finds in the masks of a picture, in pixels of the picture."""
    small, scale = shrunk(image, WORKING_SIDE)
    return geometry.to_original(merged(one for mask in _masks(small) for one in triangles_of(mask)), scale)


def _masks(image: Image) -> Iterator[Bytes]:
    """The quads' pictures of edges and regions, their inside instead of the edges where lines are closed, and
    adaptive thresholds of colour, for cards that are as light as what lies beside them."""
    for index, mask in enumerate(binary_masks(image)):
        yield mask
        if index < 2:
            yield np.asarray(cv2.bitwise_not(mask), np.uint8)
    soft = cv2.cvtColor(cv2.GaussianBlur(image, (5, 5), 0), cv2.COLOR_BGR2LAB)
    for channel in (1, 2):
        plane = np.ascontiguousarray(soft[..., channel])
        for kind, by in ((cv2.THRESH_BINARY, -4), (cv2.THRESH_BINARY_INV, 4)):
            coloured = cv2.adaptiveThreshold(plane, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, 121, by)
            yield np.asarray(coloured, np.uint8)


def _contours(mask: Bytes) -> Iterator[Array]:
    """The contours (n, 1, 2) of a mask that are long enough for a card."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return (contour for contour in contours if len(contour) >= 2.2 * SMALLEST_SIDE)


def _outlines(mask: Bytes) -> Iterator[Floats]:
    """The triangles of contours that are triangular as a whole."""
    least = 0.3 * SMALLEST_SIDE**2
    most = 0.2 * mask.size
    for contour in _contours(mask):
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not least <= area <= most:
            continue
        whole, corners = cv2.minEnclosingTriangle(hull)
        if corners is None or area < triangle_limits().outlines.fill * whole:
            continue
        triangle = fit_triangle(contour.reshape(-1, 2).astype(np.float32), clockwise(corners.reshape(3, 2)))
        if is_card_like(triangle):
            yield triangle


def _large_corners(mask: Bytes) -> Iterator[Floats]:
    """The large regular triangles at the sharp corners of contours."""
    for contour in _contours(mask):
        for triangle in corner_triangles(contour):
            if is_regular(triangle) and sides_of(triangle).min() >= SAMPLED_SIDE:
                yield triangle


def is_regular(triangle: Array) -> bool:
    """Whether the sides are as equal as those of a card seen from up to 35 degrees off."""
    lengths = sides_of(triangle)
    return bool(lengths.max() < triangle_limits().outlines.usual_ratio * lengths.min())


def is_card_like(triangle: Floats) -> bool:
    """Whether a triangle is large enough for a card, and its sides as equal as a camera sees them."""
    lengths, ratio = sides_of(triangle), triangle_limits().outlines.side_ratio
    return bool(lengths.min() >= SMALLEST_SIDE and lengths.max() <= ratio * lengths.min())


def fit_triangle(outline: Floats, corners: Floats) -> Floats:
    """The triangle whose sides are fitted to the outline's points (n, 2) along the middle of each side; the
    corners themselves where there are too few or they tell another story."""
    points = outline[:: max(1, len(outline) // 300)]
    lines: list[geometry.Line] = []
    for start, end in zip(corners, corners[_AFTER], strict=True):
        length = float(np.linalg.norm(end - start))
        along = (end - start) / max(length, 1e-6)
        offset = points - start
        t, away = offset @ along, np.abs(offset @ np.array([-along[1], along[0]], np.float32))
        near = points[(t > 0.15 * length) & (t < 0.85 * length) & (away < max(2.5, 0.05 * length))]
        if len(near) < 5:
            return corners
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines.append((x, y, vx, vy))
    meeting = [geometry.crossing(lines[side - 1], lines[side]) for side in range(3)]
    if any(corner is None for corner in meeting):
        return corners
    triangle = np.array(meeting, np.float32)
    moved = float(np.abs(triangle - corners).max())
    return corners if moved > 0.2 * float(side_of(corners)) else triangle
