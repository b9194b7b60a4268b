"""The time of a simulated evening: it advances only when all threads of the stage wait for it.

Rendering and recognition may be slower than the evening's speed. So that nothing is dropped and the evening
is the same on every machine, the time stops until camera, microphone and players all wait for a moment, and
then advances to the earliest of them (conservative discrete-event simulation; Chandy and Misra, "Distributed
simulation", 1979).
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.core.clock import Clock


class StageClock:
    """A clock that several threads share.

    Args:
        start: the first moment, seconds.
        speed: the largest speed relative to `real`.
        real: the clock of real time.
        sleep: waits for a number of seconds of real time.
    """

    def __init__(self, start: float, speed: float, real: Clock, sleep: Callable[[float], None]) -> None:
        self._now = start
        self._speed = speed
        self._real = real
        self._sleep = sleep
        self._moved = real()
        self._changed = threading.Condition()
        self._waiting: dict[str, float | None] = {}
        self._over = False

    def __call__(self) -> float:
        """Seconds of the evening."""
        return self._now

    def join(self, name: str) -> None:
        """Adds a participant: the time waits for `name`."""
        with self._changed:
            self._waiting[name] = None

    def wait(self, name: str, moment: float) -> None:
        """Returns at `moment`, or when the evening was stopped."""
        with self._changed:
            self._waiting[name] = moment
            self._advance()
            while self._now < moment and not self._over:
                self._changed.wait()
                self._advance()
            self._waiting[name] = None

    def stop(self) -> None:
        """Stops the evening: every `wait` returns."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether the evening has been stopped."""
        return self._over

    def _advance(self) -> None:
        """Advances to the earliest awaited moment if all participants wait."""
        moments = [moment for moment in self._waiting.values() if moment is not None]
        if self._over or not moments or len(moments) < len(self._waiting):
            return
        target = min(moments)
        if target <= self._now:
            return
        due = self._moved + (target - self._now) / self._speed
        late = self._real() - due
        if late < 0:
            self._sleep(-late)
        self._moved = max(due, self._real() - 0.25)
        self._now = target
        self._changed.notify_all()
