"""The time of each sample of a stream of sound, from the times at which its blocks arrive.

A block arrives after its last sample, never before. So the smallest difference between arrival and sample
count is the most accurate (the minimum filter of network time protocols, RFC 5905 section 10).
"""

from __future__ import annotations

from collections import deque

WINDOW_S = 20.0
"""Seconds over which the smallest difference is taken; longer would not follow the drift of the sound
card."""
GAP_S = 0.1
"""Seconds by which the difference must stay above the smallest one to mean that samples were lost ..."""
GAP_SHOWN_S = 0.1
"""... for this many seconds of sound without a break: a single late block is only late."""


class SampleClock:
    """Maps sample numbers of one stream to the one clock."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._count = 0
        self._offsets: deque[tuple[float, float]] = deque()
        self._late = 0

    @property
    def count(self) -> int:
        """Number of samples so far."""
        return self._count

    def block(self, samples: int, arrival: float) -> tuple[float, bool]:
        """Takes the next block.

        Args:
            samples: how many it holds.
            arrival: the moment of its arrival, in seconds of the one clock.

        Returns:
            The moment of its first sample, and whether samples were lost just before.
        """
        first = self._count
        self._count += samples
        offset = arrival - self._count / self._rate
        while self._offsets and self._offsets[0][0] < arrival - WINDOW_S:
            self._offsets.popleft()
        smallest = min((value for _, value in self._offsets), default=offset)
        self._late = self._late + samples if offset - smallest > GAP_S else 0
        if self._late >= GAP_SHOWN_S * self._rate:
            self._offsets.clear()
            self._late = 0
            self._offsets.append((arrival, offset))
            return offset + first / self._rate, True
        # A difference that is not smaller than a later one can never be the minimum again.
        while self._offsets and self._offsets[-1][1] >= offset:
            self._offsets.pop()
        self._offsets.append((arrival, offset))
        return min(smallest, offset) + first / self._rate, False

    def lost(self) -> None:
        """Restarts the mapping: the device reports that samples were lost."""
        self._offsets.clear()
        self._late = 0
