"""One buzzer, lamp or voice behind a queue and a thread of its own, and what it gives at a planned moment.

What follows from the clock alone, such as the numbers of the companion's own countdown, is foreseen: it is
planned as cues and given at its very moment, whatever judging, writing and publishing it takes. So no tick
waits for a disk and none carries the delay of the one before it. Whoever takes the move back takes the plan
back, and a cue that falls due cuts short what is being given.
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable, Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.core.clock import Clock

LATE_S = 0.25
"""A cue that could not be given within this time after its moment is not given any more,"""
LAST_S = 3.0
"""but the last of a plan is, so long: a late "stop" still ends the countdown, and none leaves it open."""
STEP_S = 0.02
"""How long the thread sleeps at most while a cue is planned: a clock may run faster than the wall's."""


class Cue(msgspec.Struct, frozen=True):
    """An announcement that is due at a moment of the one clock, in seconds."""

    at: float
    announcement: Announcement


class Interrupted(Exception):
    """What is being given is cut short: something more important is due."""


Wait = Callable[[float], None]
"""Waits so many seconds, or raises Interrupted."""


class Output:
    """One buzzer, lamp or voice.

    Args:
        name: its name as a source: `buzzer`, `lamps`, `voice`.
        give: gives one announcement and waits with the `Wait` it is handed; runs on the output's thread.
        report: told of the first of several errors in a row.
        clock: the clock of the cues.
        size: how many announcements wait at most; of more the oldest is dropped.
    """

    def __init__(
        self,
        name: str,
        give: Callable[[Announcement, Wait], None],
        report: Callable[[str, Exception], None],
        clock: Clock,
        size: int = 4,
    ) -> None:
        self.name = name
        self._give = give
        self._report = report
        self._clock = clock
        self._queue: collections.deque[Announcement] = collections.deque(maxlen=size)
        self._cues: tuple[Cue, ...] = ()
        self._given_until = float("-inf")
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"output {name}", daemon=True)
        self._failed = False

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def put(self, announcement: Announcement) -> None:
        """Takes an announcement at once; of too many the oldest is dropped."""
        with self._changed:
            self._queue.append(announcement)
            self._changed.notify()

    def plan(self, cues: Sequence[Cue]) -> None:
        """What is to come from now on; replaces what was planned before. A cue already given stays given, and
        one whose moment has come is given all the same: the table, which judges the same moment, may be
        faster than this thread."""
        with self._changed:
            due = self._due()
            kept = () if due is None or due in cues else (due,)
            self._cues = tuple(sorted((*kept, *cues), key=lambda cue: cue.at))
            self._changed.notify()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread; what is being given is cut short, what waits is dropped."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(timeout)

    # --- the thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (announcement := self._next()) is not None:
            try:
                self._give(announcement, self._wait)
                self._failed = False
            except Interrupted:
                continue
            except Exception as error:  # a broken output must not end the others; it is reported
                if not self._failed:
                    self._report(self.name, error)
                self._failed = True

    def _next(self) -> Announcement | None:
        """Blocks until something is to be given; None at the end."""
        with self._changed:
            while not self._stopping:
                cue = self._due()
                if cue is not None:
                    self._given_until = cue.at
                    return cue.announcement
                if self._queue:
                    return self._queue.popleft()
                self._changed.wait(self._patience(None))
            return None

    def _wait(self, seconds: float) -> None:
        """Waits while an announcement is given.

        Raises:
            Interrupted: a cue is due, or the output is being stopped.
        """
        end = self._clock() + seconds
        with self._changed:
            while (left := end - self._clock()) > 0:
                if self._stopping or self._due() is not None:
                    raise Interrupted
                self._changed.wait(self._patience(left))

    def _due(self) -> Cue | None:
        """The cue whose moment has come, the latest of several."""
        now = self._clock()
        due = [cue for cue in self._cues if self._given_until < cue.at <= now]
        if not due:
            return None
        limit = LAST_S if due[-1] is self._cues[-1] else LATE_S
        return due[-1] if now - due[-1].at <= limit else None

    def _patience(self, left: float | None) -> float | None:
        """How long to sleep: until the next cue or the end, in steps while either is near."""
        now = self._clock()
        ahead = [cue.at - now for cue in self._cues if cue.at > max(now, self._given_until)]
        waits = [*ahead, *([] if left is None else [left])]
        return min(*waits, STEP_S) if waits else None
