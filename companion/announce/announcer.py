"""Puts what the table says in order and hands it to buzzer, lamps and voice, each on a queue of its own.

A broken or slow output never delays a score: its queue is bounded, drops what nobody needs any more, and an
exception inside it is reported once instead of spreading.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.announce.codes import Priority
from companion.announce.outputs import Cue, Output
from companion.core.clock import Clock

REPEAT_S = 2.0
"""The same announcement within this time is said once."""


class Announcer:
    """Orders announcements by urgency, drops repeats and hands the rest to the outputs."""

    def __init__(self, clock: Clock, repeat_s: float = REPEAT_S) -> None:
        self._clock = clock
        self._repeat_s = repeat_s
        self._said: dict[bytes, float] = {}
        self._outputs: list[Output] = []
        self._cues: tuple[Cue, ...] = ()

    def connect(self, output: Output) -> None:
        """From now on `output` gets what is announced."""
        self._outputs.append(output)

    def announce(self, announcements: Sequence[Announcement]) -> list[Announcement]:
        """Says what belongs together; returns what was said, the most urgent first.

        Of one batch the outputs get the most urgent one only: two rhythms at once are none.
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

    def foresee(self, cues: Sequence[Cue]) -> None:
        """What the clock alone will bring, for the outputs to give at its moment; replaces what was foreseen
        before. When it is announced it has been given."""
        if tuple(cues) != self._cues:
            self._cues = tuple(cues)
            for output in self._outputs:
                output.plan(self._cues)

    def _given(self, announcement: Announcement, now: float) -> bool:
        return any(cue.announcement == announcement and cue.at <= now for cue in self._cues)

    def forget(self) -> None:
        """What was said may be said again at once (after an undo the same finding may come back)."""
        self._said.clear()
