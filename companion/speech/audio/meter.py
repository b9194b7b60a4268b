"""The level meter of the microphone: present level, background level, clipping, and what is wrong.

It runs only while the set-up page is open.
"""

from __future__ import annotations

from collections import deque

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FLOOR_DB, FRAME_S, frame_levels

WINDOW_S = 4.0
"""Seconds of the latest sound that the meter measures."""
CLIPPED = 32_700
"""A sample with at least this absolute value is clipped."""
MAX_CLIPPED_SHARE = 0.001
"""With a larger share of clipped samples, the finding is `clipping`."""
SILENT_DB = -72.0
"""A loudest level up to this (dB of full scale) is `silent`: a microphone that is on has noise of its own."""
QUIET_DB = -42.0
"""Speech below this (dB of full scale) is `too_quiet`: most microphones' own noise masks it."""
NOISY_DB = -38.0
"""A background above this (dB of full scale) is `noisy`: louder than a quiet speaker two metres away."""
SPEECH_DB = 12.0
"""Sound this much above the background is speech."""


class Level(msgspec.Struct, frozen=True):
    """The levels of the last WINDOW_S, in dB of full scale."""

    now: float
    """Mean of the last 0.1 s."""
    loudest: float
    """99th percentile of the 10 ms frames."""
    background: float
    """10th percentile of the 10 ms frames."""
    clipped: float
    """Share of clipped samples, 0 to 1."""
    finding: str
    """`silent` (no sound at all), `clipping`, `noisy`, `too_quiet` (soft speech), or empty: all is well."""


class Meter:
    """Measures blocks of int16 mono samples.

    Args:
        rate: samples a second.
    """

    def __init__(self, rate: int = 16000) -> None:
        self._rate = rate
        self._frames: deque[float] = deque(maxlen=round(WINDOW_S / FRAME_S))
        self._clips: deque[float] = deque(maxlen=round(WINDOW_S / FRAME_S))
        self._rest: NDArray[np.int16] = np.zeros(0, np.int16)

    def feed(self, block: NDArray[np.int16]) -> None:
        """Takes the next samples."""
        size = round(self._rate * FRAME_S)
        joined = np.concatenate([self._rest, block])
        count = joined.size // size
        self._rest = joined[count * size :].copy()
        if count:
            whole = joined[: count * size]
            self._frames.extend(float(level) for level in frame_levels(whole, self._rate))
            full = np.abs(whole.astype(np.int32)).reshape(count, size) >= CLIPPED
            self._clips.extend(float(share) for share in full.mean(axis=1))

    def level(self) -> Level | None:
        """The levels of the last WINDOW_S; None before the first 10 ms."""
        if not self._frames:
            return None
        levels = np.array(self._frames)
        background, loudest = float(np.percentile(levels, 10)), float(np.percentile(levels, 99))
        clipped = float(np.mean(self._clips))
        if loudest <= max(SILENT_DB, FLOOR_DB + 1.0):
            finding = "silent"
        elif clipped > MAX_CLIPPED_SHARE:
            finding = "clipping"
        elif background > NOISY_DB:
            finding = "noisy"
        elif loudest - background > SPEECH_DB and loudest < QUIET_DB:
            finding = "too_quiet"
        else:
            finding = ""
        return Level(float(levels[-10:].mean()), loudest, background, clipped, finding)
