"""The namer's two networks, the locator and the namer itself: their sizes and their input."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.card_frame import CardFrame
from companion.vision.image.picture import FINER, Array, Bytes, Floats, Image, shrunk_by
from companion.vision.match.reconstruction import reconstruct

LOCATOR, NAMER = "locator.onnx", "namer.onnx"
SIDE, GRID = 128, 16
"""Pixels of the whole picture as the locator sees it, and cells along each side of its answer."""
FRAME = CardFrame(64, 96, 5)
"""A straightened card as the namer sees it."""


def reference_view(look: Bytes) -> Image:
    """The picture (height and width of FRAME, 3) of an enrolled card, made from its descriptor."""
    return FRAME.framed(reconstruct(look))


def straightened(image: Image, quads: Array) -> Bytes:
    """What is within quads (n, 4, 2) of about one size and a little round them, in FRAME; what is outside the
    picture is black."""
    across = max(float(np.median([geometry.width_of(quad) for quad in quads])), 1.0)
    factor = min(1.0, FINER * FRAME.card[0] / across)
    if factor < 1.0:
        image = shrunk_by(image, factor)
    size = (FRAME.width, FRAME.height)
    views = [
        cv2.warpPerspective(image, geometry.homography(quad, FRAME.corners), size)
        for quad in geometry.to_resized(quads, factor)
    ]
    return np.asarray(views, np.uint8)


def as_input(pictures: Bytes) -> Floats:
    """Pictures (n, rows, columns, 3) as input (n, 3, rows, columns), -0.5 to 0.5."""
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32) / np.float32(255.0) - np.float32(
        0.5
    )
