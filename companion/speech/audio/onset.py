"""When sound begins and ends: an energy detector with a floor that follows the room.

10 ms frames; a frame is loud when it lies `RISE` dB above the floor and within `FALL` dB of the loudest
frame of the last second (so that an echo does not prolong a word). Sound begins with 40 ms of loud frames
in a row and ends when none was loud for the hang-over. The floor falls at once and rises slowly (minimum
statistics in the spirit of R. Martin, "Noise power spectral density estimation based on optimal smoothing
and minimum statistics", 2001).
"""

from __future__ import annotations

import math
from collections import deque
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FRAME_S, QUIETEST, Levels, frame_levels, smoothed

RISE = 9.0
"""dB above the floor that count as loud."""
FALL = 30.0
"""dB below the last second's loudest frame that count as quiet again."""
_BEGIN = 4
_PEAK_FRAMES = 100
_FLOOR_FRAMES = 150
_KEPT_FRAMES = 1200


class OnsetDetector:
    """Fed with int16 blocks of any size; times are seconds since its first sample.

    `begins` keeps the latest onsets only, so memory does not grow.
    """

    def __init__(self, sample_rate: int = 16000, keep: int = 64) -> None:
        self._rate = sample_rate
        self._size = max(1, round(sample_rate * FRAME_S))
        self._rest: NDArray[np.int16] = np.zeros(0, np.int16)
        self._recent: deque[float] = deque(maxlen=_FLOOR_FRAMES)
        self._levels: deque[float] = deque(maxlen=_KEPT_FRAMES)
        self._frame = 0
        self._run = 0
        self._paused = math.inf
        self.floor = QUIETEST
        """Loudness of the room, dB of full scale."""
        self.last_loud = -math.inf
        """End of the last loud frame."""
        self._sounding = False
        self.begins: deque[float] = deque(maxlen=keep)

    def feed(self, block: NDArray[np.int16]) -> None:
        """Takes the next samples."""
        joined = np.concatenate([self._rest, block]) if self._rest.size else block
        count = joined.size // self._size
        self._rest = joined[count * self._size :].copy()
        if count == 0:
            return
        for level in frame_levels(joined[: count * self._size], self._rate):
            self._step(float(level))

    def levels(self) -> tuple[Levels, float]:
        """The levels of the last seconds, and the time of the first of them."""
        return np.array(self._levels, np.float32), (self._frame - len(self._levels)) * FRAME_S

    def _step(self, level: float) -> None:
        self._recent.append(level)
        self._levels.append(level)
        self.floor = min(self._recent)
        peak = max(islice(self._recent, max(0, len(self._recent) - _PEAK_FRAMES), None))
        loud = level > max(self.floor + RISE, peak - FALL)
        if loud and self._run == 0:
            self._paused = self.quiet_for()
        self._run = self._run + 1 if loud else 0
        if loud and self._run >= _BEGIN:
            if not self._sounding and self._paused > 0.1:
                self.begins.append((self._frame - _BEGIN + 1) * FRAME_S)
            self._sounding = True
        if loud:
            self.last_loud = (self._frame + 1) * FRAME_S
        elif self.quiet_for() > 0.3:
            self._sounding = False
        self._frame += 1

    @property
    def now(self) -> float:
        """Seconds heard so far."""
        return self._frame * FRAME_S

    def quiet_for(self) -> float:
        """Seconds since the last loud frame; infinite if there was none."""
        return self.now - self.last_loud

    def soft_for(self, level: float) -> float:
        """Seconds since 50 ms together were last as loud as `level` (dB); at most a second is looked at."""
        recent = islice(self._levels, max(0, len(self._levels) - _PEAK_FRAMES), None)
        smooth = smoothed(np.array(list(recent), np.float32))
        loud = np.flatnonzero(smooth >= level)
        return (smooth.size - 1 - int(loud[-1]) if loud.size else smooth.size) * FRAME_S

    def begin_near(self, t: float, reach: float) -> float | None:
        """The onset nearest to `t` within `reach` seconds, None if there is none."""
        near = [begin for begin in self.begins if abs(begin - t) <= reach]
        return min(near, key=lambda begin: abs(begin - t), default=None)
