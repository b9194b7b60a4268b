"""Views of cards as the namer sees them: straightened by a quad that is a little wrong, partly hidden,
badly lit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.card_frame import CardFrame
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.namer.network import FRAME
from models.vision.namer.camera import Rng, fingers_over, lit, photographed


@dataclass(frozen=True, eq=False)
class CardView:
    """`picture` (rows, columns, 3); `corners` (4, 2): where the card's corners really are, less where the
    quad has them, in card widths; `visible`: the share of the card that can be seen; `hidden` (rows,
    columns): what is known not to show it, beyond the camera's picture or under a known card."""

    picture: Image
    corners: Floats
    visible: float
    hidden: Array


def view(
    card: Image,
    rng: Rng,
    grounds: Sequence[Image],
    others: Sequence[Image],
    *,
    wrong: float = 1.0,
    frame: CardFrame = FRAME,
    in_columns: float = 0.0,
) -> CardView:
    """One view of a card. `wrong`: how wrong the quad is, against what the locator is on average;
    `in_columns`: the share of cards of which only a strip sticks out from under others, as in a display."""
    rows, columns = card.shape[:2]
    size = (frame.width, frame.height)
    canvas = _ground(rng, grounds, size)
    width = frame.card[0]
    spread = wrong * float(abs(rng.normal(0, 0.05))) * width
    shift = rng.normal(0, 0.6, 2) * spread
    scale = math.exp(float(rng.normal(0, 0.6)) * spread / width)
    turn = float(rng.normal(0, 0.5)) * spread / width
    corners = frame.corners.astype(np.float64)
    middle = corners.mean(axis=0)
    rotation = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    real = (corners - middle) @ rotation.T + middle + shift + rng.normal(0, 0.35, (4, 2)) * spread
    quad = real.astype(np.float32)
    face = lit(card.astype(np.float32), rng)
    cover = _laid_on(canvas, face, quad, _rounded(rows, columns, rng))
    seen = cover > 0.5
    all_of_it = max(1, int(seen.sum()))
    hidden = np.zeros(seen.shape, bool)
    if in_columns and rng.random() < in_columns:
        over, hidden = _covered_in_column(canvas, quad, rng, others)
        seen = seen & ~over
    else:
        kind = rng.random()
        if kind < 0.55:
            seen = seen & (fingers_over(canvas, quad, rng, int(rng.integers(1, 5))) < 0.5)
        elif kind < 0.72:
            seen = seen & ~_covered(canvas, rng, others, grounds)
    if rng.random() < 0.2:
        beyond = _cut(canvas, rng)
        seen, hidden = seen & ~beyond, hidden | beyond
    picture = photographed(canvas, rng, finest=1.0, coarsest=0.4 * FRAME.width / frame.width)
    if rng.random() < 0.5:
        picture = np.asarray(picture, np.uint8)
    share = float(seen.sum()) / all_of_it
    return CardView(picture, ((quad - frame.corners) / width).astype(np.float32), share, hidden)


def _laid_on(canvas: Floats, face: Floats, quad: Floats, mask: Floats) -> Floats:
    """Lays a card with a mask of its shape over the canvas, in place. Returns how much it covers."""
    rows, columns = face.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - np.float32(0.5)
    matrix = geometry.homography(source, quad)
    size = canvas.shape[1::-1]
    cover = cv2.warpPerspective(mask, matrix, size)
    laid = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    canvas += (laid - canvas) * cover[..., None]
    return np.asarray(cover, np.float32)


STRIP = (0.13, 0.55)
"""Share of a card in a column that sticks out."""
KNOWN_COVER = 0.8
"""Share of the cards in columns of which it is known where the cards above them lie."""


