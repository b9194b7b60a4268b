"""The level meter of the microphone: how loud, how noisy the room, whether it clips or hears nothing.

It works while somebody looks at it (the set-up page), not all evening.
"""

from __future__ import annotations

from collections import deque

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FLOOR_DB, FRAME_S, frame_levels

WINDOW_S = 4.0
"""The meter tells about the sound of the last seconds."""
CLIPPED = 32_700
MOST_CLIPPED = 0.001
"""Share of samples at full scale from which on the sound is distorted."""
SILENT_DB = -72.0
"""A microphone that is switched on hears at least its own noise."""
QUIET_DB = -42.0
"""Speech below this is drowned by the noise of most microphones."""
NOISY_DB = -38.0
"""A room above this is louder than a quiet speaker two metres away."""
SPEECH_DB = 12.0
"""Sound this far above the room is somebody speaking."""


class Level(msgspec.Struct, frozen=True):
    """Levels in dB of full scale: `now` the last tenth of a second, `loudest` and `room` of the last ones.

    `finding` is a code: `silent` (no sound at all), `clipping`, `noisy`, `too_quiet` (speech, but soft)
    or empty.
    """

    now: float
    loudest: float
    room: float
    clipped: float
    finding: str


class Meter:
    """Fed with blocks of samples at one rate; `level` tells about the latest seconds."""

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
        """What the last seconds were like; None before there was any sound."""
        if not self._frames:
            return None
        levels = np.array(self._frames)
        room, loudest = float(np.percentile(levels, 10)), float(np.percentile(levels, 99))
        clipped = float(np.mean(self._clips))
        if loudest <= max(SILENT_DB, FLOOR_DB + 1.0):
            finding = "silent"
        elif clipped > MOST_CLIPPED:
            finding = "clipping"
        elif room > NOISY_DB:
            finding = "noisy"
        elif loudest - room > SPEECH_DB and loudest < QUIET_DB:
            finding = "too_quiet"
        else:
            finding = ""
        return Level(float(levels[-10:].mean()), loudest, room, clipped, finding)
