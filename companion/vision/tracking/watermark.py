"""Up to which moment everything that happened on the table has been reported."""

from __future__ import annotations

import math

from companion.core.observations import Watched

HOLD_S = 2.0
"""The watermark waits no longer for a place, or a table, that does not come to rest."""


class Watermark:
    """The latest moment up to which everything has been reported; it only goes forward, until time jumps
    back."""

    def __init__(self) -> None:
        self._mark = self._now = -math.inf

    def moved(self, mark: float, t: float) -> list[Watched]:
        """The new mark, `mark` but at most HOLD_S before the present moment `t`; empty if it has not moved
        on."""
        mark = max(mark, t - HOLD_S)
        before, self._now = self._now, t
        if mark <= self._mark and t >= before:
            return []
        self._mark = mark
        return [Watched(mark)]
