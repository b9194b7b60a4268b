"""Whether a card sticks out from under another, by its two long edges alone.

A drawing in pale colours may match no card of the deck well enough, but the card it is on has edges: two
straight parallel lines, a card's width apart, with the same border inside of both, that run on from under the
card on top. They show that a card is there, whichever it is."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match.descriptor import HEIGHT, PicturePyramid
from companion.vision.match.limits import StripLimits

WORKING_WIDTH = 80
"""Pixels to which a card's width is brought."""
SLOPES = np.linspace(-0.12, 0.12, 13)
"""Slopes of its edges against those of the card on top, pixels a row."""
CHANGE_DISTANCE = 2
"""Pixels to either side of an edge between which the change is measured."""


def has_edge_pair(scene: PicturePyramid, pose: Floats, limits: StripLimits) -> bool:
    """Whether a pair of edges runs on beyond the top of `pose`, as far as a covered card must stick out."""
    stripe = _stripe(scene, pose, limits)
    sheared = stripe[np.arange(len(stripe))[:, None], _shear_columns(*stripe.shape[:2])]
    strength = _column_strength(sheared)
    typical, (lefts, rights) = np.median(sheared, axis=1), _edge_columns(limits)
    change = np.minimum(strength[:, lefts], strength[:, rights])
    unlike = np.abs(typical[:, lefts + CHANGE_DISTANCE] - typical[:, rights - CHANGE_DISTANCE]).max(axis=-1)
    return bool(((change > limits.edge_change) & (change > limits.edge_border * unlike)).any())


def _margin(limits: StripLimits) -> float:
    """Card widths that are looked at to either side of the card on top: as far as an edge may be, and what
    the change there is measured by."""
    return limits.beside + limits.widest - 1.0 + (CHANGE_DISTANCE + 1) / WORKING_WIDTH


@lru_cache(maxsize=1)
def _edge_columns(limits: StripLimits) -> tuple[Array, Array]:
    """The columns of left and of right edges that belong together, (widths, columns) each."""
    shortest, longest = (round(w * WORKING_WIDTH) for w in (limits.narrowest, limits.widest))
    middle = _margin(limits)
    low, high = (round((middle + way * limits.beside) * WORKING_WIDTH) for way in (-1, 1))
    widths = np.arange(shortest, longest + 1)[:, None]
    lefts = np.broadcast_to(np.arange(low, high), (len(widths), high - low))
    return lefts, lefts + widths


def _stripe(scene: PicturePyramid, pose: Floats, limits: StripLimits) -> Floats:
    """The picture of what must be seen of a covered card, and of what is beside it, as (rows, columns, 3). It
    begins a row (of 72) beyond the edge of the card on top."""
    top, bottom, margin = -limits.least_rows / HEIGHT, -1 / HEIGHT, _margin(limits)
    box = geometry.rectangle(-margin, top, 1 + margin, bottom)
    long, short = geometry.sides(pose)[[1, 3]].mean(), geometry.width_of(pose)
    height = max(4, round((bottom - top) * WORKING_WIDTH * float(long) / short))
    quad = geometry.transform(box, geometry.homography(geometry.UNIT, pose))
    stripe = scene.warped(quad, round((1 + 2 * margin) * WORKING_WIDTH), height)
    return np.asarray(cv2.GaussianBlur(stripe, (3, 3), 0), np.float32)


@lru_cache(maxsize=8)
def _shear_columns(height: int, width: int) -> Array:
    """Which column of a stripe each pixel comes from (slopes, rows, columns) once lines of a slope are made
    upright: in a low stripe many of SLOPES come to the same, of which one stands."""
    moved = np.unique(np.round(SLOPES[:, None] * (height / 2 - np.arange(height))).astype(int), axis=0)
    return np.asarray(np.clip(np.arange(width) + moved[..., None], 0, width - 1))


def _column_strength(sheared: Floats) -> Floats:
    """How much each column of the stripe, sheared by each slope (slopes, rows, columns, 3), changes in nearly
    all rows and in the same direction (slopes, columns)."""
    steps = np.zeros_like(sheared)
    steps[:, :, CHANGE_DISTANCE:-CHANGE_DISTANCE] = (
        sheared[:, :, 2 * CHANGE_DISTANCE :] - sheared[:, :, : -2 * CHANGE_DISTANCE]
    )
    mean = steps.mean(axis=1, keepdims=True)
    mean /= np.linalg.norm(mean, axis=-1, keepdims=True) + 1e-3
    low = sheared.shape[1] * 3 // 20
    along = (steps * mean).sum(axis=-1)
    along.partition(low, axis=1)
    return np.asarray(along[:, low])
