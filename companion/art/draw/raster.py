"""Pixels from vectors: scan conversion with OpenCV's polygons on an enlarged canvas, then area averaging."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art.draw.vector import Clip, Contour, Drawing, Node, Path, Shape

Pixels = NDArray[np.uint8]
"""A picture: height x width x 3, blue green red, 0-255."""

Scale = tuple[float, float]
"""Pixels per unit of the drawing, across and down."""
Origin = tuple[int, int]
"""Where a window begins in the enlarged canvas, x and y in pixels."""

FINE_HEIGHT = 1400
"""The enlarged canvas is at least this high, and at least twice the picture."""

SUB = 4
"""Fractional bits of the polygon corners handed to OpenCV."""


def rasterise(drawing: Drawing, height_px: int) -> Pixels:
    """The drawing as pixels, its height `height_px` (>= 8), its width in proportion, on white."""
    if height_px < 8:
        raise ValueError(f"a picture needs at least 8 pixels of height, not {height_px}")
    width_px = max(1, round(height_px * drawing.width / drawing.height))
    fine = max(2, math.ceil(FINE_HEIGHT / height_px))
    canvas = np.full((height_px * fine, width_px * fine, 3), 255, np.uint8)
    scale = (canvas.shape[1] / drawing.width, canvas.shape[0] / drawing.height)
    for node in drawing.nodes:
        _paint(canvas, node, scale, (0, 0))
    small = cv2.resize(canvas, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def flatten(contour: Contour, scale: Scale = (1.0, 1.0)) -> NDArray[np.float64]:
    """The contour as a polygon, n x 2, in pixels: a Bezier becomes as many lines as its length asks for."""
    pieces: list[NDArray[np.float64]] = [np.array([contour.start])]
    start = contour.start
    for command in contour.commands:
        points = np.array((start, *command))
        start = command[-1]
        if len(command) == 1:
            pieces.append(points[1:])
            continue
        length = float(np.abs(np.diff(points, axis=0)).sum()) * max(scale)
        pieces.append(_weights(int(min(40, max(4, length / 8)))) @ points)
    polygon: NDArray[np.float64] = np.concatenate(pieces) * np.array(scale)
    return polygon


@lru_cache(maxsize=64)
def _weights(steps: int) -> NDArray[np.float64]:
    """What the four points of a cubic Bezier weigh at `steps` equal parameters, the start left out."""
    t = np.linspace(0, 1, steps + 1)[1:, None]
    weights: NDArray[np.float64] = np.hstack(((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3))
    return weights


def _paint(canvas: Pixels, node: Node, scale: Scale, origin: Origin) -> None:
    if isinstance(node, Shape):
        _paint_shape(canvas, node, scale, origin)
    else:
        _paint_clip(canvas, node, scale, origin)


def _paint_shape(canvas: Pixels, shape: Shape, scale: Scale, origin: Origin) -> None:
    polygons = _fixed(shape.path, scale, origin)
    if shape.fill:
        cv2.fillPoly(canvas, polygons, _bgr(shape.fill), shift=SUB)
    if shape.stroke:
        width = max(1, round(shape.width * (scale[0] + scale[1]) / 2))
        for polygon, contour in zip(polygons, shape.path.contours, strict=True):
            cv2.polylines(canvas, [polygon], contour.closed, _bgr(shape.stroke), width, shift=SUB)


def _paint_clip(canvas: Pixels, clip: Clip, scale: Scale, origin: Origin) -> None:
    corners = np.concatenate([flatten(contour, scale) for contour in clip.path.contours]) - origin
    left, top = (max(0, int(value)) for value in np.floor(corners.min(0)))
    right, bottom = (int(value) + 1 for value in np.ceil(corners.max(0)))
    window = canvas[top : max(top, bottom), left : max(left, right)]
    if window.size == 0:
        return
    corner = (origin[0] + left, origin[1] + top)
    mask = np.zeros(window.shape[:2], np.uint8)
    cv2.fillPoly(mask, _fixed(clip.path, scale, corner), 255, shift=SUB)
    inside = window.copy()
    for node in clip.nodes:
        _paint(inside, node, scale, corner)
    cv2.copyTo(inside, mask, window)


def _fixed(path: Path, scale: Scale, origin: Origin) -> list[NDArray[np.int32]]:
    # cv2 takes pixel centres as whole numbers, a drawing takes pixel corners: hence the half.
    return [
        np.round((flatten(contour, scale) - origin - 0.5) * (1 << SUB)).astype(np.int32).reshape(-1, 1, 2)
        for contour in path.contours
    ]


def _bgr(colour: str) -> tuple[int, int, int]:
    value = int(colour[1:], 16)
    return (value & 255, (value >> 8) & 255, value >> 16)
