"""Sets the sides of a quad that is nearly right on edges of the picture.

Each side is moved and turned a little to where the picture changes along nearly all of it. At first changes
count up to a limit only: a faint edge along the whole side is the card's, a strong one along half of it is
printed or belongs to the ground. Of two such edges the outer one is the card's, because frames are printed
inside. Then the side is set on the strongest change very near.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image

DISTANCE_COST = 100.0
"""What a movement costs, by its square in card widths, where a full edge is worth 1."""
SAMPLES = 48
LEAST_STEP = 0.35
"""Pixels between the places compared, at least."""
PART = (0.08, 0.92)
"""Part of a side that is looked at: corners are round."""


@dataclass(frozen=True)
class FitRound:
    """`reach`: card widths by which a side may move; `strongest`: change in Lab (delta E) above which an edge
    counts no more; `outer`: what one card width outwards is worth, where a full edge is worth 1; `step`:
    between the places compared, in card widths."""

    reach: float
    strongest: float
    outer: float
    step: float


ROUNDS = (
    FitRound(0.07, 5.0, 1.5, 1 / 150),
    FitRound(0.035, 5.0, 1.5, 1 / 150),
    FitRound(0.015, 30.0, 0.0, 1 / 400),
)


def lab_of(image: Image) -> Floats:
    """The picture (BGR, uint8) in Lab, slightly smoothed."""
    soft = cv2.GaussianBlur(image, (3, 3), 0).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)


def fit_to_edges(lab: Floats, quad: Floats) -> Floats:
    """The quad with its sides on edges of the picture (rows, columns, 3 of `lab_of`)."""
    for one in ROUNDS:
        ends = np.stack([_moved_side(lab, quad, side, one) for side in range(4)])
        crossed = [_crossing(ends[side - 1], ends[side]) for side in range(4)]
        if not geometry.is_card_like(np.array(crossed), 4.0, (0.5, 3.0)):
            return quad
        quad = np.asarray(crossed, np.float32)
    return quad


def _moved_side(lab: Floats, quad: Floats, side: int, fit: FitRound) -> Floats:
    """Two points (2, 2) of the line to which one side of the quad is moved."""
    start, end, width = quad[side], quad[(side + 1) % 4], geometry.width_of(quad)
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    out = np.array([along[1], -along[0]], np.float32)
    step = max(LEAST_STEP, width * fit.step)
    count = max(1, round(fit.reach * width / step))
    offsets = np.arange(-count, count + 1) * step
    points = start + np.linspace(*PART, SAMPLES)[:, None] * (end - start)
    change = np.minimum(_change(lab, points, out, offsets, width) / fit.strongest, 1.0)
    slopes = np.arange(-(count // 2), count // 2 + 1)
    shifts = np.round(slopes[:, None] * np.linspace(-1, 1, SAMPLES)).astype(int)
    columns = np.arange(len(offsets)) + shifts[..., None]
    there = (columns >= 0) & (columns < len(offsets))
    seen = change[np.arange(SAMPLES)[:, None], np.clip(columns, 0, len(offsets) - 1)]
    worth = np.where(there, seen, 0.0).mean(axis=1) + fit.outer * offsets / width
    worth -= DISTANCE_COST * ((offsets / width) ** 2 + (slopes[:, None] * step / width) ** 2)
    slope, place = np.unravel_index(int(worth.argmax()), worth.shape)
    turn = slopes[slope] * step
    first, last = (start + part * (end - start) for part in PART)
    return np.stack([first + out * (offsets[place] - turn), last + out * (offsets[place] + turn)])


def _change(lab: Floats, points: Array, out: Floats, offsets: Array, width: float) -> Floats:
    """How much the picture changes across each offset of each point (points, offsets), in delta E."""
    apart = max(1.5, 0.012 * width)
    places = points[:, None] + np.concatenate([offsets - apart, offsets + apart])[None, :, None] * out
    x, y = (np.asarray(places[..., axis], np.float32) for axis in (0, 1))
    seen = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    difference = np.linalg.norm(seen[:, : len(offsets)] - seen[:, len(offsets) :], axis=2)
    return np.asarray(difference, np.float32)


def _crossing(first: Floats, second: Floats) -> Floats:
    """Where two lines, each given by two points, meet; the end of the first where they are parallel."""
    ahead, other = first[1] - first[0], second[1] - second[0]
    cross = float(ahead[0] * other[1] - ahead[1] * other[0])
    if abs(cross) < 1e-3:
        return np.asarray(first[1], np.float32)
    away = second[0] - first[0]
    return np.asarray(first[0] + ahead * float(away[0] * other[1] - away[1] * other[0]) / cross, np.float32)
