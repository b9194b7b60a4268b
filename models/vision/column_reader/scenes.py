"""Training pictures of the column network: a column of invented cards between others on an invented table,
turned upright as the reader does it, and where its cards begin and end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.display.column_network import BEYOND, CARD_ROWS, column_picture
from companion.vision.image import geometry
from models.vision.finder.cards import CARD_WIDTH, InventedDeck, random_deck
from models.vision.finder.grounds import Floats, Rng, random_ground
from models.vision.finder.scenes import (
    Bytes,
    add_light,
    add_thing,
    burn,
    lay,
    on_pale_table,
    through_camera,
)
from models.vision.namer.made_decks import DeckSources

WIDTHS = (70.0, 150.0)
"""Pixels of a card's width in the scene: those of a display in a photograph, or fewer."""
MOST_CARDS, BESIDE = 8, 1.6
"""Cards of a column at most, and card widths of the scene beside the column."""
EMPTY, REVERSED, SIDEWAYS = 0.05, 0.12, 0.06
"""Shares of pictures without a column, of columns shown with the open card first, and of pictures that show
what lies beside each other."""
BURNT = 0.35
"""Share of scenes under a warm lamp that burns light colours out."""
SHIFT, TURN, SIZE, ENDS = 0.03, 0.02, 0.05, 0.02
"""Deviations of the place at which a column is shown: in card widths, as a slope, of the sizes (shares), of
the ends in card lengths."""
CARELESS, CUT_SHORT, TOO_LONG = 0.3, 0.25, 0.08
"""Shares of places that are three times as far off, that lack a part of the covered end, and that reach
beyond it."""


@dataclass(frozen=True, eq=False)
class TrainingColumn:
    """The upright picture (rows, 128, 3), and the rows at which cards begin and the open card ends; all empty
    if no column is shown, or one the wrong way round."""

    picture: Bytes
    starts: tuple[float, ...]
    end: float | None


@dataclass(frozen=True, eq=False)
class LaidColumn:
    """The corners (n, 4, 2) of a column's cards in the scene, lowest card first, clockwise from the end that
    is seen."""

    quads: Floats

    @property
    def corners(self) -> Floats:
        """The corners (4, 2) of the column: a parallelogram through its first and its last card."""
        return np.stack([self.quads[0, 0], self.quads[0, 1], self.quads[-1, 2], self.quads[-1, 3]])


def training_columns(rng: Rng, sources: DeckSources) -> list[TrainingColumn]:
    """The columns of a random scene with their truth: the one in the middle, and those beside it that are
    whole in the picture."""
    deck = random_deck(rng, sources)
    width = float(np.exp(rng.uniform(*np.log(WIDTHS))))
    height = width * deck.height / CARD_WIDTH
    part = float(rng.uniform(0.13, 0.5))
    cards = int(min(rng.geometric(0.3), MOST_CARDS)) if rng.random() < 0.7 else int(rng.integers(1, 9))
    shape = (int((2 + (cards - 1) * part) * height * 1.1), int((1 + 2 * BESIDE) * width))
    canvas = _ground(shape, on_pale_table(deck, rng), rng)
    ids = np.zeros(shape, np.uint8)
    empty = rng.random() < EMPTY
    middle = np.array([shape[1] / 2, shape[0] / 2 - (cards - 1) * part * height / 2])
    columns = _placed(middle, width, height, part, cards, rng)
    own = len(columns) // 2
    bend = _bend(shape, rng)
    for at, column in enumerate(columns):
        bent = geometry.transform(column.reshape(-1, 2).astype(np.float32), bend).reshape(-1, 4, 2)
        columns[at] = bent
        if not (empty and at == own):
            _draw(canvas, ids, bent, deck, at, rng)
    add_light(canvas, rng)
    if rng.random() < BURNT:
        burn(canvas, rng)
    image = through_camera(canvas, rng)
    shown = [_shown(image, LaidColumn(columns[own]), width, height, empty, rng)]
    shown += [
        _shown(image, LaidColumn(column), width, height, False, rng)
        for at, column in enumerate(columns)
        if at != own and _is_inside(column, shape)
    ]
    return shown


def _is_inside(quads: Floats, shape: tuple[int, int]) -> bool:
    """Whether all corners of cards lie in a picture."""
    points = quads.reshape(-1, 2)
    return bool(points.min() >= 0 and (points.max(axis=0) < (shape[1], shape[0])).all())


def _ground(shape: tuple[int, int], is_pale: bool, rng: Rng) -> Floats:
    """A table top whose figures are as large against the cards as on a real table, or larger."""
    size = float(rng.uniform(0.35, 1.0))
    small = random_ground(int(shape[1] * size) + 2, int(shape[0] * size) + 2, rng, is_pale=is_pale)
    flat = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.15 else 0):
        add_thing(flat, rng)
    return np.ascontiguousarray(flat, np.float32)


