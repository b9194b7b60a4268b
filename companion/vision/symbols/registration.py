"""Registers what was seen with what was learnt: how well a symbol fits, and which fits best.

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

from companion.vision.image.picture import Array, Floats

RADII, ANGLES = 16, 64
CHANNELS = 4
"""Where ink is, how dark it is, and two differences of colour."""
VALUES = CHANNELS * RADII * ANGLES
REACH = 1.05
"""Radii of a symbol's hull that are laid out."""
LARGEST_RADIUS = 48.0
"""Radius in pixels to which what is larger is shrunk."""
LEAST_FIRST_FIT, FIRST_TEMPLATES, LEAST_SECOND_FIT = 0.45, 12, 0.58
"""Fit in the first comparison from which a candidate is looked at in all ways of _FIRST, how many of the
likeliest looks are compared then, and from which fit it is laid on them exactly."""
LEAD_BONUS, BONUS_LEAD = 0.1, 0.08
"""How much less will do for a candidate that is like one label by so much more than like any other: thin
lines fit little as long as they do not lie on each other."""
BEST_LABELS, ROUNDS = 4, 3
"""How many of the best are, and in how many steps."""
GIVE_UP_GAP = 0.12
"""How far behind the best fit one is given up."""
TYPICAL_CHANGE = np.array([0.06, 0.06, 0.06, 0.1, 0.1, 0.2])
"""Usual size of each change (see _Changes): radii, logarithms, radians."""
CHANGE_PENALTY = 0.02
"""What a change of its typical size takes off the fit."""
DERIVATIVE_STEP = np.array([0.03, 0.03, 0.03, 0.03, 0.03, 0.05])
"""The changes by which slopes are measured."""
POOR_FIT, GOOD_FIT, GOOD_LEAD, GAUSS_NEWTON_STEPS = 0.55, 0.9, 0.15, 3
"""Fits from which and up to which, or with how small a lead, one is laid on with slopes of its own, and in
how many steps."""
_PENALTY = np.diag(2 * CHANGE_PENALTY / TYPICAL_CHANGE**2)
_HALF_INK = 0.12
"""Ink that counts as half of full."""


@dataclass(frozen=True)
class SymbolPatch:
    """A candidate cut out of a picture, without what does not belong to it: what is compared, softened,
    (h, w, CHANNELS); the middle and the radius of its hull in pixels of the cut."""

    soft: Floats
    middle: tuple[float, float]
    radius: float

    @staticmethod
    def of(
        lack: Floats, inside: Array, corner: tuple[int, int], centre: tuple[float, float], radius: float
    ) -> SymbolPatch:
        """Of ink (height, width, 3) where `inside` (h, w), laid with its left top at `corner`, is 1."""
        blur = max(0.3, 0.5 * REACH * radius / RADII)
        reach = 1.4 * radius + 3 * blur
        x, y = centre
        left, top = max(0, math.floor(x - reach)), max(0, math.floor(y - reach))
        right, bottom = math.ceil(x + reach) + 1, math.ceil(y + reach) + 1
        first, second = max(corner[0], left), max(corner[1], top)
        own = inside[second - corner[1] : bottom - corner[1], first - corner[0] : right - corner[0]]
        cut = np.zeros((bottom - top, right - left, 3), np.float32)[: len(lack) - top, : lack.shape[1] - left]
        here = (
            slice(second - top, second - top + own.shape[0]),
            slice(first - left, first - left + own.shape[1]),
        )
        cut[here] = lack[top:bottom, left:right][here] * own[..., None]
        if radius > LARGEST_RADIUS:
            share = LARGEST_RADIUS / radius
            smaller = cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            across, down = share * (x - left + 0.5) - 0.5, share * (y - top + 0.5) - 0.5
            return SymbolPatch(
                _soften(np.asarray(smaller, np.float32), share * blur), (across, down), LARGEST_RADIUS
            )
        return SymbolPatch(_soften(cut, blur), (x - left, y - top), radius)

    def views(self, alignments: Floats) -> Floats:
        """The candidate as (n, VALUES) under alignments (n, 2, 3; from its circle to the picture, in radii):
        each channel centred, all of them of length 1."""
        shift = (
            alignments[:, :, 2:] * np.float32(self.radius) + np.array(self.middle, np.float32)[None, :, None]
        )
        at = np.matmul(alignments[:, :, :2] * np.float32(self.radius), _CIRCLE) + shift
        seen = cv2.remap(
            self.soft, np.ascontiguousarray(at[:, 0]), np.ascontiguousarray(at[:, 1]), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )  # fmt: skip
        full = np.empty((len(at), CHANNELS, RADII * ANGLES), np.float32)
        np.multiply(seen.transpose(0, 2, 1), _WEIGHT, out=full)
        full[:, 0] -= (full[:, 0] @ _MEAN)[:, None] * _WEIGHT
        flat = full.reshape(len(full), VALUES)
        size = np.sqrt(np.einsum("nv,nv->n", flat, flat))
        flat /= np.maximum(np.float32(1e-6), size)[:, None]
        return flat


