"""Whether the pip of a one is alone on its top.

Of a small die whose pips run into each other only one may be found. The top of a one is plain round its pip;
on any other top where one pip is in the middle, others lie within the circle that touches the edges.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.dice.faces import Face
from companion.vision.dice.view import PlaneView
from companion.vision.image.picture import Array, Image

_RING = (0.18, 0.35)
"""Distances from the pip between which the top is looked at, in edges of the die: beyond the pip itself and
its blur, as far as the middle pips of a six and the corner ones of a five."""
_DIRECTIONS = np.arange(24) * np.pi / 12
_BRIGHTEST = 0.97
"""Quantile of the ring's levels that is compared: another pip takes up a twentieth of the ring."""
ALONE = 0.5
"""Share of the pip's contrast to which the brightest part of the ring comes if another pip lies there."""


class LonePips:
    """The tops of ones in a picture (BGR, uint8) that a view shows."""

    def __init__(self, image: Image, view: PlaneView) -> None:
        self._grey: Array = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self._view = view

    def is_alone(self, face: Face, edge: float = math.inf) -> bool:
        """Whether nothing on the top comes near the pip's contrast. `edge`: of the other dice, in the plane:
        a one with a large pip is smaller than that lets expect."""
        return self.ring_share(face, edge) < ALONE

    def ring_share(self, face: Face, edge: float = math.inf) -> float:
        """The contrast round the pip by that of the pip, both against the top's usual level."""
        rays = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)], axis=1)
        reach = np.linspace(_RING[0] * face.edge, _RING[1] * min(face.edge, edge), 6)
        ring = (np.array(face.centre) + reach[:, None, None] * rays).reshape(-1, 2)
        levels, pip = self._levels(ring), float(self._levels(np.array([face.centre]))[0])
        top = float(np.median(levels))
        contrast = (levels - top) * np.sign(pip - top)
        return float(np.quantile(contrast, _BRIGHTEST)) / max(1.0, abs(pip - top))

    def _levels(self, at: Array) -> Array:
        """The grey levels at points (n, 2) of the plane."""
        x, y = self._view.pixels(at).astype(np.float32).T[:, None]
        levels = cv2.remap(self._grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(levels, np.float64).ravel()
