"""Brings a picture to the place and the focus of the background.

A bump of the camera moves the whole picture (companion.vision.image.camera_motion); a lens that searches its
focus enlarges and blurs it (companion.vision.tracking.lens). Both are undone where that explains what
differs, so that only what neither explains is a change. Once they have stayed the same for a while, the
background follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.vision.image import masks
from companion.vision.image.camera_motion import (
    SMALLEST_PIXELS,
    followed_corners,
    followed_motion,
    largest_difference,
    warped,
)
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.change import CELL, grey
from companion.vision.tracking.lens import NO_CHANGE, FocusShift, fitted_shift
from companion.vision.tracking.limits import seconds, shares, sizes


@dataclass(frozen=True, eq=False)
class Aligned:
    """A small picture in the background's place, its pixels (`differs`) and cells (`changed`) that differ,
    and what was undone for that: `motion` (2 x 3; None: none) takes the background to its place in the
    picture as it was taken, `shift` is the change of the lens."""

    picture: Bytes
    differs: Array
    changed: Array
    motion: Floats | None = None
    shift: FocusShift = NO_CHANGE


@dataclass(frozen=True, eq=False)
class _Marks:
    """What is known of one state of the background, found when needed."""

    flat: Bytes

    @cached_property
    def grey(self) -> Bytes:
        """The background without its colours."""
        return grey(self.flat)

    @cached_property
    def corners(self) -> Floats:
        """The corners of the background that are followed."""
        return followed_corners(self.grey)

    def are_shaken(self, changed: Array) -> bool:
        """Whether so many of the cells with a corner in them differ that the picture may have been moved: to
        follow the corners in each picture takes long."""
        at = self.corners.reshape(-1, 2).astype(int) // CELL
        return bool(np.count_nonzero(changed[at[:, 1], at[:, 0]]) > shares().cell * len(at))


class Alignment:
    """Follows the camera and its lens."""

    def __init__(self, compare: Callable[[Bytes, Bytes], tuple[Array, Array]]) -> None:
        """`compare`: tells which pixels and which cells differ between two small pictures."""
        self._compare = compare
        self._marks: _Marks | None = None
        self._latest = NO_CHANGE
        self._motion: Floats | None = None
        self._anchor: tuple[Aligned, float] | None = None

    def forget(self) -> None:
        """The background shows the camera and the lens as they are."""
        self._latest, self._motion, self._anchor = NO_CHANGE, None, None

    def align(self, flat: Bytes, seen: Aligned, threshold: float) -> Aligned:
        """The picture as it is `seen` against the background `flat`, after the motion of the camera and the
        change of the lens were undone. `threshold`: levels from which on a pixel differs."""
        if self._marks is None or self._marks.flat is not flat:
            self._marks = _Marks(flat)
        tried = [self._refocused(self._marks, seen, threshold)]
        if self._marks.are_shaken(seen.changed):
            tried.append(self._moved_back(self._marks, seen))
            if self._motion is not None:  # a hand may hide what the motion is found by
                tried.append(self._undone(flat, seen, self._motion))
        aligned = min(tried, key=lambda one: int(np.count_nonzero(one.changed)))
        self._latest = aligned.shift
        self._motion = aligned.motion if aligned.shift == NO_CHANGE else None
        return aligned

    def steady(self, flat: Bytes, seen: Aligned, t: float) -> Floats | None:
        """The motion once camera and lens have stayed the same for a while, otherwise None."""
        if seen.motion is None:
            self._anchor = None
            return None
        if self._anchor is None or self._has_moved(flat, self._anchor[0], seen):
            self._anchor = seen, t
        return seen.motion if t - self._anchor[1] > seconds().still else None

    # --- the lens -----------------------------------------------------------------------------------------

    def _refocused(self, marks: _Marks, seen: Aligned, threshold: float) -> Aligned:
        """Undoes what the lens has changed if fewer cells differ then."""
        shift = fitted_shift(marks.grey, grey(seen.picture), self._latest, threshold)
        if shift == NO_CHANGE:
            return seen
        flat = marks.flat
        motion = shift.motion(flat.shape)
        picture = warped(seen.picture, motion, cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)
        was, now = shift.compared(flat, picture)
        inner, known = shift.in_view(flat.shape), was.copy()
        known[inner] = now[inner]
        differs, changed = self._compare(known, was)
        if np.count_nonzero(changed) >= np.count_nonzero(seen.changed) or changed.mean() > shares().cut:
            return seen
        return Aligned(picture, differs, changed, motion, shift)

    def _has_moved(self, flat: Bytes, before: Aligned, seen: Aligned) -> bool:
        """Whether the camera is elsewhere than before, or the lens shows the background less or more sharply.
        Both pictures have a motion."""
        assert before.motion is not None
        assert seen.motion is not None
        if largest_difference(before.motion, seen.motion, flat.shape) > SMALLEST_PIXELS:
            return True
        if before.shift.variance == seen.shift.variance:
            return False
        pairs = zip(before.shift.compared(flat, flat), seen.shift.compared(flat, flat), strict=True)
        return any(bool(self._compare(was, now)[1].any()) for was, now in pairs)

    # --- the camera ---------------------------------------------------------------------------------------

    def _moved_back(self, marks: _Marks, seen: Aligned) -> Aligned:
        """Undoes a motion of the whole picture if that explains most of what differs; if it was found in one
        place only, most of what differs elsewhere: a pile may have been pushed."""
        found = followed_motion(marks.grey, grey(seen.picture), marks.corners)
        if found is None:
            return seen
        moved, where = self._undone(marks.flat, seen, found.matrix), np.ones(seen.changed.shape, bool)
        if not found.is_spread(seen.picture.shape):
            where = ~_cells_around(found.corners, where.shape)
        differed = np.count_nonzero(seen.changed & where)
        explained = np.count_nonzero(moved.changed & where) <= (1.0 - shares().telling) * differed
        return moved if explained and differed > sizes().fewest_cells else seen

    def _undone(self, flat: Bytes, seen: Aligned, motion: Floats) -> Aligned:
        """The picture after a motion of the camera was undone."""
        picture = warped(seen.picture, motion, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        return Aligned(picture, *self._compare(picture, flat), motion)


def _cells_around(corners: Floats, shape: tuple[int, ...]) -> Array:
    """The cells (of a grid of this shape, bool) in the convex hull of corners, and those beside it."""
    return masks.grown(masks.drawn([cv2.convexHull(corners) / CELL], shape), 2)
