"""Converts sample numbers to clock time."""

from __future__ import annotations

from collections import deque


class BlockClock:
    """The clock time of samples, from blocks that carry the time of their first sample.

    Args:
        rate: samples a second.
    """

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._marks: deque[tuple[int, float]] = deque(maxlen=4096)

    def mark(self, sample: int, t: float) -> float:
        """Records that `sample` was taken at `t` (s); returns how much later (s) than expected."""
        drift = t - self.time(sample) if self._marks else 0.0
        self._marks.append((sample, t))
        return drift

    def time(self, sample: float) -> float:
        """The clock time (s) of a sample, from the latest mark at or before it; else from the oldest mark."""
        if not self._marks:
            return sample / self._rate
        for first, t in reversed(self._marks):
            if first <= sample:
                return t + (sample - first) / self._rate
        first, t = self._marks[0]
        return t + (sample - first) / self._rate
