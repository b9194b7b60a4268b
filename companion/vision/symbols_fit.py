"""Laying what was seen on what was learnt: how well a symbol fits, and which fits best.

A first glance compares a candidate, laid out in polar coordinates, with all looks at all turns by a Fourier
transform over the angle. The few that fit best are then laid on it exactly: moved, turned, sized and
stretched by the Gauss-Newton method (B. Lucas and T. Kanade, "An iterative image registration technique",
IJCAI 1981), with a price on every change, so that a slanted tile or a bent printing costs a true symbol
little while a stranger gains little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.picture import Array, Floats

RADII, ANGLES = 16, 64
CHANNELS = 4
"""Where ink is, how dark it is, and two differences of colour."""
VALUES = CHANNELS * RADII * ANGLES
REACH = 1.05
"""Radii of a symbol's hull that are laid out."""
GLANCE = 0.4
"""Fit at first glance from which a candidate is laid on looks exactly."""
LABELS, ROUNDS = 4, 3
"""How many of the best are, and in how many steps."""
HOPELESS = 0.12
"""How far behind the best fit one is given up."""
USUAL = np.array([0.06, 0.06, 0.06, 0.1, 0.1, 0.2])
"""Usual size of each change (see _Changes): radii, logarithms, radians."""
PRICE = 0.02
"""What a change of its usual size takes off the fit."""
STEP = np.array([0.03, 0.03, 0.03, 0.03, 0.03, 0.05])
"""The changes by which slopes are measured."""
_FULL = 0.12
"""Ink that counts as half of full."""


@dataclass(frozen=True)
class Patch:
    """A candidate cut out of a picture's ink: (h, w, 3), without what does not belong to it, softened to
    what is compared; the middle and the radius of its hull in pixels of the cut."""

    soft: Floats
    middle: tuple[float, float]
    radius: float

    @staticmethod
    def of(
        lack: Floats, inside: Array, corner: tuple[int, int], centre: tuple[float, float], radius: float
    ) -> Patch:
        """Of ink (height, width, 3) where `inside` (h, w), laid with its left top at `corner`, is 1."""
        blur = max(0.3, 0.5 * REACH * radius / RADII)
        reach = 1.4 * radius + 3 * blur
        x, y = centre
        left, top = max(0, math.floor(x - reach)), max(0, math.floor(y - reach))
        right, bottom = math.ceil(x + reach) + 1, math.ceil(y + reach) + 1
        first, second = max(corner[0], left), max(corner[1], top)
        own = inside[second - corner[1] : bottom - corner[1], first - corner[0] : right - corner[0]]
        cut = np.zeros_like(lack[top:bottom, left:right])
        here = (
            slice(second - top, second - top + own.shape[0]),
            slice(first - left, first - left + own.shape[1]),
        )
        cut[here] = lack[top:bottom, left:right][here] * own[..., None]
        soft = cv2.GaussianBlur(cut.astype(np.float32), (0, 0), blur)
        return Patch(np.asarray(soft, np.float32), (x - left, y - top), radius)

    def views(self, alignments: Floats) -> Floats:
        """The candidate as (n, VALUES) under alignments (n, 2, 3; from its circle to the picture, in radii):
        each channel centred, all of them of length 1."""
        shift = alignments[:, :, 2:] * self.radius + np.array(self.middle)[None, :, None]
        at = np.matmul(alignments[:, :, :2] * np.float32(self.radius), _CIRCLE) + shift
        x, y = at.astype(np.float32).transpose(1, 0, 2)
        seen = cv2.remap(
            self.soft, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )  # fmt: skip
        b, g, r = cv2.split(seen)
        most = np.maximum(np.maximum(b, g), r)
        mask = most / (most + np.float32(_FULL))
        mask -= (mask @ _SHARE)[:, None]
        full = np.stack([mask, (b + g + r) * np.float32(0.8 / 3), (r - g) * np.float32(0.8),
                         (b - g) * np.float32(0.8)], axis=1)  # fmt: skip
        flat = (full * _WEIGHT).reshape(len(full), VALUES)
        return np.asarray(flat / np.maximum(1e-6, np.linalg.norm(flat, axis=1, keepdims=True)), np.float32)


def _circle() -> tuple[Floats, Floats]:
    """Points (2, RADII * ANGLES) of a circle of radius REACH, and how much each counts."""
    far = np.arange(RADII)[:, None] * (REACH / RADII)
    turns = np.arange(ANGLES)[None] * (2 * np.pi / ANGLES)
    points = np.stack([(far * np.cos(turns)).ravel(), (far * np.sin(turns)).ravel()])
    weight = np.repeat(np.sqrt((np.arange(RADII) + 0.5) / RADII), ANGLES)
    return np.asarray(points, np.float32), np.asarray(weight, np.float32)


_CIRCLE, _WEIGHT = _circle()
_SHARE = _WEIGHT**2 / (_WEIGHT**2).sum()
UNCHANGED = np.zeros((1, 6))


def aligned(changes: Array) -> Floats:
    """Alignments (n, 2, 3) that changes (n, 6) make: right and down in radii, logarithm of size, two of
    stretch (along the axes, along the diagonals), turn in radians."""
    x, y, size, along, across, turn = changes.T
    stretch = np.hypot(along, across)
    even = np.exp(size) * np.cosh(stretch)
    odd = np.exp(size) * np.sinh(stretch) / np.maximum(stretch, 1e-9)
    a, b, d = even + odd * along, odd * across, even - odd * along
    cos, sin = np.cos(turn), np.sin(turn)
    rows = [[a * cos + b * sin, b * cos - a * sin, x], [b * cos + d * sin, d * cos - b * sin, y]]
    return np.asarray(np.moveaxis(np.array(rows), 2, 0), np.float32)


