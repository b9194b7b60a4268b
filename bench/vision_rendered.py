"""Pictures composed for measuring: covered cards of any deck, cards held in a hand, displays of our own deck.

The cards are warped from pictures that were not enrolled as they stand: a colour curve, another balance,
blur and rescaling come between, because pasting the very pixels that were enrolled measures nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art import scene
from companion.art.scene import layouts

Rng = np.random.Generator
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Shot:
    """A composed picture with one card asked for: its label and corners."""

    image: Image
    label: str
    corners: Floats
    above: str = ""
    """Label of a card lying on it, if any."""


def aged(card: Image, rng: Rng) -> Floats:
    """The card as another camera under another lamp would show it."""
    picture = card.astype(np.float32) / max(60.0, float(np.percentile(card, 96)))
    picture = np.clip(picture, 0, 1.1) ** rng.uniform(0.75, 1.3) * 255.0 * rng.uniform(0.6, 1.0)
    picture = picture * rng.uniform(0.87, 1.13, 3)
    return np.asarray(np.clip(picture, 0, 255), np.float32)


def laid(canvas: Floats, card: Floats, quad: Floats) -> None:
    """Draws the card into the canvas, corners rounded, smoothed as it is shrunk; in place."""
    height, width = card.shape[:2]
    size = (canvas.shape[1], canvas.shape[0])
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(frame, quad.astype(np.float32))
    shrink = width / max(1.0, float(np.linalg.norm(quad[1] - quad[0])))
    soft = cv2.GaussianBlur(card, (0, 0), max(0.3, 0.42 * shrink))
    mask = np.zeros((height, width), np.float32)
    radius = round(0.05 * width)
    cv2.rectangle(mask, (radius, radius), (width - radius, height - radius), 1.0, -1)
    mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)))
    cover = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    picture = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shade = cv2.GaussianBlur(cover[..., 0], (0, 0), 4.0)[..., None]
    canvas *= 1.0 - 0.25 * shade
    canvas *= 1.0 - cover
    canvas += picture * cover


def developed(canvas: Floats, rng: Rng, blur: float, noise: float) -> Image:
    """Blur, sensor noise and JPEG."""
    picture = cv2.GaussianBlur(canvas, (0, 0), blur) if blur > 0 else canvas
    picture = picture + rng.normal(0.0, noise, picture.shape)
    coded = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def ground(height: int, width: int, rng: Rng) -> Floats:
    """A table of one colour with some grain and a slope of light."""
    colour = rng.uniform(30, 200, 3)
    grain = cv2.GaussianBlur(rng.normal(0, 14, (height, width, 1)).astype(np.float32), (0, 0), 1.5)
    slope = np.linspace(rng.uniform(0.75, 1), rng.uniform(0.75, 1), width, dtype=np.float32)[None, :, None]
    return np.asarray((colour[None, None] + grain[..., None]) * slope, np.float32)


def turned_quad(centre: tuple[float, float], width: float, aspect: float, degrees: float) -> Floats:
    """Corners of a card of that width lying at `centre`."""
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    half = np.array([[-0.5, -aspect / 2], [0.5, -aspect / 2], [0.5, aspect / 2], [-0.5, aspect / 2]]) * width
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + centre, np.float32)


def covered(cards: Mapping[str, Image], part: float, width: float, rng: Rng) -> Shot:
    """One card of the deck under another one that leaves `part` of its length visible at its upper end."""
    labels = list(cards)
    below, above = (labels[int(i)] for i in rng.choice(len(labels), 2, replace=False))
    card = cards[below]
    aspect = card.shape[0] / card.shape[1]
    canvas = ground(540, 900, rng)
    lean = float(rng.normal(0, 8))
    quad = turned_quad((450 + float(rng.normal(0, 30)), 230), width, aspect, lean)
    along = (quad[3] - quad[0]) * part
    side = (quad[1] - quad[0]) * float(rng.normal(0, 0.015))
    upper = (
        turned_quad((0, 0), width, aspect, lean + float(rng.normal(0, 1.5)))
        + quad.mean(axis=0)
        + along
        + side
    )
    laid(canvas, aged(card, rng), quad)
    laid(canvas, aged(cards[above], rng), upper)
    return Shot(
        developed(canvas, rng, float(rng.uniform(0.4, 1.0)), float(rng.uniform(1, 4))), below, quad, above
    )


def held(cards: Mapping[str, Image], backs: list[Image], rng: Rng) -> Shot:
    """One card before a soft webcam, fingers over its rim."""
    label = list(cards)[int(rng.integers(len(cards)))]
    card = cards[label]
    aspect = card.shape[0] / card.shape[1]
    back = backs[int(rng.integers(len(backs)))]
    canvas = cv2.resize(back, (640, 480)).astype(np.float32)
    width = float(rng.uniform(85, 180))
    quad = turned_quad(
        (float(rng.uniform(220, 420)), float(rng.uniform(190, 290))), width, aspect, float(rng.normal(0, 12))
    )
    quad = np.asarray(quad + rng.normal(0, 0.03 * width, (4, 2)), np.float32)
    laid(canvas, aged(card, rng), quad)
    for _ in range(int(rng.integers(1, 4))):
        _finger(canvas, quad, width, rng)
    return Shot(
        developed(
            np.asarray(canvas, np.float32), rng, float(rng.uniform(0.8, 2.8)), float(rng.uniform(1, 5))
        ),
        label,
        quad,
    )


def _finger(canvas: Floats, quad: Floats, width: float, rng: Rng) -> None:
    """A finger reaching over one of the three lower sides, in place."""
    top_left, top_right, right, left = quad
    up = (top_left + top_right - left - right) / 2
    side = int(rng.integers(3))
    if side == 0:
        start, way = left + (right - left) * rng.uniform(0.1, 0.9) - up * 0.3, up
    elif side == 1:
        start, way = left + up * rng.uniform(0, 0.6) + (left - right) * 0.3, right - left
    else:
        start, way = right + up * rng.uniform(0, 0.6) + (right - left) * 0.3, left - right
    angle = math.atan2(float(way[1]), float(way[0])) + float(rng.normal(0, 0.3))
    tip = start + width * rng.uniform(0.35, 0.75) * np.array([math.cos(angle), math.sin(angle)])
    mask = np.zeros(canvas.shape[:2], np.float32)
    thick = max(3, int(width * rng.uniform(0.14, 0.24)))
    a, b = (tuple(int(v) for v in np.round(point)) for point in (start, tip))
    cv2.line(mask, (a[0], a[1]), (b[0], b[1]), 1.0, thick, cv2.LINE_AA)
    round_side = cv2.GaussianBlur(mask, (0, 0), thick / 5)[..., None]
    mask = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None]
    skin = np.array([[110, 140, 200], [70, 100, 160], [50, 75, 125], [90, 120, 185]], np.float32)
    colour = skin[int(rng.integers(4))] * rng.uniform(0.8, 1.15) * (0.65 + 0.35 * round_side)
    canvas *= 1.0 - mask
    canvas += colour * mask


def display(
    rng: Rng, *, cards: int | None = None, part: float = 1 / 3, hardness: float = 0.5
) -> tuple[scene.Picture, dict[str, list[str]]]:
    """A photographed display of our own deck with its columns, 3 to 18 cards unless told."""
    columns = scene.random_display(rng, cards or int(rng.integers(3, 19)))
    placed = layouts.display(columns, rng, part=part)
    tilt, turn = float(rng.uniform(0, 25)), float(rng.normal(0, 6))
    view = layouts.fitted(placed, scene.View(width=1600, height=1200, tilt=tilt, turn=turn))
    table = scene.Scene("seven_merry_monsters", view, scene.random_conditions(rng, hardness), rng)
    return table.render(placed), columns
