"""What keeps the camera from seeing well: light, shine, focus, a covered lens, a bumped camera.

    findings = examine(image, view)        # view: how the table looked when it was set up, or None

Checked every few seconds, so it costs a few milliseconds: light, shine and cover on a picture of 320 pixels,
focus on the four liveliest sixteenths, the bump by some hundred corners of the remembered view (ORB, Rublee
et al. 2011) that must agree on one shift, turn and size all over the picture. Findings are codes with
numbers; words are made where they are shown.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.core.replace_file import replace_file
from companion.vision.image import geometry
from companion.vision.image.exposure import CLIPPED
from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Bytes, Floats, Image, shrunk
from companion.vision.image.sharpness import softness

SMALL = 320
MIDDLE = 640
"""Pixels across of the pictures that are looked at."""
GRID = (9, 16)
PER_QUARTER = 90
VERSION = 1


@dataclass(frozen=True)
class ViewFault:
    """One thing that keeps the camera from seeing well.

    `code`: `too_dark`, `too_bright`, `too_shiny`, `out_of_focus`, `lens_covered` or `camera_bumped`. `where`:
    the place as corners in shares of width and height; None for the whole picture. `amount`: how much, 0 to
    1: the share of light, of burnt-out or covered pixels; for `out_of_focus` the softness and for
    `camera_bumped` the shift as shares of the picture's width.
    """

    code: str
    amount: float
    where: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True, eq=False)
class ReferenceView:
    """How the table looked, as numbers: points (n, 2) as shares of width and height with ORB descriptors
    (n, 32), and the detail in each cell of the grid. No picture can be made of it."""

    points: Floats
    descriptors: Bytes
    detail: Floats

    def save(self, path: Path) -> None:
        """Writes it in one step.

        Raises:
            Unreadable: it cannot be written there.
        """
        meta = np.frombuffer(json.dumps({"version": VERSION}).encode(), np.uint8)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer, meta=meta, points=self.points, descriptors=self.descriptors, detail=self.detail
        )
        try:
            replace_file(path, buffer.getvalue())
        except OSError as error:
            raise Unreadable("camera.cannot_keep_view", path=path, why=error.strerror) from error

    @staticmethod
    def load(path: Path) -> ReferenceView | None:
        """The remembered view; None if there is none or it is of another version."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if json.loads(data["meta"].tobytes())["version"] != VERSION:
                    return None
                view = ReferenceView(
                    data["points"].astype(np.float32), data["descriptors"].astype(np.uint8), data["detail"]
                )
        except (OSError, ValueError, KeyError, EOFError):
            return None
        shapes = (view.points.shape, view.descriptors.shape, view.detail.shape)
        n = len(view.points)
        return view if shapes == ((n, 2), (n, 32), GRID) else None


def reference_view(image: Image) -> ReferenceView:
    """The view to compare later pictures with."""
    small, centre = _working_sizes(image)
    points, descriptors = _points(centre)
    return ReferenceView(points, descriptors, _detail(small))


def examine(image: Image, view: ReferenceView | None = None) -> tuple[ViewFault, ...]:
    """What keeps the camera from seeing well, most severe first; empty if all is well.

    Args:
        image: BGR, uint8.
        view: the table as it was set up (see `reference_view`); None: no bump or partial cover is detected.

    Returns:
        `too_dark` or `lens_covered` alone; otherwise a bump, reflections or brightness, and focus.
    """
    small, centre = _working_sizes(image)
    blue, green, red = cv2.split(small)
    light = float(np.percentile(cv2.max(cv2.max(blue, green), red), 95))
    if light < camera_limits().faults.dark:
        return (ViewFault("too_dark", round(light / 255.0, 3)),)
    clipped = _clipped(small)
    if all(one.code != "too_bright" for one in clipped):  # what is burnt out shows nothing, as if covered
        covered = _covered(_detail(small), view)
        if covered is not None:
            return (covered,)
    found = [*clipped, *_focus(image)]
    bumped = _bumped(centre, view) if view is not None else None
    return (bumped, *found) if bumped is not None else tuple(found)


def _working_sizes(image: Image) -> tuple[Image, Bytes]:
    """The picture SMALL pixels wide, and its grey one MIDDLE pixels wide."""
    centre = shrunk(image, MIDDLE)[0]
    return shrunk(centre, SMALL)[0], np.asarray(cv2.cvtColor(centre, cv2.COLOR_BGR2GRAY), np.uint8)


# --- cover and light --------------------------------------------------------------------------------------


def _detail(small: Image) -> Floats:
    """The spread of what is finer than a cell, in each cell of the grid."""
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 4.0)
    square = cv2.resize(fine * fine, GRID[::-1], interpolation=cv2.INTER_AREA)
    return np.sqrt(np.asarray(square, np.float32))


def _covered(detail: Floats, view: ReferenceView | None) -> ViewFault | None:
    """Something before the lens: what was lively has gone flat, over a large part that touches the rim."""
    limits = camera_limits().faults
    flat = detail < limits.flat
    if view is None:
        plain = flat.mean() > 0.99 and detail.mean() < 0.6 * limits.flat
        return ViewFault("lens_covered", 1.0) if plain else None
    lively = view.detail > limits.detailed
    if lively.sum() < 12:
        return None
    gone = np.asarray(flat, np.uint8)
    count, patches, stats, _ = cv2.connectedComponentsWithStats(gone, connectivity=4)
    for index in range(1, count):
        left, top, width, height = (int(v) for v in stats[index, :4])
        rim = left == 0 or top == 0 or left + width == GRID[1] or top + height == GRID[0]
        share = float((lively & (patches == index)).sum() / lively.sum())
        if rim and share > limits.covered:
            return ViewFault(
                "lens_covered", round(share, 3), _box(left, top, width, height, GRID[1], GRID[0])
            )
    return None


