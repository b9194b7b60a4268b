"""Draws what was read of a table of triangles onto the picture, for people to check it at a glance."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.core.observations import LatticeCard
from companion.vision.image import geometry
from companion.vision.image.annotate import LONGEST, draw_outline
from companion.vision.image.picture import Floats, Image, shrunk

_SURE, _UNSURE, _DARK = (255, 255, 255), (66, 228, 240), (30, 30, 30)


def draw_lattice(image: Image, cards: Iterable[LatticeCard], unsure: Iterable[LatticeCard] = ()) -> Image:
    """The picture, shrunk, with every card outlined and named; what is unsure is dashed and has a question
    mark."""
    small, scale = shrunk(image, LONGEST)
    canvas = small.copy()
    width = max(2, round(max(canvas.shape[:2]) / 500))
    for group, doubtful in ((cards, False), (unsure, True)):
        for card in group:
            corners = geometry.to_resized(np.array(card.corners, np.float32), scale)
            draw_outline(canvas, corners, _UNSURE if doubtful else _SURE, width, doubtful)
            _draw_label(canvas, f"{card.card}?" if doubtful else card.card, corners, width)
    return canvas


def _draw_label(canvas: Image, text: str, corners: Floats, width: int) -> None:
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    size = max(0.4, side / 230)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, max(1, width // 2))
    centre = corners.mean(axis=0)
    x, y = round(float(centre[0]) - wide / 2), round(float(centre[1]) + high / 2)
    cv2.rectangle(canvas, (x - 3, y - high - 3), (x + wide + 3, y + 4), _DARK, -1)
    colour = _UNSURE if text.endswith("?") else _SURE
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, width // 2), cv2.LINE_AA)
