"""A symbol in polar coordinates round the middle of its hull: what is compared of it, at every turn at once.

A Fourier transform over the angle compares what was seen with all looks at all turns."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.symbols.regions import InkRegion

RADII, ANGLES = 16, 64
CHANNELS = 4
"""Where ink is, how dark it is, and two differences of colour."""
VALUES = CHANNELS * RADII * ANGLES
REACH = 1.05
"""Radii of a symbol's hull that are laid out."""
LARGEST_RADIUS = 48.0
"""Radius in pixels to which what is larger is shrunk."""
_HALF_INK = 0.12
"""Ink that counts as half of full."""
_AS_IT_LIES = np.eye(2, 3, dtype=np.float32)[None]


@dataclass(frozen=True)
class SymbolPatch:
    """The ink of a place, cut out of a picture without what does not belong to it and softened (h, w,
    CHANNELS), and the middle and the radius of the circle to compare, in pixels of the cut."""

    soft: Floats
    middle: tuple[float, float]
    radius: float

    @staticmethod
    def of(ink: Floats, region: InkRegion) -> SymbolPatch:
        """The patch of a region of a picture whose ink is (height, width, 3)."""
        (x, y), radius, corner, inside = region.centre, region.radius, region.corner, region.inside
        blur = max(0.3, 0.5 * REACH * radius / RADII)
        reach = 1.4 * radius + 3 * blur
        left, top = max(0, math.floor(x - reach)), max(0, math.floor(y - reach))
        right, bottom = math.ceil(x + reach) + 1, math.ceil(y + reach) + 1
        first, second = max(corner[0], left), max(corner[1], top)
        own = inside[second - corner[1] : bottom - corner[1], first - corner[0] : right - corner[0]]
        cut = np.zeros((bottom - top, right - left, 3), np.float32)[: len(ink) - top, : ink.shape[1] - left]
        here = (
            slice(second - top, second - top + own.shape[0]),
            slice(first - left, first - left + own.shape[1]),
        )
        cut[here] = ink[top:bottom, left:right][here] * own[..., None]
        share = min(1.0, LARGEST_RADIUS / radius)
        if share < 1.0:
            smaller = cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            cut = np.asarray(smaller, np.float32)
        middle = (share * (x - left + 0.5) - 0.5, share * (y - top + 0.5) - 0.5)
        return SymbolPatch(_soften(cut, share * blur), middle, share * radius)

    def views(self, alignments: Floats = _AS_IT_LIES) -> Floats:
        """What is seen of the circle (n, CHANNELS, RADII, ANGLES), each view of length 1, under alignments
        (n, 2, 3) that take the unit circle to the picture, in radii."""
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
        return flat.reshape(-1, CHANNELS, RADII, ANGLES)


@dataclass(frozen=True)
class SymbolPlace:
    """A place that may show a symbol: middle and radius in pixels of the picture, and its patch."""

    centre: tuple[float, float]
    radius: float
    patch: SymbolPatch


@dataclass(frozen=True)
class SymbolMatch:
    """A place and the symbol that it shows most likely, with its probability: the middle and the radius of
    its circle in pixels, its turn in degrees."""

    label: str
    probability: float
    centre: tuple[float, float]
    radius: float
    degrees: float


def overlap(one: SymbolPlace | SymbolMatch, other: SymbolPlace | SymbolMatch) -> bool:
    """Whether two places are so near each other that only one of them can be right."""
    return math.dist(one.centre, other.centre) <= 0.6 * max(one.radius, other.radius)


def _soften(ink: Floats, blur: float) -> Floats:
    """The CHANNELS of ink (h, w, 3), blurred by so many pixels."""
    b, g, r = cv2.split(cv2.GaussianBlur(ink, (0, 0), blur))
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


def to_affine(changes: Array) -> Floats:
    """Alignments (n, 2, 3) by changes (n, 6): the shift right and down in radii, the logarithm of the size,
    the stretch along the axes and along the diagonals (half the logarithm of how much longer a circle gets
    than wide), and the turn in radians."""
    x, y, size, along, across, turn = changes.T
    stretch = np.hypot(along, across)
    even = np.exp(size) * np.cosh(stretch)
    odd = np.exp(size) * np.sinh(stretch) / np.maximum(stretch, 1e-9)
    a, b, d = even + odd * along, odd * across, even - odd * along
    cos, sin = np.cos(turn), np.sin(turn)
    rows = [[a * cos + b * sin, b * cos - a * sin, x], [b * cos + d * sin, d * cos - b * sin, y]]
    return np.asarray(np.moveaxis(np.array(rows), 2, 0), np.float32)


class TurnedLooks:
    """Looks (n, planes, rings, angles) of length 1, to be compared with what was seen at every turn."""

    def __init__(self, looks: Floats) -> None:
        self._shape = looks.shape[1:]
        known = np.fft.rfft(self._rows(looks), axis=-1)
        self._known = np.ascontiguousarray(np.conj(known).astype(np.complex64).transpose(2, 0, 1))

    def fits(self, seen: Floats) -> Floats:
        """How well the looks fit what was seen (v, planes, rings, angles), -1 to 1, at each turn (v, n,
        angles)."""
        here = np.fft.rfft(self._rows(seen), axis=-1).astype(np.complex64)
        both = np.matmul(self._known, here.transpose(2, 1, 0))
        return np.asarray(np.fft.irfft(both.transpose(2, 1, 0), n=self._shape[-1], axis=-1), np.float32)

    def _rows(self, looks: Floats) -> Floats:
        return looks.reshape(len(looks), -1, self._shape[-1])
