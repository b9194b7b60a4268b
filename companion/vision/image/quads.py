"""Uncovered cards by their outline: several binarisations, convex hulls, four fitted sides.

No single threshold finds a white card on white cloth and a black one on wood, so six pictures of edges and
regions are made and every convex outline of four sides counts as a candidate; what it shows is decided later
by its appearance. The corners are where lines fitted to the middle of the sides meet, because cards
have rounded corners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk

WORKING_SIDE, LEAST_SIDE = 960, 320
"""Longer side in pixels of the picture in which outlines are searched for, if the caller names none: three
quarters of the picture's, within these bounds."""
ROUGH_ASPECT = (1.0, 2.3)
SMALLEST_CARD = 22.0
"""Shortest side of a card in that picture."""


def find_quads(
    image: Image, working_side: int | None = None, wanted: Callable[[Floats], bool] = lambda _: True
) -> list[Floats]:
    """Candidate outlines, each a quad standing on a short side (which end is its top is not known), in
    pixels of `image`; duplicates merged, most supported first; only where `wanted` says yes of a quad."""
    if working_side is None:
        working_side = min(WORKING_SIDE, max(LEAST_SIDE, round(0.75 * max(image.shape))))
    small, scale = shrunk(image, working_side)
    found: list[Floats] = []
    for mask in binary_masks(small):
        found.extend(_outlines(mask, lambda quad: wanted(geometry.to_original(quad, scale))))
    quads = (geometry.to_original(quad, scale) for quad in merge_quads(found))
    return [quad for quad in quads if wanted(quad)]


def binary_masks(image: Image) -> Iterator[Bytes]:
    """The pictures in which outlines are searched for, as 0/255 masks."""
    soft = cv2.GaussianBlur(image, (5, 5), 0)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    light = np.ascontiguousarray(lab[..., 0])
    hsv = cv2.cvtColor(soft, cv2.COLOR_BGR2HSV)
    kernel = np.ones((3, 3), np.uint8)
    edges = cv2.Canny(light, 20, 60)
    for channel in (1, 2):
        edges = cv2.bitwise_or(edges, cv2.Canny(np.ascontiguousarray(lab[..., channel]), 20, 60))
    yield np.asarray(cv2.dilate(edges, kernel), np.uint8)
    yield np.asarray(cv2.dilate(cv2.Canny(light, 60, 150), kernel), np.uint8)
    window = 51
    for kind in (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV):
        mask = cv2.adaptiveThreshold(
            light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, window, -4 if kind == 0 else 4
        )
        yield np.asarray(mask, np.uint8)
    yield np.asarray(cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)
    white = cv2.subtract(np.ascontiguousarray(hsv[..., 2]), np.ascontiguousarray(hsv[..., 1]))
    yield np.asarray(cv2.threshold(white, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], np.uint8)


