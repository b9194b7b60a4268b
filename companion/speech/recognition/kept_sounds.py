"""The sound of the latest seconds, and of the latest utterances, kept until the table knows what they may
have been."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FRAME_S, background_level, frame_levels, smoothed
from companion.speech.audio.speaker_sound import SpeakerSound

KEPT = 24
"""So many utterances are kept: more than anybody says while a card waits to be reported."""


LATEST_S = 12.0
"""Seconds of the latest sound that are kept, whatever it is."""


ROOM_PERCENTILE = 90
"""This percentile of the levels is how loud it is in the room between two calls: talk that takes a tenth of
the time counts, a knock does not."""
BEFORE_CALL_S, BEHIND_CALL_S = 0.2, 0.3
"""What sounds so long before and behind a call belongs to it: soft consonants and echo."""
MIN_ROOM_S = 1.0
"""Less sound between the calls does not tell how loud it is in the room."""


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

    def overlaps(self, begin: float, end: float) -> bool:
        """Whether some of it lies between two moments of the clock."""
        return begin < self.start + self.samples.size / self.rate and self.start < end

    def filtered(self, found: SpeakerSound) -> KeptSound:
        """These kept moments with the sound of one speaker. What was muted, because the companion itself
        sounded then, stays silent."""
        samples = np.zeros_like(self.samples)
        count = min(samples.size, found.samples.size)
        samples[:count] = np.where(self.samples[:count] == 0, 0, found.samples[:count])
        background_db = self.background_db - found.softer_db
        return KeptSound(self.number, samples, self.rate, self.start, background_db)

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

    def room_level(self, before: float, calls: Iterable[tuple[float, float]]) -> float | None:
        """How loud it was in the room before a moment of the clock, dB of full scale; None: not known.

        Args:
            calls: start and end of calls, which do not count.
        """
        kept = self.between(-math.inf, before)
        if kept is None:
            return None
        levels = smoothed(frame_levels(kept.samples, kept.rate))
        times = kept.start + FRAME_S * np.arange(levels.size)
        counts = times < before
        for start, end in calls:
            counts &= (times < start - BEFORE_CALL_S) | (times > end + BEHIND_CALL_S)
        if np.count_nonzero(counts) * FRAME_S < MIN_ROOM_S:
            return None
        return float(np.percentile(levels[counts], ROOM_PERCENTILE))

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
