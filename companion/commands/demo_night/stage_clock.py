"""The time of a simulated evening: it goes on only when everybody on the stage waits for it.

Rendering and recognising may be slower than the evening's speed asks for. So that nothing is dropped and the
evening is the same on every machine, time stands still until camera, microphone and players all wait for a
moment, and then goes on to the earliest of them (conservative discrete-event simulation; Chandy and Misra,
"Distributed simulation", 1979).
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.core.clock import Clock


class StageClock:
    """A clock that several threads share.

    Args:
        start: the first moment, seconds.
        speed: how many times faster than `real` it may run.
        real: the clock on the wall.
        sleep: waits so many real seconds.
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
        """From now on time waits for `name`."""
        with self._changed:
            self._waiting[name] = None

    def leave(self, name: str) -> None:
        """Time no longer waits for `name`."""
        with self._changed:
            self._waiting.pop(name, None)
            self._advance()

    def wait(self, name: str, moment: float) -> None:
        """Returns when it is `moment`, or when the evening is over."""
        with self._changed:
            self._waiting[name] = moment
            self._advance()
            while self._now < moment and not self._over:
                self._changed.wait()
                self._advance()
            if name in self._waiting:
                self._waiting[name] = None

    def stop(self) -> None:
        """The evening is over: nobody waits any more."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether the evening has been stopped."""
        return self._over

    def _advance(self) -> None:
        """Goes on to the earliest moment that is waited for, if everybody waits."""
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
