"""Sorts announcements by urgency and hands them to buzzer, lamps and voice, each with its own queue.

A broken or slow output never delays a score: its queue is bounded and drops old announcements, and an
exception inside it is reported once.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.announce.codes import Priority
from companion.announce.outputs import Cue, Output
from companion.core.clock import Clock

REPEAT_S = 2.0
"""Seconds within which an announcement is not repeated."""


class Announcer:
    """Orders announcements by urgency, drops repeats and hands the rest to the outputs."""

    def __init__(self, clock: Clock, repeat_s: float = REPEAT_S) -> None:
        self._clock = clock
        self._repeat_s = repeat_s
        self._said: dict[bytes, float] = {}
        self._outputs: list[Output] = []
        self._cues: tuple[Cue, ...] = ()

    def connect(self, output: Output) -> None:
        """Adds an output: it gets every announcement from now on."""
        self._outputs.append(output)

    def announce(self, announcements: Sequence[Announcement]) -> list[Announcement]:
        """Announces a batch; returns what was announced, without repeats, the most urgent first.

        The outputs get only the most urgent one of a batch: two rhythms at once cannot be told apart.
        """
        now = self._clock()
        self._said = {key: t for key, t in self._said.items() if now - t < self._repeat_s}
        said = []
        for announcement in sorted(announcements, key=lambda one: -one.priority):
            key = msgspec.json.encode(announcement, order="deterministic")
            if key not in self._said:
                self._said[key] = now
                said.append(announcement)
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
        return any(cue.announcement == announcement and cue.at <= now for cue in self._cues)

    def forget(self) -> None:
        """Forgets what was announced: after an undo the same finding may be announced again at once."""
        self._said.clear()
