"""What a change of the camera's focus has done to a picture: it is softer or sharper, and a little larger or
smaller.

A lens that searches its focus shows a larger or smaller part of the table (focus breathing), about the middle
of the picture. The size and the Gaussian that make background and picture most alike are searched among some;
a place that differs by more than a few levels counts no more than any other such place, so hands and cards
that came do not disturb the search.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes

ZOOMS = tuple(np.round(np.arange(-0.04, 0.0401, 0.0025), 4).tolist())
"""Changes of size that are tried, as shares."""
SMOOTHED = 2.0
"""Gaussian radius, in pixels of the halved picture, by which both are softened while the size is searched."""
RADII = (0.0, 0.6, 1.0, 1.5, 2.2, 3.2, 4.5, 6.5)
"""Gaussian radii that are tried, in pixels of the small picture."""
MOST_LEVELS = 24.0
"""Difference in grey levels above which something else has changed there."""
LEFT = 0.1
"""Share of a place's pixels that may still differ."""
LEAST_RADIUS, LEAST_ZOOM = 0.5, 0.0024
"""Smaller changes of both are none."""


@dataclass(frozen=True)
class FocusChange:
    """`zoom`: by what share the picture is larger than the background; `radius`: Gaussian radius in pixels by
    which it is softer, negative if it is sharper."""

    zoom: float
    radius: float

    @property
    def is_any(self) -> bool:
        """Whether the focus has changed at all."""
        return abs(self.radius) >= LEAST_RADIUS or abs(self.zoom) >= LEAST_ZOOM

    def compared(self, ground: Bytes, picture: Bytes) -> tuple[Bytes, Bytes]:
        """Background and picture as the same focus shows both."""
        was, now = _zoomed(ground, self.zoom), picture
        return (_softer(was, self.radius), now) if self.radius >= 0 else (was, _softer(now, -self.radius))

    def explains(self, ground: Bytes, picture: Bytes, where: Array, threshold: float) -> bool:
        """Whether background and picture hardly differ any more in the pixels `where` (bool) once the same
        focus shows both. `threshold`: levels from which on they differ."""
        was, now = self.compared(ground, picture)
        over = (cv2.absdiff(was, now) > threshold).any(axis=2)
        return bool(np.count_nonzero(over & where) <= LEFT * np.count_nonzero(where))


def focus_change(ground: Bytes, picture: Bytes) -> FocusChange:
    """How the focus of a picture differs from that of the background; both (rows, columns, 3)."""
    was, now = _half(ground), _half(picture)
    soft = [_softer(one, SMOOTHED) for one in (was, now)]
    zoom = min(ZOOMS, key=lambda share: _difference(_zoomed(soft[0], share), soft[1]))
    was = _zoomed(was, zoom)
    softer = [(_difference(_softer(was, radius / 2), now), radius) for radius in RADII]
    sharper = [(_difference(was, _softer(now, radius / 2)), -radius) for radius in RADII[1:]]
    return FocusChange(zoom, min(softer + sharper, key=lambda one: (one[0], abs(one[1])))[1])


def _zoomed(picture: Bytes, zoom: float) -> Bytes:
    """The picture larger by that share about its middle."""
    if zoom == 0.0:
        return picture
    rows, columns = picture.shape[:2]
    stay = -zoom * (np.array([columns, rows]) - 1) / 2
    matrix = np.array([[1 + zoom, 0, stay[0]], [0, 1 + zoom, stay[1]]], np.float32)
    moved = cv2.warpAffine(picture, matrix, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _half(picture: Bytes) -> Bytes:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    size = (grey.shape[1] // 2, grey.shape[0] // 2)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _softer(picture: Bytes, radius: float) -> Bytes:
    return picture if radius <= 0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), radius), np.uint8)


def _difference(one: Array, other: Array) -> float:
    """The mean difference in grey levels, at most MOST_LEVELS anywhere."""
    return float(np.minimum(cv2.absdiff(one, other), MOST_LEVELS).mean())
