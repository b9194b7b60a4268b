"""How the lens bends the picture, learned from a few pictures of the mat, and taken out again.

Zhang's method ("A flexible new technique for camera calibration", 2000) as OpenCV has it, with square pixels
and two radial terms: a mat's forty corners carry no more. The bend is used only where it helps: pictures left
out of the learning must be flatter with it than without.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.errors import Unreadable, UsageError
from companion.core.replace_file import replace_file
from companion.vision.camera.markers import DetectedMat
from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Image

VERSION = 1


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera's lens. `size`: pictures it holds for (width, height), `matrix` 3 x 3, `distortion` OpenCV's
    coefficients, `error` the reprojection error in pixels, `error_corrected` and `error_uncorrected` by how
    many pixels a flat mat seems uneven on pictures not learned from, with the bend taken out and left in;
    `pictures` how many were used."""

    size: tuple[int, int]
    matrix: Array
    distortion: Array
    error: float
    error_corrected: float
    error_uncorrected: float
    pictures: int

    @property
    def helps(self) -> bool:
        """Whether pictures lie flatter with the bend taken out."""
        limits, before = camera_limits().mat, self.error_uncorrected
        return before > limits.uneven and self.error_corrected < limits.correcting * before

    @cached_property
    def _maps(self) -> tuple[Array, Array]:
        maps = cv2.initUndistortRectifyMap(
            self.matrix, self.distortion, np.eye(3), self.matrix, self.size, cv2.CV_16SC2
        )
        return np.asarray(maps[0]), np.asarray(maps[1])

    def undistort(self, image: Image) -> Image:
        """The picture without the lens's bend; a picture of another size is given back as it is."""
        if (image.shape[1], image.shape[0]) != self.size:
            return image
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR), np.uint8)

    def save(self, path: Path) -> None:
        """Writes it in one step.

        Raises:
            Unreadable: it cannot be written there.
        """
        about = {
            "version": VERSION,
            "size": self.size,
            "matrix": self.matrix.tolist(),
            "bend": self.distortion.ravel().tolist(),
            "error": self.error,
            "flat": self.error_corrected,
            "bent": self.error_uncorrected,
            "pictures": self.pictures,
        }
        try:
            replace_file(path, json.dumps(about, indent=1).encode())
        except OSError as error:
            raise Unreadable("lens.cannot_write", path=path, why=error.strerror) from error

    @staticmethod
    def load(path: Path) -> Lens | None:
        """The lens that was kept; None if there is none that can be read."""
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            if about["version"] != VERSION:
                return None
            matrix = np.array(about["matrix"], float).reshape(3, 3)
            size = (int(about["size"][0]), int(about["size"][1]))
            numbers = [float(about[key]) for key in ("error", "flat", "bent")]
            bend = np.array(about["bend"], float)
            return Lens(size, matrix, bend, numbers[0], numbers[1], numbers[2], int(about["pictures"]))
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None


def calibrate_lens(seen: Sequence[DetectedMat], size: tuple[int, int]) -> Lens:
    """The lens from pictures of the mat, all of `size` (width, height).

    Raises:
        UsageError: there are too few, or they are all taken from one side.
    """
    limits = camera_limits().mat
    good = [one for one in seen if len(one.markers) >= limits.markers]
    if len(good) < limits.pictures:
        raise UsageError("lens.too_few", count=len(good), fewest=limits.pictures, markers=limits.markers)
    error, matrix, bend = _calibrate(good, size)
    flat, bent = [], []
    for left in range(len(good)):
        _, own_matrix, own_bend = _calibrate([one for i, one in enumerate(good) if i != left], size)
        flat.append(_flatness_error(good[left], own_matrix, own_bend))
        bent.append(_flatness_error(good[left], own_matrix, None))
    if not 0.3 < matrix[0, 0] / size[0] < 5.0:
        raise UsageError("lens.too_alike")
    return Lens(size, matrix, bend, error, float(np.median(flat)), float(np.median(bent)), len(good))


def _calibrate(seen: Sequence[DetectedMat], size: tuple[int, int]) -> tuple[float, Array, Array]:
    on_mat = [np.c_[one.on_mat, np.zeros(len(one.on_mat))].astype(np.float32) for one in seen]
    in_picture = [one.in_picture.astype(np.float32)[:, None] for one in seen]
    start = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], float)
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS
        | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST
        | cv2.CALIB_FIX_K3
    )
    found: Any = cv2.calibrateCamera(on_mat, in_picture, size, start, np.zeros(5), flags=flags)
    return float(found[0]), np.asarray(found[1]), np.asarray(found[2])


def _flatness_error(seen: DetectedMat, matrix: Array, bend: Array | None) -> float:
    """Mean distance in pixels of the mat's corners from a flat mat, with the bend taken out or left in."""
    points = seen.in_picture.astype(np.float64)[:, None]
    if bend is not None:
        points = np.asarray(cv2.undistortPoints(points, matrix, bend, P=matrix))
    plane = cv2.findHomography(seen.on_mat, points[:, 0].astype(np.float32))[0]
    back = cv2.perspectiveTransform(seen.on_mat[:, None], plane)
    return float(np.linalg.norm(back[:, 0] - points[:, 0], axis=1).mean())
