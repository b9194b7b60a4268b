"""Invented games, drawn from a seed: cards that share one frame, cards of colours and numbers, pips.

They stand for decks that cannot be had for measuring. Cards of a framed game have the frame, the text box
and the lettering in common and differ by picture and title alone, as trading cards do.
"""

from __future__ import annotations

import colorsys
import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[float, float, float]

WIDTH, HEIGHT = 500, 700
_SYLLABLES = (
    "ar",
    "bel",
    "cor",
    "dun",
    "eth",
    "fal",
    "gor",
    "hil",
    "ist",
    "kal",
    "lum",
    "mor",
    "nar",
    "oth",
    "pel",
    "quin",
    "ras",
    "sil",
    "tor",
    "und",
    "var",
    "wen",
    "yl",
    "zan",
)


def word(rng: Rng, syllables: int = 0) -> str:
    """A word of no language."""
    count = syllables or int(rng.integers(1, 4))
    return "".join(_SYLLABLES[int(rng.integers(len(_SYLLABLES)))] for _ in range(count)).capitalize()


def hue(h: float, s: float, v: float) -> Colour:
    """Blue, green, red in levels from hue, saturation and value (each 0 to 1)."""
    r, g, b = colorsys.hsv_to_rgb(h % 1.0, min(1.0, max(0.0, s)), min(1.0, max(0.0, v)))
    return (255 * b, 255 * g, 255 * r)


def clouds(width: int, height: int, rng: Rng, rough: float = 0.55, coarse: int = 3) -> Floats:
    """Fractal noise from 0 to 1: octaves of smooth noise, each `rough` times as strong as the one before."""
    total = np.zeros((height, width), np.float32)
    weight, cells = 1.0, coarse
    while cells < max(width, height) / 3:
        grid = rng.standard_normal((max(2, cells * height // width) + 2, cells + 2)).astype(np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= rough
        cells *= 2
    low, high = np.percentile(total, (1, 99))
    return np.asarray(np.clip((total - low) / max(1e-6, high - low), 0, 1), np.float32)


def painting(width: int, height: int, rng: Rng) -> Image:
    """A painted picture: sky, hills, light, a figure or two, sparks and strokes, all of it random."""
    base, other = float(rng.random()), float(rng.random())
    tone = clouds(width, height, rng)[..., None]
    slope = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    high, low = (
        np.array(hue(base, rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.95))),
        np.array(hue(other, rng.uniform(0.1, 0.55), rng.uniform(0.2, 0.9))),
    )
    canvas = (high * (1 - slope) + low * slope) * (0.55 + 0.75 * tone)
    canvas = np.ascontiguousarray(np.clip(canvas, 0, 255).astype(np.uint8))
    if rng.random() < 0.6:
        sun = (int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.5) * height))
        cv2.circle(
            canvas, sun, int(rng.uniform(0.04, 0.14) * width), hue(base + 0.5, 0.25, 1.0), -1, cv2.LINE_AA
        )
    for depth in range(int(rng.integers(1, 4))):
        _hills(
            canvas, height * (0.45 + 0.17 * depth), hue(other + 0.1 * depth, 0.5, 0.65 - 0.17 * depth), rng
        )
    for _ in range(int(rng.integers(1, 4))):
        _figure(canvas, rng)
    _strokes(canvas, rng)
    grain = 0.75 + 0.5 * clouds(width, height, rng, 0.8, 12)[..., None]
    return np.clip(canvas * grain, 0, 255).astype(np.uint8)


