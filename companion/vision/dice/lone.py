"""Whether the pip of a one is alone on its top.

Of a small die whose pips run into each other only one may be found. The top of a one is plain round its pip;
on any other top where one pip is in the middle, others lie within the circle that touches the edges.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.dice.faces import Face
from companion.vision.dice.limits import DoubtLimits
from companion.vision.dice.view import PlaneView
from companion.vision.image.picture import Array, Image

_RING = (0.18, 0.30)
"""Distances from the pip between which the top is looked at, in edges of the die: beyond the pip itself and
its blur, and still on the top where the pip is half as large again as others: .45 edges there."""
_DIRECTIONS = np.arange(24) * np.pi / 12


def is_alone(image: Image, view: PlaneView, face: Face, limits: DoubtLimits, edge: float = math.inf) -> bool:
    """Whether nothing on the top of a one comes near the contrast of its pip. `edge`: of the other dice, in
    the plane; a one with a large pip is smaller than that lets expect."""
    grey: Array = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    rays = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)], axis=1)
    reach = np.linspace(_RING[0] * face.edge, _RING[1] * min(face.edge, edge), 6)
    ring = (np.array(face.centre) + reach[:, None, None] * rays).reshape(-1, 2)
    x, y = view.pixels(np.vstack([[face.centre], ring])).astype(np.float32).T[:, None]
    seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    pip, levels = float(seen[0, 0]), seen[0, 1:].astype(float)
    top = float(np.median(levels))
    contrast = (levels - top) * np.sign(pip - top)
    return float(contrast.max()) < limits.alone * max(1.0, abs(pip - top))
