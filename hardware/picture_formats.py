"""Which size a camera is asked for, and how what it delivers becomes a Picture (blue green red)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from companion.core.config import Camera
from companion.core.errors import Unavailable
from hardware.streams import Picture

CARD_MM = 63.0
"""Width of a card."""
SIZES = (
    (640, 480),
    (800, 600),
    (1024, 768),
    (1280, 720),
    (1280, 960),
    (1600, 1200),
    (1920, 1080),
    (2304, 1296),
)
"""Sizes that cameras usually have, width x height."""
TOO_FEW_PX = 90
"""Cards narrower than this are read badly."""


def card_px(camera: Camera, width: int) -> float:
    """The width of a card on the table, in pixels of a picture `width` pixels wide."""
    seen_mm = 2 * camera.above_cm * 10 * math.tan(math.radians(camera.view_degrees / 2))
    return width * CARD_MM / seen_mm


def wanted_size(camera: Camera) -> tuple[int, int]:
    """The configured size; without one, the smallest usual one in which a card has `card_px` pixels."""
    if camera.width and camera.height:
        return camera.width, camera.height
    wide = [size for size in SIZES if size[0] >= 1280]
    enough = [size for size in wide if card_px(camera, size[0]) >= camera.card_px]
    return enough[0] if enough else wide[-1]


def smaller(size: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The usual sizes below one, the largest first."""
    return tuple(sorted((one for one in SIZES if one[0] * one[1] < size[0] * size[1]), reverse=True))


def as_picture(image: Any, order: str = "BGR") -> Picture:
    """What a library delivers as a Picture.

    Args:
        image: height x width (grey), or height x width x channels: 1 grey, 2 YUYV, 3 or 4 colours.
        order: of the colours in memory, `BGR` or `RGB`.

    Raises:
        Unavailable: it is no picture of 8 bits, or has another shape.
    """
    import cv2

    array = np.asarray(image)
    channels = 1 if array.ndim == 2 else array.shape[-1]
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or channels > 4 or array.size == 0:
        raise Unavailable("camera.format", shape=" x ".join(map(str, array.shape)), kind=str(array.dtype))
    if channels == 1:
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_GRAY2BGR), np.uint8)
    if channels == 2:
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_YUYV), np.uint8)
    colours = array[:, :, :3]
    return np.ascontiguousarray(colours[:, :, ::-1] if order == "RGB" else colours)


def fourcc(code: float) -> str:
    """The four letters of a pixel format as OpenCV reports it; "": it reports none."""
    number = int(code) if 0 < code < 2**32 else 0
    letters = number.to_bytes(4, "little").decode("latin-1")
    return letters if letters.isprintable() else ""
