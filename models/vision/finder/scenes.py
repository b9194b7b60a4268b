"""Training pictures of the card finder: columns of invented cards on invented tables, with their parts.

A picture has cards about 28 to 70 pixels wide. Its truth has two maps: where a card is seen, and where a
visible part of a card ends (against the table or against another card).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.vision.finder.cards import CARD_WIDTH, InventedDeck, random_deck
from models.vision.finder.grounds import Floats, Rng, colour, noise, random_ground
from models.vision.namer.made_decks import DeckSources

WIDTH, HEIGHT = 544, 416
PALE_TABLE = 0.5
"""Share of displays of pale cards that lie on a table as pale, or on checked or ruled paper."""
BURNT = 0.3
"""Share of scenes under a warm lamp that burns light colours out."""
Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class TrainingPicture:
    """A picture (HEIGHT, WIDTH, 3) and its truth, both (HEIGHT, WIDTH), 0 or 255."""

    image: Bytes
    card: Bytes
    edge: Bytes


def training_picture(rng: Rng, sources: DeckSources) -> TrainingPicture:
    """A random picture with its truth."""
    deck = random_deck(rng, sources)
    canvas = np.ascontiguousarray(random_ground(WIDTH, HEIGHT, rng, is_pale=on_pale_table(deck, rng)))
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.5 else 0):
        add_thing(canvas, rng)
    ids = np.zeros((HEIGHT, WIDTH), np.uint8)
    if rng.random() < 0.96:
        for number, (face, quad) in enumerate(_display(deck, rng), start=1):
            lay(canvas, ids, face, quad, deck.corner, number, rng)
    add_light(canvas, rng)
    if rng.random() < BURNT:
        burn(canvas, rng)
    return TrainingPicture(
        through_camera(canvas, rng), np.where(ids > 0, 255, 0).astype(np.uint8), edges_of(ids)
    )


def on_pale_table(deck: InventedDeck, rng: Rng) -> bool:
    """Whether a deck lies on a table that its cards hardly differ from."""
    return deck.is_pale and bool(rng.random() < PALE_TABLE)


def _display(deck: InventedDeck, rng: Rng) -> list[tuple[Floats, Floats]]:
    """Faces and corners of the cards, lowest first: columns, at times cards that lie about."""
    width = float(np.exp(rng.uniform(math.log(26), math.log(75))))
    height = width * deck.height / CARD_WIDTH
    gap, part = float(rng.uniform(0.04, 0.5)) * width, float(rng.uniform(0.14, 0.5))
    columns = min(7, max(1, int((WIDTH - 20) / (width + gap))), int(rng.integers(1, 9)))
    angle, squeeze = float(rng.normal(0, 7)), float(rng.uniform(0.82, 1.0))
    if rng.random() < 0.2:
        angle += 90.0 * int(rng.integers(1, 4))
    careless = float(rng.uniform(0, 0.035))
    upright: list[tuple[Floats, Floats]] = []
    for column in range(columns):
        cards = int(min(rng.geometric(0.35), 8))
        slant, top = float(rng.normal(0, 0.03)), float(rng.normal(0, 0.12)) * height
        for row in range(cards):
            face = deck.card(column, rng, may_be_joker=row > 0)
            middle = np.array([column * (width + gap), top + row * part * height])
            middle += rng.normal(0, careless, 2) * width + (slant * row * part * height, 0)
            turn = slant + float(rng.normal(0, careless))
            upright.append((face, _corners(middle, width, height, turn)))
    points = np.concatenate([quad for _, quad in upright])
    middle = (points.min(0) + points.max(0)) / 2
    spin = _spin(math.radians(angle))
    at = np.array([WIDTH / 2, HEIGHT / 2]) + rng.normal(0, 40, 2)
    lean = rng.normal(0, 6e-4, 2)
    placed = []
    for face, quad in upright:
        flat = (quad - middle) @ spin * (1, squeeze)
        flat = flat / (1 + flat @ lean)[:, None]
        placed.append((face, (flat + at).astype(np.float32)))
    return placed


def _corners(middle: NDArray[np.float64], width: float, height: float, turn: float) -> NDArray[np.float64]:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    return half @ _spin(turn) + middle


def _spin(turn: float) -> NDArray[np.float64]:
    return np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])


def lay(canvas: Floats, ids: Bytes, face: Floats, quad: Floats, corner: float, number: int, rng: Rng) -> None:
    """Draws a card into its corners with a shadow, and its number into `ids`; in place."""
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 6, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 7, canvas.shape[1::-1])
    if (high - low).min() < 3:
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    width = float(np.linalg.norm(quad[1] - quad[0]))
    fit = (max(6, round(width)), max(6, round(width * face.shape[0] / face.shape[1])))
    small = cv2.resize(face, fit, interpolation=cv2.INTER_AREA)
    mask = np.zeros((4 * fit[1], 4 * fit[0]), np.uint8)
    r = max(1, round(4 * corner * fit[0]))
    cv2.rectangle(mask, (r, 0), (4 * fit[0] - 1 - r, 4 * fit[1] - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (4 * fit[0] - 1, 4 * fit[1] - 1 - r), 255, -1)
    for x in (r, 4 * fit[0] - 1 - r):
        for y in (r, 4 * fit[1] - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    cover = cv2.resize(mask, fit, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    frame = np.array([[0, 0], [fit[0], 0], [fit[0], fit[1]], [0, fit[1]]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(frame, (quad - low).astype(np.float32))
    drawn = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(cover, matrix, size, flags=cv2.INTER_LINEAR)
    window = canvas[low[1] : high[1], low[0] : high[0]]
    reach = float(rng.uniform(0.3, 2.5))
    slide = np.array([[1, 0, float(rng.normal(0, reach))], [0, 1, float(rng.normal(0, reach))]])
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, slide, size), (0, 0), max(0.5, reach * 0.7))
    window *= 1 - float(rng.uniform(0, 0.5)) * shade[..., None]
    window += (drawn - window) * cover[..., None]
    ids[low[1] : high[1], low[0] : high[0]][cover > 0.5] = number


def edges_of(ids: Bytes) -> Bytes:
    """Where a visible part of a card ends (0 or 255): pixels whose right or lower neighbour is another's."""
    edge = np.zeros(ids.shape, bool)
    edge[:, :-1] |= ids[:, :-1] != ids[:, 1:]
    edge[:-1] |= ids[:-1] != ids[1:]
    return np.where(edge, 255, 0).astype(np.uint8)


