"""The verifier's input, and how OpenCV runs it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.vision.image.picture import Bytes, Floats
from companion.vision.namer.network import FOLDER, NetworkRunner

FILE, ABOUT = "verifier/verifier.onnx", "verifier/verifier.json"
LARGEST = 3.0
"""Deviations of a picture's levels beyond which all are one."""
FLOOR = 8.0
"""Grey levels of deviation below which a channel is not made stronger any more."""


def planes_of(pictures: Bytes) -> Floats:
    """Pictures (n, rows, columns, 3) as six planes each (n, 6, rows, columns): the colours, -0.5 to 0.5, and
    the colours less their mean, by their deviation, as another lamp or a veil would hardly change them."""
    levels = pictures.transpose(0, 3, 1, 2).astype(np.float32)
    mean, deviation = levels.mean(axis=(2, 3), keepdims=True), levels.std(axis=(2, 3), keepdims=True)
    even = np.clip((levels - mean) / np.maximum(deviation, FLOOR), -LARGEST, LARGEST) / (2.0 * LARGEST)
    return np.ascontiguousarray(np.concatenate([levels / 255.0 - 0.5, even], axis=1), np.float32)


@lru_cache(maxsize=1)
def verifier() -> NetworkRunner:
    """The shipped verifier."""
    return NetworkRunner((FOLDER / FILE).read_bytes())


def log_odds(seen: Floats, cards: Floats) -> Floats:
    """The log odds (n,) that pictures of quads show these cards; planes (n, 6, HEIGHT, WIDTH) of both."""
    return np.asarray(verifier().forward(np.concatenate([seen, cards], axis=1))[:, 0], np.float32)