def _hills(canvas: Image, level: float, colour: Colour, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    steps = 60
    line = np.cumsum(rng.normal(0, 1, steps))
    line = (line - np.linspace(line[0], line[-1], steps)) * height * rng.uniform(0.01, 0.05)
    points = np.c_[np.linspace(0, width, steps), np.clip(level + line, 0, height)]
    cv2.fillPoly(
        canvas, [np.r_[points, [[width, height], [0, height]]].astype(np.int32)], colour, cv2.LINE_AA
    )


def _figure(canvas: Image, rng: Rng) -> None:
    """A creature of overlapping lobes, lit from one side, with eyes or horns."""
    height, width = canvas.shape[:2]
    x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.35, 0.75) * height
    size, own = rng.uniform(0.09, 0.24) * height, float(rng.random())
    for index in range(int(rng.integers(5, 12))):
        shade = hue(own + rng.normal(0, 0.05), rng.uniform(0.3, 0.9), rng.uniform(0.15, 0.95))
        middle = (int(x + rng.normal(0, 0.6) * size), int(y + rng.normal(0, 0.7) * size))
        axes = (int(size * rng.uniform(0.15, 0.7)) + 1, int(size * rng.uniform(0.1, 0.5)) + 1)
        if index % 3 == 2:
            corners = rng.normal(0, 0.8 * size, (int(rng.integers(3, 6)), 2)) + middle
            cv2.fillPoly(canvas, [cv2.convexHull(corners.astype(np.int32))], shade, cv2.LINE_AA)
        else:
            cv2.ellipse(canvas, middle, axes, float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)
            glow = tuple(min(255.0, 1.3 * c + 20) for c in shade)
            cv2.ellipse(
                canvas, (middle[0] - axes[0] // 4, middle[1] - axes[1] // 4), (axes[0] // 2, axes[1] // 2),
                0, 0, 360, glow, -1, cv2.LINE_AA,
            )  # fmt: skip


def _strokes(canvas: Image, rng: Rng) -> None:
    height, width = canvas.shape[:2]
    for _ in range(int(rng.integers(20, 60))):
        start = rng.uniform(0, 1, 2) * (width, height)
        end = start + rng.normal(0, 0.08, 2) * (width, height)
        colour = hue(float(rng.random()), float(rng.uniform(0, 0.7)), float(rng.uniform(0.1, 1.0)))
        a, b = start.astype(int), end.astype(int)
        cv2.line(
            canvas,
            (int(a[0]), int(a[1])),
            (int(b[0]), int(b[1])),
            colour,
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )


def lettering(
    canvas: Image,
    text: str,
    x: float,
    y: float,
    size: float,
    colour: Colour,
    *,
    font: int = 0,
    weight: float = 1.0,
) -> float:
    """Writes `text` with capitals `size` pixels high, its line at y; returns where it ends. `font` 0 to 3."""
    faces = (
        cv2.FONT_HERSHEY_TRIPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_SIMPLEX,
    )
    scale = size / 21.0
    thick = max(1, round(weight * scale * 1.6))
    cv2.putText(canvas, text, (int(x), int(y)), faces[font % 4], scale, colour, thick, cv2.LINE_AA)
    return x + cv2.getTextSize(text, faces[font % 4], scale, thick)[0][0]


@lru_cache(maxsize=8)
def _frame(game: int) -> Image:
    """What all cards of a framed game share."""
    rng = np.random.default_rng([game, 77])
    card = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    card[:] = (18, 16, 14) if rng.random() < 0.7 else (226, 230, 232)
    own = float(rng.random())
    stone = 0.75 + 0.4 * clouds(WIDTH - 48, HEIGHT - 60, rng, 0.75, 8)[..., None]
    card[24 : HEIGHT - 36, 24 : WIDTH - 24] = np.clip(np.array(hue(own, 0.35, 0.62)) * stone, 0, 255)
    bar, paper = hue(own, 0.14, 0.86), hue(own + 0.05, 0.08, 0.9)
    for top, bottom, colour in ((40, 82, bar), (388, 428, bar), (440, 622, paper)):
        cv2.rectangle(card, (38, top), (WIDTH - 38, bottom), colour, -1)
        cv2.rectangle(card, (38, top), (WIDTH - 38, bottom), hue(own, 0.6, 0.2), 2, cv2.LINE_AA)
    cv2.rectangle(card, (46, 90), (WIDTH - 46, 380), hue(own, 0.6, 0.15), 3)
    return card


@lru_cache(maxsize=64)
def framed_card(game: int, number: int) -> Image:
    """Card `number` of a framed game: the game's frame with a picture, a title and a text of its own."""
    rng = np.random.default_rng([game, number, 5])
    card = _frame(game).copy()
    card[92:379, 48 : WIDTH - 48] = cv2.resize(painting(404, 287, rng), (WIDTH - 96, 287))
    ink = (24.0, 20.0, 20.0)
    title = " ".join(word(rng) for _ in range(int(rng.integers(1, 4))))[:20]
    lettering(card, title, 48, 71, 20, ink)
    for index in range(int(rng.integers(1, 4))):
        centre = (WIDTH - 58 - 28 * index, 61)
        cv2.circle(card, centre, 12, hue(float(rng.integers(5)) / 5, 0.35, 0.9), -1, cv2.LINE_AA)
        cv2.circle(card, centre, 12, ink, 1, cv2.LINE_AA)
    lettering(card, ("Creature", "Spell", "Trick", "Place")[int(rng.integers(4))], 48, 416, 16, ink, font=1)
    y = 470.0
    for _ in range(int(rng.integers(2, 7))):
        line = ""
        while len(line) < 30:
            line += word(rng).lower() + " "
        lettering(card, line[: int(rng.integers(14, 34))], 52, y, 13, ink, font=1, weight=0.7)
        y += 25
    lettering(
        card, word(rng) + " " + word(rng), 48, HEIGHT - 12, 9, (150.0, 150.0, 150.0), font=3, weight=0.6
    )
    return card


@lru_cache(maxsize=64)
def number_card(game: int, colour: int, value: int) -> Image:
    """A card of coloured numbers with a white border, of a house of its own for each `game`."""
    rng = np.random.default_rng([game, 9])
    tones = [hue(h, 0.82, v) for h, v in ((0.0, 0.85), (0.13, 0.95), (0.37, 0.6), (0.6, 0.75))]
    tone = tones[colour % 4]
    card = np.full((HEIGHT, 450, 3), 246, np.uint8)
    cv2.rectangle(card, (28, 28), (421, HEIGHT - 29), tone, -1)
    middle, white = (225, HEIGHT // 2), (244.0, 246.0, 246.0)
    style = int(rng.integers(4))
    if style == 0:
        cv2.ellipse(card, middle, (170, 270), 28, 0, 360, white, 14, cv2.LINE_AA)
    elif style == 1:
        cv2.ellipse(card, middle, (165, 165), 0, 0, 360, white, -1, cv2.LINE_AA)
    elif style == 2:
        diamond = np.array([[225, 130], [400, 350], [225, 570], [50, 350]], np.int32)
        cv2.fillPoly(card, [diamond], white, cv2.LINE_AA)
    else:
        cv2.rectangle(card, (90, 190), (360, 510), white, -1)
    text, font = str(value), int(rng.integers(4))
    big = 190.0
    width = cv2.getTextSize(text, cv2.FONT_HERSHEY_TRIPLEX, big / 21, 16)[0][0]
    ink = white if style == 0 else tone
    lettering(card, text, 225 - width / 2 + 8, 450, big, (20.0, 20.0, 20.0), font=font, weight=1.6)
    lettering(card, text, 225 - width / 2, 442, big, ink, font=font, weight=1.6)
    for _ in range(2):
        lettering(card, text, 46, 106, 58, white, font=font, weight=1.3)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def pip_card(game: int, suit: int, value: int) -> Image:
    """A card of suits and pips, with suits that no common deck has."""
    card = np.full((HEIGHT, WIDTH, 3), (240, 244, 245), np.uint8)
    rng = np.random.default_rng([game, 31])
    tone = hue(0.0 if suit % 2 else 0.62, 0.8, 0.75 if suit % 2 else 0.2)
    sides = (3, 4, 5, 6)[suit % 4]
    places = [(x, y) for y in (130, 240, 350, 460, 570) for x in (150, 250, 350)]
    for index in rng.permutation(len(places))[: max(1, value)]:
        draw_pip(card, places[int(index)], 44, sides, tone)
    for _ in range(2):
        lettering(card, str(value), 22, 62, 40, tone, font=0, weight=1.1)
        draw_pip(card, (44, 96), 18, sides, tone)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def draw_pip(card: Image, middle: tuple[int, int], size: float, sides: int, tone: Colour) -> None:
    turns = np.linspace(0, 2 * math.pi, 2 * sides, endpoint=False) - math.pi / 2
    reach = np.where(np.arange(2 * sides) % 2, 0.45, 1.0) * size
    points = np.c_[np.cos(turns) * reach, np.sin(turns) * reach] + middle
    cv2.fillPoly(card, [np.round(points * 16).astype(np.int32)], tone, cv2.LINE_AA, 4)


def card_back(game: int) -> Image:
    """The reverse of a game's cards."""
    rng = np.random.default_rng([game, 13])
    card = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    own = float(rng.random())
    card[26 : HEIGHT - 26, 26 : WIDTH - 26] = hue(own, 0.75, 0.55)
    step = int(rng.integers(18, 46))
    for x in range(26, WIDTH - 26, step):
        for y in range(26, HEIGHT - 26, step):
            cv2.circle(card, (x, y), step // 3, hue(own + 0.08, 0.5, 0.85), 2, cv2.LINE_AA)
    cv2.ellipse(card, (WIDTH // 2, HEIGHT // 2), (110, 170), 0, 0, 360, hue(own, 0.8, 0.25), -1, cv2.LINE_AA)
    lettering(card, word(rng, 2), 165, 362, 34, hue(own + 0.1, 0.3, 0.95))
    card[:26], card[-26:], card[:, :26], card[:, -26:] = 240, 240, 240, 240
    return card