def _outlines(mask: Bytes, wanted: Callable[[Floats], bool]) -> Iterator[Floats]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    least = SMALLEST_CARD * SMALLEST_CARD * 1.2
    most = 0.95 * mask.shape[0] * mask.shape[1]
    for contour in contours:
        if len(contour) < 4 * SMALLEST_CARD * 0.8:
            continue
        hull = cv2.convexHull(contour)
        hull_area = cv2.contourArea(hull)
        if not least <= hull_area <= most:
            continue
        corners = four_corners(hull, hull_area)
        if corners is None:
            continue
        if not geometry.is_card_like(geometry.upright(corners), 0.8 * SMALLEST_CARD, ROUGH_ASPECT):
            continue
        if not wanted(corners):
            continue
        points = contour.reshape(-1, 2)[:: max(1, len(contour) // 400)]
        quad = geometry.upright(fit_sides(points.astype(np.float32), corners))
        if geometry.is_card_like(quad, SMALLEST_CARD):
            yield quad


def four_corners(hull: Array, hull_area: float) -> Floats | None:
    """Four corners of a hull that is nearly a quadrilateral, clockwise; None for any other shape."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05, 0.07):
        shape = cv2.approxPolyDP(hull, share * length, True)
        if len(shape) < 4:
            return None
        if len(shape) == 4:
            quad = geometry.clockwise(shape.reshape(4, 2))
            return quad if geometry.area(quad) > 0.85 * hull_area else None
    return None


def fit_sides(contour: Floats, corners: Floats) -> Floats:
    """The corners (n, 2) of a convex outline where the lines fitted to the contour along the middle of each
    side meet; the corners themselves where the contour tells another story."""
    along = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(along, axis=1)
    ways = along / np.maximum(lengths, 1e-6)[:, None]
    x, y = (contour[:, None] - corners).transpose(2, 1, 0)
    t = x * ways[:, :1] + y * ways[:, 1:]
    distance = np.abs(y * ways[:, :1] - x * ways[:, 1:])
    long, reach = lengths[:, None], np.maximum(2.5, 0.03 * lengths)[:, None]
    near = (t > 0.15 * long) & (t < 0.85 * long) & (distance < reach)
    least = 0.3 * lengths * len(contour) / max(float(lengths.sum()), 1e-6)
    lines: list[geometry.Line] = []
    for side, (count, enough) in enumerate(zip(near.sum(axis=1).tolist(), least.tolist(), strict=True)):
        if count < enough or count < 4:
            (px, py), (dx, dy) = corners[side].tolist(), ways[side].tolist()
        else:
            line = cv2.fitLine(contour[near[side]], cv2.DIST_HUBER, 0, 0.01, 0.01)
            dx, dy, px, py = line.ravel().tolist()
        lines.append((px, py, dx, dy))
    fitted = [geometry.crossing(lines[i - 1], lines[i]) for i in range(len(lines))]
    if any(point is None for point in fitted):
        return corners
    outline = np.array(fitted, np.float32)
    return corners if np.abs(outline - corners).max() > 0.25 * float(lengths.min()) else outline


def merge_quads(quads: Sequence[Floats]) -> list[Floats]:
    """Equal outlines (corners within 4 % of the card) joined to their median, most often seen first."""
    return merge_outlines(quads, (0, 2), 0.04)


def merge_outlines(outlines: Sequence[Floats], turns: Iterable[int], share: float) -> list[Floats]:
    """Outlines whose corners differ by less than a share of their sides, from their first corner or turned
    by so many corners, joined to their median, most often seen first."""
    if not outlines:
        return []
    stack = np.stack(outlines)
    ways = [np.roll(stack, turn, axis=1) for turn in turns]
    groups: list[list[Floats]] = []
    left = np.ones(len(stack), bool)
    for i in range(len(stack)):
        if not left[i]:
            continue
        sides = np.linalg.norm(np.roll(stack[i], -1, axis=0) - stack[i], axis=1)
        limit = share * float(sides.mean())
        members: list[Floats] = []
        for way in ways:
            alike = left & (np.abs(way - stack[i]).max(axis=(1, 2)) < limit)
            members.extend(way[alike])
            left &= ~alike
        groups.append(members)
    groups.sort(key=len, reverse=True)
    return [np.asarray(np.median(np.stack(group), axis=0), np.float32) for group in groups]


def edge_support(image: Image, outline: Floats) -> float:
    """Share of an outline's sides (corners, 2), without its corners, which may be round, that run along
    edges of the picture."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    edges = cv2.dilate(cv2.Canny(grey, 15, 45), np.ones((7, 7), np.uint8))
    steps = np.linspace(0.12, 0.88, 60, dtype=np.float32)[:, None]
    points = geometry.along_sides(outline, steps)
    x = np.clip(np.round(points[:, 0]).astype(int), 0, image.shape[1] - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, image.shape[0] - 1)
    return float((edges[y, x] > 0).mean())
