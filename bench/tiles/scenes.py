"""Photographs of round tiles for measuring: on tables, touching, under hands, in bad light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.tiles.draw import DISC, DrawnTile, Floats, Picture, Rng, disc
from companion import art
from companion.art.scene.hand import DENSITY, TIP, hand
from companion.art.scene.light import photographed, random_conditions
from companion.art.scene.tables import TABLES, table

WIDTH, HEIGHT = 1600, 1200


@dataclass(frozen=True)
class TilePhoto:
    """A photograph and what can be seen on it: label and outline of every symbol of which 85 % shows."""

    image: Picture
    truth: tuple[tuple[str, Floats], ...]


def photograph(labels: list[str], prints: dict[str, Picture], rng: Rng, hardness: float = 0.5) -> TilePhoto:
    """Two to five tiles of eight symbols, some touching, in most photos a hand or two."""
    conditions = random_conditions(rng, hardness)
    kind = list(TABLES)[int(rng.integers(len(TABLES)))]
    canvas = table(kind, WIDTH, HEIGHT, 2.5, rng).astype(np.float32)
    count = int(rng.integers(2, 6))
    wide = float(rng.uniform(0.8, 1.0)) * min(HEIGHT * 0.8, WIDTH / count**0.75)
    truth: list[tuple[str, Floats]] = []
    for middle in _places(count, wide, rng):
        chosen = [labels[int(i)] for i in rng.choice(len(labels), 8, replace=False)]
        truth = _cut(canvas, truth, disc(chosen, prints, rng), middle, wide, rng)
    covered = np.zeros((HEIGHT, WIDTH), np.uint8)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.3, 0.45, 0.25]))):
        _hand(canvas, covered, rng)
    image = photographed(canvas, conditions, rng)
    return TilePhoto(image, tuple(one for one in truth if _shown(one[1], covered) > 0.85))


def from_aside(photo: TilePhoto, degrees: float) -> TilePhoto:
    """The photograph as if the camera had been tilted, saved as a telephone saves pictures (JPEG, 80)."""
    high, wide = photo.image.shape[:2]
    angle, far = np.radians(degrees), 2.2 * wide
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    middle = np.array([wide, high], np.float32) / 2
    x, y = (corners - middle).T
    depth = far + y * np.sin(angle)
    seen = np.column_stack([x * far / depth, y * np.cos(angle) * far / depth]) + middle
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    image = cv2.warpPerspective(photo.image, matrix, (wide, high), borderValue=(70, 90, 110))
    saved = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1], cv2.IMREAD_COLOR)
    truth = [(label, cv2.perspectiveTransform(outline[None], matrix)[0]) for label, outline in photo.truth]
    return TilePhoto(np.asarray(saved, np.uint8), tuple(truth))


def _places(count: int, wide: float, rng: Rng) -> list[Floats]:
    """Middles of tiles; some touch, none covers another."""
    places: list[Floats] = []
    for _ in range(4000):
        if len(places) == count:
            break
        at = np.array(
            [rng.uniform(0.48 * wide, WIDTH - 0.48 * wide), rng.uniform(0.48 * wide, HEIGHT - 0.48 * wide)]
        )
        if places and rng.random() < 0.7:
            angle = rng.uniform(0, 2 * np.pi)
            at = places[-1] + np.array([np.cos(angle), np.sin(angle)]) * wide * rng.uniform(0.99, 1.03)
        inside = (at > 0.47 * wide).all() and at[0] < WIDTH - 0.47 * wide and at[1] < HEIGHT - 0.47 * wide
        if inside and all(np.linalg.norm(at - other) > 0.985 * wide for other in places):
            places.append(np.asarray(at, np.float32))
    return places


def _cut(canvas: Floats, truth: list[tuple[str, Floats]], tile: DrawnTile, at: Floats, wide: float,
         rng: Rng) -> list[tuple[str, Floats]]:  # fmt: skip
    """Lays the tile into the canvas; returns the truth with its symbols."""
    corners = np.array([[0, 0], [DISC, 0], [DISC, DISC], [0, DISC]], np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    squeeze = np.diag([1.0, rng.uniform(0.82, 1.0)])
    target = (corners / DISC - 0.5) @ spin.T @ squeeze * wide + rng.normal(0, 0.012 * wide, (4, 2)) + at
    matrix = cv2.getPerspectiveTransform(corners, target.astype(np.float32))
    soft = cv2.GaussianBlur(tile.picture, (0, 0), max(0.3, 0.4 * DISC / wide))
    picture = cv2.warpPerspective(soft, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(tile.cover, matrix, (WIDTH, HEIGHT)).astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(cover, (0, 0), 5)
    shade = np.roll(shade, (3, 4), axis=(0, 1))[..., None]
    canvas *= 1 - 0.35 * shade * (1 - cover)
    canvas *= 1 - cover
    canvas += picture * cover
    fresh = [(label, cv2.perspectiveTransform(outline[None], matrix)[0]) for label, outline in tile.symbols]
    return [*truth, *fresh]


def _hand(canvas: Floats, covered: Picture, rng: Rng) -> None:
    """An arm from an edge of the picture over it; in place."""
    arm = hand(rng)
    turn, size = rng.uniform(0, 2 * np.pi), rng.uniform(2.0, 3.4) / DENSITY
    tip = np.array([WIDTH, HEIGHT]) / 2 + np.array([-np.sin(turn), np.cos(turn)]) * rng.uniform(300, 560)
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    matrix[:, 2] = tip - matrix[:, :2] @ (np.array(TIP) * DENSITY)
    cover = cv2.warpAffine(arm.cover, matrix, (WIDTH, HEIGHT))
    colour = cv2.warpAffine(arm.colour, matrix, (WIDTH, HEIGHT))
    share = cover.astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(np.roll(share[..., 0], (12, 9), axis=(0, 1)), (0, 0), 9)[..., None]
    canvas *= 1 - 0.4 * shade
    canvas *= 1 - share
    canvas += colour * share
    np.maximum(covered, cover, out=covered)


def _shown(outline: Floats, covered: Picture) -> float:
    """The share of the outline's area that is in the picture and under no hand."""
    low = np.floor(outline.min(axis=0)).astype(int) - 1
    size = np.ceil(outline.max(axis=0)).astype(int) + 2 - low
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1)
    y, x = np.nonzero(mask)
    x, y = x + low[0], y + low[1]
    inside = (x >= 0) & (y >= 0) & (x < WIDTH) & (y < HEIGHT)
    clear = covered[y[inside], x[inside]] < 128
    return float(clear.sum() / max(1, len(x)))


