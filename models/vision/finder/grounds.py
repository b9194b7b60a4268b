"""Table tops for training pictures: plain, grained, woven, checked, ruled, printed."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Floats = NDArray[np.float32]


def colour(
    rng: Rng, saturation: tuple[float, float] = (0.0, 0.9), value: tuple[float, float] = (0.15, 1.0)
) -> Floats:
    """A random colour, blue green red in levels."""
    r, g, b = colorsys.hsv_to_rgb(
        float(rng.random()), float(rng.uniform(*saturation)), float(rng.uniform(*value))
    )
    return np.array([b, g, r], np.float32) * 255


def noise(width: int, height: int, across: float, down: float, rng: Rng) -> Floats:
    """Smooth noise of deviation about 1 with features of `across` x `down` pixels."""
    grid = rng.standard_normal((int(height / down) + 3, int(width / across) + 3)).astype(np.float32)
    return np.asarray(cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def random_ground(width: int, height: int, rng: Rng, *, is_pale: bool = False) -> Floats:
    """A table top (height, width, 3), levels 0 to 255; `is_pale`: hardly darker than pale cards."""
    kinds = (plain, plain, grain, grain, checked, checked, ruled, ruled, dots, printed, printed, tiles)
    if is_pale:
        kinds = (pale_table, pale_table, checked, ruled)
    flat = kinds[int(rng.integers(len(kinds)))](width, height, rng)
    if rng.random() < 0.7:
        angle, scale = float(rng.normal(0, 25)), float(rng.uniform(1.3, 1.7))
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale)
        matrix3 = np.vstack([matrix, [float(rng.normal(0, 1.5e-4)), float(rng.normal(0, 2.5e-4)), 1]])
        flat = cv2.warpPerspective(flat, matrix3, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(flat, np.float32)


def plain(width: int, height: int, rng: Rng) -> Floats:
    """One colour: a white table, felt, paper."""
    base = colour(rng, (0, 0.15), (0.7, 1)) if rng.random() < 0.4 else colour(rng)
    fine = noise(width, height, 2, 2, rng) * float(rng.uniform(0, 0.05))
    return base * (1 + fine + noise(width, height, 120, 120, rng) * float(rng.uniform(0, 0.06)))[..., None]


def pale_table(width: int, height: int, rng: Rng) -> Floats:
    """A white or cream table, cloth or paper."""
    fine = noise(width, height, 2, 2, rng) * float(rng.uniform(0, 0.04))
    broad = noise(width, height, 90, 90, rng) * float(rng.uniform(0, 0.04))
    return colour(rng, (0, 0.12), (0.8, 1)) * (1 + fine + broad)[..., None]


def grain(width: int, height: int, rng: Rng) -> Floats:
    """Wood, stone or brushed metal: noise drawn out in one direction, with joints."""
    base = colour(rng, (0.1, 0.7), (0.25, 0.95)) if rng.random() < 0.7 else colour(rng)
    down = float(rng.uniform(1.5, 8))
    rings = noise(width, height, float(rng.uniform(60, 400)), down * 4, rng)
    tone = np.sin(rings * float(rng.uniform(1, 5))) * 0.5 + noise(width, height, 50, down, rng) * 0.4
    flat = base * (1 + float(rng.uniform(0.03, 0.2)) * tone)[..., None]
    board = int(rng.uniform(40, 200))
    for top in range(int(rng.integers(board)), height, board):
        flat[top : top + 2] *= float(rng.uniform(0.4, 0.9))
        flat[top + 2 : top + board] *= float(rng.uniform(0.88, 1.12))
    return np.ascontiguousarray(
        flat if rng.random() < 0.7 else cv2.resize(flat.transpose(1, 0, 2), (width, height))
    )


def checked(width: int, height: int, rng: Rng) -> Floats:
    """Checks, gingham, stripes and plaid."""
    side, wide = float(rng.uniform(6, 60)), float(rng.uniform(6, 60))
    wide = side if rng.random() < 0.75 else wide
    x, y = (np.arange(width) / side).astype(int) % 2, (np.arange(height) / wide).astype(int) % 2
    kind = int(rng.integers(4))
    if kind == 0:
        share = ((x[None] + y[:, None]) / 2).astype(np.float32)
    elif kind == 1:
        share = (x[None] ^ y[:, None]).astype(np.float32)
    elif kind == 2:
        share = np.broadcast_to(x[None], (height, width)).astype(np.float32)
    else:
        x2, y2 = (np.arange(width) / 17).astype(int) % 3 == 0, (np.arange(height) / 17).astype(int) % 3 == 0
        share = (0.35 * x[None] + 0.35 * y[:, None] + 0.15 * x2[None] + 0.15 * y2[:, None]).astype(np.float32)
    first = np.full(3, 240.0, np.float32) if rng.random() < 0.6 else colour(rng)
    flat = first * (1 - share[..., None]) + colour(rng) * share[..., None]
    return flat * (1 + 0.03 * rng.standard_normal((height, width, 1)).astype(np.float32))


def ruled(width: int, height: int, rng: Rng) -> Floats:
    """Squared or lined paper."""
    side, broad = float(rng.uniform(4, 60)), float(rng.uniform(0.5, 5))
    x = np.clip(broad / 2 + 0.5 - np.abs((np.arange(width) % side) - side / 2), 0, 1)
    y = np.clip(broad / 2 + 0.5 - np.abs((np.arange(height) % side) - side / 2), 0, 1)
    lines = (
        np.maximum(x[None], y[:, None]) if rng.random() < 0.85 else np.broadcast_to(x[None], (height, width))
    )
    paper = colour(rng, (0, 0.1), (0.75, 1.0)) if rng.random() < 0.75 else colour(rng)
    ink = colour(rng, (0, 1), (0.1, 0.85))
    share = (lines * float(rng.uniform(0.3, 1)))[..., None].astype(np.float32)
    return np.asarray(paper * (1 - share) + ink * share, np.float32)


def dots(width: int, height: int, rng: Rng) -> Floats:
    """A cloth with dots or small figures in rows."""
    flat = np.empty((height, width, 3), np.float32)
    flat[:] = colour(rng)
    ink, step = colour(rng).tolist(), float(rng.uniform(10, 60))
    radius, shape = max(1, int(step * rng.uniform(0.1, 0.42))), int(rng.integers(3))
    for row, y in enumerate(np.arange(0, height + step, step)):
        for x in np.arange((row % 2) * step / 2, width + step, step):
            at = (int(x), int(y))
            if shape == 0:
                cv2.circle(flat, at, radius, ink, -1, cv2.LINE_AA)
            elif shape == 1:
                cv2.rectangle(flat, at, (at[0] + radius, at[1] + int(1.5 * radius)), ink, -1)
            else:
                cv2.ellipse(flat, at, (radius, max(1, radius // 2)), 30, 0, 360, ink, 1, cv2.LINE_AA)
    return flat


def printed(width: int, height: int, rng: Rng) -> Floats:
    """A printed mat or a cluttered table: shapes, frames, words over a cloudy ground."""
    tone = noise(width, height, 60, 60, rng)[..., None] * 0.3
    flat = np.ascontiguousarray(np.clip(colour(rng) * (1 + tone), 0, 255).astype(np.float32))
    for _ in range(int(rng.integers(3, 40))):
        ink, at = colour(rng).tolist(), (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        size = (int(rng.uniform(4, 120)), int(rng.uniform(4, 120)))
        thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 6))
        kind = int(rng.integers(4))
        if kind == 0:
            cv2.ellipse(flat, at, size, float(rng.uniform(0, 180)), 0, 360, ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(flat, at, (at[0] + size[0], at[1] + size[1]), ink, thick)
        elif kind == 2:
            cv2.line(flat, at, (at[0] + size[0] * 3, at[1] - 2 * size[1]), ink, max(1, thick), cv2.LINE_AA)
        else:
            text = "".join(chr(int(c)) for c in rng.integers(65, 90, int(rng.integers(2, 9))))
            write(flat, text, at, int(rng.integers(0, 5)), float(rng.uniform(0.4, 2.5)), ink, 2)
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), float(rng.uniform(0.3, 1.5))), np.float32)


def write(
    canvas: Floats, text: str, at: tuple[int, int], font: int, scale: float, ink: Sequence[float], thick: int
) -> None:
    """Writes in place. OpenCV 5 writes on 8-bit pictures only."""
    pixels = np.clip(canvas, 0, 255).astype(np.uint8)
    cv2.putText(pixels, text, at, font, scale, tuple(ink), thick, cv2.LINE_AA)
    canvas[:] = pixels


def tiles(width: int, height: int, rng: Rng) -> Floats:
    """Tiles or boards with joints, each of its own tone."""
    across, down = float(rng.uniform(20, 120)), float(rng.uniform(20, 120))
    grid = rng.normal(1, float(rng.uniform(0, 0.2)), (int(height / down) + 2, int(width / across) + 2, 1))
    rows, columns = (np.arange(height) / down).astype(int), (np.arange(width) / across).astype(int)
    flat = colour(rng) * grid[rows][:, columns].astype(np.float32)
    joint = colour(rng, (0, 0.3), (0.2, 0.9))
    flat[(np.arange(height) % down) < 2] = joint
    flat[:, (np.arange(width) % across) < 2] = joint
    return np.asarray(flat, np.float32)
