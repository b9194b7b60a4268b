"""Which faces marks can form."""

from __future__ import annotations

import numpy as np

from companion.vision.dice.faces import ProjectedPips, find_faces
from companion.vision.dice.limits import dice_limits
from companion.vision.dice.pips import Pips
from companion.vision.dice.view import Optics, PlaneView


def test_a_two_on_a_top_that_is_itself_a_light_mark_is_a_two() -> None:
    """Of a die of 20 pixels the whole top was a mark in the middle of its two pips: no three, and no two."""
    at = np.array([(93.5, 162.6), (105.0, 171.0), (99.7, 166.2)], np.float32)
    radius = np.array([1.56, 1.56, 7.8], np.float32)
    shape = (radius**2)[:, None, None] * np.eye(2, dtype=np.float32)
    level, contrast = np.array([141.0, 138.0, 126.0]), np.array([-80.0, -76.0, 47.0])
    pips = Pips(at, shape, level, contrast, np.full(3, 0.02))
    view = PlaneView.of(Optics.of((720, 256)), 0.0, 0.0)
    faces = find_faces(ProjectedPips.project(view, pips), dice_limits().faces)
    assert (2, (0, 1)) in {(face.value, face.pips) for face in faces}
