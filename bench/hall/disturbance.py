"""What goes wrong in a hall, at random moments."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from random import Random


class Disturbance:
    """Does everything on the thread of the caller.

    Args:
        seconds: for how long.
        times: what -> how often.
    """

    def __init__(self, seconds: float, times: Mapping[str, int], random: Random) -> None:
        self.times: list[float] = []
        """When something was disturbed, in seconds since 1970."""
        self._moments = sorted(
            (random.random() * seconds * 0.95, what) for what, count in times.items() for _ in range(count)
        )
        self._seconds = seconds

    def run(self, actions: Mapping[str, Callable[[], None]]) -> None:
        """Does everything at its time, or as soon as what comes before it is done."""
        began = time.monotonic()
        for moment, what in self._moments:
            time.sleep(max(0.0, began + moment - time.monotonic()))
            self.times.append(time.time())
            actions[what]()
            self.times.append(time.time())
        time.sleep(max(0.0, began + self._seconds - time.monotonic()))