def _clipped(small: Image) -> list[ViewFault]:
    burnt = np.asarray(cv2.inRange(small, (CLIPPED,) * 3, (255,) * 3) // 255, np.uint8)
    limits, share = camera_limits().faults, float(burnt.mean())
    if share > limits.bright:
        return [ViewFault("too_bright", round(share, 3))]
    joined = cv2.morphologyEx(burnt, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    height, width = burnt.shape
    found = []
    for left, top, wide, high, area in stats[1:count].tolist():
        if area > limits.reflection * burnt.size:
            box = _box(left, top, wide, high, width, height)
            found.append(ViewFault("too_shiny", round(area / burnt.size, 4), box))
    return sorted(found, key=lambda one: -one.amount)[:4]


def _box(
    left: int, top: int, wide: int, high: int, width: int, height: int
) -> tuple[tuple[float, float], ...]:
    """The corners of a box as shares of the picture."""
    x0, x1 = round(left / width, 4), round((left + wide) / width, 4)
    y0, y1 = round(top / height, 4), round((top + high) / height, 4)
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


# --- focus ------------------------------------------------------------------------------------------------


def _focus(image: Image) -> list[ViewFault]:
    """Judged by the four sixteenths in which there is most to see, of which the middle ones count."""
    scale = min(1.0, 1280.0 / image.shape[1])
    high, wide = image.shape[0] // 4, image.shape[1] // 4
    tiles = [image[y * high : (y + 1) * high, x * wide : (x + 1) * wide] for y in range(4) for x in range(4)]
    lively = sorted(tiles, key=lambda tile: -float(tile[::4, ::4, 1].std()))[:4]
    soft = [one for tile in lively if (one := softness(_at_scale(tile, scale))) is not None]
    if len(soft) < 2:
        whole = softness(_at_scale(image, scale))
        soft = [whole] if whole is not None else []
    if not soft or float(np.median(soft)) <= camera_limits().faults.soft:
        return []
    return [ViewFault("out_of_focus", round(float(np.median(soft)) / (image.shape[1] * scale), 5))]


def _at_scale(tile: Image, scale: float) -> Image:
    if scale == 1.0:
        return tile
    return np.asarray(cv2.resize(tile, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


# --- bump -------------------------------------------------------------------------------------------------


def _points(grey: Bytes) -> tuple[Floats, Bytes]:
    """Corners from all four quarters, so that one card cannot have them all."""
    finder = cv2.ORB.create(nfeatures=PER_QUARTER, nlevels=3, fastThreshold=9)
    height, width = grey.shape
    points, found = [], []
    for top in (0, height // 2):
        for left in (0, width // 2):
            quarter = grey[top : top + height // 2, left : left + width // 2]
            keys, descriptors = finder.detectAndCompute(quarter, None)
            if descriptors is not None and len(keys):
                at = np.array([key.pt for key in keys], np.float32) + np.array([left, top], np.float32)
                points.append(at / np.array([width, height], np.float32))
                found.append(descriptors)
    if not points:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.concatenate(points).astype(np.float32), np.asarray(np.concatenate(found), np.uint8)


def _bumped(grey: Bytes, view: ReferenceView) -> ViewFault | None:
    """The shift on which the background agrees, if there is one."""
    limits = camera_limits().faults
    points, descriptors = _points(grey)
    if min(len(points), len(view.points)) < limits.agree:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(view.descriptors, descriptors)
    near = [pair for pair in pairs if pair.distance < limits.unlike]
    if len(near) < limits.agree:
        return None
    shape = np.array([1.0, grey.shape[0] / grey.shape[1]], np.float32)
    before = view.points[[pair.queryIdx for pair in near]] * shape
    now = points[[pair.trainIdx for pair in near]] * shape
    still = int((np.abs(now - before).max(axis=1) < 0.5 * limits.bumped).sum())
    fitted: tuple[Any, Any] = cv2.estimateAffinePartial2D(
        before, now, method=cv2.RANSAC, ransacReprojThreshold=0.003, maxIters=300, confidence=0.99
    )
    matrix, inliers = fitted
    if matrix is None:
        return None
    agreeing = inliers.ravel() > 0
    if agreeing.sum() < max(limits.agree, 2 * still) or _quarters_agreeing(view.points, near, agreeing) < 3:
        return None
    frame: Array = geometry.UNIT * shape
    moved = frame @ matrix[:, :2].T + matrix[:, 2]
    shift = float(np.linalg.norm(moved - frame, axis=1).max())
    if not limits.bumped < shift < 0.5:
        return None
    corners = tuple((round(float(x), 4), round(float(y), 4)) for x, y in moved / shape)
    return ViewFault("camera_bumped", round(shift, 4), corners)


def _quarters_agreeing(points: Floats, pairs: list[cv2.DMatch], agreeing: Array) -> int:
    """In how many quarters of the picture at least three of the agreeing points lie."""
    at = points[[pair.queryIdx for pair in pairs]][agreeing]
    quarter = (at[:, 0] > 0.5).astype(int) + 2 * (at[:, 1] > 0.5).astype(int)
    return int((np.bincount(quarter, minlength=4) >= 3).sum())
