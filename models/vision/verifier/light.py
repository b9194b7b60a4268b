"""Other light on the pictures that the verifier learns from: reflections, paleness, exposures and casts,
drawn anew at every step, so that views that were made once differ every time."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Bytes

PALE = 0.35
"""Share of the views that are made paler than they are."""
REFLECTING = 0.25
"""Share of the views with reflections."""


def reflecting(pictures: Bytes, rng: np.random.Generator) -> Bytes:
    """Pictures (n, rows, columns, 3), some of them with lamps or a window that a sleeve or a gloss reflects:
    ellipses, broad or long, with a soft or a sharp edge, up to pure white."""
    shown = pictures.copy()
    rows, columns = pictures.shape[1:3]
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) / np.float32(columns)
    for at in np.flatnonzero(rng.random(len(shown)) < REFLECTING):
        light = np.zeros((rows, columns), np.float32)
        for _ in range(int(rng.integers(1, 3))):
            right, down = x - rng.uniform(0, 1), y - rng.uniform(0, rows / columns)
            turn, half = rng.uniform(0, np.pi), rng.uniform(0.04, 0.25)
            along = (right * np.cos(turn) + down * np.sin(turn)) / (half * np.exp(rng.uniform(0, 2)))
            across = (down * np.cos(turn) - right * np.sin(turn)) / half
            edge = rng.uniform(1, 8)
            light += np.clip(edge * (1 - np.hypot(along, across)), 0, 1) * rng.uniform(0.15, 1.2)
        lamp = 255 * np.exp(rng.normal(0, 0.05, 3))
        shown[at] = np.clip(shown[at] + light[..., None] * lamp, 0, 255)
    return shown


def faded(pictures: Bytes, rng: np.random.Generator) -> Bytes:
    """Pictures (n, rows, columns, 3), some of them pale, as before a window or by a cheap camera."""
    pale = rng.random((len(pictures), 1, 1, 1)) < PALE
    colour = np.where(pale, rng.uniform(0.25, 1.0, pale.shape), 1.0)
    veil = np.where(pale, rng.uniform(0.0, 0.35, pale.shape), 0.0)
    light = rng.uniform(90, 255, (len(pictures), 1, 1, 3))
    grey = pictures.mean(axis=3, keepdims=True)
    return np.asarray((grey + (pictures - grey) * colour) * (1 - veil) + light * veil, np.uint8)


def varied(pictures: Bytes, rng: np.random.Generator) -> Bytes:
    """Pictures with other exposures and casts, so that views made once differ every time."""
    gains = np.exp(
        rng.normal(0, 0.1, (len(pictures), 1, 1, 1)) + rng.normal(0, 0.06, (len(pictures), 1, 1, 3))
    )
    return np.asarray(np.clip(pictures * gains, 0, 255), np.uint8)
