"""The networks of models/vision: their sizes, their input, and how OpenCV runs them."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.match.reconstruction import reconstruct

FOLDER = Path(__file__).resolve().parents[3] / "models" / "vision"
LOCATOR, NAMER = "locator.onnx", "namer.onnx"
SIDE, GRID = 128, 16
"""Pixels of the whole picture as the locator sees it, and cells along each side of its answer."""
WIDTH, HEIGHT, MARGIN = 64, 96, 5
"""Pixels of a straightened card as the namer sees it, and of its surroundings on each side."""
EMBEDDING = 64
CARD = (WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN)
"""Width and height of the card itself."""
FRAME = np.array([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]], np.float32) + MARGIN - 0.5
"""The card's corners in the straightened picture."""
AROUND = 128.0
"""Grey level round a reference, whose surroundings are unknown."""
FINER = 1.5
"""How much finer than the straightened picture the picture is that it is taken from."""


class NetworkRunner:
    """A network in OpenCV; several threads may ask."""

    def __init__(self, data: bytes) -> None:
        self._net: Any = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        self._names = list(self._net.getUnconnectedOutLayersNames())
        self._lock = threading.Lock()

    def forward(self, inputs: Floats) -> Floats:
        """The answer of a network with one output."""
        with self._lock:
            self._net.setInput(inputs)
            return np.asarray(self._net.forward(), np.float32)

    def forward_all(self, inputs: Floats) -> dict[str, Floats]:
        """The answers by the names of the outputs."""
        with self._lock:
            self._net.setInput(inputs)
            answers = self._net.forward(self._names)
        return {name: np.asarray(one, np.float32) for name, one in zip(self._names, answers, strict=True)}


@lru_cache(maxsize=1)
def locator() -> NetworkRunner:
    """The shipped locator."""
    return NetworkRunner((FOLDER / LOCATOR).read_bytes())


@lru_cache(maxsize=1)
def namer() -> NetworkRunner:
    """The shipped namer."""
    return NetworkRunner((FOLDER / NAMER).read_bytes())


def reference_view(look: Bytes) -> Image:
    """The picture (HEIGHT, WIDTH, 3) of an enrolled card, made from its descriptor."""
    card = cv2.resize(reconstruct(look), CARD, interpolation=cv2.INTER_AREA)
    view = np.full((HEIGHT, WIDTH, 3), AROUND, np.float32)
    view[MARGIN:-MARGIN, MARGIN:-MARGIN] = card
    return np.asarray(np.clip(view, 0, 255).astype(np.uint8))


def straightened(image: Image, quads: Array) -> Bytes:
    """What is within quads (n, 4, 2) of about one size and a little round them, (n, HEIGHT, WIDTH, 3); what
    is outside the picture is black."""
    across = max(float(np.median([geometry.width_of(quad) for quad in quads])), 1.0)
    factor = min(1.0, FINER * CARD[0] / across)
    if factor < 1.0:
        size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    views = [
        cv2.warpPerspective(
            image, geometry.homography(geometry.to_resized(quad, factor), FRAME), (WIDTH, HEIGHT)
        )
        for quad in quads
    ]
    return np.asarray(views, np.uint8)


def as_input(pictures: Bytes) -> Floats:
    """Pictures (n, rows, columns, 3) as input (n, 3, rows, columns), -0.5 to 0.5."""
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32) / np.float32(255.0) - np.float32(
        0.5
    )
