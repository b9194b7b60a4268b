"""The verifier's three networks: one makes features of a picture, one compares those of two pictures place by
place, and the last one judges what was compared.

What lies in a place is compared with many cards, and a card with many places: features are made once. The
judge may have weights of its own for a deck (see models/vision/verifier/refine.py)."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.image.card_frame import CardFrame
from companion.vision.image.picture import Array, Bools, Bytes, Floats
from companion.vision.models import FOLDER, NetworkRunner, shipped_network

FRAME = CardFrame(96, 144, 8)
"""A card as the verifier sees it."""
FEATURES_SHAPE = (32, FRAME.height // 4, FRAME.width // 4)
"""Planes, rows and columns of the features of one picture."""
FEATURE_STEP = 1 / 40
"""Features are kept in such steps, from 0 on, as bytes."""
ENROLLED_VISIBLE = np.zeros((FRAME.height, FRAME.width), bool)
ENROLLED_VISIBLE[FRAME.margin : -FRAME.margin, FRAME.margin : -FRAME.margin] = True
"""What is known of an enrolled card's picture."""
FEATURES, COMPARISON, JUDGE = "verifier/features.onnx", "verifier/comparison.onnx", "verifier/judge.onnx"
SPANS = "verifier/judge.json"
"""Where the weights stand in the judge's file."""
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


def compared(seen: Floats, cards: Floats) -> Floats:
    """What the judge is given (n, planes, rows, columns) of pictures of quads and of cards, from the features
    of both."""
    return shipped_network(COMPARISON).forward(np.concatenate([seen, cards], axis=1))


def log_odds(seen: Floats, cards: Floats, judge: NetworkRunner | None = None) -> Floats:
    """The log odds (n,) that pictures of quads show these cards, from the features of both, by a deck's own
    `judge` or by the shipped one."""
    judge = judge or shipped_network(JUDGE)
    return np.asarray(judge.forward(compared(seen, cards))[:, 0], np.float32)


def judge_with(weights: Array) -> NetworkRunner:
    """The judge with the weights (number_of_weights(),) of a deck."""
    data, begin = bytearray((FOLDER / JUDGE).read_bytes()), 0
    for at, count in judge_spans():
        data[at : at + 4 * count] = weights[begin : begin + count].astype("<f4").tobytes()
        begin += count
    return NetworkRunner(bytes(data))


def shipped_weights() -> Floats:
    """The weights of the shipped judge (number_of_weights(),): of each of its layers, in their order, those
    of its inputs and those that are added."""
    data = (FOLDER / JUDGE).read_bytes()
    return np.concatenate([np.frombuffer(data, "<f4", count, at) for at, count in judge_spans()])


def number_of_weights() -> int:
    """How many weights the judge has."""
    return sum(count for _, count in judge_spans())


@lru_cache(maxsize=1)
def judge_spans() -> tuple[tuple[int, int], ...]:
    """Offset in the judge's file and number of values of each array of weights."""
    about = json.loads((FOLDER / SPANS).read_text())
    return tuple((int(at), int(count)) for at, count in about["spans"])


@lru_cache(maxsize=1)
def network_version() -> str:
    """Which network made features: those of another one say nothing to this one."""
    return _hash_of(FEATURES)


@lru_cache(maxsize=1)
def judge_version() -> str:
    """For which networks weights of a judge were refined: they say nothing to others."""
    return _hash_of(FEATURES, COMPARISON, JUDGE)


def _hash_of(*files: str) -> str:
    return hashlib.sha256(b"".join((FOLDER / file).read_bytes() for file in files)).hexdigest()[:16]
