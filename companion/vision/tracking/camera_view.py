"""How the camera shows the background in a picture: moved, turned, larger or smaller, softer or sharper.

A bump of the camera moves and turns the picture. A lens that searches its focus enlarges it about its middle
by a fine factor (focus breathing) and blurs it. To first order the picture then differs from the background
by

    -(motion * gradient) + variance / 2 * Laplacian

with the motion of each pixel by a shift, a turn and a zoom (Lucas and Kanade's alignment: Baker and Matthews,
"Lucas-Kanade 20 years on", 2004; a Gaussian blur of a variance is a diffusion: Koenderink, "The structure of
images", 1984). All five are fitted by least squares, from coarse to fine pictures, again and again from where
the last fit leads to. Hands and cards that came do not follow the model: what differs by much counts less,
then not at all (iteratively reweighted least squares: Holland and Welsch, 1977).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.change import CELL
from companion.vision.tracking.limits import shares, sizes

STAGES = ((4 * CELL, False), (2 * CELL, False), (2 * CELL, True), (CELL, True))
"""Of each stage of the fit the pixels of the small picture for a pixel of those that are compared, from
coarse to fine, and whether only small differences count."""
PASSES, SETTLED = 8, 0.05
"""Fits of a stage at most, and by how many pixels of the small picture one must move it for another one."""
LEAST_VARIANCE = 0.5
"""Variance in square pixels up to which three weights make the blur; beyond it a sampled Gaussian does."""


class CameraView(NamedTuple):
    """`right` and `down`: by how many pixels of the small picture its middle is shifted; `turn`: clockwise,
    in radians; `zoom`: by what share it is larger. `variance`: that of the Gaussian by which it is softer, in
    square pixels of the small picture; negative: by which it is sharper."""

    right: float = 0.0
    down: float = 0.0
    turn: float = 0.0
    zoom: float = 0.0
    variance: float = 0.0

    def motion(self, shape: tuple[int, ...]) -> Floats:
        """The transform (2 x 3) that takes a pixel of the background to its place in the picture."""
        middle = (np.array([shape[1], shape[0]]) - 1) / 2
        cos, sin = np.cos(self.turn) * (1 + self.zoom), np.sin(self.turn) * (1 + self.zoom)
        turned = np.array([[cos, -sin], [sin, cos]])
        shift = middle + np.array([self.right, self.down]) - turned @ middle
        return np.asarray(np.column_stack([turned, shift]), np.float32)

    def reduced(self, size: float) -> CameraView:
        """The same in pictures of which a pixel stands for `size` pixels."""
        return CameraView(self.right / size, self.down / size, self.turn, self.zoom, self.variance / size**2)

    def compared(self, ground: Array, picture: Array) -> tuple[Array, Array]:
        """Background and picture, brought to the same place, made equally sharp."""
        return _softened(ground, self.variance), _softened(picture, -self.variance)

    def in_view(self, shape: tuple[int, ...]) -> Array:
        """Which pixels of the background (bool) the picture shows; blur reaches in from beyond its rim."""
        rim = int(np.ceil(abs(self.variance) ** 0.5))
        shown = np.zeros(shape[:2], np.uint8)
        shown[rim : shape[0] - rim, rim : shape[1] - rim] = 1
        undone = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(shown, self.motion(shape), shape[1::-1], flags=undone) > 0

    def is_possible(self, shape: tuple[int, ...]) -> bool:
        """Whether a bump or a focus may show the background so: beyond that the camera was turned to
        something else, and a stronger blur hides a card."""
        far = largest_difference(self.motion(shape), AT_REST.motion(shape), shape)
        return far <= camera_limits().motion.largest and abs(self.variance) <= sizes().blur ** 2


AT_REST = CameraView()


def fitted_view(ground: Bytes, picture: Bytes, start: CameraView, threshold: float) -> CameraView:
    """The view that explains most of what differs between the grey background and the grey picture, both in
    the same light. The search begins from `start`, the view of the picture before. `threshold`: levels from
    which on a pixel differs. AT_REST if the view does not explain most of the pixels that it would change."""
    stages = STAGES if start == AT_REST else STAGES[-1:]
    pairs = {size: (_reduced(ground, size), _reduced(picture, size)) for size in {size for size, _ in stages}}
    view = start
    for size, few in stages:
        view = _fitted(*pairs[size], view.reduced(size), threshold, size, few).reduced(1 / size)
    explained = _is_explained(*pairs[CELL], view.reduced(CELL), threshold * shares().cell)
    return view if explained else AT_REST


def _fitted(
    was: Floats, now: Floats, start: CameraView, threshold: float, size: int, few: bool
) -> CameraView:
    """The view after one stage, in its pixels, where most of what differs is explained."""
    places, shape = _places(was.shape), was.shape
    view = best = start
    least = np.inf
    for _ in range(PASSES):
        if not view.reduced(1 / size).is_possible((size * shape[0], size * shape[1])):
            break
        soft, seen = view.compared(warped(was, view.motion(shape), cv2.INTER_CUBIC), now)
        off = seen - soft
        far = np.abs(off)
        cost = float(np.minimum(far, threshold).mean())
        if cost < least:
            best, least = view, cost
        weight = 1.0 / np.maximum(far, threshold / 4)
        if few:
            weight = np.square(np.maximum(0.0, 1.0 - np.square(far / threshold)))
        before, view = view, _stepped(view, _columns(soft, seen, view, places), off, weight)
        step = size * largest_difference(before.motion(shape), view.motion(shape), shape)
        if step + size * abs(view.variance - before.variance) < SETTLED:
            break
    return best


@lru_cache(maxsize=len(STAGES))
def _places(shape: tuple[int, ...]) -> tuple[Array, Array]:
    """How far each pixel lies to the right of the middle, and below it."""
    rows, columns = shape
    down, across = np.mgrid[:rows, :columns].astype(np.float32)
    return across - (columns - 1) / 2, down - (rows - 1) / 2


def _columns(soft: Floats, seen: Floats, view: CameraView, places: tuple[Array, Array]) -> Floats:
    """How each pixel changes (5, pixels) with each part of a view."""
    blurred = soft if view.variance >= 0 else seen
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    x, y = places
    turned, larger = y * across - x * down, -(x * across + y * down)
    changes = (-across, -down, turned, larger, 0.5 * cv2.Laplacian(blurred, cv2.CV_32F))
    return np.stack([one.ravel() for one in changes])


def _stepped(view: CameraView, columns: Floats, off: Array, weight: Array) -> CameraView:
    """The view after one weighted fit to what is still `off`; as before in what nothing tells."""
    weighted = columns * weight.ravel()
    normal = (weighted @ columns.T).astype(float)
    step = np.linalg.lstsq(normal, (weighted @ off.ravel()).astype(float))[0]
    return CameraView(*(np.array(view) + step).tolist())


def _is_explained(was: Floats, now: Floats, view: CameraView, threshold: float) -> bool:
    """Whether more of the pixels that the view would change are as it says than are as they were; those that
    are neither show something else. What moves in one place only was pushed."""
    soft, seen = view.compared(warped(was, view.motion(was.shape), cv2.INTER_CUBIC), now)
    effect = np.maximum(np.abs(soft - was), np.abs(seen - now))
    changed, left = np.abs(now - was), np.abs(seen - soft)
    would = effect > threshold
    explained = would & (left < changed / 2)
    if np.count_nonzero(explained) <= np.count_nonzero(would & (changed < effect / 2)):
        return False
    hull = cv2.convexHull(np.argwhere(explained).astype(np.int32))
    return bool(cv2.contourArea(hull) >= camera_limits().motion.spread * was.size)


def largest_difference(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """Pixels between where two transforms take the corners of a picture of this shape, at most."""
    tall, wide = shape[:2]
    frame = geometry.rectangle(0, 0, wide, tall)
    off = geometry.transform(frame, one) - geometry.transform(frame, other)
    return float(np.linalg.norm(off, axis=1).max())


def warped(picture: Array, motion: Floats, how: int = cv2.INTER_LINEAR) -> Array:
    """A picture after a motion (2 x 3) of the camera; `how`: OpenCV's kind of interpolation."""
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, motion, size, flags=how, borderMode=cv2.BORDER_REPLICATE))


def scaled(motion: Floats, scale: float) -> Floats:
    """A motion (2 x 3) of the camera in a picture that is `scale` times as large."""
    larger = geometry.resizing(scale)
    return np.asarray((larger @ np.vstack([motion, [0, 0, 1]]) @ np.linalg.inv(larger))[:2], np.float32)


def _reduced(grey: Bytes, size: int) -> Floats:
    shape = (grey.shape[1] // size, grey.shape[0] // size)
    return np.asarray(cv2.resize(grey, shape, interpolation=cv2.INTER_AREA), np.float32)


def _softened(picture: Array, variance: float) -> Array:
    """The picture after a Gaussian blur of that variance; itself if it is not positive."""
    if variance <= 0:
        return picture
    if variance > LEAST_VARIANCE:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), variance**0.5))
    weights = np.array([variance / 2, 1 - variance, variance / 2], np.float32)
    return np.asarray(cv2.sepFilter2D(picture, -1, weights, weights))
