"""The verifier's two networks: one makes features of a picture, one compares those of two pictures.

What lies in a place is compared with many cards, and a card with many places: features are made once."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.image.card_frame import CardFrame
from companion.vision.image.picture import Bools, Bytes, Floats
from companion.vision.models import FOLDER, shipped_network

FRAME = CardFrame(96, 144, 8)
"""A card as the verifier sees it."""
FEATURES_SHAPE = (32, FRAME.height // 4, FRAME.width // 4)
"""Planes, rows and columns of the features of one picture."""
FEATURE_STEP = 1 / 40
"""Features are kept in such steps, from 0 on, as bytes."""
ENROLLED_VISIBLE = np.zeros((FRAME.height, FRAME.width), bool)
ENROLLED_VISIBLE[FRAME.margin : -FRAME.margin, FRAME.margin : -FRAME.margin] = True
"""What is known of an enrolled card's picture."""
FEATURES, COMPARISON = "verifier/features.onnx", "verifier/comparison.onnx"
LARGEST = 3.0
"""Deviations of a picture's levels beyond which all are one."""
FLOOR = 8.0
"""Grey levels of deviation below which a channel is not made stronger any more."""


def planes_of(pictures: Bytes, visible: Bools) -> Floats:
    """Pictures (n, rows, columns, 3) as seven planes each (n, 7, rows, columns): the colours, -0.5 to 0.5;
    the colours less their mean, by their deviation, as another lamp or a veil would hardly change them; and
    what may show a card. The others are 0 where `visible` (n, rows, columns) is not."""
    planes = np.empty((len(pictures), 7, *pictures.shape[1:3]), np.float32)
    for plane, picture, shown in zip(planes, pictures, visible, strict=True):
        levels, seen = picture.transpose(2, 0, 1), np.asarray(shown, np.uint8)
        mean, deviation = (one[:, None] for one in cv2.meanStdDev(picture, mask=seen))
        step = (2.0 * LARGEST) * np.maximum(deviation, FLOOR)
        np.multiply(levels, np.float32(1 / 255), out=plane[:3])
        plane[:3] -= 0.5
        np.subtract(levels, mean, out=plane[3:6], casting="same_kind")
        plane[3:6] /= step
        np.clip(plane[3:6], -0.5, 0.5, out=plane[3:6])
        plane[6] = shown
        if not seen.all():
            plane[:6] *= plane[6]
    return planes


def features_of(pictures: Bytes, visible: Bools) -> Floats:
    """The features (n, *FEATURES_SHAPE), all of them positive, of pictures (n, FRAME.height, FRAME.width, 3)
    of which some is `visible` (n, FRAME.height, FRAME.width)."""
    return shipped_network(FEATURES).forward(planes_of(pictures, visible))


def packed(features: Floats) -> Bytes:
    """Features as bytes."""
    return np.asarray(np.clip(np.rint(features / FEATURE_STEP), 0, 255), np.uint8)


def unpacked(features: Bytes) -> Floats:
    """Features from bytes."""
    return features.astype(np.float32) * np.float32(FEATURE_STEP)


def log_odds(seen: Floats, cards: Floats) -> Floats:
    """The log odds (n,) that pictures of quads show these cards, from the features of both."""
    both = np.concatenate([seen, cards], axis=1)
    return np.asarray(shipped_network(COMPARISON).forward(both)[:, 0], np.float32)


@lru_cache(maxsize=1)
def network_version() -> str:
    """Which network made features: those of another one say nothing to this one."""
    return hashlib.sha256((FOLDER / FEATURES).read_bytes()).hexdigest()[:16]
