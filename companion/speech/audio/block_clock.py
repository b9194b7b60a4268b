"""From samples to clock time: blocks of sound arrive with the time of their first sample."""

from __future__ import annotations

from collections import deque


class BlockClock:
    """Which clock time a sample has: blocks arrive with the time of their first sample."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._marks: deque[tuple[int, float]] = deque(maxlen=4096)

    def mark(self, sample: int, t: float) -> float:
        """Notes that `sample` was taken at `t`; returns how far (s) that is from where it was expected."""
        drift = t - self.time(sample) if self._marks else 0.0
        self._marks.append((sample, t))
        return drift

    def time(self, sample: float) -> float:
        """Seconds on the clock, counted from the latest mark before the sample (the oldest one otherwise)."""
        if not self._marks:
            return sample / self._rate
        for first, t in reversed(self._marks):
            if first <= sample:
                return t + (sample - first) / self._rate
        first, t = self._marks[0]
        return t + (sample - first) / self._rate
