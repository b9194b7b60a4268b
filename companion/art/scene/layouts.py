"""Cards on the table: displays in columns, tricks, piles, scattered cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.art.decks.frame import HEIGHT, SIZE, WIDTH
from companion.art.decks.monsters import NAMES
from companion.art.scene.camera import Points, View, apply, homography
from companion.games.seven_merry_monsters.state import JOKERS


@dataclass(frozen=True)
class Placed:
    """A card on the table: its middle in mm (y towards the reader), turned clockwise by `degrees`.

    `copy` distinguishes equal cards: each copy is a print of its own. `shown` False = face down. `size` is
    that of the game's cards in mm."""

    label: str
    x: float
    y: float
    degrees: float = 0.0
    copy: int = 0
    shown: bool = True
    size: tuple[float, float] = SIZE

    def corners(self) -> Points:
        """The card's corners in mm, clockwise from its own top left."""
        turn = math.radians(self.degrees)
        cos, sin = math.cos(turn), math.sin(turn)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (self.size[0] / 2, self.size[1] / 2)
        corners: Points = half @ np.array([[cos, sin], [-sin, cos]]) + (self.x, self.y)
        return corners


def display(
    columns: Mapping[str, Sequence[str]],
    rng: np.random.Generator,
    *,
    part: float = 1 / 3,
    gap: float = 12.0,
    careless: float = 1.5,
) -> list[Placed]:
    """A Seven Merry Monsters display: columns side by side, each card showing `part` of its height on top.

    `columns`: monster -> labels from the first laid (farthest from the reader) to the uncovered last.
    `careless` is the standard deviation of the laying: mm of place, degrees of turn. The display's middle
    is at (0, 0).
    """
    placed: list[Placed] = []
    copies: dict[str, int] = {}
    step = HEIGHT * part
    for index, labels in enumerate(columns.values()):
        left = index * (WIDTH + gap)
        for row, label in enumerate(labels):
            off = rng.normal(0, careless, 3)
            copy = copies[label] = copies.get(label, -1) + 1
            placed.append(Placed(label, left + off[0], row * step + off[1] * 0.6, off[2], copy))
    return centred(placed)


def random_display(rng: np.random.Generator, cards: int) -> dict[str, list[str]]:
    """A legal display of `cards` (3 to 18): monsters that differ, jokers in columns that have a monster."""
    monsters = [f"{name} {value}" for name in NAMES for value in range(1, 8)]
    jokers = int(min(rng.binomial(cards, 0.15), cards - 1, JOKERS))
    columns: dict[str, list[str]] = {}
    for index in rng.permutation(len(monsters))[: cards - jokers]:
        label = monsters[index]
        columns.setdefault(label.split()[0], []).append(label)
    names = list(columns)
    for _ in range(jokers):
        column = columns[names[int(rng.integers(len(names)))]]
        column.insert(int(rng.integers(1, len(column) + 1)), "joker")
    return columns


def scattered(
    labels: Sequence[str],
    rng: np.random.Generator,
    *,
    across: float = 560.0,
    down: float = 300.0,
    turned: float = 180.0,
    size: tuple[float, float] = SIZE,
) -> list[Placed]:
    """Cards that do not touch, each turned by up to `turned` degrees; labels without room are left out."""
    placed: list[Placed] = []
    reach = math.hypot(*size)
    for copy, label in enumerate(labels):
        for _ in range(200):
            x, y = rng.uniform(-across / 2, across / 2), rng.uniform(-down / 2, down / 2)
            if all(math.hypot(x - other.x, y - other.y) > reach for other in placed):
                placed.append(Placed(label, x, y, rng.uniform(-turned, turned), copy, size=size))
                break
    return placed


def pile(
    labels: Sequence[str], rng: np.random.Generator, *, careless: float = 4.0, turned: float = 8.0
) -> list[Placed]:
    """Cards on one heap, the last on top."""
    return [
        Placed(label, rng.normal(0, careless), rng.normal(0, careless), rng.normal(0, turned), copy)
        for copy, label in enumerate(labels)
    ]


def centred(cards: Sequence[Placed]) -> list[Placed]:
    """The cards moved so that their common box has its middle at (0, 0)."""
    low, high = _bounds(cards)
    middle = (low + high) / 2
    return [replace(card, x=card.x - middle[0], y=card.y - middle[1]) for card in cards]


def fitted(cards: Sequence[Placed], view: View, margin: float = 0.08) -> View:
    """The view moved and widened or narrowed until all cards just fill the picture but for `margin` of it."""
    points = np.concatenate([card.corners() for card in cards])
    middle = (points.min(0) + points.max(0)) / 2
    view = replace(view, x=float(middle[0]), y=float(middle[1]), span=2000.0)
    size = np.array([view.width, view.height])
    for _ in range(12):
        seen = apply(homography(view), points)
        low, high = seen.min(0), seen.max(0)
        target = apply(np.asarray(np.linalg.inv(homography(view)), float), (low + high)[None] / 2)[0]
        share = float(((high - low) / size).max()) / (1 - 2 * margin)
        view = replace(view, x=float(target[0]), y=float(target[1]), span=view.span * share)
    return view


def _bounds(cards: Sequence[Placed]) -> tuple[Points, Points]:
    points = np.concatenate([card.corners() for card in cards])
    return points.min(0), points.max(0)