def add_thing(canvas: Floats, rng: Rng) -> None:
    """Something that is no card: a coin, a sheet, a pen, a telephone; in place."""
    height, width = canvas.shape[:2]
    at = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    kind = int(rng.integers(4))
    ink = colour(rng)
    if kind == 0:
        radius = int(rng.uniform(6, 40))
        cv2.circle(canvas, (int(at[0]), int(at[1])), radius, ink.tolist(), -1, cv2.LINE_AA)
        cv2.circle(canvas, (int(at[0]), int(at[1])), int(radius * 0.8), (ink * 0.8).tolist(), 2, cv2.LINE_AA)
        return
    size = ((120.0, 170.0), (4.0, 130.0), (50.0, 105.0))[kind - 1]
    quad = _corners(at, *(s * float(rng.uniform(0.7, 1.4)) for s in size), float(rng.uniform(0, 6.3)))
    cv2.fillPoly(canvas, [quad.astype(np.int32)], ink.tolist(), cv2.LINE_AA)
    if kind == 1:
        for y in np.linspace(0.1, 0.9, 14):
            a, b = (quad[0] + (quad[3] - quad[0]) * y), (quad[1] + (quad[2] - quad[1]) * y)
            a, b = a + (b - a) * 0.1, a + (b - a) * float(rng.uniform(0.4, 0.9))
            cv2.line(canvas, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), (60, 60, 60), 1, cv2.LINE_AA)


def add_light(canvas: Floats, rng: Rng) -> None:
    """Shadows, lamps mirrored and light that falls off; in place."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    turn = float(rng.uniform(0, 6.3))
    canvas *= (1 - float(rng.uniform(0, 0.5)) * (0.5 + x * math.cos(turn) + y * math.sin(turn)).clip(0, 1))[
        ..., None
    ]
    if rng.random() < 0.45:
        mask = np.zeros((height, width), np.float32)
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(40, 260)), int(rng.uniform(40, 260)))
        cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.7, 14)))
        canvas *= 1 - float(rng.uniform(0.1, 0.6)) * mask[..., None]
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.35 else 0):
        mask = np.zeros((height, width), np.float32)
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(rng.uniform(3, 30)), int(rng.uniform(3, 18)))
        cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        canvas += (
            float(rng.uniform(60, 350))
            * cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1.5, 7)))[..., None]
        )
    np.clip(canvas, 0, 255, out=canvas)


def burn(canvas: Floats, rng: Rng) -> None:
    """A warm lamp: blue is weak, red and light colours saturate; in place."""
    warm = float(rng.uniform(0.05, 0.3))
    canvas *= np.array([1.0 - 1.4 * warm, 1.0, 1.0 + warm], np.float32) * float(rng.uniform(1.0, 1.4))
    np.clip(canvas, 0, 255, out=canvas)


def through_camera(canvas: Floats, rng: Rng) -> Bytes:
    """The picture as a camera takes it: exposure, wrong white balance, veil, blur, shake, noise, JPEG."""
    picture, (height, width) = canvas, canvas.shape[:2]
    blur = float(rng.uniform(0, 1.3)) if rng.random() < 0.7 else 0.0
    if blur > 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if rng.random() < 0.3:
        size = int(rng.integers(2, 5))
        kernel = np.zeros((2 * size + 1, 2 * size + 1), np.float32)
        turn, reach = float(rng.uniform(0, 3.2)), float(rng.uniform(0.5, 1.6))
        a, b = (np.array([math.cos(turn), math.sin(turn)]) * s * reach + size for s in (-1, 1))
        cv2.line(
            kernel,
            (round(a[0] * 16), round(a[1] * 16)),
            (round(b[0] * 16), round(b[1] * 16)),
            1.0,
            1,
            cv2.LINE_AA,
            4,
        )
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    veil = float(rng.uniform(0, 0.3)) if rng.random() < 0.4 else 0.0
    warmth = float(rng.normal(0, 0.15))
    balance = np.exp(np.array([-1.3 * warmth, 0, warmth]) + rng.normal(0, 0.05, 3))
    gain = float(np.exp(rng.normal(0, 0.25)))
    lit = np.clip(picture * gain * balance / 255, 0, 1) ** float(np.exp(rng.normal(0, 0.2)))
    lit = (lit * (1 - veil) + veil) * 255
    grain = (
        noise(width, height, 1.0, 1.0, rng)[..., None] * 0.4 + rng.standard_normal((height, width, 3)) * 0.8
    )
    lit = lit + grain * float(rng.uniform(0, 7) * rng.random())
    pixels = np.clip(lit, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
