"""The latest seconds of every microphone of an array, and the directions of what was heard in them."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.direction.arrival import Arrival, ArrivalFinder

LATEST_S = 15.0
"""Seconds that are kept: longer than a sound waits for the card that it is about."""


class ArrayRecorder:
    """Keeps the latest sound of an array. Any thread may use it; without an array it stays empty."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: deque[tuple[float, NDArray[np.int16]]] = deque()
        self._form: tuple[int, float, int] | None = None
        self._finder: ArrivalFinder | None = None

    @property
    def has_array(self) -> bool:
        """Whether the microphone is an array."""
        return self._form is not None

    def hear(self, samples: NDArray[np.int16], radius_m: float, t: float, rate: int) -> None:
        """Takes the next block.

        Args:
            samples: samples x microphones, in their order round the circle.
            radius_m: of the circle.
            t: clock time (s) of the first sample.
            rate: samples a second.
        """
        with self._lock:
            form = (samples.shape[1], radius_m, rate)
            if form != self._form:
                self._form, self._finder = form, None
                self._latest.clear()
            self._latest.append((t, samples))
            while self._latest[0][0] < t - LATEST_S:
                self._latest.popleft()

    def went_down(self) -> None:
        """The microphone went down: another one may come up."""
        with self._lock:
            self._form, self._finder = None, None
            self._latest.clear()

    def arrival(self, begin: float, end: float) -> Arrival | None:
        """Where the sound between two moments of the clock came from; None without an array, or if that sound
        is not kept."""
        import numpy as np

        from companion.speech.direction.arrival import ArrivalFinder

        with self._lock:
            form, latest = self._form, list(self._latest)
            if form is None:
                return None
            if self._finder is None:
                self._finder = ArrivalFinder(*form)
            finder = self._finder
        rate = form[2]
        parts = []
        for t, samples in latest:
            low, high = (min(max(0, round((at - t) * rate)), len(samples)) for at in (begin, end))
            if low < high:
                parts.append(samples[low:high])
        return finder.find(np.concatenate(parts)) if parts else None