def _soften(lack: Floats, blur: float) -> Floats:
    """The CHANNELS of ink (h, w, 3), softened."""
    b, g, r = cv2.split(cv2.GaussianBlur(lack, (0, 0), blur))
    most = np.maximum(np.maximum(b, g), r)
    dark = (b + g + r) * np.float32(0.8 / 3)
    here: list[Array] = [most / (most + np.float32(_HALF_INK)), dark, 0.8 * (r - g), 0.8 * (b - g)]
    return np.asarray(cv2.merge(here), np.float32)


def _circle() -> tuple[Floats, Floats]:
    """Points (2, RADII * ANGLES) of a circle of radius REACH, and how much each counts."""
    far = np.arange(RADII)[:, None] * (REACH / RADII)
    turns = np.arange(ANGLES)[None] * (2 * np.pi / ANGLES)
    points = np.stack([(far * np.cos(turns)).ravel(), (far * np.sin(turns)).ravel()])
    weight = np.repeat(np.sqrt((np.arange(RADII) + 0.5) / RADII), ANGLES)
    return np.asarray(points, np.float32), np.asarray(weight, np.float32)


_CIRCLE, _WEIGHT = _circle()
_MEAN = np.asarray(_WEIGHT / (_WEIGHT**2).sum(), np.float32)
UNCHANGED = np.zeros((1, 6))


def to_affine(changes: Array) -> Floats:
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
_ALIGNED = to_affine(_FIRST)


def _derivative_weights() -> Floats:
    """(6, 13): what turns the views of _FIRST into slopes along each change but the turn."""
    return np.asarray(np.vstack([np.zeros((1, 6)), np.linalg.pinv(_FIRST[1:]).T]).T, np.float32)


_SLOPES = _derivative_weights()


@dataclass(frozen=True)
class SymbolFit:
    """The look that fits a candidate best: its label, how well (1: as learnt), by how much better than the
    next label's, and how far it is turned in degrees."""

    label: str
    score: float
    margin: float
    degrees: float


@dataclass(frozen=True)
class FirstMatch:
    """What a candidate looks like before it is laid on anything: its view (VALUES,), how well each look fits
    at its best, and by how many of ANGLES it is turned then."""

    view: Floats
    best: Floats
    turns: Array


