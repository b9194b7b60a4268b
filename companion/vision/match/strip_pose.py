"""How the quad of a strip's card may be off: by what a card does that lies on the same table as its cover."""

from __future__ import annotations

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats
from companion.vision.match.descriptor import WIDTH
from companion.vision.match.refine import FRAME

STRIP_CENTRE = (WIDTH / 2, 10.0)
"""The pixel of the card that it is turned and stretched about."""
MOTION_UNITS = np.array([0.3, 0.3, 0.01, 0.007, 0.007])
"""Small shifts across and along the card (pixels), turn (radians), size and width (logarithms)."""


def move_quad(quad: Floats, motion: Array) -> Floats:
    """The quad of a card shifted, turned and stretched in its own plane by a motion (5,) (see
    MOTION_UNITS)."""
    across, along, turn, size, width = (float(v) for v in motion)
    cos, sin = np.cos(turn) * np.exp(size), np.sin(turn) * np.exp(size)
    points = (FRAME - STRIP_CENTRE) * np.array([np.exp(width), 1.0])
    points = points @ np.array([[cos, sin], [-sin, cos]]) + STRIP_CENTRE + [across, along]
    return geometry.transform(np.asarray(points, np.float32), geometry.homography(FRAME, quad))
