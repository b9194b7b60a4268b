"""Prints of a card: the drawing as another printer, another paper and a year of play would show it.

A picture that was enrolled must never be pasted into a test scene as it is: that measures nothing. Each copy
of a card gets its own colour curve, sharpness and wear, always the same for the same seed, label and copy.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import cv2
import numpy as np

from companion.art import registry
from companion.art.raster import Pixels, rasterise
from companion.art.vector import Drawing, Shape

FULL = 528
"""Height in pixels of the sharpest print: 6 to the mm."""


@lru_cache(maxsize=256)
def sharp(game: str, label: str, shown: bool) -> Pixels:
    """The card as drawn, `FULL` pixels high."""
    card = registry.drawing(game, label) if shown else registry.card_back(game)
    return rasterise(card, FULL)


def printed(game: str, label: str, shown: bool, copy: int, worn: float, seed: int) -> Pixels:
    """One copy of a card: `worn` 0 is the drawing itself, 1 a bad print."""
    picture = sharp(game, label, shown)
    if worn == 0:
        return picture
    rng = np.random.default_rng([seed, zlib.crc32(label.encode()), copy])
    height, width = picture.shape[:2]
    part = 1 - rng.uniform(0.1, 0.45) * worn
    small = cv2.resize(picture, (round(width * part), round(height * part)), interpolation=cv2.INTER_AREA)
    picture = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    picture = np.asarray(cv2.LUT(picture, _curves(worn, rng)), np.uint8)
    return _scuffed(picture, worn, rng)


@lru_cache(maxsize=64)
def mask(game: str, height: int) -> Pixels:
    """255 where a card of the game is, 0 outside its edge; one channel, `height` pixels high."""
    card = registry.card_back(game)
    if card.edge is None:
        return np.full((height, round(height * card.width / card.height)), 255, np.uint8)
    flat = Drawing(card.width, card.height, (Shape(card.edge, fill="#000000"),))
    return np.asarray(255 - rasterise(flat, height)[..., 0], np.uint8)


def _curves(worn: float, rng: np.random.Generator) -> Pixels:
    """A colour curve a channel: gamma, gain, and a haze that lifts the blacks, as sleeves do."""
    levels = np.linspace(0, 1, 256)
    gamma = np.exp(rng.normal(0, 0.16 * worn)) * np.exp(rng.normal(0, 0.06 * worn, 3))
    gain = 1 - rng.uniform(0, 0.1, 3) * worn
    haze = rng.uniform(0, 0.14) * worn
    curves = haze + (levels[:, None] ** gamma) * gain * (1 - haze)
    return np.asarray(np.clip(curves * 255, 0, 255), np.uint8).reshape(1, 256, 3)


def _scuffed(picture: Pixels, worn: float, rng: np.random.Generator) -> Pixels:
    """Uneven ink: slow changes of brightness over the card."""
    coarse = rng.normal(1, 0.035 * worn, (5, 4)).astype(np.float32)
    height, width = picture.shape[:2]
    tone = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(picture * tone[..., None], 0, 255), np.uint8)
