"""One buzzer, lamp or voice behind a queue and a thread of its own, and what it gives at a planned moment.

What follows from the clock alone, such as the numbers of the companion's own countdown, is planned as cues.
Each cue is given at its moment, however long judging, writing and publishing take: a tick neither waits for a
disk nor inherits the delay of the tick before. An undo replaces the plan. A cue that falls due interrupts
what is being given.
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable, Collection, Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.announce.codes import Priority
from companion.core.clock import Clock

LATE_S = 0.25
"""Seconds after its moment within which a cue must be given; a later one is dropped ..."""
LAST_S = 3.0
"""... except the last of a plan, for which this limit holds: a late "stop" still ends the countdown."""
WAITING_S = 4.0
"""Seconds after which an announcement that waits behind others is dropped, unless it is an alarm."""
STEP_S = 0.02
"""Longest sleep in seconds while a cue is planned: in a demo the clock runs faster than real time."""


class Cue(msgspec.Struct, frozen=True):
    """An announcement that is due at a moment of the one clock, in seconds."""

    at: float
    announcement: Announcement


class Interrupted(Exception):
    """Ends what is being given: something more important is due."""


Wait = Callable[[float], None]
"""Waits for a number of seconds, or raises Interrupted."""


class Output:
    """One buzzer, lamp or voice.

    Args:
        name: its name as a source: `buzzer`, `lamps`, `voice`.
        give: gives one announcement and waits with the `Wait` it is handed; runs on the output's thread.
        report: called with the first of several errors in a row.
        clock: the clock of the cues.
        size: the most announcements that wait; of more the oldest is dropped.
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
        self._queue: collections.deque[tuple[float, Announcement]] = collections.deque(maxlen=size)
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
            self._queue.append((self._clock(), announcement))
            self._changed.notify()

    def withdraw(self, about: Collection[str] | None = None) -> None:
        """Drops what waits and is no longer true: all of it, or what is about one of these. Alarms stay."""
        with self._changed:
            kept = [
                (t, one)
                for t, one in self._queue
                if one.priority == Priority.ALARM or (about is not None and one.about not in about)
            ]
            self._queue.clear()
            self._queue.extend(kept)

    def plan(self, cues: Sequence[Cue]) -> None:
        """Replaces the planned cues. A cue that has been given is not given again. A planned cue whose moment
        has come is still given: the table, which judges the same moment, may be faster than this thread."""
        with self._changed:
            due = self._due()
            kept = () if due is None or due in cues else (due,)
            self._cues = tuple(sorted((*kept, *cues), key=lambda cue: cue.at))
            self._changed.notify()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread: interrupts what is being given and drops what waits."""
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
        """Blocks until there is something to give; None: the thread is to end."""
        with self._changed:
            while not self._stopping:
                cue = self._due()
                if cue is not None:
                    self._given_until = cue.at
                    return cue.announcement
                while self._queue:
                    since, announcement = self._queue.popleft()
                    if announcement.priority == Priority.ALARM or self._clock() - since <= WAITING_S:
                        return announcement
                self._changed.wait(self._sleep_time(None))
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
                self._changed.wait(self._sleep_time(left))

    def _due(self) -> Cue | None:
        """The cue whose moment has come, the latest of several."""
        now = self._clock()
        due = [cue for cue in self._cues if self._given_until < cue.at <= now]
        if not due:
            return None
        limit = LAST_S if due[-1] is self._cues[-1] else LATE_S
        return due[-1] if now - due[-1].at <= limit else None

    def _sleep_time(self, left: float | None) -> float | None:
        """How long to sleep: until the next cue or the end, in steps while either is near."""
        now = self._clock()
        ahead = [cue.at - now for cue in self._cues if cue.at > max(now, self._given_until)]
        waits = [*ahead, *([] if left is None else [left])]
        return min(*waits, STEP_S) if waits else None