def laid(names: Sequence[str], kind: str = "wood", seed: int = 1) -> Picture:
    """Up to 15 of the drawn tiles of Bugs & Co on a table, each turned, lit from one side."""
    rng = np.random.default_rng(seed)
    picture = table(kind, 1200, 800, 3.0, rng).astype(np.float32)
    for i, name in enumerate(names):
        side = int(rng.integers(190, 215))
        cover = np.zeros((side, side), np.float32)
        cv2.circle(cover, (side // 2, side // 2), side // 2 - 2, 1.0, -1)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
        drawn = cv2.warpAffine(
            art.draw_card("bugs_and_co", name, side).astype(np.float32), turn, (side, side)
        )
        share = np.asarray(cv2.warpAffine(cover, turn, (side, side)), np.float32)[..., None]
        left, top = 20 + (i % 5) * 235 + int(rng.integers(12)), 30 + (i // 5) * 250 + int(rng.integers(20))
        window = picture[top : top + side, left : left + side]
        window += (drawn - window) * share
    light = np.linspace(0.6, 0.95, 1200)[None, :, None] * np.array([0.8, 0.95, 1.0])
    noisy = cv2.GaussianBlur(picture * light, (0, 0), 0.8) + rng.normal(0, 3, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def covered(picture: Picture, index: int, share: float, by: str = "card") -> Picture:
    """A picture of `laid` in which this share of a tile's width, from the right, is under a card or a hand,
    or outside the picture (`edge`)."""
    left, top = 26 + (index % 5) * 235, 40 + (index // 5) * 250
    begin = round(left + 202 * (1 - share))
    if by == "edge":
        return np.ascontiguousarray(picture[:, :begin])
    under = picture.copy()
    if by == "card":
        cv2.rectangle(under, (begin, top - 30), (begin + 250, top + 240), (60, 40, 120), -1, cv2.LINE_AA)
    else:
        cv2.ellipse(under, (begin + 110, top + 101), (110, 150), 20, 0, 360, (110, 150, 200), -1, cv2.LINE_AA)
    return under