def _first_changes() -> Array:
    """As it is, moved a little, smaller and larger, and seen from six sides at a slant: (13, 6)."""
    moved = [(x, y, 0.0, 0.0, 0.0, 0.0) for x, y in ((0.06, 0.0), (-0.06, 0.0), (0.0, 0.06), (0.0, -0.06))]
    sized = [(0.0, 0.0, size, 0.0, 0.0, 0.0) for size in (-0.05, 0.05)]
    turns = np.arange(6) * (np.pi / 3)
    slanted = [(0.0, 0.0, 0.0, 0.066 * math.cos(t), 0.066 * math.sin(t), 0.0) for t in turns]
    return np.vstack([UNCHANGED, moved, sized, slanted])


_FIRST = _first_changes()


@dataclass(frozen=True)
class Fit:
    """The look that fits a candidate best: its label, how well (1: as learnt), by how much better than the
    next label's, and how far it is turned in degrees."""

    label: str
    score: float
    margin: float
    degrees: float


class Album:
    """Looks ready to be compared with what was seen, with the label of each."""

    def __init__(self, labels: Sequence[str], looks: Floats) -> None:
        self._labels = list(labels)
        self._looks = looks
        there = np.fft.rfft(looks.reshape(len(looks), -1, ANGLES), axis=-1)
        self._known = np.ascontiguousarray(np.conj(there).astype(np.complex64).transpose(2, 0, 1))

    def best(self, patch: Patch) -> Fit:
        """What a candidate is most like."""
        glance = self._fits(patch.views(aligned(_FIRST[:1])))
        if glance.max() < GLANCE:
            return self._named(glance.max(axis=(0, 2)), glance[0].argmax(axis=1))
        fits = np.concatenate([glance, self._fits(patch.views(aligned(_FIRST[1:])))])
        best = fits.max(axis=(0, 2))
        chosen = self._chosen(best)
        pose = fits[:, chosen].transpose(1, 0, 2).reshape(len(chosen), -1).argmax(axis=1)
        turns = pose % ANGLES
        looks = np.stack([np.roll(self._looks[n], t, axis=-1) for n, t in zip(chosen, turns, strict=True)])
        laid = _laid(patch, _FIRST[pose // ANGLES], looks.reshape(len(chosen), -1))
        score = np.minimum(best, laid.min())
        score[chosen] = laid
        turned = np.zeros(len(best), np.int64)
        turned[chosen] = turns
        return self._named(score, turned)

    def between(self) -> Floats:
        """How well each look fits each other one, whichever way it is turned: (n, n), at most 1."""
        return np.asarray(self._fits(self._looks.reshape(len(self._looks), -1)).max(axis=2), np.float32)

    def _fits(self, views: Floats) -> Floats:
        """How well the looks fit views (v, VALUES): (v, looks, ANGLES), by how far they are turned."""
        here = np.fft.rfft(views.reshape(len(views), -1, ANGLES), axis=-1).astype(np.complex64)
        product = np.matmul(self._known, here.transpose(2, 1, 0))
        return np.asarray(np.fft.irfft(product.transpose(2, 1, 0), n=ANGLES, axis=-1), np.float32)

    def _chosen(self, best: Floats) -> Array:
        """The look of each of the best labels that fits best, best first."""
        order: dict[str, int] = {}
        for n in np.argsort(-best).tolist():
            order.setdefault(self._labels[n], n)
        first = list(order.values())[:LABELS]
        return np.array([n for n in first if best[n] > best[first[0]] - 2 * HOPELESS])

    def _named(self, score: Floats, turns: Array) -> Fit:
        first = int(np.argmax(score))
        own = self._labels[first]
        others = [float(s) for s, name in zip(score, self._labels, strict=True) if name != own]
        lead = float(score[first]) - max(others, default=0.0)
        return Fit(own, float(score[first]), lead, float(turns[first]) * 360.0 / ANGLES)


def _laid(patch: Patch, changes: Array, looks: Floats) -> Floats:
    """How well looks (n, VALUES) fit at their best, what it takes to lay them so off: (n,). `changes` (n, 6)
    is where each begins."""
    changes = changes.copy()
    score = np.full(len(looks), -1.0)
    live = np.arange(len(looks))
    aside = np.vstack([UNCHANGED, np.diag(STEP)])
    for _ in range(ROUNDS):
        here = (changes[live, None] + aside[None]).reshape(-1, 6)
        views = patch.views(aligned(here)).reshape(len(live), len(aside), -1)
        score[live] = np.maximum(score[live], _worth(views[:, 0], looks[live], changes[live]))
        for n, view in zip(live.tolist(), views, strict=True):
            slopes = (view[1:] - view[0]) / STEP[:, None]
            bent = slopes @ slopes.T + np.diag(2 * PRICE / USUAL**2)
            pull = slopes @ (looks[n] - view[0]) - 2 * PRICE * changes[n] / USUAL**2
            changes[n] += np.clip(np.linalg.solve(bent, pull), -2 * USUAL, 2 * USUAL)
        live = np.flatnonzero(score > score.max() - HOPELESS)
    worth = _worth(patch.views(aligned(changes[live])), looks[live], changes[live])
    score[live] = np.maximum(score[live], worth)
    return np.asarray(score, np.float32)


def _worth(views: Floats, looks: Floats, changes: Array) -> Array:
    fit = np.einsum("nv,nv->n", views, looks)
    return np.asarray(fit - PRICE * ((changes / USUAL) ** 2).sum(axis=1))