def _placed(
    middle: NDArray[np.float64], width: float, height: float, part: float, cards: int, rng: Rng
) -> list[Floats]:
    """The cards of a column and of those beside it: corners (n, 4, 2) each."""
    gap, careless = float(rng.uniform(0.03, 0.5)) * width, float(rng.uniform(0, 0.035))
    columns = []
    for side in (-1, 0, 1):
        count = cards if side == 0 else int(min(rng.geometric(0.35), MOST_CARDS))
        slant = float(rng.normal(0, 0.035))
        aside = [side * (width + gap), float(rng.normal(0, 0.12)) * height * abs(side)]
        top = middle + np.array(aside)
        quads = []
        for row in range(count):
            at = top + np.array([slant * row * part * height, row * part * height])
            at = at + rng.normal(0, careless, 2) * width
            turn = -slant + float(rng.normal(0, careless))
            half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
            spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            quads.append(half @ spin + at)
        if side == 0 or rng.random() < 0.75:
            columns.append((side, np.stack(quads).astype(np.float32)))
    order = [own for side, own in columns if side == 0]
    beside = [own for side, own in columns if side != 0]
    return [*beside[:1], *order, *beside[1:]]


def _bend(shape: tuple[int, int], rng: Rng) -> Floats:
    """The scene as a camera sees it from a little aside."""
    frame = np.array([[0, 0], [shape[1], 0], [shape[1], shape[0]], [0, shape[0]]], np.float32)
    seen = frame + rng.normal(0, 0.02, (4, 2)) * (shape[1], shape[1])
    return geometry.homography(frame, seen.astype(np.float32))


def _draw(canvas: Floats, ids: Bytes, quads: Floats, deck: InventedDeck, monster: int, rng: Rng) -> None:
    """Lays the cards of a column; in place."""
    for row, quad in enumerate(quads):
        lay(canvas, ids, deck.card(monster, rng, may_be_joker=row > 0), quad, deck.corner, 1, rng)


def _shown(
    image: Bytes, column: LaidColumn, width: float, height: float, empty: bool, rng: Rng
) -> TrainingColumn:
    """The column as the reader would show it, which knows its place only roughly."""
    far = 3.0 if rng.random() < CARELESS else 1.0
    corners = column.corners.astype(np.float64)
    along = corners[3] + corners[2] - corners[0] - corners[1]
    length = float(np.linalg.norm(along)) / 2
    along, across = along / np.linalg.norm(along), (corners[1] - corners[0]) / width
    lead = float(rng.normal(0, ENDS * far)) * height
    chance = rng.random()
    if chance < CUT_SHORT:
        lead += float(rng.uniform(0.05, 0.45)) * min(height, length - 0.6 * height)
    elif chance < CUT_SHORT + TOO_LONG:
        lead -= float(rng.uniform(0.05, 0.4)) * height
    tail = float(rng.normal(0, ENDS * far)) * height
    corners[:2] += along * lead
    corners[2:] += along * tail
    shifts = rng.normal(0, SHIFT * far, 2) * width
    turn = float(rng.normal(0, TURN * far)) * min(length, 2 * height)
    corners[:2] += across * (shifts[0] + turn)
    corners[2:] += across * (shifts[0] - turn)
    wider = float(np.exp(rng.normal(0.02, SIZE * far)))
    for top, other in ((0, 1), (3, 2)):
        middle = (corners[top] + corners[other]) / 2
        corners[top] = middle + (corners[top] - middle) * wider
        corners[other] = middle + (corners[other] - middle) * wider
    lengths = (length - lead + tail) / height * float(np.exp(rng.normal(0, SIZE)))
    back = len(column.quads) > 1 and rng.random() < REVERSED
    quad = (corners[[2, 3, 0, 1]] if back else corners).astype(np.float32)
    sideways = rng.random() < SIDEWAYS
    if sideways:
        quad, lengths = np.roll(_square(quad), int(rng.choice([1, 3])), axis=0), 2.0
    picture = column_picture(image, quad, lengths)
    if empty or back or sideways:
        return TrainingColumn(picture, (), None)
    rows = CARD_ROWS * lengths
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    onto = geometry.homography(quad, frame)
    starts = [_row(one[:2], onto, rows) for one in column.quads]
    return TrainingColumn(picture, tuple(starts), _row(column.quads[-1, 2:], onto, rows))


def _square(quad: Floats) -> Floats:
    """What lies round the middle of a quad, as broad as two cards are long, as high as a card is wide."""
    middle = quad.mean(axis=0)
    across, along = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / np.linalg.norm(quad[3] - quad[0])
    down = along * np.linalg.norm(across)
    return np.stack([middle + 3 * x * across + y * down for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _row(points: Sequence[Floats] | Floats, onto: Floats, rows: float) -> float:
    """The row of the upright picture at which the middle of a card's end lies."""
    ends = geometry.transform(np.asarray(points, np.float32), onto)
    return BEYOND * CARD_ROWS + rows * float(ends[:, 1].mean())
