"""A set of message numbers, kept as ranges: what has arrived after a gap. Pure.

>>> from companion.hub.number_ranges import NumberRanges
>>> known = NumberRanges([(5, 7)])
>>> known.add(4)
>>> known.joined(3), known.ranges
(7, [])
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

MOST = 200
"""Most ranges; beyond that the last is forgotten, and its messages are asked for again."""


class NumberRanges:
    """Numbers as ranges (first, last) in ascending order, none of which touch."""

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self.ranges = list(ranges)

    def add(self, number: int) -> None:
        """Adds a number."""
        at = bisect_left(self.ranges, (number + 1, 0))  # the first range that begins after the number
        before = self.ranges[at - 1] if at else None
        if before is not None and number <= before[1]:
            return
        first = last = number
        if before is not None and before[1] == number - 1:
            at, first = at - 1, before[0]
            del self.ranges[at]
        if at < len(self.ranges) and self.ranges[at][0] == number + 1:
            last = self.ranges[at][1]
            del self.ranges[at]
        self.ranges.insert(at, (first, last))
        del self.ranges[MOST:]

    def joined(self, number: int) -> int:
        """The last number that follows this one without a gap; it and all before it are taken out."""
        while self.ranges and self.ranges[0][0] <= number + 1:
            number = max(number, self.ranges.pop(0)[1])
        return number
