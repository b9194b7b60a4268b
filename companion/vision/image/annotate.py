"""Draws what was read onto the picture, for people to check it at a glance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import LatticeCard, Point, Sighting
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Image, shrunk

LONGEST = 1600
"""Longer side of the picture handed out."""
QUALITY = 85
_COLOURS = tuple(
    (blue, green, red)
    for red, green, blue in map(
        bytes.fromhex, ("e69f00", "56b4e9", "009e73", "f0e442", "0072b2", "d55e00", "cc79a7")
    )
)
"""Okabe and Ito's colours, as in web/static/ui/icons.js, made BGR."""
_UNCERTAIN_BELOW = 0.6


class AnnotatedReading(Protocol):
    """A reading: of single cards, or of a display (which also has `monsters` and what is `visible`)."""

    @property
    def cards(self) -> tuple[Sighting, ...]: ...


def draw_cards(image: Image, reading: AnnotatedReading) -> bytes:
    """The picture as JPEG with every card outlined, in its column's colour where it lies in one, and named at
    its upper end, or at the end that sticks out of a column; a dashed outline marks a card that is not
    sure."""
    small, scale = shrunk(image, LONGEST)
    canvas = small.copy()
    monsters: Sequence[str | None] = getattr(reading, "monsters", (None,) * len(reading.cards))
    names = list(dict.fromkeys(m for m in monsters if m is not None))
    width = _line_width(canvas)
    corners = [card.corners for card in reading.cards]
    quads = [geometry.to_resized(np.array(one), scale) for one in corners]
    labelled = [geometry.to_resized(np.array(one), scale) for one in getattr(reading, "visible", corners)]
    for card, monster, quad in zip(reading.cards, monsters, quads, strict=True):
        colour = _COLOURS[names.index(monster) % len(_COLOURS)] if monster else (255, 255, 255)
        draw_outline(canvas, quad, colour, width, card.confidence < _UNCERTAIN_BELOW)
    for card, part in zip(reading.cards, labelled, strict=True):
        # along the upper side, small enough not to hide the card's number
        _draw_label(canvas, card.label, (part[0] + part[1]) / 2, float(np.linalg.norm(part[1] - part[0])))
    return _encoded(canvas)


def draw_tiles(image: Image, counted: Iterable[Sighting], doubts: Iterable[tuple[Point, float]]) -> bytes:
    """The picture as JPEG with a ring round every round tile that was counted, and a dashed ring with a
    question mark round every doubtful place (middle, radius)."""
    small, scale = shrunk(image, LONGEST)
    canvas = small.copy()
    for card in counted:
        corners = geometry.to_resized(np.array(card.corners, np.float32), scale)
        middle = corners.mean(axis=0)
        _draw_ring(canvas, middle, 0.8 * math.dist(corners[0], middle), _COLOURS[2], dashed=False)
    for centre, radius in doubts:
        middle = geometry.to_resized(np.array(centre), scale)
        _draw_ring(canvas, middle, 1.1 * radius * scale, _COLOURS[3], dashed=True)
        _draw_label(canvas, "?", middle, 9 * radius * scale)
    return _encoded(canvas)


def _encoded(canvas: Image) -> bytes:
    """The picture as JPEG."""
    done, data = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise Unreadable("picture.no_jpeg")
    return data.tobytes()


def draw_lattice(image: Image, cards: Iterable[LatticeCard], unsure: Iterable[LatticeCard] = ()) -> Image:
    """The picture, shrunk, with triangular cards outlined and named; unsure ones dashed with "?"."""
    small, scale = shrunk(image, LONGEST)
    canvas = small.copy()
    for group, mark in ((cards, ""), (unsure, "?")):
        for card in group:
            corners = geometry.to_resized(np.array(card.corners, np.float32), scale)
            draw_outline(canvas, corners, (255, 255, 255), _line_width(canvas), bool(mark))
            side = float(np.linalg.norm(corners[1] - corners[0]))
            _draw_label(canvas, card.card + mark, corners.mean(axis=0), side)
    return canvas


def outlined(image: Image, card: Sighting) -> Image:
    """The picture with one card outlined: dashed if it is not sure."""
    canvas = image.copy()
    width = max(3, round(max(canvas.shape[:2]) / 160))
    draw_outline(canvas, np.asarray(card.corners), _COLOURS[0], width, card.confidence < _UNCERTAIN_BELOW)
    return canvas


def draw_outline(
    canvas: Image, outline: Array, colour: tuple[int, int, int], width: int, dashed: bool
) -> None:
    """Draws an outline (corners, 2) onto a picture."""
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        pieces = 9 if dashed else 1
        for i in range(0, pieces, 2):
            a = start + (end - start) * (i / pieces)
            b = start + (end - start) * ((i + 1) / pieces)
            for thickness, tint in ((width + 2, (0, 0, 0)), (width, colour)):
                cv2.line(canvas, _pixel(a), _pixel(b), tint, thickness, cv2.LINE_AA)


def _draw_ring(
    canvas: Image, middle: Array, radius: float, colour: tuple[int, int, int], *, dashed: bool
) -> None:
    """Draws a circle onto a picture, in one piece or in dashes."""
    angles = np.arange(49) * np.pi / 24
    ring = np.round(middle + radius * np.column_stack([np.cos(angles), np.sin(angles)])).astype(np.int32)
    pieces = [ring[k : k + 3] for k in range(0, 48, 4)] if dashed else [ring]
    for thickness, tint in ((_line_width(canvas) + 3, (0, 0, 0)), (_line_width(canvas), colour)):
        cv2.polylines(canvas, pieces, False, tint, thickness, cv2.LINE_AA)


def _draw_label(canvas: Image, label: str, centre: Array, side: float) -> None:
    """The label round a point, for a card whose side has so many pixels."""
    size = max(0.4, side / 260)
    width = max(1, _line_width(canvas) // 2)
    (w, h), _ = cv2.getTextSize(label, cv2.FONT_HERSHEY_SIMPLEX, size, width)
    x = int(np.clip(centre[0] - w / 2, 2, max(2, canvas.shape[1] - w - 2)))
    y = int(np.clip(centre[1] + h / 2, h + 2, canvas.shape[0] - 4))
    cv2.rectangle(canvas, (x - 3, y - h - 3), (x + w + 3, y + 5), (30, 30, 30), -1)
    cv2.putText(canvas, label, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), width, cv2.LINE_AA)


def _line_width(canvas: Image) -> int:
    return max(2, int(max(canvas.shape[:2]) / 500 + 0.5))


def _pixel(point: Array) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
