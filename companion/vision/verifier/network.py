"""The verifier's two networks: one makes features of a picture, one compares those of two pictures.

What lies in a place is compared with many cards, and a card with many places: features are made once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.vision.image.picture import Bytes, Floats
from companion.vision.namer.network import FOLDER, NetworkRunner

FEATURES, COMPARISON = "verifier/features.onnx", "verifier/comparison.onnx"
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


@lru_cache(maxsize=2)
def _network(file: str) -> NetworkRunner:
    """One of the shipped networks."""
    return NetworkRunner((FOLDER / file).read_bytes())


def features_of(pictures: Bytes) -> Floats:
    """The features (n, channels, HEIGHT / 4, WIDTH / 4) of pictures (n, HEIGHT, WIDTH, 3)."""
    return _network(FEATURES).forward(planes_of(pictures))


def log_odds(seen: Floats, cards: Floats) -> Floats:
    """The log odds (n,) that pictures of quads show these cards, from the features of both."""
    both = np.concatenate([seen, cards], axis=1)
    return np.asarray(_network(COMPARISON).forward(both)[:, 0], np.float32)
