"""The sound of the latest seconds, and of the latest utterances, kept until the table knows what they may
have been."""

from __future__ import annotations

import threading
from collections import deque

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import background_level, frame_levels

KEPT = 24
"""So many utterances are kept: more than anybody says while a card waits to be reported."""


LATEST_S = 12.0
"""Seconds of the latest sound that are kept, whatever it is."""


class KeptSound(msgspec.Struct, frozen=True):
    """The sound of one utterance."""

    number: int
    samples: NDArray[np.int16]
    """Mono."""
    rate: int
    """Samples a second."""
    start: float
    """Clock time (s) of the first sample."""
    background_db: float
    """Level of the background about it, dB of full scale."""

    def holds(self, moment: float) -> bool:
        """Whether a moment of the clock lies in it."""
        return self.start <= moment <= self.start + self.samples.size / self.rate

    def part(self, begin: float, end: float) -> KeptSound:
        """The part between two moments of the clock."""
        low = max(0, round((begin - self.start) * self.rate))
        high = max(low, round((end - self.start) * self.rate))
        start = self.start + low / self.rate
        return KeptSound(self.number, self.samples[low:high], self.rate, start, self.background_db)


class KeptSounds:
    """The latest KEPT sounds by number. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[KeptSound] = deque(maxlen=KEPT)
        self._count = 0
        self._rate = 16000
        self._latest: deque[tuple[float, NDArray[np.int16]]] = deque()

    def hear(self, samples: NDArray[np.int16], rate: int, start: float) -> None:
        """Takes the next sound; `start`: clock time (s) of its first sample."""
        with self._lock:
            self._rate = rate
            self._latest.append((start, samples))
            while self._latest[0][0] < start - LATEST_S:
                self._latest.popleft()

    def between(self, begin: float, end: float) -> KeptSound | None:
        """The sound between two moments of the clock, as far as it is kept; None without any."""
        with self._lock:
            pieces = [(at, one) for at, one in self._latest if begin - 0.1 <= at < end]
            rate = self._rate
        if not pieces:
            return None
        samples = np.concatenate([one for _, one in pieces])
        levels = frame_levels(samples, rate)
        background_db = background_level(levels, 0.0, samples.size / rate)
        return KeptSound(0, samples, rate, pieces[0][0], background_db)

    def add(self, samples: NDArray[np.int16], rate: int, start: float, background_db: float) -> int:
        """Keeps a sound; returns its number, 1 for the first."""
        with self._lock:
            self._count += 1
            self._kept.append(KeptSound(self._count, samples.copy(), rate, start, background_db))
            return self._count

    def get(self, number: int) -> KeptSound | None:
        """The sound of this number; None if it is not kept any more."""
        with self._lock:
            return next((one for one in self._kept if one.number == number), None)
