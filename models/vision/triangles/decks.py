"""Decks of triangular cards drawn by code: what the network that compares triangular cards learns from.

The cards of a deck differ by their colours, most of them by their patterns too. Palettes, rims, patterns and
drawings are at random; neither the companion's own deck nor one that bench.lattice measures with is among
them."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from companion.vision.image.picture import Array, Floats

Rng = np.random.Generator
TALL = 260
"""Pixels of a card's height."""
WIDE = round(TALL / math.sqrt(0.75))
CORNERS = np.array([[WIDE / 2, 0], [WIDE, TALL], [0, TALL]])
MIDDLE = CORNERS.mean(axis=0)
CARDS = (5, 10)
"""Fewest cards of a deck, and most less one."""
PATTERNS = ("none", "none", "stripes", "dots", "rings", "checks", "corners", "halves", "cloud")
DRAWINGS = ("none", "blot", "blot", "disc", "pictogram", "pictogram", "eyes", "thrice", "face")


@dataclass(frozen=True)
class TriangleStyle:
    """What the cards of a deck share: width of the rim (share of a card), kind of rim, corner radius in
    pixels, and whether all cards have one pattern and one drawing."""

    rim: float
    rim_kind: str
    line: bool
    radius: float
    patterns: Sequence[str]
    drawings: Sequence[str]
    scale: float


def palette(count: int, rng: Rng) -> list[Floats]:
    """Colours (blue, green, red; 0 to 255) of a deck's cards: hues at about equal distances, of about equal
    or of any strength, and some of black, white, grey and brown."""
    start, kind = rng.random(), rng.random()
    saturation, value = rng.uniform(0.35, 0.95), rng.uniform(0.55, 0.98)
    spread = 0.03 if kind < 0.5 else 0.12
    found = []
    for at in range(count):
        hue = start + at / count + rng.normal(0, 0.25 / count)
        if rng.random() < 0.12:
            tone = (hue, rng.uniform(0, 0.35), rng.choice([rng.uniform(0.1, 0.3), rng.uniform(0.3, 0.95)]))
        else:
            tone = (
                hue,
                float(np.clip(saturation + rng.normal(0, spread), 0.25, 1)),
                float(np.clip(value + rng.normal(0, spread), 0.3, 1)),
            )
        found.append(_bgr(*tone))
    if rng.random() < 0.4:
        found[-1] = _bgr(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.08, 0.25))
    return found


def _bgr(hue: float, saturation: float, value: float) -> Floats:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return np.array([blue, green, red], np.float32) * 255


def random_style(rng: Rng) -> TriangleStyle:
    """A style at random."""
    same = rng.random()
    patterns = [str(rng.choice(PATTERNS))] if same < 0.5 else list(PATTERNS)
    drawings = [str(rng.choice(DRAWINGS))] if rng.random() < 0.6 else list(DRAWINGS)
    return TriangleStyle(
        rim=float(rng.choice([0, 0, rng.uniform(0.02, 0.08), rng.uniform(0.05, 0.16)])),
        rim_kind=str(rng.choice(["white", "white", "dark", "pale", "deep"])),
        line=bool(rng.random() < 0.4),
        radius=float(rng.uniform(0, 26)),
        patterns=patterns,
        drawings=drawings,
        scale=float(rng.uniform(0.7, 1.4)),
    )


def made_faces(typefaces: Sequence[Path], rng: Rng) -> dict[str, Floats]:
    """The cards of a deck (TALL, WIDE, 4): blue, green, red and how much of the card is there, 0 to 255."""
    style, colours = random_style(rng), palette(int(rng.integers(*CARDS)), rng)
    mask = _outline(style.radius)
    return {
        f"card {at}": np.dstack([_drawn(style, tone, typefaces, rng), mask]).astype(np.float32)
        for at, tone in enumerate(colours)
    }


def _outline(radius: float) -> Floats:
    """How much of the card is there (TALL, WIDE), 0 to 255, its corners rounded by so many pixels."""
    wide = np.zeros((2 * TALL, 2 * WIDE), np.uint8)
    inner = MIDDLE + (CORNERS - MIDDLE) * (1 - radius / (TALL / 3))
    cv2.fillPoly(wide, [np.round(2 * inner).astype(np.int32)], 255)
    if radius >= 1:
        size = 2 * round(2 * radius) + 1
        wide = np.asarray(cv2.dilate(wide, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))))
    return np.asarray(cv2.resize(wide, (WIDE, TALL), interpolation=cv2.INTER_AREA), np.float32)


