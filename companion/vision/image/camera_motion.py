"""How far the camera has moved against the table: one shift, turn and scale for the whole picture.

A bump shifts and turns the picture, and focus that is sought anew scales it. Corners of the background are
followed into the picture (Lucas and Kanade, with pyramids as in Bouguet, "Pyramidal implementation of the
Lucas Kanade feature tracker", 2000), and one similarity transform is fitted to them with RANSAC, so hands and
new cards do not count.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bools, Bytes, Floats

MOST_CORNERS = 150
CORNER_QUALITY = 0.02
"""Smallest eigenvalue of a corner that is followed, against the strongest one's."""
CORNER_DISTANCE = 6
"""Pixels between two corners."""
FOLLOWED_PIXELS = 21
"""Side of the square that is followed."""
INLIER_PIXELS = 0.6
"""A corner agrees with the transform within so many pixels."""
FEWEST_INLIERS = 10
INLIER_SHARE = 0.5
"""Share of the parts of the picture that have corners whose corners must agree: in fewer are cards or hands
that moved. Parts are counted, not corners: on a plain cloth most corners lie on the cards."""
PART_PIXELS = 64
"""Side of such a part: about a card's in the small picture of a table."""
LEAST_SPREAD = 0.08
"""Share of the picture that the agreeing corners must span: what moves in one place was pushed."""
SMALLEST_PIXELS = 0.25
"""Below this motion of every corner of the picture the camera has not moved."""
LARGEST_PIXELS = 24.0
"""From this motion of a corner of the picture on, the camera was turned to something else."""


def followed_corners(background: Bytes) -> Floats:
    """The corners (n, 1, 2) of a grey background that are followed: they change with it only."""
    found = cv2.goodFeaturesToTrack(background, MOST_CORNERS, CORNER_QUALITY, CORNER_DISTANCE)
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)


@dataclass(frozen=True, eq=False)
class FollowedMotion:
    """A motion (2 x 3) that takes a point of the background to its place in the picture, and the corners
    (n, 1, 2) of the background that agree with it."""

    matrix: Floats
    corners: Floats

    def is_spread(self, shape: tuple[int, ...]) -> bool:
        """Whether its corners lie all over a picture of this shape: else something was only pushed."""
        return cv2.contourArea(cv2.convexHull(self.corners)) >= LEAST_SPREAD * shape[0] * shape[1]


def followed_motion(background: Bytes, picture: Bytes, corners: Floats) -> FollowedMotion | None:
    """How the corners of the background (`followed_corners`) have moved together from the background to the
    picture, both grey and of equal size; None if they have not moved, or if most do not move together."""
    if len(corners) < FEWEST_INLIERS:
        return None
    window = (FOLLOWED_PIXELS, FOLLOWED_PIXELS)
    found, status, _ = cv2.calcOpticalFlowPyrLK(background, picture, corners, np.empty(0), winSize=window)
    seen = status.ravel() > 0
    if np.count_nonzero(seen) < FEWEST_INLIERS:
        return None
    fitted, inliers = cv2.estimateAffinePartial2D(
        corners[seen], found[seen], method=cv2.RANSAC, ransacReprojThreshold=INLIER_PIXELS
    )
    agree = np.zeros(len(corners), bool)
    agree[seen] = inliers.ravel() > 0
    if fitted is None or np.count_nonzero(agree) < FEWEST_INLIERS:
        return None
    if _agreeing_parts(corners, agree) < INLIER_SHARE:
        return None
    motion = np.asarray(fitted, np.float32)
    far = largest_difference(motion, np.eye(2, 3, dtype=np.float32), picture.shape)
    return FollowedMotion(motion, corners[agree]) if SMALLEST_PIXELS < far < LARGEST_PIXELS else None


def _agreeing_parts(corners: Floats, agree: Bools) -> float:
    """Share of the parts of the picture, of those with corners, in which at least half of them agree."""
    _, part = np.unique(corners.reshape(-1, 2) // PART_PIXELS, axis=0, return_inverse=True)
    share = np.bincount(part.ravel(), weights=agree) / np.bincount(part.ravel())
    return float(np.mean(share >= 0.5))


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
