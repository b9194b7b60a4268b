"""Pips: small round marks of one brightness on a ground of another, however their face is turned.

Candidates are the blobs of adaptive thresholds at several sizes, dark ones and light ones. Each is then
measured by itself: from its centre outwards along 24 rays, the radius at which the brightness is half way
between the mark and the ring round it. These points lie on an ellipse if the mark is a disc seen obliquely,
and the ellipse tells how its face is turned (shape from a circle; D. Forsyth and others, "Invariant
descriptors for 3-D object recognition and pose", PAMI 13, 1991).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.dice.limits import PipLimits
from companion.vision.image.picture import Array, Floats, Image

WORKING_AREA = 1280 * 960
"""Pixels of the picture in which pips are looked for. A narrow zone of a table is enlarged further than a
whole picture: the pips of a six are told apart from dice of 20 pixels on."""
FINE_AREA = 2000 * 1500
"""Pixels of the picture in a second look at small dice; of large dice too few marks are then found."""
LARGEST_ENLARGEMENT = 3.0
WINDOW = 27
"""Pixels. Side of the window with whose mean brightness is compared, at each of the pyramid's levels."""
_LEVELS = 5
_RAYS = 24
_RADII = np.linspace(0.0, 2.0, 25)
_IN_RING = np.abs(_RADII - 1.6) < 0.26
_BLOCK = 16
"""Pixels. Side of a block in which the noise is measured."""


@dataclass(frozen=True)
class Pips:
    """n marks. Positions and shapes are in pixels of the picture as given."""

    at: Floats
    """(n, 2): the middles."""
    shape: Floats
    """(n, 2, 2): x' S^-1 x = 1 is the outline."""
    level: Floats
    """(n,): grey level of the face round the mark, 0-255."""
    contrast: Floats
    """(n,): the mark's grey level less that of the face: negative for dark marks."""
    roughness: Floats
    """(n,): how far the outline departs from an ellipse, as a fraction of the radius."""

    def __len__(self) -> int:
        return len(self.at)

    def only(self, keep: Array) -> Pips:
        """The marks of an index or a mask."""
        return Pips(
            self.at[keep], self.shape[keep], self.level[keep], self.contrast[keep], self.roughness[keep]
        )

    @property
    def radius(self) -> Floats:
        """(n,): geometric mean of the half axes."""
        return np.asarray(np.sqrt(np.sqrt(np.maximum(np.linalg.det(self.shape), 1e-12))), np.float32)


def find_pips(image: Image, limits: PipLimits, area: int = WORKING_AREA) -> Pips:
    """All marks that may be pips, the best measured first; looked for in a picture of `area` pixels."""
    scale = min(LARGEST_ENLARGEMENT, math.sqrt(area / (image.shape[0] * image.shape[1])))
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    grey: Array = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    grey, noise = _smoothed(np.asarray(grey, np.uint8), limits)
    at, radius, sign = _candidates(grey, noise, limits)
    if not len(at):
        return _no_pips()
    pips = _measure(grey, noise, at, radius, sign, limits)
    pips = pips.only(_distinct(pips))
    offset = np.float32((1.0 - scale) / 2.0)  # pixel centres
    return Pips((pips.at + offset) / scale, pips.shape / scale**2, pips.level, pips.contrast, pips.roughness)


def _no_pips() -> Pips:
    empty = np.zeros(0, np.float32)
    return Pips(np.zeros((0, 2), np.float32), np.zeros((0, 2, 2), np.float32), empty, empty, empty)


def _smoothed(grey: Array, limits: PipLimits) -> tuple[Array, float]:
    """The picture without most of its noise, a cheap camera's or the grain of the ground, and the noise that
    is left. Grain is itself soft, so that a narrow smoothing leaves it: what is left after one smoothing
    decides about the next."""
    smooth = np.asarray(cv2.GaussianBlur(grey, (3, 3), limits.softening), np.uint8)
    noise = _noise(smooth, limits)
    for wider in (1, 2):
        if noise <= wider * limits.noise_left:
            break
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), (1 + wider) * limits.softening), np.uint8)
        noise = _noise(smooth, limits)
    return smooth, noise


