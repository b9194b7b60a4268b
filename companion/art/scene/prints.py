"""Prints of a card: the drawing as another printer, another paper and a year of play would show it.

A picture that was enrolled must never be pasted into a test scene as it is: that measures nothing. Each copy
of a card gets its own colour curve, sharpness and wear, always the same for the same seed, label and copy.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.art.decks import registry
from companion.art.draw.raster import Pixels, rasterise
from companion.art.draw.vector import Drawing, Shape, box

FULL = 528
"""Height in pixels of the sharpest print: 6 to the mm."""


SLIP = 0.006
"""Deviation, in card widths, by which the corners of a bad print (worn 1) are off."""


@dataclass(frozen=True, eq=False)
class Photographed:
    """Cards known from pictures instead of drawings: somebody's deck, its cards cut out of photographs.

    `pictures`: by label, each a whole card (BGR), white cards brightened to `WHITE`. The back is plain.
    """

    pictures: Mapping[str, Pixels]


Printed = str | Photographed
"""Whose cards: the name of a game that is drawn, or pictures."""
WHITE = 235.0
CORNER = 0.06
"""Radius of a photographed card's corners, in its widths."""


@lru_cache(maxsize=256)
def sharp(game: Printed, label: str, shown: bool) -> Pixels:
    """The card as drawn or photographed, `FULL` pixels high."""
    if isinstance(game, Photographed):
        picture = game.pictures[label] if shown else np.full_like(next(iter(game.pictures.values())), 90)
        size = (round(FULL * picture.shape[1] / picture.shape[0]), FULL)
        bright = picture * (WHITE / max(40.0, float(np.percentile(picture, 96))))
        whole = np.clip(bright, 0, 255).astype(np.uint8)
        return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    card = registry.drawing(game, label) if shown else registry.card_back(game)
    return rasterise(card, FULL)


def printed(game: Printed, label: str, shown: bool, copy: int, worn: float, seed: int) -> Pixels:
    """One copy of a card: `worn` 0 is the drawing itself, 1 a bad print."""
    picture = sharp(game, label, shown)
    if worn == 0:
        return picture
    rng = np.random.default_rng([seed, zlib.crc32(label.encode()), copy])
    height, width = picture.shape[:2]
    part = 1 - rng.uniform(0.1, 0.45) * min(1.0, worn)
    small = cv2.resize(picture, (round(width * part), round(height * part)), interpolation=cv2.INTER_AREA)
    picture = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    picture = np.asarray(cv2.LUT(picture, _curves(worn, rng)), np.uint8)
    return _scuffed(_cut(picture, worn, rng), worn, rng)


@lru_cache(maxsize=64)
def mask(game: Printed, height: int) -> Pixels:
    """255 where a card of the game is, 0 outside its edge; one channel, `height` pixels high."""
    if isinstance(game, Photographed):
        tall, wide = next(iter(game.pictures.values())).shape[:2]
        edge = box(0, 0, wide, tall, CORNER * wide)
        return np.asarray(
            255 - rasterise(Drawing(wide, tall, (Shape(edge, fill="#000000"),)), height)[..., 0], np.uint8
        )
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


def _cut(picture: Pixels, worn: float, rng: np.random.Generator) -> Pixels:
    """The sheet cut a little beside the marks, the reference cut out a little carelessly: corners moved."""
    height, width = picture.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    slip = rng.normal(0, SLIP * worn * width, (4, 2)) + rng.normal(0, SLIP * worn * width, 2)
    matrix = cv2.getPerspectiveTransform(frame, (frame + slip).astype(np.float32))
    moved = cv2.warpPerspective(
        picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.uint8)


def _scuffed(picture: Pixels, worn: float, rng: np.random.Generator) -> Pixels:
    """Uneven ink: slow changes of brightness over the card."""
    coarse = rng.normal(1, 0.035 * worn, (5, 4)).astype(np.float32)
    height, width = picture.shape[:2]
    tone = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(picture * tone[..., None], 0, 255), np.uint8)
