"""Takes the straight edge of a hard shadow out of a card.

Light is compared after it was normalised by its surroundings, which a shadow's edge disturbs: a line is left
that might be a stroke of another card. But a shadow darkens all colours alike and all along its edge,
whatever is printed under it (the ratio of light across a shadow's edge; e.g. Finlayson, Hordley and Drew,
"Removing shadows from images", ECCV 2002), and no print does that where the enrolled look shows no edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.match.descriptor import HEIGHT, WIDTH

TURNS = 36
"""Directions of an edge that are tried, in half a turn."""
SQUARE_SIDE = 96
"""Pixels of the square picture in which each direction is made upright."""
STEP_DISTANCE = 2
"""Pixels (of 48 x 72) to each side of an edge between which the step is measured: wider than its penumbra."""
PENUMBRA = 1.0
"""Pixels to each side of the edge across which light grows."""
SHORTEST = 30
"""Pixels along which the card must show an edge."""
SMALLEST_STEP, LARGEST_STEP = 0.2, 1.6
"""Step of the logarithm of light: less is no hard shadow, more leaves no light in it."""
UNEVENNESS = 0.35
"""Share of the step by which its places may exceed it, or stay below it, and its colours differ."""
STEP_QUANTILES = (0.3, 0.5, 0.7)
"""Quantiles of the places along an edge that must be even: a figure's own edge may run beside it."""
PRINTED_STEP = 0.12
"""Step of the look's own normalised light across a line, from which on the line is printed."""
LOG_OFFSET = 6.0
"""Grey levels added before logarithms are taken, so that noise in black does not count."""


@dataclass(frozen=True)
class _Edge:
    """The edge of a shadow: how steadily the light steps there, the direction, the column in the picture made
    upright, and the steps of the three colours (logarithms)."""

    worth: float
    turn: int
    column: int
    steps: Floats


def remove_shadow(picture: Floats, look: Floats) -> Floats | None:
    """The card (72, 48, 3), grey levels, with the darker side of a shadow's edge made as bright as the other;
    None if no edge of a shadow is seen on it. `look` (72, 48) is the normalised light of the card that it was
    taken for."""
    logs = np.log(np.maximum(picture, 0.0) + LOG_OFFSET).astype(np.float32)
    edges = [edge for turn in range(TURNS) if (edge := _edge_at(logs, look, turn)) is not None]
    if not edges:
        return None
    best = max(edges, key=_edge_strength)
    ramp = np.clip((np.arange(SQUARE_SIDE) - best.column) / PENUMBRA, -1.0, 1.0) * 0.5 + 0.5
    gain = ramp[None, :, None] * -best.steps
    gain = gain - gain.min(axis=(0, 1))
    upright = np.ascontiguousarray(np.broadcast_to(gain, (SQUARE_SIDE, SQUARE_SIDE, 3)), np.float32)
    back = cv2.warpAffine(
        upright, _rotation(best.turn), (WIDTH, HEIGHT), flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    )
    return np.asarray(np.exp(logs + back) - LOG_OFFSET, np.float32)


def _edge_at(logs: Floats, look: Floats, turn: int) -> _Edge | None:
    """The steadiest edge of that direction."""
    matrix = _rotation(turn)
    shown = _rotate(np.ones((HEIGHT, WIDTH), np.float32), matrix) > 0.99
    inside = shown[:, 2 * STEP_DISTANCE :] & shown[:, : -2 * STEP_DISTANCE]
    count = inside.sum(axis=0)
    steps = _steps(_rotate(logs, matrix))
    long = np.flatnonzero(count >= SHORTEST)
    low, centre, high = _quantiles(steps.mean(axis=2), inside, long)
    size, way = np.abs(centre), np.sign(centre)
    steady = np.minimum(low * way, high * way) > (1.0 - UNEVENNESS) * size
    steady &= np.maximum(low * way, high * way) < (1.0 + UNEVENNESS) * size
    printed = np.abs(_quantiles(_steps(_rotate(look, matrix)), inside, long)[1])
    steady &= (size > SMALLEST_STEP) & (size < LARGEST_STEP) & (printed < PRINTED_STEP)
    if not steady.any():
        return None
    at = int(np.flatnonzero(steady)[size[steady].argmax()])
    column = int(long[at])
    each = np.median(steps[inside[:, column], column], axis=0)
    if np.abs(each - each.mean()).max() > UNEVENNESS * size[at]:
        return None
    return _Edge(float(size[at]), turn, column + STEP_DISTANCE, np.asarray(each, np.float32))


def _quantiles(values: Floats, inside: Array, columns: Array) -> Floats:
    """The quantiles STEP_QUANTILES (3, columns) of the values inside, column by column."""
    ordered = np.sort(np.where(inside, values, np.inf)[:, columns], axis=0)
    counts = inside.sum(axis=0)[columns]
    at = [(counts * share).astype(int) for share in STEP_QUANTILES]
    return np.asarray([ordered[row, np.arange(len(columns))] for row in at], np.float32)


def _steps(upright: Floats) -> Floats:
    """What is to the right of each column less what is to its left."""
    return np.asarray(upright[:, 2 * STEP_DISTANCE :] - upright[:, : -2 * STEP_DISTANCE], np.float32)


def _rotate(plane: Floats, matrix: Array) -> Floats:
    return np.asarray(cv2.warpAffine(plane, matrix, (SQUARE_SIDE, SQUARE_SIDE)), np.float32)


def _rotation(turn: int) -> Array:
    """The matrix (2, 3) that makes edges of that direction upright in the middle of a square picture."""
    matrix = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), 180.0 * turn / TURNS, 1.0)
    centre = np.array([[0, 0, SQUARE_SIDE - WIDTH], [0, 0, SQUARE_SIDE - HEIGHT]]) / 2
    return np.asarray(matrix + centre)


def _edge_strength(edge: _Edge) -> float:
    return edge.worth
