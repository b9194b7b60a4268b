"""Where cards may be, by the votes of all looks together.

Every match of a scene feature with a deck feature says where a whole card would lie (Ballard, "Generalizing
the Hough transform", 1981; Lowe 2004, section 7.4). The cards of one deck share frame, corners and half of
their drawing, so matches with different cards vote for the same place: a soft or half hidden card that has
three features of its own still has a dozen of its deck's. Which card lies there is asked afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match.limits import PoseLimits

SCALE_STEP, TURN_STEPS, PLACE_STEP = 0.4, 15, 0.3
"""Votes are counted in bins of this logarithm of width, these parts of a full turn and this share of a card's
width; each vote counts in the two nearest bins of every kind."""


@dataclass(frozen=True)
class Votes:
    """n matches: where the scene's feature is in pixels (n, 2), and where on its card in card widths (n, 2);
    the width in scene pixels (n) and the turn in radians (n) of a card that would show its feature like that;
    the look and the card the feature belongs to, its place in the scene (an index shared by features at one
    spot) and whether only one card has it."""

    there: Floats
    here: Floats
    width: Floats
    turn: Floats
    look: Array
    card: Array
    place: Array
    alone: Array

    def __len__(self) -> int:
        return len(self.look)

    def of(self, which: Array) -> Votes:
        """The matches with these indices, or where this mask is true."""
        return Votes(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class PoseHypothesis:
    """A card that might be there: its possible looks, likeliest first. `inliers` features agree on the first
    look; `distinct` of them belong to no other card. `votes` counts the features of all looks."""

    quad: Floats
    looks: tuple[int, ...]
    inliers: int
    distinct: int
    votes: float


def find_poses(
    votes: Votes, aspect: float, widths: tuple[float, float], most: int, limits: PoseLimits
) -> Iterator[PoseHypothesis]:
    """Poses of cards of that height / width on which votes agree, most votes first; `widths` in pixels."""
    votes = votes.of((votes.width > widths[0]) & (votes.width < widths[1]))
    if not len(votes):
        return
    # all votes of one place count 1 together
    weights = np.asarray(1.0 / np.bincount(votes.place)[votes.place], np.float32)
    bins = _bins(votes, aspect)
    _, keys = np.unique(bins.ravel(), return_inverse=True)
    keys = keys.reshape(bins.shape)
    left = np.ones(len(votes), bool)
    for _ in range(2 * most):
        counts = np.bincount(keys.ravel(), np.repeat(weights * left, bins.shape[1]))
        best = int(counts.argmax())
        if counts[best] < limits.least_votes:
            return
        members = left & (keys == best).any(axis=1)
        fitted = _fit_pose(votes, members, left, aspect, limits)
        if fitted is None:
            left &= ~members
            continue
        hypothesis, agreeing = fitted
        left &= ~agreeing
        left[np.flatnonzero(members)[:1]] = False
        if geometry.is_card_like(hypothesis.quad, 12.0, (0.5 * aspect, 2.0 * aspect)):
            yield hypothesis
            most -= 1
            if most == 0:
                return


def _bins(votes: Votes, aspect: float) -> Array:
    """The 16 bins (n, 16) in which each vote counts."""
    arm = np.array([0.5, aspect / 2], np.float32) - votes.here
    cos, sin = np.cos(votes.turn) * votes.width, np.sin(votes.turn) * votes.width
    x = votes.there[:, 0] + cos * arm[:, 0] - sin * arm[:, 1]
    y = votes.there[:, 1] + sin * arm[:, 0] + cos * arm[:, 1]
    scale = np.log(votes.width) / SCALE_STEP - 0.5
    turn = votes.turn * (TURN_STEPS / (2 * np.pi)) - 0.5
    scale_bin = np.floor(scale).astype(np.int64)[:, None] + [0, 1]
    turn_bin = (np.floor(turn).astype(np.int64)[:, None] + [0, 1]) % TURN_STEPS
    step = PLACE_STEP * np.exp((scale_bin + 0.5) * SCALE_STEP)
    column, row = (np.floor(at[:, None] / step - 0.5).astype(np.int64)[..., None] + [0, 1] for at in (x, y))
    # The four numbers of a bin are packed into one; the axes are votes, scales, turns, columns, rows.
    bins: Array = (scale_bin + 64)[:, :, None] * 16 + turn_bin[:, None]
    bins = bins[..., None] * 8192 + column[:, :, None] + 2048
    bins = bins[..., None] * 8192 + row[:, :, None, None] + 2048
    return bins.reshape(len(votes), 16)


def _fit_pose(
    votes: Votes, members: Array, left: Array, aspect: float, limits: PoseLimits
) -> tuple[PoseHypothesis, Array] | None:
    """The pose on which the votes of one bin, its `members`, agree, and which of all votes that are `left`
    agree on it (n,)."""
    chosen = votes.of(members)
    limit = limits.place * float(np.median(chosen.width))
    matrix: Array | None = cv2.estimateAffinePartial2D(
        chosen.here, chosen.there, ransacReprojThreshold=limit
    )[0]
    if matrix is None:
        return None
    agreeing = _agreeing(votes, matrix, left, limits)
    if _distinct_places(votes, agreeing) >= limits.fewest_affine:
        slanted, good = cv2.estimateAffine2D(
            votes.here[agreeing], votes.there[agreeing], ransacReprojThreshold=0.6 * limit
        )
        if slanted is not None and good.sum() > 0.7 * agreeing.sum():
            matrix = slanted
            agreeing = _agreeing(votes, matrix, left, limits)
    if _distinct_places(votes, agreeing) < limits.least_places:
        return None
    quad = geometry.transform(geometry.UNIT * np.array([1.0, aspect], np.float32), matrix)
    kept = votes.of(agreeing)
    pairs = np.stack([kept.look, kept.place], axis=1)
    counts = np.bincount(np.unique(pairs, axis=0)[:, 0])
    distinct = np.bincount(np.unique(pairs[kept.alone], axis=0)[:, 0], minlength=len(counts))
    order = np.argsort(-(counts + distinct), kind="stable")[: limits.most_looks]
    looks = tuple(int(i) for i in order if counts[i])
    total = float(len(np.unique(kept.place)))
    first = looks[0]
    return PoseHypothesis(quad, looks, int(counts[first]), int(distinct[first]), total), agreeing


def _agreeing(votes: Votes, matrix: Array, left: Array, limits: PoseLimits) -> Array:
    """Which of the votes left agree on a pose (n,)."""
    width = max(math.sqrt(abs(float(np.linalg.det(matrix[:, :2])))), 1e-3)
    turn = math.atan2(matrix[1, 0] - matrix[0, 1], matrix[0, 0] + matrix[1, 1])
    away = np.linalg.norm(geometry.transform(votes.here, matrix) - votes.there, axis=1)
    larger = np.abs(np.log(votes.width / width))
    turned = np.cos(votes.turn - turn)
    return np.asarray(
        left & (away < limits.place * width) & (larger < limits.size) & (turned > math.cos(limits.turn))
    )


def _distinct_places(votes: Votes, which: Array) -> int:
    return len(np.unique(votes.place[which]))
