"""Moves a quad until the card within it lies exactly on the deck's look of it.

Gauss-Newton on the normalised light of the descriptor (Lucas and Kanade 1981; inverse roles kept as in Baker
and Matthews, "Lucas-Kanade 20 years on", 2004), with the four corners as parameters and blocks that fit badly
(covered, glaring) weighing nothing. A quad found by its outline is off by a few per cent; two sixes that
differ in a stroke can only be distinguished once it is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import (
    COLUMNS,
    FAR,
    GREY_WEIGHTS,
    HEIGHT,
    ROWS,
    WIDTH,
    PicturePyramid,
    light_of,
)

FRAME = geometry.rectangle(0, 0, WIDTH, HEIGHT)
COARSE_BLUR = 1.7
"""Gaussian radius by which light is smoothed for the first steps."""
GIVE_UP_STEPS, ROUNDS = 3, 8
"""Steps after which a quad may be given up, and steps at most, the first half of them with smoothed light."""


@dataclass(frozen=True, eq=False)
class LightTemplate:
    """The normalised light (72, 48) of a look, and the same smoothed for the first steps."""

    light: Floats
    soft: Floats


@dataclass(frozen=True, eq=False)
class _Motions:
    """Motions of the corners (8, freedom), and how they move pixels in x and y (freedom, pixels)."""

    basis: Floats
    x: Floats
    y: Floats


def _motions(freedom: int, stride: int) -> _Motions:
    """The motions by degrees of freedom, 6 affine, 8 any, for every `stride`-th pixel in each direction."""
    motions = geometry.corner_motions(*(FRAME - FRAME.mean(axis=0)).T / 24.0)
    basis = np.ascontiguousarray(motions[:freedom].reshape(freedom, -1).T)
    rows, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    u, v = (across + 0.5) / WIDTH, (rows + 0.5) / HEIGHT
    shares = geometry.corner_shares(u, v)
    seen = (shares @ basis[axis::2] for axis in (0, 1))
    x, y = (part[1:-1:stride, 1:-1:stride].reshape(-1, freedom) for part in seen)
    return _Motions(basis, np.ascontiguousarray(x.T), np.ascontiguousarray(y.T))


COARSE_STRIDE = 2
"""In the first steps every so manieth pixel counts, in each direction."""
_MOTIONS = {
    (freedom, stride): _motions(freedom, stride) for freedom in (6, 8) for stride in (1, COARSE_STRIDE)
}


def light_template(look: Bytes) -> LightTemplate:
    """The light that a descriptor holds."""
    light = light_of(look)
    return LightTemplate(light, np.asarray(cv2.GaussianBlur(light, (0, 0), COARSE_BLUR), np.float32))


@dataclass(frozen=True, eq=False)
class EndTemplates:
    """Ends of looks at half the size, as vectors of mean 0 and length 1 (2 n, pixels): of each look the upper
    end, then the lower one turned up; `size` is their height and width."""

    values: Floats
    size: tuple[int, int]

    @staticmethod
    def of(looks: Bytes, rows: int) -> EndTemplates:
        """The ends of that many rows (of 72)."""
        height, width = rows // 2, WIDTH // 2 - 1
        ends = []
        for look in looks:
            light = light_of(look)
            for way in (light, light[::-1, ::-1]):
                end = np.ascontiguousarray(way[: 2 * height, 1:-1])
                ends.append(cv2.resize(end, (width, height), interpolation=cv2.INTER_AREA).ravel())
        values = np.stack(ends)
        values = values - values.mean(axis=1, keepdims=True)
        values /= np.linalg.norm(values, axis=1, keepdims=True) + 0.5
        return EndTemplates(np.asarray(values, np.float32), (height, width))


def refine_quad(
    scene: PicturePyramid,
    quad: Floats,
    look: LightTemplate,
    *,
    freedom: int = 8,
    marks: Array | None = None,
    most_cost: float = 1.0,
) -> tuple[Floats, float]:
    """The quad after at most ROUNDS steps towards `look`, the quad itself where no step helps; and what the
    marks of the card cost in light.

    `freedom` is 6 (affine) or 8 (any quad): the less of the card can be seen, the fewer should be free.
    `marks` (BLOCKS,) tells how much there is to see in each block: a quad whose marks cost more than
    `most_cost` after GIVE_UP_STEPS is given up."""
    best, best_cost, marked = quad, np.inf, 1.0
    current = quad
    balance: Floats | None = None
    for turn in range(ROUNDS):
        coarse = turn < ROUNDS // 2
        card = scene.rectified_fast(current) if coarse else scene.rectified(current)
        if balance is None:
            balance = GREY_WEIGHTS * descriptor.white_balance(card).ravel()
        light = descriptor.normalise_light(card @ balance)
        costs = block_costs(light, look.light)
        cost = float(costs.mean())
        if marks is not None:
            marked = min(marked, float((costs * marks).sum() / marks.sum()))
        if cost < best_cost - 0.002:
            best, best_cost = current, cost
        elif cost > best_cost + 0.02:
            break
        if marks is not None and turn == GIVE_UP_STEPS and marked > most_cost:
            break
        step = _step(light, look, _weights(costs, coarse), freedom, coarse)
        if step is None:
            break
        following = geometry.transform(FRAME + step, geometry.homography(FRAME, current))
        if not geometry.is_card_like(following, 8.0, (0.8, 2.8)):
            break
        moved = float(np.abs(following - current).max())
        current = following
        if moved < 0.004 * geometry.width_of(current):
            break
    return best, marked


def block_costs(light: Floats, other: Floats) -> Floats:
    """Cost of each block (BLOCKS,) between two pictures of light, 0 same, 1 nothing in common."""
    away = cv2.resize(cv2.absdiff(light, other), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA).ravel()
    return np.asarray(np.minimum(away * np.float32(1.0 / FAR), 1.0), np.float32)


def _weights(costs: Floats, coarse: bool) -> Floats:
    """How much each block counts (ROWS, COLUMNS): those that fit, at first also those that do not yet."""
    weights = np.clip(1.3 - 1.3 * costs, 0.3 if coarse else 0.0, 1.0)
    return np.asarray(weights.reshape(ROWS, COLUMNS), np.float32)


def _step(light: Floats, look: LightTemplate, grid: Floats, freedom: int, coarse: bool) -> Floats | None:
    """Corner motion (4, 2) in pixels of the rectified card that brings `light` closer to the look; None if
    too few blocks, by the weights `grid` (ROWS, COLUMNS), tell."""
    if np.count_nonzero(grid > 0.2) < 0.06 * grid.size:
        return None
    stride, target = (COARSE_STRIDE, look.soft) if coarse else (1, look.light)
    motions = _MOTIONS[freedom, stride]
    if coarse:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), COARSE_BLUR), np.float32)
    whole = cv2.resize(grid, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    weight = whole[1:-1:stride, 1:-1:stride].reshape(1, -1)
    both = (light + target) * 0.25
    gx = (both[1:-1:stride, 2::stride] - both[1:-1:stride, :-2:stride]).reshape(1, -1)
    gy = (both[2::stride, 1:-1:stride] - both[:-2:stride, 1:-1:stride]).reshape(1, -1)
    error = (target - light)[1:-1:stride, 1:-1:stride].reshape(-1)
    jacobian = gx * motions.x
    jacobian += gy * motions.y
    weighted = jacobian * weight
    normal = weighted @ jacobian.T
    normal += np.eye(freedom, dtype=np.float32) * (1e-3 * float(np.trace(normal)) / freedom + 1e-6)
    corners: Array = (motions.basis @ np.linalg.solve(normal, weighted @ error)).reshape(4, 2)
    largest = float(np.abs(corners).max())
    if largest > 4.0:
        corners *= 4.0 / largest
    return np.asarray(corners, np.float32)
