"""How the camera's lens shows a picture against the background: larger or smaller, softer or sharper.

A lens that searches its focus enlarges the picture about its middle by a fine factor (focus breathing) and
blurs it. To first order the picture then differs from the background by

    zoom * -(x * gradient) + variance / 2 * Laplacian

with x the place from the middle (Lucas and Kanade's alignment with one parameter for the motion: Baker and
Matthews, "Lucas-Kanade 20 years on", 2004; a Gaussian blur of a variance is a diffusion: Koenderink, "The
structure of images", 1984). Both are fitted by least squares, again and again from where the last fit leads
to. Hands and cards that came do not follow the model: what differs by much counts less, then not at all
(iteratively reweighted least squares: Holland and Welsch, 1977).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.camera_motion import LARGEST_PIXELS, warped
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.change import CELL
from companion.vision.tracking.limits import shares, sizes

PASSES = 4
"""Fits in which all differences count, and again as many in which only small ones do."""
LEAST_VARIANCE = 0.5
"""Variance in square pixels up to which three weights make the blur; beyond it a sampled Gaussian does."""


@dataclass(frozen=True)
class FocusShift:
    """`zoom`: by what share the picture is larger than the background. `variance`: that of the Gaussian by
    which it is softer, in square pixels of the small picture; negative: by which it is sharper."""

    zoom: float = 0.0
    variance: float = 0.0

    def motion(self, shape: tuple[int, ...]) -> Floats:
        """The transform (2 x 3) that takes a pixel of the background to its place in the picture."""
        centre = (np.array([shape[1], shape[0]], np.float32) - 1) / 2
        return np.asarray(np.column_stack([np.eye(2) * (1 + self.zoom), -self.zoom * centre]), np.float32)

    def in_view(self, shape: tuple[int, ...]) -> tuple[slice, slice]:
        """Rows and columns of the background that the picture shows; blur reaches in from beyond its rim."""
        rim = np.ceil(max(0.0, self.zoom) * np.array(shape[:2]) / 2 + abs(self.variance) ** 0.5).astype(int)
        return slice(rim[0], shape[0] - rim[0]), slice(rim[1], shape[1] - rim[1])

    def compared(self, ground: Array, picture: Array) -> tuple[Array, Array]:
        """Background and picture, brought to the background's place, made equally sharp."""
        return _softened(ground, self.variance), _softened(picture, -self.variance)


NO_CHANGE = FocusShift()


def fitted_shift(ground: Bytes, picture: Bytes, start: FocusShift, threshold: float) -> FocusShift:
    """The shift that explains most of what differs between the grey background and the grey picture, both in
    the same light. The search begins from `start`, the shift of the picture before. `threshold`: levels from
    which on a pixel differs. NO_CHANGE if the shift does not explain most of the pixels that it would change.
    """
    was, now = _reduced(ground), _reduced(picture)
    rows, columns = was.shape
    down, across = np.mgrid[:rows, :columns].astype(np.float32)
    places = (across - (columns - 1) / 2, down - (rows - 1) / 2)
    found = (start.zoom, start.variance / CELL**2)
    best, least = found, np.inf
    for count in range(2 * PASSES + 1):
        shift = FocusShift(*found)
        corner = abs(shift.zoom) * float(np.hypot(rows, columns)) / 2
        if corner > LARGEST_PIXELS / CELL or abs(shift.variance) > (sizes().blur / CELL) ** 2:
            break
        soft, seen = shift.compared(_zoomed(was, shift), now)
        off = seen - soft
        size = np.abs(off)
        cost = float(np.minimum(size, threshold).mean())
        if cost < least:
            best, least = found, cost
        elif count > PASSES:
            break
        weight = 1.0 / np.maximum(size, threshold / 4)
        if count >= PASSES:
            weight = np.square(np.maximum(0.0, 1.0 - np.square(size / threshold)))
        found = _stepped(found, _columns(soft, seen, shift, places), off, weight)
    shift = FocusShift(*best)
    if not _is_confirmed(was, now, shift, threshold * shares().cell):
        return NO_CHANGE
    return FocusShift(best[0], best[1] * CELL**2)


def _is_confirmed(was: Floats, now: Floats, shift: FocusShift, threshold: float) -> bool:
    """Whether more of the pixels that the shift would change are as it says than are as they were; those that
    are neither show something else."""
    soft, seen = shift.compared(_zoomed(was, shift), now)
    effect = np.maximum(np.abs(soft - was), np.abs(seen - now))
    changed, left = np.abs(now - was), np.abs(seen - soft)
    would = effect > threshold
    return bool(
        np.count_nonzero(would & (left < changed / 2)) > np.count_nonzero(would & (changed < effect / 2))
    )


def _columns(
    soft: Floats, seen: Floats, shift: FocusShift, places: tuple[Array, Array]
) -> tuple[Array, Array]:
    """How each pixel changes with the zoom, and with the variance."""
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    blurred = soft if shift.variance >= 0 else seen
    return -(places[0] * across + places[1] * down), 0.5 * cv2.Laplacian(blurred, cv2.CV_32F)


def _stepped(
    found: tuple[float, float], columns: tuple[Array, Array], off: Array, weight: Array
) -> tuple[float, float]:
    """Zoom and variance after one weighted fit to what is still `off`; as before if nothing tells them."""
    first, second = (column.ravel() for column in columns)
    one, two = first * weight.ravel(), second * weight.ravel()
    mixed = float(one @ second)
    normal = np.array([[float(one @ first), mixed], [mixed, float(two @ second)]])
    step = np.linalg.lstsq(normal, np.array([one @ off.ravel(), two @ off.ravel()], float))[0]
    return found[0] + float(step[0]), found[1] + float(step[1])


def _zoomed(picture: Floats, shift: FocusShift) -> Floats:
    """The picture larger about its middle."""
    return warped(picture, shift.motion(picture.shape), cv2.INTER_CUBIC)


def _reduced(grey: Bytes) -> Floats:
    size = (grey.shape[1] // CELL, grey.shape[0] // CELL)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _softened(picture: Array, variance: float) -> Array:
    """The picture after a Gaussian blur of that variance; itself if it is not positive."""
    if variance <= 0:
        return picture
    if variance > LEAST_VARIANCE:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), variance**0.5))
    weights = np.array([variance / 2, 1 - variance, variance / 2], np.float32)
    return np.asarray(cv2.sepFilter2D(picture, -1, weights, weights))
