"""The verifier's two networks: one makes features of a picture, one compares those of two pictures.

What lies in a place is compared with many cards, and a card with many places: features are made once."""

from __future__ import annotations

from functools import lru_cache

import cv2
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
    planes = np.empty((len(pictures), 6, *pictures.shape[1:3]), np.float32)
    for plane, picture in zip(planes, pictures, strict=True):
        levels = picture.transpose(2, 0, 1)
        mean, deviation = (one[:, None] for one in cv2.meanStdDev(picture))
        np.multiply(levels, np.float32(1 / 255), out=plane[:3])
        plane[:3] -= 0.5
        np.subtract(levels, mean, out=plane[3:], casting="same_kind")
        plane[3:] /= (2.0 * LARGEST) * np.maximum(deviation, FLOOR)
        np.clip(plane[3:], -0.5, 0.5, out=plane[3:])
    return planes


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
