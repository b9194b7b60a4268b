"""The true rate of a sound device, measured: some drivers announce one rate and deliver another."""

from __future__ import annotations

STANDARD = (8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000)
"""Rates (samples a second) that devices have."""
MEASURED_S = 5.0
"""Seconds of one measurement."""
TOLERANCE = 0.02
"""Share by which a measured rate may differ from a standard one: blocks arrive up to 0.1 s late."""
AGREEING = 2
"""So many measurements in a row must give the same other rate: lost samples look like a lower one."""


class RateMeter:
    """Measures the rate at which samples arrive.

    Args:
        rate: the announced one, in samples a second.
    """

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._start: float | None = None
        self._count = 0
        self._found: list[int] = []

    def block(self, samples: int, arrival: float) -> int | None:
        """Takes the next block.

        Args:
            samples: how many it holds.
            arrival: the moment of its arrival, in seconds of the one clock.

        Returns:
            The standard rate at which the device delivers, if it is another one than announced; None while
            that is not known.
        """
        if self._start is None:
            self._start = arrival
            return None
        self._count += samples
        seconds = arrival - self._start
        if seconds < MEASURED_S:
            return None
        nearest = _standard(self._count / seconds)
        self._start, self._count = arrival, 0
        if nearest is None or abs(nearest - self._rate) <= TOLERANCE * self._rate:
            self._found = []
            return None
        self._found = [*self._found, nearest] if nearest in self._found[-1:] else [nearest]
        return nearest if len(self._found) >= AGREEING else None

    def lost(self) -> None:
        """Starts again: the device reports that samples were lost."""
        self._start, self._count, self._found = None, 0, []


def _standard(measured: float) -> int | None:
    nearest = min(STANDARD, key=lambda rate: abs(rate - measured))
    return nearest if abs(nearest - measured) <= TOLERANCE * nearest else None
