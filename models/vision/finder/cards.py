"""Invented decks for training pictures. Cards of a monster share a colour, cards of a deck a design."""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass

import cv2
import numpy as np

from models.vision.finder.grounds import Floats, Rng, colour, noise, write

CARD_WIDTH = 132
"""Width in pixels of a drawn card."""


@dataclass(frozen=True)
class Design:
    """What the cards of a deck share."""

    height: int
    border: int
    paper: Floats
    rim: Floats | None
    family: int
    font: int
    corner: float
    saturation: float
    value: float
    inner: int
    strange: bool
    """No colour of the monster's anywhere: pictures alone."""


def random_design(rng: Rng) -> Design:
    """The design of a deck that nobody has seen."""
    white = np.full(3, float(rng.uniform(215, 255)), np.float32)
    paper = white if rng.random() < 0.65 else colour(rng, (0, 0.5), (0.03, 1))
    return Design(
        height=round(CARD_WIDTH * float(rng.uniform(1.3, 1.62))),
        border=int(rng.integers(0, 11)),
        paper=paper,
        rim=colour(rng, (0, 1), (0, 0.6)) if rng.random() < 0.3 else None,
        family=int(rng.integers(7)),
        font=int(rng.integers(0, 5)),
        corner=float(rng.uniform(0, 0.09)),
        saturation=float(rng.uniform(0.15, 0.95)),
        value=float(rng.uniform(0.35, 1.0)),
        inner=int(rng.integers(0, 4)),
        strange=bool(rng.random() < 0.2),
    )


def tone(design: Design, hue: float, saturation: float = 1.0, value: float = 1.0) -> Floats:
    """A colour of a monster in that design."""
    r, g, b = colorsys.hsv_to_rgb(
        hue % 1, min(1, design.saturation * saturation), min(1, design.value * value)
    )
    return np.array([b, g, r], np.float32) * 255


def draw(design: Design, hue: float, number: int, rng: Rng, *, joker: bool = False) -> Floats:
    """A card (height, CARD_WIDTH, 3); `hue` 0 to 1 is its monster's."""
    card = np.empty((design.height, CARD_WIDTH, 3), np.float32)
    card[:] = design.paper
    b = design.border
    field = card[b : design.height - b, b : CARD_WIDTH - b]
    family = (design.family + 3) % 7 if joker else design.family
    own = float(rng.random()) if design.strange or joker else hue
    (_pips, _solid, _banded, _picture, _pattern, _oval, _framed)[family](field, design, own, number, rng)
    if design.rim is not None:
        cv2.rectangle(
            card, (b, b), (CARD_WIDTH - 1 - b, design.height - 1 - b), design.rim.tolist(), 1 + design.inner
        )
    if rng.random() < 0.9:
        card = _indexed(card, design, own, "*" if joker else str(number))
    return card


