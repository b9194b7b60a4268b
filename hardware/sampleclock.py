"""When was sample n? Sound has the time of its samples, not of their arrival.

A block arrives some time after its last sample, never before. So of all differences between arrival and
sample count the smallest is the truest (the minimum filter of network time protocols, RFC 5905 section 10).
"""

from __future__ import annotations

from collections import deque

WINDOW_S = 20.0
"""How far back the smallest difference is looked for; longer would not follow the card's drift."""
GAP_S = 0.1
"""A difference that stays so much above the smallest one means that samples were lost."""
GAP_SHOWN_S = 0.1
"""So much sound in a row must show it: a single late block is only late."""


class SampleClock:
    """Maps sample numbers of one stream to the one clock."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._count = 0
        self._offsets: deque[tuple[float, float]] = deque()
        self._late = 0

    @property
    def count(self) -> int:
        """Samples so far."""
        return self._count

    def block(self, samples: int, arrival: float) -> tuple[float, bool]:
        """Takes the next block.

        Args:
            samples: how many there are in it.
            arrival: the moment when its last sample was there, or a little later.

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
        # A difference that is not smaller than a later one will never be the smallest again.
        while self._offsets and self._offsets[-1][1] >= offset:
            self._offsets.pop()
        self._offsets.append((arrival, offset))
        return min(smallest, offset) + first / self._rate, False

    def lost(self) -> None:
        """The device says that it lost samples: start the mapping again."""
        self._offsets.clear()
        self._late = 0