class SymbolTemplates:
    """Looks ready to be compared with what was seen, with the label of each."""

    def __init__(self, labels: Sequence[str], looks: Floats) -> None:
        self._labels = list(labels)
        self._looks = looks
        there = np.fft.rfft(looks.reshape(len(looks), -1, ANGLES), axis=-1)
        self._known = np.ascontiguousarray(np.conj(there).astype(np.complex64).transpose(2, 0, 1))

    def first_match(self, patch: SymbolPatch) -> FirstMatch:
        """What a candidate is like at first sight."""
        view = patch.views(_ALIGNED[:1])
        fits = self.fits(view)[0]
        return FirstMatch(view[0], fits.max(axis=1), fits.argmax(axis=1))

    def best(self, patch: SymbolPatch, glance: FirstMatch | None = None) -> SymbolFit:
        """What a candidate is most like."""
        first = self.first_match(patch) if glance is None else glance
        sight = self._named(first.best, first.turns)
        if sight.score < LEAST_FIRST_FIT - LEAD_BONUS * (sight.margin > BONUS_LEAD):
            return sight
        best = first.best.copy()
        likely = np.argsort(-best)[:FIRST_TEMPLATES]
        views = np.concatenate([first.view[None], patch.views(_ALIGNED[1:])])
        fits = self.fits(views, likely)
        best[likely] = fits.max(axis=(0, 2))
        pose = fits.transpose(1, 0, 2).reshape(len(likely), -1).argmax(axis=1)
        turns = first.turns.copy()
        turns[likely] = pose % ANGLES
        sight = self._named(best, turns)
        if sight.score < LEAST_SECOND_FIT - LEAD_BONUS * (sight.margin > BONUS_LEAD):
            return sight
        chosen = self._chosen(best[likely], likely)
        here = likely[chosen]
        looks = np.stack([np.roll(self._looks[n], turns[n], axis=-1) for n in here.tolist()])
        laid = _register(patch, views, pose[chosen] // ANGLES, looks.reshape(len(here), -1))
        score = np.minimum(best, laid.min())
        score[here] = laid
        return self._named(score, turns)

    def fits(self, views: Floats, among: Array | None = None) -> Floats:
        """How well the looks, or some `among` them, fit views (v, VALUES): (v, looks, ANGLES), by how far
        they are turned."""
        known = self._known if among is None else self._known[:, among]
        here = np.fft.rfft(views.reshape(len(views), -1, ANGLES), axis=-1).astype(np.complex64)
        product = np.matmul(known, here.transpose(2, 1, 0))
        return np.asarray(np.fft.irfft(product.transpose(2, 1, 0), n=ANGLES, axis=-1), np.float32)

    def pairwise_fits(self) -> Floats:
        """How well each look fits each other one, whichever way it is turned: (n, n), at most 1."""
        return np.asarray(self.fits(self._looks.reshape(len(self._looks), -1)).max(axis=2), np.float32)

    def _chosen(self, best: Floats, among: Array) -> Array:
        """Which of the looks `among` all are the best of the best labels, best first."""
        order: dict[str, int] = {}
        for n in np.argsort(-best).tolist():
            order.setdefault(self._labels[among[n]], n)
        first = list(order.values())[:BEST_LABELS]
        return np.array([n for n in first if best[n] > best[first[0]] - 2 * GIVE_UP_GAP])

    def _named(self, score: Floats, turns: Array) -> SymbolFit:
        first = int(np.argmax(score))
        own = self._labels[first]
        others = [float(s) for s, name in zip(score, self._labels, strict=True) if name != own]
        lead = float(score[first]) - max(others, default=0.0)
        return SymbolFit(own, float(score[first]), lead, float(turns[first]) * 360.0 / ANGLES)


def _register(patch: SymbolPatch, views: Floats, first: Array, looks: Floats) -> Floats:
    """How well looks (n, VALUES) fit at their best, what it takes to lay them so off: (n,). `views` are those
    of _FIRST, `first` (n,) is where each begins.

    The slopes are at first those of the candidate as it is (the simplified Newton method), which cost
    nothing, because _FIRST lies round it; what does not fit well by them, but may, is laid on with slopes of
    its own."""
    slopes = _SLOPES @ views
    turned = views[0].reshape(-1, ANGLES)
    slopes[5] = (np.roll(turned, -1, axis=1) - np.roll(turned, 1, axis=1)).ravel() * (ANGLES / (4 * np.pi))
    inverse = np.linalg.inv(slopes @ slopes.T + _PENALTY)
    changes, here = _FIRST[first], views[first]
    score = _penalised_fit(here, looks, changes)
    at = changes.copy()
    live = np.arange(len(looks))
    for _ in range(ROUNDS):
        pull = (looks[live] - here) @ slopes.T - changes[live] @ _PENALTY
        changes[live] += np.clip(pull @ inverse, -2 * TYPICAL_CHANGE, 2 * TYPICAL_CHANGE)
        here = patch.views(to_affine(changes[live]))
        worth = _penalised_fit(here, looks[live], changes[live])
        better = worth > score[live]
        at[live[better]] = changes[live[better]]
        score[live] = np.maximum(score[live], worth)
        keep = score[live] > score.max() - GIVE_UP_GAP
        live, here = live[keep], here[keep]
    order = np.sort(score)
    lead = order[-1] - order[-2] if len(order) > 1 else 1.0
    if score.max() < POOR_FIT or (score.max() > GOOD_FIT and lead > GOOD_LEAD):
        return np.asarray(score, np.float32)
    return _register_exactly(patch, at, looks, score)


def _register_exactly(patch: SymbolPatch, changes: Array, looks: Floats, score: Array) -> Floats:
    """The same from where they are laid now, with the slopes of each as it is laid (the Gauss-Newton
    method)."""
    live = np.flatnonzero(score > score.max() - GIVE_UP_GAP)
    aside = np.vstack([UNCHANGED, np.diag(DERIVATIVE_STEP)])
    for _ in range(GAUSS_NEWTON_STEPS):
        around = (changes[live, None] + aside[None]).reshape(-1, 6)
        views = patch.views(to_affine(around)).reshape(len(live), len(aside), -1)
        for n, view in zip(live.tolist(), views, strict=True):
            slopes = (view[1:] - view[0]) / DERIVATIVE_STEP[:, None].astype(np.float32)
            pull = slopes @ (looks[n] - view[0]) - _PENALTY @ changes[n]
            changes[n] += np.clip(
                np.linalg.solve(slopes @ slopes.T + _PENALTY, pull), -2 * TYPICAL_CHANGE, 2 * TYPICAL_CHANGE
            )
        worth = _penalised_fit(patch.views(to_affine(changes[live])), looks[live], changes[live])
        score[live] = np.maximum(score[live], worth)
        live = live[score[live] > score.max() - GIVE_UP_GAP]
    return np.asarray(score, np.float32)


def _penalised_fit(views: Floats, looks: Floats, changes: Array) -> Array:
    fit = np.einsum("nv,nv->n", views, looks)
    return np.asarray(fit - CHANGE_PENALTY * ((changes / TYPICAL_CHANGE) ** 2).sum(axis=1))