def _pips(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    height, width = field.shape[:2]
    for _ in range(number):
        at = (int(rng.uniform(0.2, 0.8) * width), int(rng.uniform(0.12, 0.88) * height))
        sides = int(rng.integers(3, 7))
        turns = np.linspace(0, 2 * math.pi, sides, endpoint=False)
        reach = float(rng.uniform(6, 15))
        points = np.c_[np.cos(turns), np.sin(turns)] * reach + at
        cv2.fillPoly(field, [points.astype(np.int32)], tone(design, hue, 1.5).tolist(), cv2.LINE_AA)


def _solid(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    field[:] = tone(design, hue)
    height, width = field.shape[:2]
    ink = colour(rng, (0, 0.2), (0, 1)).tolist()
    scale = float(rng.uniform(1.5, 4))
    size = cv2.getTextSize(str(number), design.font, scale, 5)[0]
    at = (int(width / 2 - size[0] / 2), int(height / 2 + size[1] / 2))
    write(field, str(number), at, design.font, scale, ink, int(rng.integers(2, 8)))


def _banded(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    field[:] = tone(design, hue)
    height, width = field.shape[:2]
    for _ in range(int(rng.integers(1, 5))):
        top, thick = float(rng.uniform(0, 0.9)) * height, float(rng.uniform(0.03, 0.3)) * height
        slant = float(rng.normal(0, 0.15)) * height * (rng.random() < 0.6)
        band = np.array(
            [[0, top - slant], [width, top + slant], [width, top + thick + slant], [0, top + thick - slant]]
        )
        shade = tone(design, hue, float(rng.uniform(0.2, 1)), float(rng.uniform(0.5, 1.5)))
        cv2.fillPoly(field, [band.astype(np.int32)], shade.tolist(), cv2.LINE_AA)
    _solid_number(field, number, rng)


def _solid_number(field: Floats, number: int, rng: Rng) -> None:
    height, width = field.shape[:2]
    ink = colour(rng, (0, 0.3), (0, 1)).tolist()
    at = (int(width * 0.38), int(height * float(rng.uniform(0.4, 0.7))))
    write(field, str(number), at, 3, float(rng.uniform(0.8, 2.5)), ink, 3)


def _picture(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    """A painting: a cloudy ground and figures in colours of their own."""
    height, width = field.shape[:2]
    first, second = colour(rng), tone(design, hue) if rng.random() < 0.5 else colour(rng)
    mix = np.clip(
        0.5 + 0.35 * noise(width, height, float(rng.uniform(15, 60)), float(rng.uniform(15, 60)), rng), 0, 1
    )
    field[:] = first * mix[..., None] + second * (1 - mix[..., None])
    for _ in range(int(rng.integers(3, 25))):
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(2, 40)), int(rng.uniform(2, 40)))
        if rng.random() < 0.6:
            cv2.ellipse(
                field, at, axes, float(rng.uniform(0, 180)), 0, 360, colour(rng).tolist(), -1, cv2.LINE_AA
            )
        else:
            corners = (rng.normal(0, 30, (int(rng.integers(3, 6)), 2)) + at).astype(np.int32)
            cv2.fillPoly(field, [cv2.convexHull(corners)], colour(rng).tolist(), cv2.LINE_AA)
    field *= (1 + 0.12 * noise(width, height, 3, 3, rng))[..., None]


def _pattern(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    """Patterned paper of one colour with a creature on it."""
    height, width = field.shape[:2]
    field[:] = tone(design, hue, 0.5, 1.2)
    ink, step, kind = tone(design, hue, 0.8).tolist(), int(rng.integers(6, 22)), int(rng.integers(3))
    for y in range(0, height + step, step):
        if kind == 0:
            cv2.line(field, (0, y), (width, y), ink, max(1, step // 4))
        elif kind == 1:
            cv2.line(field, (0, y - width // 2), (width, y + width // 2), ink, max(1, step // 4), cv2.LINE_AA)
        else:
            for x in range(0, width + step, step):
                cv2.circle(
                    field, (x + (y // step % 2) * step // 2, y), max(1, step // 4), ink, -1, cv2.LINE_AA
                )
    for _ in range(int(rng.integers(1, 6))):
        at = (int(rng.normal(0.5, 0.1) * width), int(rng.normal(0.5, 0.12) * height))
        axes = (int(rng.uniform(0.1, 0.35) * width), int(rng.uniform(0.08, 0.25) * height))
        shade = tone(
            design, hue + rng.normal(0, 0.02), float(rng.uniform(0.6, 1.4)), float(rng.uniform(0.3, 1.2))
        )
        cv2.ellipse(field, at, axes, float(rng.uniform(0, 180)), 0, 360, shade.tolist(), -1, cv2.LINE_AA)
    for side in (-1, 1):
        eye = (int(width * (0.5 + 0.12 * side)), int(height * 0.42))
        cv2.circle(field, eye, int(rng.integers(4, 11)), (250, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(field, eye, 3, (10, 10, 10), -1, cv2.LINE_AA)


def _oval(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    """A coloured field with a light or dark oval, disc, diamond or box, and a number in it."""
    field[:] = tone(design, hue)
    height, width = field.shape[:2]
    light = (245.0, 245.0, 245.0) if rng.random() < 0.8 else (20.0, 20.0, 20.0)
    middle, axes = (
        (width // 2, height // 2),
        (int(width * rng.uniform(0.25, 0.5)), int(height * rng.uniform(0.2, 0.46))),
    )
    thick = -1 if rng.random() < 0.6 else int(rng.integers(2, 8))
    if design.inner % 2:
        cv2.rectangle(
            field,
            (middle[0] - axes[0], middle[1] - axes[1]),
            (middle[0] + axes[0], middle[1] + axes[1]),
            light,
            thick,
        )
    else:
        cv2.ellipse(field, middle, axes, 25.0 * design.inner, 0, 360, light, thick, cv2.LINE_AA)
    _solid_number(field, number, rng)


def _framed(field: Floats, design: Design, hue: float, number: int, rng: Rng) -> None:
    """A frame of the monster's colour round a picture, with a box of text or a title bar."""
    height, width = field.shape[:2]
    field[:] = tone(design, hue)
    inside = int(rng.integers(2, 9))
    _picture(field[inside : height - inside, inside : width - inside], design, hue, number, rng)
    for _ in range(int(rng.integers(0, 3))):
        top, thick = int(rng.uniform(0, 0.8) * height), int(rng.uniform(0.06, 0.3) * height)
        field[top : top + thick, inside : width - inside] = colour(rng, (0, 0.3), (0.6, 1))
        for y in range(top + 5, top + thick - 2, 6):
            cv2.line(field, (inside + 4, y), (int(width * rng.uniform(0.4, 0.9)), y), (40, 40, 40), 1)


def _indexed(card: Floats, design: Design, hue: float, text: str) -> Floats:
    """The card with its number in two opposite corners."""
    dark = float(card[12:30, 8:24].mean()) > 140
    ink = (25.0, 25.0, 25.0) if dark else (245.0, 245.0, 245.0)
    if design.inner == 3 and dark:
        ink = tuple(tone(design, hue, 1.5, 0.8).tolist())
    for _ in range(2):
        write(card, text, (design.border + 4, design.border + 22), design.font, 0.75, ink, 2)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card
