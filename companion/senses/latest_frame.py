"""The camera's latest picture, for the pages of the set-up: nothing is copied, queued or written."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeAlias

from companion.core.clock import Clock
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Image: TypeAlias = "NDArray[np.uint8]"
STALE_S = 3.0
"""A picture older than this shows no table any more."""


class LatestFrame:
    """Holds one picture. Fed by the camera's thread, asked by the pages'."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._latest: tuple[Image, float] | None = None

    def see(self, image: Image, t: float) -> None:
        """Takes the picture exposed at `t`; it must not be changed any more."""
        with self._lock:
            self._latest = (image, t)

    @property
    def available(self) -> bool:
        """Whether the camera gives pictures now."""
        with self._lock:
            return self._latest is not None and self._clock() - self._latest[1] < STALE_S

    def latest(self) -> tuple[Image, float]:
        """The latest picture and the moment of its exposure.

        Raises:
            Unavailable: the camera gives none.
        """
        with self._lock:
            if self._latest is None or self._clock() - self._latest[1] >= STALE_S:
                raise Unavailable("camera.no_picture_for_phone")
            return self._latest
