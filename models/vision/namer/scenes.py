"""Pictures of a webcam or table camera with known cards in them, as the locator sees them: SIDE x SIDE
pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Floats, Image
from companion.vision.namer.network import GRID, SIDE
from models.vision.namer.camera import FingerSkin, Rng, finger, fingers_over, lit, photographed

STEP = SIDE // GRID
SECOND_LOOKS = 0.45
"""Share of held cards as large as where the locator looks at a place again (namer.locate)."""


@dataclass(frozen=True)
class SceneView:
    """`picture` (SIDE, SIDE, 3); `visible` (GRID, GRID): share of each cell that shows a card; `quads`
    (GRID, GRID, 8): corners of the card to which a cell belongs, in pixels less the cell's middle, by SIDE;
    `inside` (GRID, GRID): whether it belongs to any."""

    picture: Image
    visible: Floats
    quads: Floats
    inside: np.ndarray


def scene(cards: Sequence[Image], rng: Rng, grounds: Sequence[Image]) -> SceneView:
    """One picture with up to three cards."""
    canvas = _surroundings(rng, grounds)
    held = rng.random() < 0.65
    count = 0 if rng.random() < 0.07 else 1 if held else int(rng.integers(1, 4))
    if held and rng.random() < 0.75:
        _person(canvas, rng)
    owner = np.full((SIDE, SIDE), -1, np.int8)
    quads: list[Floats] = []
    again = held and rng.random() < SECOND_LOOKS
    size = float(rng.uniform(36, 76)) if again else math.exp(float(rng.uniform(math.log(18), math.log(100))))
    for index in range(count):
        wide = size if held else min(size, 46.0) * float(rng.uniform(0.9, 1.1))
        quad = _pose(wide, held, rng)
        _limbs_behind(canvas, quad, rng) if held else None
        hidden = _lay(canvas, cards[int(rng.integers(len(cards)))], quad, rng)
        owner[hidden > 0.5] = index
        quads.append(quad)
        if held:
            covered = fingers_over(canvas, quad, rng, int(rng.integers(0, 5)))
            owner[covered > 0.5] = -1
    if not held and rng.random() < 0.3:
        covered = fingers_over(canvas, _pose(40.0, True, rng), rng, 3)
        owner[covered > 0.5] = -1
    if count == 0 and rng.random() < 0.6:
        fingers_over(canvas, _pose(size, True, rng), rng, int(rng.integers(1, 5)))
    picture = photographed(canvas, rng, finest=1.0, coarsest=0.5)
    return SceneView(picture, *_targets(owner, quads))


def _targets(owner: np.ndarray, quads: list[Floats]) -> tuple[Floats, Floats, np.ndarray]:
    visible = cv2.resize((owner >= 0).astype(np.float32), (GRID, GRID), interpolation=cv2.INTER_AREA)
    middles = (
        np.stack(np.meshgrid(np.arange(GRID), np.arange(GRID)), axis=-1).astype(np.float32) * STEP
        + STEP / 2
        - 0.5
    )
    targets = np.zeros((GRID, GRID, 8), np.float32)
    inside = np.zeros((GRID, GRID), bool)
    for index, quad in enumerate(quads):
        mask = np.zeros((SIDE, SIDE), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
        own = (
            cv2.resize((owner == index).astype(np.float32), (GRID, GRID), interpolation=cv2.INTER_AREA) > 0.25
        )
        mine = own | (
            (cv2.resize(mask.astype(np.float32), (GRID, GRID), interpolation=cv2.INTER_AREA) > 0.6) & ~inside
        )
        targets[mine] = ((quad[None] - middles[mine][:, None]) / SIDE).reshape(-1, 8)
        inside |= mine
    return visible, targets, inside


def _surroundings(rng: Rng, grounds: Sequence[Image]) -> Floats:
    ground = grounds[int(rng.integers(len(grounds)))]
    side = int(rng.uniform(0.35, 1.0) * min(ground.shape[:2]))
    top, left = int(rng.integers(ground.shape[0] - side + 1)), int(rng.integers(ground.shape[1] - side + 1))
    part = ground[top : top + side, left : left + side]
    canvas = cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.6:  # plain walls and furniture
        tone = rng.uniform(20, 240, 3).astype(np.float32)
        if rng.random() < 0.7:
            tone = tone.mean() * 0.7 + tone * 0.3
        share = float(rng.uniform(0.5, 1.0))
        canvas = canvas * (1 - share) + tone * share
        for _ in range(int(rng.integers(0, 6))):
            x, y = rng.uniform(-0.2, 1, 2) * SIDE
            w, h = rng.uniform(0.1, 0.8, 2) * SIDE
            colour = tuple(float(v) for v in rng.uniform(10, 250, 3) * 0.5 + 0.5 * rng.uniform(10, 250))
            turn = float(rng.normal(0, 6))
            box = cv2.boxPoints(((x + w / 2, y + h / 2), (w, h), turn))
            cv2.fillConvexPoly(canvas, np.round(box * 8).astype(np.int32), colour, cv2.LINE_AA, 3)
            if rng.random() < 0.4:
                cv2.polylines(
                    canvas,
                    [np.round(box).astype(np.int32)],
                    True,
                    tuple(float(v) for v in rng.uniform(10, 250, 3)),
                    1,
                    cv2.LINE_AA,
                )
    return cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.3, 2.5))).astype(np.float32)


def _person(canvas: Floats, rng: Rng) -> None:
    """A head, hair and shoulders, in place."""
    skin = FingerSkin(rng)
    at = np.array([rng.uniform(0, 1) * SIDE, rng.uniform(0.2, 0.7) * SIDE])
    size = float(rng.uniform(0.12, 0.35)) * SIDE
    cloth, hair = rng.uniform(10, 240, 3), rng.uniform(5, 120, 3)
    middle = (int(at[0]), int(at[1]))
    cv2.ellipse(
        canvas,
        (middle[0], int(at[1] + 2.3 * size)),
        (int(2 * size), int(1.5 * size)),
        0,
        0,
        360,
        cloth.tolist(),
        -1,
        cv2.LINE_AA,
    )
    cv2.ellipse(
        canvas,
        (middle[0], int(at[1] - 0.15 * size)),
        (int(0.85 * size), int(1.12 * size)),
        0,
        0,
        360,
        hair.tolist(),
        -1,
        cv2.LINE_AA,
    )
    cv2.ellipse(canvas, middle, (int(0.72 * size), int(size)), 0, 0, 360, skin.tone.tolist(), -1, cv2.LINE_AA)
    for side in (-1, 1):
        eye = (int(at[0] + side * 0.28 * size), int(at[1] - 0.1 * size))
        cv2.ellipse(
            canvas, eye, (max(1, int(0.13 * size)), max(1, int(0.07 * size))), 0, 0, 360, (40, 40, 40), -1
        )
    if rng.random() < 0.5:
        cv2.ellipse(
            canvas,
            (middle[0], int(at[1] + 0.6 * size)),
            (int(0.55 * size), int(0.5 * size)),
            0,
            0,
            360,
            hair.tolist(),
            -1,
            cv2.LINE_AA,
        )
    canvas[:] = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(0.5, 1.8)))


def _pose(wide: float, held: bool, rng: Rng) -> Floats:
    """The corners (4, 2) of a card of that width somewhere in the picture, partly outside at times."""
    aspect = float(rng.uniform(1.3, 1.68))
    turn = math.radians(
        float(rng.normal(0, 16)) if held and rng.random() < 0.85 else float(rng.uniform(-180, 180))
    )
    if rng.random() < 0.4:
        turn += math.pi
    tilt = math.radians(abs(float(rng.normal(0, 18))))
    axis = float(rng.uniform(0, 2 * math.pi))
    corners = np.array([[-0.5, -aspect / 2], [0.5, -aspect / 2], [0.5, aspect / 2], [-0.5, aspect / 2]])
    normal = np.array([math.cos(axis), math.sin(axis)])
    along = corners @ normal
    depth = along * math.sin(min(tilt, 0.9))
    corners = corners - np.outer(along * (1 - math.cos(min(tilt, 0.9))), normal)
    corners = corners / (1 + depth / 5.0)[:, None] * wide
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    half = 0.5 * wide
    reach = float(rng.choice([0.0, 0.0, 0.6, 1.0])) * half
    low, high = half - reach, SIDE - half + reach
    middle = rng.uniform(min(low, SIDE - low), max(high, SIDE - high), 2)
    return np.asarray(corners @ rotation.T + np.clip(middle, 0, SIDE), np.float32)


def _limbs_behind(canvas: Floats, quad: Floats, rng: Rng) -> None:
    """Palm and fingers behind the card, in place."""
    skin = FingerSkin(rng)
    width = float(np.linalg.norm(quad[1] - quad[0]))
    side = int(rng.integers(4))
    middle = (quad[side] + quad[(side + 1) % 4]) / 2
    out = middle - quad.mean(axis=0)
    out = out / max(1.0, float(np.linalg.norm(out)))
    finger(canvas, middle + out * width * 3, middle - out * width * 0.2, 0.45 * width, skin, rng)
    for _ in range(int(rng.integers(0, 4))):
        start = middle + rng.normal(0, 0.4, 2) * width
        finger(canvas, start, start + rng.normal(0, 0.8, 2) * width, 0.15 * width, skin, rng)


def _lay(canvas: Floats, card: Image, quad: Floats, rng: Rng) -> Floats:
    """Lays a card into the quad, in place; returns where it is, 0 to 1."""
    rows, columns = card.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, quad)
    face = lit(card.astype(np.float32), rng)
    shrink = float(np.linalg.norm(quad[1] - quad[0])) / columns
    if shrink < 0.6:
        face = cv2.GaussianBlur(face, (0, 0), 0.4 / shrink)
    mask = cv2.warpPerspective(np.ones((rows, columns), np.float32), matrix, (SIDE, SIDE))
    if rng.random() < 0.5:
        cast = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 4)))
        canvas *= 1 - float(rng.uniform(0, 0.4)) * cast[..., None]
    picture = cv2.warpPerspective(face, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    canvas += (np.clip(picture, 0, 255) - canvas) * mask[..., None]
    return np.asarray(mask, np.float32)