def _noise(grey: Array, limits: PipLimits) -> float:
    """Standard deviation of the grey levels round their local mean, where the picture is plain.

    A low quantile of the blocks' mean absolute deviations: marks and patterns only add to the noise (as
    D.-H. Shin and others, "Block-based noise estimation using adaptive Gaussian filtering", IEEE Transactions
    on Consumer Electronics 51, 2005).
    """
    mean = cv2.blur(grey, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE)
    deviation = cv2.absdiff(grey, mean).astype(np.float32)
    size = (max(1, grey.shape[1] // _BLOCK), max(1, grey.shape[0] // _BLOCK))
    blocks = cv2.resize(deviation, size, interpolation=cv2.INTER_AREA)
    return math.sqrt(math.pi / 2) * float(np.quantile(blocks, limits.plain_share))


def _candidates(grey: Array, noise: float, limits: PipLimits) -> tuple[Array, Array, Array]:
    """Middles (n, 2), radii (n,) and signs (n,) of blobs of about the right form. `noise`: that of the
    picture; smaller ones have less."""
    found = []
    for level in range(_LEVELS):
        factor = 2**level
        small: Array = (
            grey
            if not level
            else cv2.resize(grey, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
        )
        mean = cv2.blur(small, (WINDOW, WINDOW), borderType=cv2.BORDER_REPLICATE)
        least = limits.significant * (_noise(small, limits) if level else noise)
        steps = (limits.step, limits.large_step, *(() if level else (limits.small_step,)))
        for sign, difference in ((-1, cv2.subtract(mean, small)), (1, cv2.subtract(small, mean))):
            for step in steps:
                mask = cv2.threshold(difference, max(step, least), 255, cv2.THRESH_BINARY)[1]
                at, radius = _blobs(mask)
                at = (at + 0.5) * factor - 0.5
                found.append(np.column_stack([at, radius * factor, np.full(len(at), sign)]))
    all_of = np.concatenate(found)
    return all_of[:, :2], all_of[:, 2], all_of[:, 3]


def _blobs(mask: Array) -> tuple[Array, Array]:
    """Middles and radii of the connected parts that are not too large and not too small, holes filled."""
    outlines, nesting = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = (
        [one[:, 0] for one, (*_, parent) in zip(outlines, nesting[0], strict=True) if parent < 0]
        if outlines
        else []
    )
    if not outer:
        return np.zeros((0, 2)), np.zeros(0)
    count = np.array([len(one) for one in outer])
    begin = np.cumsum(count) - count
    points = np.concatenate(outer).astype(np.float64)
    after = np.roll(points, -1, axis=0)
    after[begin + count - 1] = points[begin]
    twice = np.add.reduceat(points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0], begin)
    area = np.abs(twice) / 2 + count / 2 + 1  # pixels, not what lies between their middles (Pick's theorem)
    low, high = np.minimum.reduceat(points, begin), np.maximum.reduceat(points, begin)
    size = high - low + 1
    longer = size.max(axis=1)
    good = (longer <= 0.75 * WINDOW) & (longer >= 4)
    middle = np.add.reduceat(points, begin) / count[:, None]
    return middle[good], np.sqrt(area[good] / np.pi)


def _measure(grey: Array, noise: float, at: Array, radius: Array, sign: Array, limits: PipLimits) -> Pips:
    """The marks among the candidates, their outlines measured thrice, each time along the last ellipse."""
    shape = np.eye(2)[None] * (radius**2)[:, None, None]
    for _ in range(3):
        at, shape, level, contrast, rough, good = _measure_outlines(grey, at, shape, sign, limits)
        at, shape, sign, level, contrast, rough = (v[good] for v in (at, shape, sign, level, contrast, rough))
        if not len(at):
            return _no_pips()
    keep = (rough < limits.roughest) & (np.abs(contrast) > limits.significant * noise)
    values = (at, shape, level, contrast, rough)
    return Pips(*(np.asarray(v[keep], np.float32) for v in values))


def _measure_outlines(
    grey: Array, at: Array, shape: Array, sign: Array, limits: PipLimits
) -> tuple[Array, ...]:
    """One measurement: new middles, shapes, levels, contrasts, roughness, and which are marks at all."""
    root = _square_roots(shape)
    angle = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ray = np.einsum("nij,kj->nki", root, unit)
    spots = at[:, None, None, :] + ray[:, :, None, :] * _RADII[None, None, :, None]
    flat = spots.reshape(len(at), -1, 2).astype(np.float32)
    seen = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen.reshape(len(at), _RAYS, len(_RADII)).astype(np.float64)
    inside = seen[:, :, _RADII < 0.5].mean(axis=(1, 2))
    ring = seen[:, :, _IN_RING]
    level = np.median(ring.reshape(len(at), -1), axis=1)
    contrast = inside - level
    half = (inside + level) / 2
    beyond = (seen - half[:, None, None]) * np.sign(contrast)[:, None, None] < 0
    first = beyond.argmax(axis=2)
    crossed = beyond.any(axis=2) & (first > 0)
    before = np.take_along_axis(seen, np.maximum(first - 1, 0)[..., None], axis=2)[..., 0]
    after = np.take_along_axis(seen, first[..., None], axis=2)[..., 0]
    step = np.where(np.abs(after - before) > 1e-6, (half[:, None] - before) / (after - before + 1e-12), 0.5)
    rho = (first - 1 + np.clip(step, 0, 1)) * (_RADII[1] - _RADII[0])
    centre = np.median(np.where(crossed, rho, 1.0), axis=1)
    rho = np.where(crossed, np.clip(rho, 0.3 * centre[:, None], 1.8 * centre[:, None]), centre[:, None])
    points = ray * rho[..., None]
    shift = points.mean(axis=1)
    around = points - shift[:, None]
    new = 2 * np.einsum("nki,nkj->nij", around, around) / _RAYS
    new += 1e-6 * np.eye(2)
    norm = np.sqrt(np.einsum("nki,nij,nkj->nk", around, np.linalg.inv(new), around))
    good = (crossed.sum(axis=1) >= _RAYS - 4) & (contrast * sign > limits.contrast)
    good &= np.hypot(shift[:, 0], shift[:, 1]) < 0.8 * np.sqrt(np.sqrt(np.linalg.det(shape)))
    alike = (np.abs(ring - level[:, None, None]) < 0.5 * np.abs(contrast)[:, None, None]).mean(axis=(1, 2))
    return at + shift, new, level, contrast, norm.std(axis=1), good & (alike > limits.alike)


def _square_roots(shape: Array) -> Array:
    """Symmetric square roots (n, 2, 2) of the shapes."""
    values, vectors = np.linalg.eigh(shape)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 1e-6))[:, None, :]) @ vectors.transpose(0, 2, 1))


