"""The one clock: CLOCK_MONOTONIC in seconds, always handed in as a parameter so that tests never sleep."""

import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Returns seconds on CLOCK_MONOTONIC (or on a clock of the test's own)."""


def monotonic() -> float:
    """Seconds on CLOCK_MONOTONIC, the clock that camera, sound card and GPIO lines stamp their data with."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


@dataclass
class VirtualClock:
    """A clock that shows what it was set to. It is for a service that one thread steps."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def set(self, moment: float) -> None:
        """Sets the clock forward; an earlier moment changes nothing."""
        self.now = max(self.now, moment)
