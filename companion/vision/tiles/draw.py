"""Draws what was counted onto the picture of a player's tiles, for people to check it at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.vision.image.annotate import LONGEST, QUALITY
from companion.vision.image.picture import Array, Image, shrunk
from companion.vision.tiles.read import TilesReading

_COUNTED, _DOUBT, _DARK = (115, 158, 0), (66, 228, 240), (20, 20, 20)
"""Okabe and Ito's green and yellow as BGR, and what lies under both."""
_DASHES = 14


def draw_tiles(image: Image, reading: TilesReading) -> bytes:
    """The picture as JPEG: a ring round every tile that was counted, a dashed ring with a question mark round
    every place that is not sure."""
    small, scale = shrunk(image, LONGEST)
    canvas = small.copy()
    width = max(2, round(max(canvas.shape[:2]) / 400))
    for card in reading.cards:
        corner, middle = np.array(card.corners[0]), np.array(card.centre)
        _ring(canvas, middle * scale, float(np.hypot(*(corner - middle))) * scale * 0.8, _COUNTED, width, 1)
    for doubt in reading.doubts:
        middle = np.array(doubt.centre) * scale
        _ring(canvas, middle, doubt.radius * scale * 1.1, _DOUBT, width, _DASHES)
        _question_mark(canvas, middle, doubt.radius * scale, width)
    done, data = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise Unreadable("picture.no_jpeg")
    return data.tobytes()


def _ring(
    canvas: Image, middle: Array, radius: float, colour: tuple[int, int, int], width: int, pieces: int
) -> None:
    at = (round(float(middle[0])), round(float(middle[1])))
    size = (round(radius), round(radius))
    for k in range(pieces):
        begin = 360.0 * k / pieces
        end = begin + (360.0 if pieces == 1 else 220.0 / pieces)
        for thickness, tint in ((width + 3, _DARK), (width, colour)):
            cv2.ellipse(canvas, at, size, 0, begin, end, tint, thickness, cv2.LINE_AA)


def _question_mark(canvas: Image, middle: Array, radius: float, width: int) -> None:
    size = max(0.8, radius / 28)
    (wide, high), _ = cv2.getTextSize("?", cv2.FONT_HERSHEY_SIMPLEX, size, width)
    at = (round(float(middle[0]) - wide / 2), round(float(middle[1]) + high / 2))
    for thickness, tint in ((width + 5, _DARK), (width + 1, _DOUBT)):
        cv2.putText(canvas, "?", at, cv2.FONT_HERSHEY_SIMPLEX, size, tint, thickness, cv2.LINE_AA)
