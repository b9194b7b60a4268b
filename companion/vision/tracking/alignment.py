"""Brings a picture to the place and the focus of the background.

A bump of the camera moves the whole picture, and a lens that searches its focus enlarges and blurs it
(companion.vision.tracking.camera_view). Both are undone where that explains what differs, so that only what
they do not explain is a change. Once they have stayed the same for a while, the background follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image.limits import camera_limits
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.tracking.camera_view import (
    AT_REST,
    CameraView,
    fitted_view,
    largest_difference,
    warped,
)
from companion.vision.tracking.change import grey
from companion.vision.tracking.limits import seconds, shares


@dataclass(frozen=True, eq=False)
class Aligned:
    """A small picture in the background's place, its pixels (`differs`) and cells (`changed`) that differ,
    and the `view` that was undone for that."""

    picture: Bytes
    differs: Array
    changed: Array
    view: CameraView = AT_REST

    @property
    def count(self) -> int:
        """How many cells differ."""
        return int(np.count_nonzero(self.changed))


class Alignment:
    """Follows the camera and its lens."""

    def __init__(self, compare: Callable[[Bytes, Bytes], tuple[Array, Array]]) -> None:
        """`compare`: tells which pixels and which cells differ between two small pictures."""
        self._compare = compare
        self._latest = AT_REST
        self._anchor: tuple[Aligned, float] | None = None

    def forget(self) -> None:
        """The background shows the camera and the lens as they are."""
        self._latest, self._anchor = AT_REST, None

    def align(self, flat: Bytes, seen: Aligned, threshold: float) -> Aligned:
        """The picture as it is `seen` against the background `flat`, after a bump of the camera and a change
        of the lens were undone if fewer cells differ then; far fewer, if the picture before showed neither.
        `threshold`: levels from which on a pixel differs."""
        view = fitted_view(grey(flat), grey(seen.picture), self._latest, threshold)
        # A view that was found is kept while it explains anything: a hand may hide what it was found by.
        share = 0.0 if self._latest != AT_REST else shares().telling
        if view == AT_REST:
            view = self._latest
        aligned = seen
        if view != AT_REST:
            undone = self._undone(flat, seen, view)
            if undone.changed.mean() <= shares().cut and undone.count < (1.0 - share) * seen.count:
                aligned = undone
        self._latest = aligned.view
        return aligned

    def _undone(self, flat: Bytes, seen: Aligned, view: CameraView) -> Aligned:
        """The picture after a view was undone."""
        undone = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        picture = warped(seen.picture, view.motion(flat.shape), undone)
        was, now = view.compared(flat, picture)
        known = np.where(view.in_view(flat.shape)[..., None], now, was)
        return Aligned(picture, *self._compare(known, was), view)

    def steady(self, flat: Bytes, seen: Aligned, t: float) -> Floats | None:
        """The motion once camera and lens have stayed the same for a while, otherwise None."""
        if seen.view == AT_REST:
            self._anchor = None
            return None
        if self._anchor is None or self._has_moved(flat, self._anchor[0].view, seen.view):
            self._anchor = seen, t
        return seen.view.motion(flat.shape) if t - self._anchor[1] > seconds().still else None

    def _has_moved(self, flat: Bytes, before: CameraView, now: CameraView) -> bool:
        """Whether the camera is elsewhere than before, or the lens shows the background less or more
        sharply."""
        motions = (before.motion(flat.shape), now.motion(flat.shape))
        if largest_difference(*motions, flat.shape) > camera_limits().motion.smallest:
            return True
        if before.variance == now.variance:
            return False
        pairs = zip(before.compared(flat, flat), now.compared(flat, flat), strict=True)
        return any(bool(self._compare(one, other)[1].any()) for one, other in pairs)
