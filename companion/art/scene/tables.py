"""What the cards lie on: wood, cloth, a printed mat, a white table, a checked cloth."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art.draw.palette import MONSTERS, mix
from companion.art.draw.patterns import PATTERNS
from companion.art.draw.raster import Pixels, rasterise
from companion.art.draw.vector import Drawing, Shape, box, ellipse

Field = NDArray[np.float32]
"""One number a pixel."""


def table(kind: str, width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """A table top of `width` x `height` pixels, `density` of them to the mm; `kind` is a key of TABLES."""
    return TABLES[kind](width, height, density, rng)


def _cloud(width: int, height: int, rng: np.random.Generator, across: float, down: float) -> Field:
    """Smooth noise of mean 0 and deviation about 1 whose features are `across` x `down` pixels."""
    columns, rows = max(2, int(width / across)) + 3, max(2, int(height / down)) + 3
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine, np.float32)


def _tinted(colour: str, tone: Field, strength: float) -> Pixels:
    value = int(colour[1:], 16)
    base = np.array([value & 255, (value >> 8) & 255, value >> 16], np.float32)
    return np.clip(base * (1 + strength * tone[..., None]), 0, 255).astype(np.uint8)


def _pick(rng: np.random.Generator, *colours: str) -> str:
    return colours[int(rng.integers(len(colours)))]


def wood(width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """Planks with grain along the table."""
    colour = _pick(rng, "#8a5a34", "#b98a58", "#5d3a22", "#d0a878")
    rings = _cloud(width, height, rng, 500, 26) * 2.2 + _cloud(width, height, rng, 160, 9) * 0.5
    grain = np.sin(rings * 4.0) * 0.5 + _cloud(width, height, rng, 60, 1.5) * 0.35
    picture = _tinted(colour, grain.astype(np.float32), 0.11)
    plank = max(60, int(rng.uniform(90, 150) * density))
    for top in range(int(rng.integers(plank)), height, plank):
        picture[top : top + 2] = (picture[top : top + 2] * 0.55).astype(np.uint8)
        shade = float(rng.uniform(0.9, 1.1))
        picture[top + 2 : top + plank] = np.clip(picture[top + 2 : top + plank] * shade, 0, 255).astype(
            np.uint8
        )
    return picture


def cloth(width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """Felt: one colour, fine fibres, soft folds."""
    colour = _pick(rng, "#1f6b45", "#23486f", "#7a2430", "#3a3a44", "#8d8676")
    fibres = rng.standard_normal((height, width)).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(fibres, (0, 0), 0.8), np.float32)
    tone = soft * 0.9 + _cloud(width, height, rng, 260, 260) * 0.35
    return _tinted(colour, tone.astype(np.float32), 0.09)


def mat(width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """A printed play mat, busy on purpose: patterns, discs and frames in the cards' own colours."""
    names = list(MONSTERS)
    size = (width / density, height / density)
    ground = mix(MONSTERS[names[int(rng.integers(7))]].deep, "#202030", float(rng.uniform(0.3, 0.7)))
    nodes: list[Shape] = [Shape(box(0, 0, *size), fill=ground)]
    other = names[int(rng.integers(7))]
    nodes += PATTERNS[other]((0.0, 0.0, *size), 40.0, mix(ground, MONSTERS[other].body, 0.25))
    for _ in range(26):
        x, y, radius = rng.uniform(0, size[0]), rng.uniform(0, size[1]), rng.uniform(15, 90)
        colour = mix(ground, MONSTERS[names[int(rng.integers(7))]].body, float(rng.uniform(0.2, 0.7)))
        disc = ellipse(x, y, radius) if rng.random() < 0.6 else box(x, y, radius * 1.4, radius, 6)
        if rng.random() < 0.5:
            nodes.append(Shape(disc, fill=colour))
        else:
            nodes.append(Shape(disc, stroke=colour, width=float(rng.uniform(2, 9))))
    picture = rasterise(Drawing(*size, tuple(nodes)), height)
    return np.asarray(cv2.resize(picture, (width, height)), np.uint8)


def white(width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """A white table: hardly anything to hold on to, and no edge against a card's border."""
    tone = _cloud(width, height, rng, 300, 300) * 0.5 + _cloud(width, height, rng, 3, 3) * 0.4
    return _tinted(_pick(rng, "#f0eeea", "#e4e2de", "#f6f4f4"), tone.astype(np.float32), 0.015)


def checked(width: int, height: int, density: float, rng: np.random.Generator) -> Pixels:
    """A checked tablecloth."""
    side = float(rng.uniform(14, 40) * density)
    colour = _pick(rng, "#b03038", "#2f5f9c", "#3c7d4a")
    x = (np.arange(width) / side).astype(int) % 2
    y = (np.arange(height) / side).astype(int) % 2
    weave = rng.standard_normal((height, width)).astype(np.float32) * 0.03
    share = (x[None, :] + y[:, None]) / 2
    base = np.array([int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)], np.float32)
    picture = 240 * (1 - share[..., None]) + base * share[..., None]
    return np.asarray(np.clip(picture * (1 + weave[..., None]), 0, 255), np.uint8)


TABLES: dict[str, Callable[[int, int, float, np.random.Generator], Pixels]] = {
    "wood": wood,
    "cloth": cloth,
    "mat": mat,
    "white": white,
    "checked": checked,
}
