"""The camera above the table: from millimetres of table to pixels of picture.

A pinhole camera looks at a point of the table from the reader's side, tilted away from the vertical, then a
radial lens bends the picture (Brown's model with one coefficient; Brown, "Decentering distortion of lenses",
1966). The same functions give the truth: where a card's corners really are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""n x 2."""
Matrix = NDArray[np.float64]
"""3 x 3."""

FOCAL = 0.95
"""Focal length in picture widths: a 55 degree lens, as in the common camera modules."""


@dataclass(frozen=True)
class View:
    """Where the camera looks from.

    `width`, `height`: the picture in pixels. (`x`, `y`): the table point in its middle, mm, y towards the
    reader. `span`: mm of table across the picture's middle. `tilt`: degrees away from straight down, 0 to
    60, `turn`: degrees clockwise round the line of sight. `bend`: radial distortion, -0.1 (barrel) to 0.1.
    """

    width: int = 1280
    height: int = 720
    x: float = 0.0
    y: float = 0.0
    span: float = 700.0
    tilt: float = 0.0
    turn: float = 0.0
    bend: float = 0.0

    @property
    def scale(self) -> float:
        """Pixels per mm in the picture's middle."""
        return self.width / self.span


def homography(view: View) -> Matrix:
    """Table mm -> pixels of the picture before the lens bends it."""
    focal = FOCAL * view.width
    distance = focal / view.scale
    tilt, turn = math.radians(view.tilt), math.radians(view.turn)
    cos, sin = math.cos(turn), math.sin(turn)
    camera = np.array([[focal, 0, view.width / 2], [0, focal, view.height / 2], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, -math.sin(tilt), distance]])
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    shift = np.array([[1, 0, -view.x], [0, 1, -view.y], [0, 0, 1]])
    matrix: Matrix = camera @ lean @ spin @ shift
    return np.asarray(matrix / matrix[2, 2], float)


def apply(matrix: Matrix, points: Points) -> Points:
    """The points through a homography."""
    flat = np.c_[points, np.ones(len(points))] @ matrix.T
    result: Points = flat[:, :2] / flat[:, 2:]
    return result


def before(matrix: Matrix, points: Points) -> bool:
    """Whether all points lie well in front of the camera, so that they can be projected."""
    depth = np.c_[points, np.ones(len(points))] @ matrix[2]
    return bool(depth.min() > 0.15)


def project(view: View, points: Points) -> Points:
    """Table mm -> pixels of the finished picture, lens included; a pixel's centre is at a whole number."""
    return bent(view, apply(homography(view), np.asarray(points, float))) - 0.5


def bent(view: View, points: Points) -> Points:
    """Where the lens puts what a straight one shows at `points`: straight(q) = p by fixed-point steps."""
    if view.bend == 0.0:
        return points
    middle, radius = _lens(view)
    goal = (points - middle) / radius
    guess = goal.copy()
    for _ in range(20):
        # Far outside the picture the model has no inverse: there it bends no more than at r^2 = 2.5.
        guess = goal / (1 + view.bend * np.minimum((guess**2).sum(1, keepdims=True), 2.5))
    result: Points = guess * radius + middle
    return result


def straight(view: View, points: Points) -> Points:
    """What a straight lens would show at the place of each picture point: p (1 + bend r^2)."""
    middle, radius = _lens(view)
    centred = (points - middle) / radius
    result: Points = centred * (1 + view.bend * (centred**2).sum(1, keepdims=True)) * radius + middle
    return result


def lens_maps(view: View) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    """The maps for cv2.remap that bend a straight picture; None for a straight lens."""
    if view.bend == 0.0:
        return None
    grid = np.stack(np.meshgrid(np.arange(view.width), np.arange(view.height)), -1).reshape(-1, 2) + 0.5
    source = (straight(view, grid.astype(float)) - 0.5).astype(np.float32).reshape(view.height, view.width, 2)
    return np.ascontiguousarray(source[..., 0]), np.ascontiguousarray(source[..., 1])


def quad_to_quad(source: Points, target: Points) -> Matrix:
    """The homography that takes four points to four others."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, float)


def _lens(view: View) -> tuple[Points, float]:
    return np.array([view.width / 2, view.height / 2]), view.width / 2
