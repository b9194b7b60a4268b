"""Sorts announcements by urgency and hands them to buzzer, lamps and voice, each with its own queue.

What is late or known already is not announced (companion.announce.timeliness). A broken or slow output never
delays a score: its queue is bounded and drops old announcements, and an exception inside it is reported once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.announce.announcement import Announcement
from companion.announce.codes import Priority
from companion.announce.outputs import Cue, Output
from companion.announce.timeliness import REPEAT_S, Timeliness
from companion.core.clock import Clock


class Announcer:
    """Orders announcements by urgency, drops those that are late or known, and hands the rest to the
    outputs."""

    def __init__(self, clock: Clock, repeat_s: float = REPEAT_S) -> None:
        self._clock = clock
        self._timeliness = Timeliness(repeat_s)
        self._outputs: list[Output] = []
        self._cues: tuple[Cue, ...] = ()

    def connect(self, output: Output) -> None:
        """Adds an output: it gets every announcement from now on."""
        self._outputs.append(output)

    def announce(self, batch: Sequence[Announcement], ended: Iterable[str] = ()) -> list[Announcement]:
        """Announces a batch; returns what was announced, the most urgent first.

        The outputs get only the most urgent one of a batch: two rhythms at once cannot be told apart.

        Args:
            batch: in the order in which they were made.
            ended: what earlier announcements were about and is so no longer (see Timeliness).
        """
        now, over = self._clock(), frozenset(ended)
        for output in self._outputs if over else ():
            output.withdraw(over)
        said = sorted(self._timeliness.select(batch, now, over), key=lambda one: -one.priority)
        loud = [one for one in said if one.priority > Priority.ROUTINE]
        if loud and not self._given(loud[0], now):
            for output in self._outputs:
                output.put(loud[0])
        return said

    def plan(self, cues: Sequence[Cue]) -> None:
        """Replaces the cues that the outputs give at their moments. When the table announces one of them
        later, the outputs do not give it a second time."""
        if tuple(cues) != self._cues:
            self._cues = tuple(cues)
            for output in self._outputs:
                output.plan(self._cues)

    def _given(self, announcement: Announcement, now: float) -> bool:
        content = announcement.content
        return any(cue.announcement.content == content and cue.at <= now for cue in self._cues)

    def correct(self) -> None:
        """Earlier events were changed: what waits to be given is out of date, and the same finding may be
        announced again at once."""
        self._timeliness.correct()
        for output in self._outputs:
            output.withdraw()

    def begin(self) -> None:
        """Another game is on the table: what was announced of the one before does not count."""
        self._timeliness.begin()
        for output in self._outputs:
            output.withdraw()
