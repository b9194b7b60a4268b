"""Photographs of the nine by nine field of 13 Monsters, drawn: cards laid a little carelessly, some turned
over or taken away, dice on some of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion import art
from companion.art.dice import STYLES, DiceCamera, as_photographed, draw_die, table_top
from companion.art.draw.raster import rasterise

Image = npt.NDArray[np.uint8]
Array = npt.NDArray[Any]
Place = tuple[int, int]

CARD = (44.0, 56.0)
PITCH = (48.0, 60.0)
"""Millimetres from card to card, across and down."""
DIE = 16.0
GAP = ((4, 3), (4, 4), (4, 5))
DETAIL = 5.0
"""Pixels a millimetre of a drawn card."""


def field_photo(
    up: Mapping[Place, str],
    empty: set[Place],
    dice: Mapping[Place, int],
    rng: np.random.Generator,
    *,
    tilt: float = 12.0,
    size: tuple[int, int] = (1080, 1440),
    careless: float = 1.0,
    lay: int = 1,
    table: Image | None = None,
) -> tuple[Image, dict[Place, Array]]:
    """The photograph and the corners of each card on it.

    Args:
        up: label of each card turned over; every other card is face down.
        empty: places without a card.
        dice: value of the die on a card.
        tilt: degrees by which the camera looks aside.
        careless: 1 = cards lie 1.2 mm and 1.5 degrees (one sigma) off their places.
        lay: number of the laying: the same one lays the cards the same way.
        table: the picture of the table; None: one that dice are drawn on.
    """
    laid = np.random.default_rng(lay)
    camera = DiceCamera.at(0.9 * 1000 / DIE, math.radians(tilt), float(rng.uniform(-0.03, 0.03)), size)
    picture = table_top(size, str(rng.choice(["plain", "wood", "cloth"])), rng) if table is None else table
    back = np.asarray(rasterise(art.card_back("thirteen_monsters"), round(CARD[1] * DETAIL)))
    corners: dict[Place, Array] = {}
    for row in range(9):
        for column in range(9):
            at = (row, column)
            middle = np.array([(column - 4) * PITCH[0], (4 - row) * PITCH[1]])
            middle = middle + laid.normal(0, 1.2 * careless, 2)
            turn = math.radians(float(laid.normal(0, 1.5 * careless)))
            if at in empty:
                continue
            face = back
            if at in up:
                face = np.asarray(art.draw_card("thirteen_monsters", up[at], round(CARD[1] * DETAIL)))
            corners[at] = _lay(picture, camera, face, middle, turn)
    style = STYLES[str(rng.choice(["white", "black", "red"]))]
    for at in sorted(dice):
        quad = corners[at]
        place = ((at[1] - 4) * PITCH[0] / DIE, (4 - at[0]) * PITCH[1] / DIE)
        assert quad is not None
        draw_die(picture, camera, style, dice[at], place, float(rng.uniform(0, 6.28)))
    gain = (float(rng.uniform(0.8, 1.05)), float(rng.uniform(0.9, 1.0)), float(rng.uniform(0.9, 1.05)))
    return as_photographed(picture, float(rng.uniform(0.3, 0.8)), 2.0, gain, rng), corners


def _lay(picture: Image, camera: DiceCamera, face: Array, middle: Array, turn: float) -> Array:
    """Pastes a card onto the picture; returns its corners, clockwise from its own top left, in pixels."""
    half = np.array([[-CARD[0], CARD[1]], [CARD[0], CARD[1]], [CARD[0], -CARD[1]], [-CARD[0], -CARD[1]]]) / 2
    turned = half @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    places = np.column_stack([(turned + middle) / DIE, np.zeros(4)])
    quad = camera.project(places)
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    low, high = np.floor(quad.min(axis=0)).astype(int) - 1, np.ceil(quad.max(axis=0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, [picture.shape[1], picture.shape[0]])
    if (high <= low).any():
        return quad
    extent = (int(high[0] - low[0]), int(high[1] - low[1]))
    matrix = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32))
    scale = math.hypot(*(quad[1] - quad[0])) / width
    soft = cv2.GaussianBlur(face[..., :3], (0, 0), max(0.3, 0.4 / scale))
    warped = cv2.warpPerspective(
        soft, matrix, extent, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros((extent[1] * 4, extent[0] * 4), np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad - low) * 4).astype(np.int32), 255)
    alpha = cv2.resize(mask, extent, interpolation=cv2.INTER_AREA)[..., None] / 255.0
    part = picture[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - alpha) + warped * alpha).astype(np.uint8)
    return quad