def _covered_in_column(
    canvas: Floats, quad: Floats, rng: Rng, others: Sequence[Image]
) -> tuple[np.ndarray, np.ndarray]:
    """Lays cards of the deck over all but a strip of a card, in place. Returns where they are, and where they
    are known to be."""
    along = np.array([[0, 1], [0, 1], [0, 1], [0, -1], [1, 0], [-1, 0]][int(rng.integers(6))], np.float32)
    over = known = np.zeros(canvas.shape[:2], bool)
    to_picture = geometry.homography(geometry.UNIT, quad)
    for side in (1.0, -1.0) if rng.random() < 0.1 else (1.0,):
        away = side * along * float(rng.uniform(*STRIP))
        turn, scale = float(rng.normal(0, 0.02)), float(rng.normal(1, 0.01))
        middle = np.array([0.5, 0.5]) + away + rng.normal(0, [0.02, 0.01])
        rotation = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        corners = (geometry.UNIT - 0.5) @ rotation.T + middle
        above = others[int(rng.integers(len(others)))].astype(np.float32)
        place = np.asarray(geometry.transform(corners.astype(np.float32), to_picture), np.float32)
        mask = _rounded(*above.shape[:2], rng)
        over = over | (_laid_on(canvas, lit(above, rng), place, mask) > 0.5)
        if rng.random() < KNOWN_COVER:
            about = place + rng.normal(0, 0.008, (4, 2)) * canvas.shape[1]
            known = known | _inside(canvas.shape[:2], about)
    return over, known


def _inside(shape: tuple[int, ...], quad: Array) -> np.ndarray:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask > 0


def _ground(rng: Rng, grounds: Sequence[Image], size: tuple[int, int]) -> Floats:
    """Any surroundings of this width and height."""
    width, height = size
    if rng.random() < 0.3:
        return np.full((height, width, 3), rng.uniform(10, 250, 3), np.float32)
    ground = grounds[int(rng.integers(len(grounds)))]
    top = int(rng.integers(ground.shape[0] - height + 1))
    left = int(rng.integers(ground.shape[1] - width + 1))
    return ground[top : top + height, left : left + width].astype(np.float32)


def _rounded(rows: int, columns: int, rng: Rng) -> Floats:
    radius = int(columns * rng.uniform(0.0, 0.08))
    mask = np.zeros((rows, columns), np.uint8)
    if radius < 1:
        mask[:] = 255
    else:
        cv2.rectangle(mask, (radius, 0), (columns - 1 - radius, rows - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (columns - 1, rows - 1 - radius), 255, -1)
        for x in (radius, columns - 1 - radius):
            for y in (radius, rows - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
    return mask.astype(np.float32) / 255.0


def _covered(canvas: Floats, rng: Rng, others: Sequence[Image], grounds: Sequence[Image]) -> np.ndarray:
    """Lays another card, or something else, over a part; in place. Returns where."""
    if rng.random() < 0.7 and others:
        above = others[int(rng.integers(len(others)))].astype(np.float32)
    else:
        above = _ground(rng, grounds, canvas.shape[1::-1])
    rows, columns = above.shape[:2]
    height, width = canvas.shape[:2]
    turn = float(rng.choice([0, 0, 90, 180, 270]) + rng.normal(0, 8))
    away = rng.uniform(0, 2 * math.pi)
    reach = np.array([math.cos(away) * width, math.sin(away) * height]) * float(rng.uniform(0.4, 0.95))
    matrix = cv2.getRotationMatrix2D(
        (columns / 2, rows / 2), turn, width / columns * float(rng.uniform(0.85, 1.1))
    )
    matrix[:, 2] += np.array([width / 2, height / 2]) + reach - np.array([columns / 2, rows / 2])
    mask = cv2.warpAffine(np.ones((rows, columns), np.float32), matrix, (width, height))
    picture = cv2.warpAffine(above, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    canvas += (picture - canvas) * mask[..., None]
    return np.asarray(mask > 0.5)


def _cut(canvas: Floats, rng: Rng) -> np.ndarray:
    """What is beyond the edge of the camera's picture is black; in place. Returns where."""
    turn = float(rng.choice([0, 0.5, 1, 1.5]) * math.pi + rng.normal(0, 0.25))
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    far = (x - width / 2) / width * math.cos(turn) + (y - height / 2) / height * math.sin(turn)
    beyond = far > float(rng.uniform(-0.05, 0.45))
    canvas[beyond] = 0.0
    return beyond
