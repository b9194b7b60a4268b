"""Holds the camera's latest picture for the set-up pages. Nothing is copied, queued or written."""

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
"""Age in seconds from which a picture no longer counts as the present table."""


class LatestFrame:
    """Holds one picture. Written by the camera's thread, read by the pages' threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._latest: tuple[Image, float] | None = None

    def see(self, image: Image, t: float) -> None:
        """Takes the picture exposed at `t`; the caller must not change it afterwards."""
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
            Unavailable: the camera gives no pictures.
        """
        with self._lock:
            if self._latest is None or self._clock() - self._latest[1] >= STALE_S:
                raise Unavailable("camera.no_picture_for_phone")
            return self._latest
