"""Finding the mat in a picture: from its markers the way from millimetres of the table to pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from companion.core.mat_layout import MARKERS, Mat, mat_of
from companion.vision.image import geometry
from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Floats, Image

DICTIONARY = cv2.aruco.DICT_4X4_100
FEWEST = 2
"""Markers that must be seen: one alone gives no sure direction."""


@dataclass(frozen=True, eq=False)
class DetectedMat:
    """A mat in a picture. `matrix` (3 x 3) takes its mm to pixels, `markers` are the ids seen, `error` is the
    mean distance in pixels of their corners from where the matrix puts them; `on_mat` (n, 2) and
    `in_picture` (n, 2) are these corners."""

    mat: Mat
    matrix: Array
    markers: tuple[int, ...]
    error: float
    on_mat: Floats
    in_picture: Floats

    def project_zone(
        self, points: Sequence[tuple[float, float]], size: tuple[int, int]
    ) -> list[tuple[float, float]]:
        """A convex polygon in mm as shares of a picture of `size` (width, height), cut off at its edges.
        Empty if nothing of it is in the picture."""
        # Points all along the sides: what lies behind the camera is left away piece by piece.
        steps = np.linspace(0.0, 1.0, 12, endpoint=False, dtype=np.float32)[:, None]
        dense = geometry.along_sides(np.array(points, np.float32), steps)
        lifted = dense @ self.matrix[:, :2].T + self.matrix[:, 2]
        ahead = lifted[:, 2] > 1e-6 * np.abs(self.matrix[2, 2])
        if ahead.sum() < 3:
            return []
        seen = (lifted[ahead, :2] / lifted[ahead, 2:]).astype(np.float32)
        hull = cv2.convexHull(np.clip(seen, -20 * max(size), 20 * max(size)))[:, 0]
        frame = geometry.rectangle(0, 0, *size)
        area, cut = cv2.intersectConvexConvex(np.asarray(hull, np.float32), frame)
        if area < 1e-4 * size[0] * size[1]:
            return []
        shape = cv2.approxPolyDP(np.asarray(cut, np.float32), 0.004 * max(size), True)[:, 0]
        return [(round(float(x) / size[0], 4), round(float(y) / size[1], 4)) for x, y in shape]


def find_mat(image: Image) -> DetectedMat | None:
    """The mat of which most markers are seen; None if fewer than two are."""
    corners, ids = detect_markers(image)
    best: DetectedMat | None = None
    for mat in {one for marker in ids if (one := mat_of(marker)) is not None}:
        own = [i for i, marker in enumerate(ids) if mat.first <= marker < mat.first + MARKERS]
        if len(own) >= FEWEST and (best is None or len(own) > len(best.markers)):
            best = _fit_mat(mat, [ids[i] for i in own], corners[own]) or best
    return best


def detect_markers(image: Image) -> tuple[Floats, list[int]]:
    """Corners (n, 4, 2) and ids of all markers of our mats in the picture, each id once."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    found: tuple[Any, Any, Any] = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if found[1] is None:
        return np.zeros((0, 4, 2), np.float32), []
    seen: dict[int, Floats] = {}
    for quad, marker in zip(found[0], np.ravel(found[1]).tolist(), strict=True):
        if mat_of(marker) is not None:
            seen.setdefault(marker, np.asarray(quad, np.float32).reshape(4, 2))
    if not seen:
        return np.zeros((0, 4, 2), np.float32), []
    return np.stack(list(seen.values())), list(seen)


def _fit_mat(mat: Mat, ids: Sequence[int], corners: Floats) -> DetectedMat | None:
    on_mat = np.array([mat.corners(marker) for marker in ids], np.float32).reshape(-1, 2)
    in_picture = corners.reshape(-1, 2)
    fitted: tuple[Any, Any] = cv2.findHomography(on_mat, in_picture, cv2.RANSAC, camera_limits().mat.beside)
    matrix, good = fitted
    if matrix is None:
        return None
    whole = good.reshape(-1, 4).all(axis=1)
    if whole.sum() < FEWEST:
        return None
    keep = np.repeat(whole, 4)
    refined = np.asarray(cv2.findHomography(on_mat[keep], in_picture[keep])[0])
    back = cv2.perspectiveTransform(on_mat[keep][:, None], refined)[:, 0]
    error = float(np.linalg.norm(back - in_picture[keep], axis=1).mean())
    used = tuple(int(marker) for marker, good in zip(ids, whole, strict=True) if good)
    return DetectedMat(mat, refined, used, error, on_mat[keep], in_picture[keep])