def _drawn(style: TriangleStyle, tone: Floats, typefaces: Sequence[Path], rng: Rng) -> Floats:
    """One card (TALL, WIDE, 3)."""
    deep = np.clip(tone * rng.uniform(0.4, 0.8) if tone.max() > 90 else tone * 2.2 + 15, 0, 255)
    other = rng.choice([deep, tone * 0.4 + 150, _bgr(rng.random(), 0.7, 0.8)])
    rims = {"white": np.full(3, rng.uniform(225, 252)), "dark": np.full(3, rng.uniform(12, 60)),
            "pale": tone * 0.35 + 160, "deep": tone * 0.5}  # fmt: skip
    card = np.zeros((TALL, WIDE, 3), np.float32)
    card[:] = tone
    pattern = _pattern(str(rng.choice(style.patterns)), style.scale, rng)
    card += (other - card) * pattern[..., None] * rng.uniform(0.5, 1)
    _draw(card, str(rng.choice(style.drawings)), np.asarray(deep), typefaces, style.scale, rng)
    inside = np.zeros((TALL, WIDE), np.uint8)
    inner = MIDDLE + (CORNERS - MIDDLE) * (1 - 2 * style.rim)
    cv2.fillPoly(inside, [np.round(inner * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    share = inside[..., None].astype(np.float32) / 255
    card = rims[style.rim_kind] * (1 - share) + card * share
    if style.line:
        edge = MIDDLE + (CORNERS - MIDDLE) * 0.97
        cv2.polylines(card, [np.round(edge).astype(np.int32)], True, (20.0, 20.0, 24.0), 3, cv2.LINE_AA)
    return np.clip(card, 0, 255)


def _pattern(kind: str, scale: float, rng: Rng) -> Floats:
    """Where a card is of its other colour (TALL, WIDE), 0 to 1."""
    y, x = np.mgrid[0:TALL, 0:WIDE].astype(np.float32)
    step, turn = 24 * scale, rng.uniform(0, math.pi)
    u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    far = np.hypot(x - MIDDLE[0], y - MIDDLE[1])
    if kind == "stripes":
        made = np.sin(2 * math.pi * u / step)
    elif kind == "dots":
        made = np.sin(2 * math.pi * u / step) * np.sin(2 * math.pi * v / step) - 0.4
    elif kind == "rings":
        made = np.sin(2 * math.pi * far / step)
    elif kind == "checks":
        made = np.sin(2 * math.pi * u / step) * np.sin(2 * math.pi * v / step)
    elif kind == "corners":
        made = far / TALL - rng.uniform(0.3, 0.5)
    elif kind == "halves":
        made = u - float(MIDDLE @ [math.cos(turn), math.sin(turn)])
    elif kind == "cloud":
        made = cv2.resize(rng.normal(0, 1, (6, 7)), (WIDE, TALL), interpolation=cv2.INTER_CUBIC)
    else:
        return np.zeros((TALL, WIDE), np.float32)
    return np.asarray(cv2.GaussianBlur((made > 0).astype(np.float32), (0, 0), 1.0), np.float32)


def _draw(card: Floats, kind: str, deep: Floats, typefaces: Sequence[Path], scale: float, rng: Rng) -> None:
    """A drawing on the card, in place."""
    ink = np.zeros((TALL, WIDE), np.uint8)
    ways = [0.0, 2 * math.pi / 3, 4 * math.pi / 3]
    if kind in ("blot", "face"):
        angles = np.linspace(0, 2 * math.pi, 90)
        arms = int(rng.integers(2, 9))
        reach = TALL * rng.uniform(0.14, 0.26) * (1 + rng.uniform(0.1, 0.4) * np.sin(arms * angles))
        blot = MIDDLE + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
        cv2.fillPoly(ink, [np.round(blot).astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == "disc":
        cv2.circle(ink, _pixel(MIDDLE), round(TALL * rng.uniform(0.1, 0.25)), 255, -1, cv2.LINE_AA)
    elif kind == "pictogram":
        ink = _pictogram(typefaces, MIDDLE, TALL * rng.uniform(0.3, 0.55), rng)
    elif kind == "thrice":
        size, far = TALL * rng.uniform(0.12, 0.22), TALL * rng.uniform(0.2, 0.42)
        for way in ways:
            at = MIDDLE + far * np.array([math.sin(way), -math.cos(way)])
            cv2.circle(ink, _pixel(at), round(size / 2), 255, -1, cv2.LINE_AA)
    colour = deep if rng.random() < 0.6 else np.asarray(_bgr(rng.random(), rng.random(), rng.uniform(0.1, 1)))
    card += (colour - card) * (ink[..., None] / np.float32(255))
    if kind in ("eyes", "face"):
        for x in (-0.07, 0.07) if rng.random() < 0.7 else (0.0,):
            eye = MIDDLE + np.array([x * scale, rng.uniform(-0.05, 0.0)]) * TALL
            cv2.circle(card, _pixel(eye), round(0.05 * scale * TALL), (240.0, 245.0, 245.0), -1, cv2.LINE_AA)
            cv2.circle(card, _pixel(eye), round(0.022 * scale * TALL), (25.0, 20.0, 20.0), -1, cv2.LINE_AA)


def _pixel(at: Array) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _pictogram(typefaces: Sequence[Path], at: Array, size: float, rng: Rng) -> Array:
    """A sign of a typeface (TALL, WIDE), 0 to 255, about `at`."""
    sheet = PillowImage.new("L", (WIDE, TALL), 0)
    blocks = (range(0x1F400, 0x1F640), range(0xF000, 0xF1F0), range(0x41, 0x5B))
    block = blocks[int(rng.integers(len(blocks)))]
    face = ImageFont.truetype(str(typefaces[int(rng.integers(len(typefaces)))]), round(size))
    sign = chr(int(rng.integers(block.start, block.stop)))
    ImageDraw.Draw(sheet).text((float(at[0]), float(at[1])), sign, font=face, fill=255, anchor="mm")
    return np.asarray(sheet, np.uint8)
