"""Photographs of displays: columns of cards on a table, the lamp above it and the telephone that takes
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from bench.displays.decks import DisplayDeck, burnt
from companion.art.scene.camera import View, apply, homography
from companion.art.scene.tables import table
from models.drawn.camera import CameraModel, Floats, Image, Rng, aged, glare, lay, phone, taken
from models.drawn.rooms import playmat, strew

WIDTH, HEIGHT = 1600, 1200
CARD_MM = 63.0
GROUNDS = ("wood", "cloth", "white", "checked", "squared")
MOST_CARDS = 18
UNEVEN, MOST_UNEVEN = (0.04, 0.3), 0.5
"""Standard deviation of the logarithm of a step from card to card: from careful hands to careless ones; and
the largest one."""
HARD = 0.45
"""How often each of the faults of light and camera occurs."""


@dataclass(frozen=True, eq=False)
class LaidCard:
    """A card of a display in the photograph: its corners in pixels, clockwise from its own top left."""

    label: str
    monster: str
    corners: Floats


@dataclass(frozen=True, eq=False)
class DisplayScene:
    """A photograph of a display with its truth, each column from the card laid first to the open one."""

    image: Image
    cards: tuple[LaidCard, ...]
    ground: str


def random_columns(deck: DisplayDeck, rng: Rng) -> dict[str, list[str]]:
    """A legal display of 3 to 18 cards: each monster card once, jokers in columns that have a monster."""
    count = int(rng.integers(3, MOST_CARDS + 1))
    jokers = int(min(rng.binomial(count, 0.15), count - 1))
    labels = [label for group in deck.monsters.values() for label in group]
    columns: dict[str, list[str]] = {}
    for at in rng.permutation(len(labels))[: count - jokers]:
        columns.setdefault(labels[at].split()[0], []).append(labels[at])
    names = list(columns)
    for _ in range(jokers):
        column = columns[names[int(rng.integers(len(names)))]]
        column.insert(int(rng.integers(1, len(column) + 1)), deck.joker)
    return columns


def photograph(deck: DisplayDeck, ground: str, rng: Rng) -> DisplayScene:
    """A random display of a deck on a ground."""
    columns = random_columns(deck, rng)
    aspect = next(iter(deck.cards.values()))
    placed = _laid(columns, CARD_MM * aspect.shape[0] / aspect.shape[1], rng)
    points = np.concatenate([corners for _, _, corners in placed])
    view = _view(points, rng)
    matrix = homography(view)
    canvas = _ground(ground, matrix, view, rng)
    if rng.random() < 0.25:
        strew(canvas, int(rng.integers(1, 3)), rng, (0, 3, 5))
    cards, cover = [], np.zeros((HEIGHT, WIDTH), np.float32)
    for label, monster, corners in placed:
        quad = (apply(matrix, corners) - 0.5).astype(np.float32)
        face = aged(deck.cards[label], rng)
        cover = np.maximum(cover, lay(canvas, face, quad, shadow=float(rng.uniform(0.1, 0.4)), reach=3.0))
        cards.append(LaidCard(label, monster, quad))
    _lamp(canvas, rng)
    if rng.random() < HARD:
        glare(canvas, cover, int(rng.integers(1, 4)), rng, size=0.06 * WIDTH)
    return DisplayScene(taken(canvas, _camera(rng), rng), tuple(cards), ground)


def _laid(columns: Mapping[str, Sequence[str]], height: float, rng: Rng) -> list[tuple[str, str, np.ndarray]]:
    """Label, monster and corners in mm of each card, lowest first."""
    part, gap = float(rng.uniform(0.2, 0.42)), float(rng.uniform(6, 25))
    uneven = float(rng.uniform(*UNEVEN))
    placed = []
    for index, (monster, labels) in enumerate(columns.items()):
        slant, top = float(rng.normal(0, 2.0)), float(rng.normal(0, 6.0))
        steps = part * height * np.exp(np.clip(rng.normal(0, uneven, len(labels)), -MOST_UNEVEN, MOST_UNEVEN))
        rows = top + np.cumsum(steps) - steps[0]
        for row, label in zip(rows, labels, strict=True):
            turn = np.radians(slant + float(rng.normal(0, 1.5)))
            x = index * (CARD_MM + gap) + float(rng.normal(0, 1.5))
            y = float(row)
            x += (y - top) * np.tan(np.radians(-slant))
            half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (CARD_MM / 2, height / 2)
            spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            placed.append((label, monster, half @ spin + (x, y)))
    return placed


def _view(points: np.ndarray, rng: Rng) -> View:
    """A telephone held above the display so that all of it is in the picture."""
    middle = (points.min(0) + points.max(0)) / 2
    across = float(np.ptp(points[:, 0])) < 1.3 * float(np.ptp(points[:, 1]))
    turn = float(rng.normal(0, 6)) + (90.0 if across and rng.random() < 0.3 else 0.0)
    view = View(WIDTH, HEIGHT, float(middle[0]), float(middle[1]), 1200.0, float(rng.uniform(0, 28)), turn)
    margin = float(rng.uniform(0.04, 0.15))
    for _ in range(12):
        seen = apply(homography(view), points)
        low, high = seen.min(0), seen.max(0)
        centre = apply(np.asarray(np.linalg.inv(homography(view))), (low + high)[None] / 2)[0]
        share = float(((high - low) / (WIDTH, HEIGHT)).max()) / (1 - 2 * margin)
        view = replace(view, x=float(centre[0]), y=float(centre[1]), span=view.span * share)
    return replace(view, span=max(view.span, 330.0))


def _ground(kind: str, matrix: np.ndarray, view: View, rng: Rng) -> Floats:
    """The table top as the camera sees it."""
    density = 2.0
    side = int(view.span * 2.2 * density)
    side = min(side, 4000)
    density = side / (view.span * 2.2)
    if kind == "squared":
        flat = squared_paper(side, side, density, rng)
    elif kind == "playmat":
        flat = playmat(side // 2, side // 2, rng)
        flat = np.asarray(cv2.resize(flat, (side, side)), np.float32)
    else:
        flat = np.asarray(table(kind, side, side, density, rng), np.float32)
    to_mm = np.array(
        [
            [1 / density, 0, view.x - side / 2 / density],
            [0, 1 / density, view.y - side / 2 / density],
            [0, 0, 1],
        ]
    )
    return np.asarray(
        cv2.warpPerspective(
            np.asarray(flat, np.float32), matrix @ to_mm, (WIDTH, HEIGHT), flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.float32,
    )  # fmt: skip


def squared_paper(width: int, height: int, density: float, rng: Rng) -> Floats:
    """Squared paper or oilcloth: thin lines every 5 mm, or broad ones every 10 to 45 mm."""
    fine = rng.random() < 0.5
    side = (5.0 if fine else float(rng.uniform(10, 45))) * density
    broad = (0.35 if fine else float(rng.uniform(0.8, 4.0))) * density
    paper = np.array([1.0, 0.99, 0.98]) * float(rng.uniform(215, 250))
    ink = np.array([(200, 150, 110), (120, 120, 120), (70, 70, 190), (60, 110, 60)][int(rng.integers(4))])
    x = np.clip(broad / 2 + 0.5 - np.abs((np.arange(width) % side) - side / 2), 0, 1)
    y = np.clip(broad / 2 + 0.5 - np.abs((np.arange(height) % side) - side / 2), 0, 1)
    lines = np.maximum(x[None, :], y[:, None])[..., None]
    return np.asarray(paper * (1 - lines) + ink * lines + rng.normal(0, 2, (height, width, 1)), np.float32)


def _lamp(canvas: Floats, rng: Rng) -> None:
    """The shadow of somebody who leans over the table, and light that falls off; in place."""
    if rng.random() < HARD:
        mask = np.zeros((HEIGHT // 4, WIDTH // 4), np.float32)
        middle = rng.uniform(0, 1, 2) * (WIDTH // 4, HEIGHT // 4)
        axes = rng.uniform(60, 180, 2)
        cv2.ellipse(mask, (int(middle[0]), int(middle[1])), (int(axes[0]), int(axes[1])), 0, 0, 360, 1.0, -1)
        soft = cv2.resize(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 12))), (WIDTH, HEIGHT))
        canvas *= 1 - float(rng.uniform(0.15, 0.5)) * soft[..., None]


def _camera(rng: Rng) -> CameraModel:
    """A telephone, rougher than `phone`: a lamp that burns, a veil, a hand that moves, poor focus."""
    camera = phone(rng)
    if rng.random() < HARD:
        camera = burnt(camera, rng)
    if rng.random() < HARD:
        camera = replace(camera, haze=float(rng.uniform(0.06, 0.22)))
    if rng.random() < HARD:
        camera = replace(camera, motion=float(rng.uniform(2, 6)))
    return replace(
        camera,
        blur=float(rng.uniform(0.5, 1.8)),
        noise=float(rng.uniform(1, 6)),
        jpeg=int(rng.integers(70, 94)),
        bend=float(rng.normal(0, 0.01)),
    )
