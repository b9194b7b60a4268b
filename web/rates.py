"""How often a phone may send what costs every other phone something."""

from __future__ import annotations

import threading
from collections import OrderedDict

from companion.core.clock import Clock


class Rates:
    """A token bucket for each address. May be used from any thread.

    Args:
        burst: requests at once.
        per_s: further requests a second.
    """

    REMEMBERED = 1024

    def __init__(self, clock: Clock, burst: int, per_s: float) -> None:
        self._clock = clock
        self._burst = burst
        self._per_s = per_s
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """Counts a request; 0: it may be served, otherwise the seconds until the next one may."""
        now = self._clock()
        with self._lock:
            left, at = self._left.pop(address, (float(self._burst), now))
            left = min(float(self._burst), left + (now - at) * self._per_s)
            served = left >= 1.0
            self._left[address] = (left - served, now)
            if len(self._left) > self.REMEMBERED:
                self._left.popitem(last=False)
        return 0.0 if served else (1.0 - left) / self._per_s
