"""Up to which moment everything that happened on the table has been reported."""

from __future__ import annotations

import math

from companion.core.observations import Watched
from companion.vision.tracking.limits import seconds


class Watermark:
    """The latest moment up to which all has been reported; it goes back only if time jumps back."""

    def __init__(self) -> None:
        self._mark = self._now = -math.inf

    def moved(self, mark: float, t: float) -> list[Watched]:
        """The new mark: `mark`, or the seconds to `hold` before the present `t` if that is
        later; empty if it stays."""
        mark = max(mark, t - seconds().hold)
        before, self._now = self._now, t
        if mark <= self._mark and t >= before:
            return []
        self._mark = mark
        return [Watched(mark)]
