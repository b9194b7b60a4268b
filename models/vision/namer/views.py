"""Views of cards as the namer sees them: straightened by a quad that is a little wrong, partly hidden,
badly lit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Floats, Image
from companion.vision.namer.network import CARD, HEIGHT, MARGIN, WIDTH
from models.vision.namer.camera import Rng, fingers_over, lit, photographed


@dataclass(frozen=True)
class CardView:
    """`picture` (HEIGHT, WIDTH, 3); `corners` (4, 2): where the card's corners really are, less where the
    quad has them, in card widths; `visible`: the share of the card that can be seen."""

    picture: Image
    corners: Floats
    visible: float


def view(
    card: Image, rng: Rng, grounds: Sequence[Image], others: Sequence[Image], *, wrong: float = 1.0
) -> CardView:
    """One view of a card. `wrong`: how wrong the quad is, against what the locator is on average."""
    rows, columns = card.shape[:2]
    canvas = _ground(rng, grounds)
    spread = wrong * float(abs(rng.normal(0, 0.05))) * CARD[0]
    shift = rng.normal(0, 0.6, 2) * spread
    scale = math.exp(float(rng.normal(0, 0.6)) * spread / CARD[0])
    turn = float(rng.normal(0, 0.5)) * spread / CARD[0]
    frame = np.array([[0, 0], [CARD[0], 0], [CARD[0], CARD[1]], [0, CARD[1]]], np.float64) + MARGIN - 0.5
    middle = frame.mean(axis=0)
    rotation = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    real = (frame - middle) @ rotation.T + middle + shift + rng.normal(0, 0.35, (4, 2)) * spread
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, real.astype(np.float32))
    face = lit(card.astype(np.float32), rng)
    cover = cv2.warpPerspective(_rounded(rows, columns, rng), matrix, (WIDTH, HEIGHT))[..., None]
    canvas += (
        cv2.warpPerspective(face, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE) - canvas
    ) * cover
    seen = cover[..., 0] > 0.5
    all_of_it = max(1, int(seen.sum()))
    quad = real.astype(np.float32)
    kind = rng.random()
    if kind < 0.55:
        seen = seen & (fingers_over(canvas, quad, rng, int(rng.integers(1, 5))) < 0.5)
    elif kind < 0.72:
        seen = seen & ~_covered(canvas, rng, others, grounds)
    if rng.random() < 0.2:
        seen = seen & ~_cut(canvas, rng)
    picture = photographed(canvas, rng, finest=1.0, coarsest=0.4)
    if rng.random() < 0.5:
        picture = np.asarray(picture, np.uint8)
    return CardView(picture, ((quad - frame) / CARD[0]).astype(np.float32), float(seen.sum()) / all_of_it)


def _ground(rng: Rng, grounds: Sequence[Image]) -> Floats:
    """Any surroundings (HEIGHT, WIDTH, 3)."""
    if rng.random() < 0.3:
        return np.full((HEIGHT, WIDTH, 3), rng.uniform(10, 250, 3), np.float32)
    ground = grounds[int(rng.integers(len(grounds)))]
    top = int(rng.integers(ground.shape[0] - HEIGHT + 1))
    left = int(rng.integers(ground.shape[1] - WIDTH + 1))
    return ground[top : top + HEIGHT, left : left + WIDTH].astype(np.float32)


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
        above = _ground(rng, grounds)
    rows, columns = above.shape[:2]
    turn = float(rng.choice([0, 0, 90, 180, 270]) + rng.normal(0, 8))
    away = rng.uniform(0, 2 * math.pi)
    reach = np.array([math.cos(away) * WIDTH, math.sin(away) * HEIGHT]) * float(rng.uniform(0.4, 0.95))
    matrix = cv2.getRotationMatrix2D(
        (columns / 2, rows / 2), turn, WIDTH / columns * float(rng.uniform(0.85, 1.1))
    )
    matrix[:, 2] += np.array([WIDTH / 2, HEIGHT / 2]) + reach - np.array([columns / 2, rows / 2])
    mask = cv2.warpAffine(np.ones((rows, columns), np.float32), matrix, (WIDTH, HEIGHT))
    picture = cv2.warpAffine(above, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    canvas += (picture - canvas) * mask[..., None]
    return np.asarray(mask > 0.5)


def _cut(canvas: Floats, rng: Rng) -> np.ndarray:
    """What is beyond the edge of the camera's picture is black; in place. Returns where."""
    turn = float(rng.choice([0, 0.5, 1, 1.5]) * math.pi + rng.normal(0, 0.25))
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    far = (x - WIDTH / 2) / WIDTH * math.cos(turn) + (y - HEIGHT / 2) / HEIGHT * math.sin(turn)
    beyond = far > float(rng.uniform(-0.05, 0.45))
    canvas[beyond] = 0.0
    return beyond
