"""The one clock: CLOCK_MONOTONIC in seconds, always handed in as a parameter so that tests never sleep."""

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Returns seconds on CLOCK_MONOTONIC (or on a clock of the test's own)."""


def monotonic() -> float:
    """Seconds on CLOCK_MONOTONIC, the clock that camera, sound card and GPIO lines stamp their data with."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)
