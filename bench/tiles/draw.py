"""57 symbols and round tiles that carry several of them, for measuring the reading of tiles.

25 creatures, seven silhouettes and 25 signs of the DejaVu font, in flat colours, in black and as pale-blue
lines. What is enrolled is one printing (a scan of each); what is photographed is another: other ink, other
line weight, slightly other shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.art.decks.glyphs import GLYPHS, glyph
from companion.art.decks.monsters import BODIES, silhouette
from companion.art.draw.palette import INK, MONSTERS
from companion.art.draw.raster import rasterise
from companion.art.draw.vector import Drawing, Node, Shape, moved, place

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
SIGNS = {
    "telephone": "☎", "plane": "✈", "umbrella": "☂", "snowman": "☃", "skull": "☠", "halves": "☯",
    "scissors": "✂", "letter": "✉", "snowflake": "❄", "notes": "♫", "anchor": "⚓", "flash": "⚡",
    "horse": "♞", "queen": "♕", "shamrock": "☘", "wheel": "⚙", "blossom": "✿", "peace": "☮", "bath": "♨",
    "sun": "☼", "scales": "⚖", "pencil": "✎", "swords": "⚔", "retort": "⚗", "cup": "☕",
}  # fmt: skip
INKS = ("#1a1a1a", "#8fc8ec", "#c62f39", "#2b9a4b", "#1a1a1a", "#e58a17", "#2c6ec4", "#8fc8ec", "#7c49ad")
"""In turn for the signs: black and pale blue are the hard ones."""
SIDE = 320
"""Pixels of a symbol's picture."""
DISC = 900
"""Pixels of a tile's picture."""


def symbols() -> dict[str, Picture]:
    """The 57 symbols on white, SIDE x SIDE, by label. Raises SystemExit without the font."""
    if not FONT.is_file():
        raise SystemExit(f"{FONT} is missing: install the package fonts-dejavu-core")
    tones = list(MONSTERS.values())
    found = {name: _drawn(glyph(name, tones[i % 7].body)) for i, name in enumerate(GLYPHS)}
    for i, name in enumerate(BODIES):
        tone = tones[(i + 3) % 7]
        found[f"shape_{name}"] = _drawn([Shape(silhouette(name), fill=tone.body, stroke=INK, width=0.06)])
    for i, (name, sign) in enumerate(SIGNS.items()):
        found[name] = _sign(sign, INKS[i % len(INKS)])
    return found


def _drawn(nodes: list[Node]) -> Picture:
    drawing = Drawing(3.0, 3.0, tuple(moved(nodes, place(1.5, 1.5, 1.0))))
    return np.asarray(rasterise(drawing, SIDE), np.uint8)


def _sign(sign: str, ink: str) -> Picture:
    sheet = Image.new("RGB", (SIDE, SIDE), "white")
    font = ImageFont.truetype(str(FONT), round(SIDE * 0.72))
    ImageDraw.Draw(sheet).text((SIDE / 2, SIDE / 2), sign, font=font, fill=ink, anchor="mm")
    return np.asarray(np.asarray(sheet)[:, :, ::-1], np.uint8)


def printed(symbol: Picture, rng: Rng, strength: float = 1.0) -> Picture:
    """The symbol as another printing shows it: bent a little, thicker or thinner, in other ink."""
    noise = [cv2.GaussianBlur(rng.normal(0, 1, (SIDE, SIDE)), (0, 0), SIDE / 8) for _ in range(2)]
    bend = [n / max(1e-6, float(np.abs(n).max())) * 0.022 * SIDE * strength for n in noise]
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    matrix = np.eye(2) + rng.normal(0, 0.025 * strength, (2, 2))
    u = (x - SIDE / 2) * matrix[0, 0] + (y - SIDE / 2) * matrix[0, 1] + SIDE / 2 + bend[0]
    v = (x - SIDE / 2) * matrix[1, 0] + (y - SIDE / 2) * matrix[1, 1] + SIDE / 2 + bend[1]
    bent = cv2.remap(symbol, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255))  # fmt: skip
    weight = rng.normal(0, strength)
    if abs(weight) > 0.6:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
        bent = cv2.erode(bent, kernel) if weight > 0 else cv2.dilate(bent, kernel)
    hsv = cv2.cvtColor(bent.astype(np.float32) / 255, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0] + rng.normal(0, 6) * strength) % 360
    hsv[..., 1] = np.clip(hsv[..., 1] * (1 + rng.uniform(-0.3, 0.25) * strength), 0, 1)
    ink = 1 - cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    return np.asarray(255 * (1 - np.clip(ink * (1 - 0.15 * strength * rng.random()), 0, 1)), np.uint8)


