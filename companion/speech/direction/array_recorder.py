"""The latest seconds of every microphone of an array: where sounds came from, and what came from one seat."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.audio.speaker_sound import SpeakerSound
    from companion.speech.direction.arrival import Arrival, ArrivalFinder
    from companion.speech.direction.beam import BeamFormer

LATEST_S = 15.0
"""Seconds that are kept: longer than a sound waits for the card that it is about."""


class ArrayRecorder:
    """Keeps the latest sound of an array. Any thread may use it; without an array it stays empty."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: deque[tuple[float, NDArray[np.int16]]] = deque()
        self._form: tuple[int, float, int] | None = None
        self._finder: ArrivalFinder | None = None
        self._former: BeamFormer | None = None

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
                self._form, self._finder, self._former = form, None, None
                self._latest.clear()
            self._latest.append((t, samples))
            while self._latest[0][0] < t - LATEST_S:
                self._latest.popleft()

    def went_down(self) -> None:
        """The microphone went down: another one may come up."""
        with self._lock:
            self._form, self._finder, self._former = None, None, None
            self._latest.clear()

    def arrival(self, begin: float, end: float) -> Arrival | None:
        """Where the sound between two moments of the clock came from; None without an array, or if that sound
        is not kept."""
        from companion.speech.direction.arrival import ArrivalFinder

        with self._lock:
            if self._form is None:
                return None
            if self._finder is None:
                self._finder = ArrivalFinder(*self._form)
            finder = self._finder
        sound = self._between(begin, end)
        return None if sound is None else finder.find(sound)

    def sound_from(self, degrees: float, begin: float, end: float, since: float) -> SpeakerSound | None:
        """What came from a direction between two moments of the clock; None without an array, or if nothing
        is kept of that sound, or too little of what was heard from `since` on before it."""
        from companion.speech.direction.beam import BeamFormer

        with self._lock:
            if self._form is None:
                return None
            if self._former is None:
                self._former = BeamFormer(*self._form)
            former = self._former
        sound, before = self._between(begin, end), self._between(since, begin)
        return None if sound is None or before is None else former.sound_from(degrees, sound, before)

    def _between(self, begin: float, end: float) -> NDArray[np.int16] | None:
        """The sound of all microphones between two moments of the clock; None if none of it is kept."""
        import numpy as np

        with self._lock:
            if self._form is None:
                return None
            rate, latest = self._form[2], list(self._latest)
        parts = []
        for t, samples in latest:
            low, high = (min(max(0, round((at - t) * rate)), len(samples)) for at in (begin, end))
            if low < high:
                parts.append(samples[low:high])
        return np.concatenate(parts) if parts else None
