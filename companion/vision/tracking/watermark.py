"""Up to which moment everything that happened on the table has been reported."""

from __future__ import annotations

import numpy as np

from companion.core.observations import Watched

HOLD_S = 2.0
"""The watermark waits no longer for a place, or a table, that does not come to rest."""


class Watermark:
    """The latest such moment; it only goes forward, until time jumps back and another one begins."""

    def __init__(self) -> None:
        self._mark = -np.inf

    def moved(self, mark: float, t: float) -> list[Watched]:
        """The new mark, `mark` but at most HOLD_S before `t`; empty if it has not moved on."""
        mark = max(mark, t - HOLD_S)
        if mark <= self._mark:
            return []
        self._mark = mark
        return [Watched(mark)]