def scanned(symbol: Picture, rng: Rng) -> Picture:
    """A scan cut out of a tile: paper white, a narrow margin, now and then a corner of a neighbour."""
    ink = np.argwhere(symbol.min(axis=2) < 235)
    (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
    margin = int(rng.integers(4, 16))
    cut = symbol[top:bottom, left:right]
    cut = cv2.copyMakeBorder(cut, *[margin] * 4, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    if rng.random() < 0.25:
        tint = [int(v) for v in rng.integers(0, 200, 3)]
        cv2.ellipse(cut, (0, 0), (margin, round(margin * 1.8)), 0, 0, 360, tint, -1)
    size = rng.uniform(0.45, 1.0)
    cut = cv2.resize(cut, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    paper = np.array([250, 252, 251]) * rng.uniform(0.95, 1.0)
    return np.asarray(np.clip(cut / 255.0 * paper + rng.normal(0, 1.5, cut.shape), 0, 255), np.uint8)


@dataclass(frozen=True)
class DrawnTile:
    """One tile: its picture on black, how far the paper covers each pixel, its symbols as outlines."""

    picture: Picture
    cover: Picture
    symbols: tuple[tuple[str, Floats], ...]
    """Label and outline (n x 2, pixels of the picture) of each symbol."""


def disc(labels: list[str], prints: dict[str, Picture], rng: Rng) -> DrawnTile:
    """A tile with these symbols, each turned and of a size of its own, packed until they nearly touch."""
    paper = np.full((DISC, DISC, 3), 250.0, np.float32)
    cover = np.zeros((DISC, DISC), np.uint8)
    cv2.circle(cover, (DISC // 2, DISC // 2), DISC // 2 - 4, 255, -1, cv2.LINE_AA)
    free = np.zeros((DISC, DISC), np.uint8)
    cv2.circle(free, (DISC // 2, DISC // 2), DISC // 2 - 24, 255, -1)
    placed: list[tuple[str, Floats]] = []
    sizes = sorted((float(rng.uniform(0.55, 1.25)) for _ in labels), reverse=True)
    for label, size in zip(labels, sizes, strict=True):
        for attempt in range(200):
            wide = SIDE * size * 0.98 ** (attempt / 4)
            here = _laid(prints[label], wide, rng.uniform(0, 360), rng.uniform(0.12, 0.88, 2) * DISC)
            mask = cv2.dilate((here.min(axis=2) < 235).astype(np.uint8), np.ones((15, 15), np.uint8))
            if not (mask.astype(bool) & (free == 0)).any():
                break
        else:
            continue
        free[mask > 0] = 0
        paper *= here.astype(np.float32) / 255
        placed.append((label, _outline(here)))
    return DrawnTile(np.asarray(paper, np.uint8), cover, tuple(placed))


def _laid(symbol: Picture, wide: float, degrees: float, at: Floats) -> Picture:
    matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), degrees, wide / SIDE)
    matrix[:, 2] += np.asarray(at) - SIDE / 2
    soft = cv2.GaussianBlur(symbol, (0, 0), max(0.3, 0.4 * SIDE / wide))
    return np.asarray(
        cv2.warpAffine(soft, matrix, (DISC, DISC), flags=cv2.INTER_LINEAR, borderValue=(255, 255, 255)),
        np.uint8,
    )


def _outline(picture: Picture) -> Floats:
    points = np.argwhere(picture.min(axis=2) < 235)[:, ::-1]
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float32)