def _distinct(pips: Pips) -> Array:
    """Indices that keep one of several measurements of the same mark: the smoothest, best contrasted."""
    order = np.argsort(pips.roughness - 0.0005 * np.abs(pips.contrast), kind="stable")
    radius = pips.radius
    kept: list[int] = []
    for i in order.tolist():
        if kept:
            away = np.linalg.norm(pips.at[kept] - pips.at[i], axis=1)
            if (away < 0.9 * np.maximum(radius[kept], radius[i])).any():
                continue
        kept.append(i)
    return np.array(kept, int)


@dataclass(frozen=True)
class PipSurroundings:
    """What lies round n marks, in units of their own outlines."""

    clear: Floats
    """(n,): the part of the directions in which the face stays as bright as its ring to `clear_reach`."""
    tight: Floats
    """(n,): the part of the directions in which the face stays so bright to `tight_reach`."""
    bounded: Floats
    """(n,): the part of the directions in which something changes before 11 radii: the face ends."""


def measure_surroundings(image: Image, pips: Pips, limits: PipLimits) -> PipSurroundings:
    """How far the plain ground round each mark reaches."""
    if not len(pips):
        return PipSurroundings(*(np.zeros(0, np.float32),) * 3)
    grey, _ = _smoothed(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), limits)
    angle = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    reach = np.concatenate([np.arange(1.4, 3.2, 0.3), np.arange(3.2, 11.0, 0.45)])
    ray = np.einsum("nij,kj->nki", _square_roots(pips.shape.astype(np.float64)), unit)
    spots = pips.at[:, None, None] + ray[:, :, None] * reach[None, None, :, None]
    flat = spots.reshape(len(pips), -1, 2).astype(np.float32)
    seen = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen.reshape(len(pips), _RAYS, len(reach)).astype(np.float32)
    change = np.abs(seen - pips.level[:, None, None])
    strength = np.abs(pips.contrast)[:, None, None]
    strength = np.maximum(limits.faint, strength)
    unlike = change > limits.near_change * strength
    unlike &= (reach * pips.radius[:, None] > pips.radius[:, None] + limits.halo)[:, None]
    near = unlike[:, :, reach < limits.clear_reach].any(axis=2)
    nearest = unlike[:, :, reach < limits.tight_reach].any(axis=2)
    far = change > limits.far_change * strength
    far = far[:, :, reach >= limits.clear_reach].any(axis=2)
    return PipSurroundings(*((part.mean(axis=1).astype(np.float32)) for part in (~near, ~nearest, far)))
