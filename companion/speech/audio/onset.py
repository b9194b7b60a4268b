"""When sound begins and ends: an energy detector with a noise floor that follows the background.

A frame of 10 ms is loud if it is RISE_DB above the noise floor and within FALL_DB of the loudest frame of the
last second (so that an echo does not prolong a word). Sound begins with ONSET_FRAMES loud frames in a row
after a pause of PAUSE_S, and ends when none was loud for HANGOVER_S. The floor falls at once and rises slowly
(minimum statistics in the spirit of R. Martin, "Noise power spectral density estimation based on optimal
smoothing and minimum statistics", 2001).
"""

from __future__ import annotations

import math
from collections import deque
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FLOOR_DB, FRAME_S, Levels, frame_levels, smoothed

RISE_DB = 9.0
"""A loud frame is this much above the noise floor."""
FALL_DB = 30.0
"""A loud frame is at most this much below the loudest frame of the last PEAK_FRAMES."""
ONSET_FRAMES = 4
"""Sound begins with so many loud frames in a row."""
PAUSE_S = 0.1
"""Seconds without a loud frame before an onset."""
HANGOVER_S = 0.3
"""Sound ends after so many seconds without a loud frame."""
PEAK_FRAMES = 100
"""Frames in which the loudest one is looked for."""
FLOOR_FRAMES = 150
"""Frames whose minimum is the noise floor."""
KEPT_FRAMES = 1200
"""Frames whose levels are kept."""


class OnsetDetector:
    """Takes int16 blocks of any size; times are seconds since its first sample.

    Args:
        sample_rate: samples a second.
        keep: how many of the latest onsets are kept, so that memory does not grow.
    """

    def __init__(self, sample_rate: int = 16000, keep: int = 64) -> None:
        self._rate = sample_rate
        self._size = max(1, round(sample_rate * FRAME_S))
        self._rest: NDArray[np.int16] = np.zeros(0, np.int16)
        self._recent: deque[float] = deque(maxlen=FLOOR_FRAMES)
        self._levels: deque[float] = deque(maxlen=KEPT_FRAMES)
        self._frame = 0
        self._loud_frames = 0
        self._pause_s = math.inf
        self._sounding = False
        self.floor = FLOOR_DB
        """The noise floor, dB of full scale."""
        self.last_loud = -math.inf
        """End of the last loud frame."""
        self.onsets: deque[float] = deque(maxlen=keep)
        """When sound began, the latest last."""

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
        """The levels of the last KEPT_FRAMES, and the time of the first of them."""
        return np.array(self._levels, np.float32), (self._frame - len(self._levels)) * FRAME_S

    def _step(self, level: float) -> None:
        self._recent.append(level)
        self._levels.append(level)
        self.floor = min(self._recent)
        peak = max(islice(self._recent, max(0, len(self._recent) - PEAK_FRAMES), None))
        loud = level > max(self.floor + RISE_DB, peak - FALL_DB)
        if loud and self._loud_frames == 0:
            self._pause_s = self.quiet_for()
        self._loud_frames = self._loud_frames + 1 if loud else 0
        if loud and self._loud_frames >= ONSET_FRAMES:
            if not self._sounding and self._pause_s > PAUSE_S:
                self.onsets.append((self._frame - ONSET_FRAMES + 1) * FRAME_S)
            self._sounding = True
        if loud:
            self.last_loud = (self._frame + 1) * FRAME_S
        elif self.quiet_for() > HANGOVER_S:
            self._sounding = False
        self._frame += 1

    @property
    def now(self) -> float:
        """Seconds of sound so far."""
        return self._frame * FRAME_S

    def quiet_for(self) -> float:
        """Seconds since the last loud frame; infinite if there was none."""
        return self.now - self.last_loud

    def below_for(self, level_db: float) -> float:
        """Seconds since the average of 50 ms last reached `level_db`; at most a second is looked at."""
        recent = islice(self._levels, max(0, len(self._levels) - PEAK_FRAMES), None)
        smooth = smoothed(np.array(list(recent), np.float32))
        loud = np.flatnonzero(smooth >= level_db)
        return (smooth.size - 1 - int(loud[-1]) if loud.size else smooth.size) * FRAME_S

    def onset_near(self, t: float, reach: float) -> float | None:
        """The onset nearest to `t` within `reach` seconds, None if there is none."""
        near = [onset for onset in self.onsets if abs(onset - t) <= reach]
        return min(near, key=lambda onset: abs(onset - t), default=None)
