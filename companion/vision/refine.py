"""Moves a quad until the card within it lies exactly on the deck's look of it.

Gauss-Newton on the normalised light of the descriptor (Lucas and Kanade 1981; inverse roles kept as in Baker
and Matthews, "Lucas-Kanade 20 years on", 2004), with the four corners as parameters and blocks that fit badly
(covered, glaring) weighing nothing. A quad found by its outline is off by a few per cent; two sixes that
differ in a stroke can only be told apart once it is not.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision import descriptor, geometry
from companion.vision.descriptor import Gallery, Scene
from companion.vision.picture import Array, Bytes, Floats

_FRAME = np.array(
    [[0, 0], [descriptor.WIDTH, 0], [descriptor.WIDTH, descriptor.HEIGHT], [0, descriptor.HEIGHT]], np.float32
)


def _corner_shares() -> Floats:
    """How much each corner moves a pixel (bilinear): (pixels, 4)."""
    y, x = np.mgrid[0 : descriptor.HEIGHT, 0 : descriptor.WIDTH].astype(np.float32)
    u, v = (x + 0.5) / descriptor.WIDTH, (y + 0.5) / descriptor.HEIGHT
    shares = [(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v]
    return np.stack([s.ravel() for s in shares], axis=1)


def _bases() -> dict[int, Floats]:
    """Corner motions (8, freedom) by degrees of freedom: 4 similar, 6 affine, 8 any."""
    x, y = (_FRAME - _FRAME.mean(axis=0)).T / 24.0
    one, none = np.ones(4), np.zeros(4)
    columns = [(one, none), (none, one), (x, y), (-y, x), (x, -y), (y, x), (x * y, none), (none, x * y)]
    basis = np.stack([np.stack(pair, axis=1).ravel() for pair in columns], axis=1).astype(np.float32)
    return {4: basis[:, :4], 6: basis[:, :6], 8: basis}


_SHARES = _corner_shares().reshape(descriptor.HEIGHT, descriptor.WIDTH, 4)
_BASES = _bases()


def light_of(look: Bytes) -> Floats:
    """The normalised light (72, 48) that a descriptor holds."""
    blocks = look.reshape(descriptor.BLOCKS, -1)[:, : descriptor.LIGHT].astype(np.float32) / 127.5 - 1.0
    rows, columns, side = descriptor.ROWS, descriptor.COLUMNS, descriptor.SIDE
    grid = blocks.reshape(rows, columns, side, side).transpose(0, 2, 1, 3)
    return np.asarray(grid.reshape(descriptor.HEIGHT, descriptor.WIDTH), np.float32)


def refined(
    scene: Scene, quad: Floats, look: Bytes, *, freedom: int = 8, rounds: int = 8, bare: Array | None = None
) -> Floats:
    """The quad after at most `rounds` steps towards `look`; the quad itself where no step helps.

    `freedom` is 4 (shift, turn, size), 6 (affine) or 8 (any quad): the less of the card can be seen, the
    fewer should be free. `bare` (BLOCKS,) tells which blocks can be seen at all, where that is known.
    """
    template = light_of(look)
    gallery = Gallery(look[None])
    basis = _BASES[freedom]
    best, best_cost = quad, np.inf
    current = quad
    for turn in range(rounds):
        light, colour = descriptor.planes(scene.rectified(current))
        costs = gallery.costs(descriptor.packed(light, colour))[0]
        cost = float(costs.mean() if bare is None else costs[bare].mean())
        if cost < best_cost - 0.002:
            best, best_cost = current, cost
        elif cost > best_cost + 0.02:
            break
        step = _step(light, template, _weights(costs, bare, turn < rounds // 2), basis, turn < rounds // 2)
        if step is None:
            break
        following = geometry.moved(_FRAME + step, geometry.homography(_FRAME, current))
        if not geometry.is_card_like(following, 8.0, (0.8, 2.8)):
            break
        moved = float(np.abs(following - current).max())
        current = following
        if moved < 0.004 * float(geometry.sides(current).min()):
            break
    return best


def _weights(costs: Floats, bare: Array | None, coarse: bool) -> Floats:
    """How much each block counts (ROWS, COLUMNS): those that fit, at first also those that do not yet."""
    weights = np.clip(1.3 - 1.3 * costs, 0.3 if coarse else 0.0, 1.0)
    if bare is not None:
        weights = weights * bare
    return np.asarray(weights.reshape(descriptor.ROWS, descriptor.COLUMNS), np.float32)


def _step(light: Floats, template: Floats, grid: Floats, basis: Floats, coarse: bool) -> Floats | None:
    """Corner motion (4, 2) in pixels of the rectified card that brings `light` closer to `template`."""
    if float((grid > 0.2).mean()) < 0.06:
        return None
    if coarse:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), 1.7), np.float32)
        template = np.asarray(cv2.GaussianBlur(template, (0, 0), 1.7), np.float32)
    size = (descriptor.WIDTH, descriptor.HEIGHT)
    weight = np.asarray(cv2.resize(grid, size, interpolation=cv2.INTER_NEAREST), np.float32)
    gy, gx = np.gradient(light * 0.5 + template * 0.5)
    error = template - light
    every = slice(1, -1, 2 if coarse else 1)
    gx, gy, error, weight = (a[every, every].reshape(-1, 1) for a in (gx, gy, error, weight))
    shares = _SHARES[every, every].reshape(-1, 4)
    jacobian = shares * gx @ basis[0::2] + shares * gy @ basis[1::2]
    weighted = jacobian * weight
    normal = weighted.T @ jacobian
    normal += np.eye(basis.shape[1], dtype=np.float32) * (
        1e-3 * float(np.trace(normal)) / basis.shape[1] + 1e-6
    )
    try:
        motion = np.linalg.solve(normal, weighted.T @ error.ravel())
    except np.linalg.LinAlgError:
        return None
    corners: Array = (basis @ motion).reshape(4, 2)
    largest = float(np.abs(corners).max())
    if largest > 4.0:
        corners *= 4.0 / largest
    return np.asarray(corners, np.float32)
