"""Decides which tables are asked to send missing messages again. Pure.

An answer comes after everything that the broker already holds for the hub, which may take minutes after one
of them was killed. Who asks again too soon lets the same messages be sent again and again, and the answers
never catch up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.hub.progress import TableProgress

LARGEST = 1000
"""Most messages that a table is asked for at once."""
MOST_AWAITED = 20_000
"""Most messages that all tables together are asked for at once."""
NEXT_S = 0.5
"""A table is asked for more, after an answer is complete, at most once in so many seconds."""
FIRST_WAIT_S, LONGEST_WAIT_S = 5.0, 300.0
"""Seconds without any part of the answer after which the table is asked again: at first, and at most."""


class MissingMessages(NamedTuple):
    """The messages after `number` up to `last` of a table."""

    table: str
    series: str
    number: int
    last: int


class AwaitedAnswer:
    """What a table was asked for, and how much of it has come."""

    def __init__(self, asked: MissingMessages, now: float, wait_s: float) -> None:
        self.asked = asked
        self.at = now
        self.number = asked.number
        """Number of the latest message without a gap before it."""
        self.moved_at = now
        """When a part of the answer came last."""
        self.wait_s = wait_s

    @property
    def missing(self) -> int:
        """How many messages have not come."""
        return max(0, self.asked.last - self.number)

    def look(self, number: int, now: float) -> None:
        """Notes how far the table is stored now."""
        if number > self.number:
            self.number, self.moved_at = number, now

    def due(self, now: float) -> bool:
        """Whether the table may be asked again, or for more."""
        if not self.missing:
            return now - self.at >= NEXT_S
        return now - self.moved_at >= self.wait_s


class GapRequests:
    """Remembers what tables were asked for."""

    def __init__(self) -> None:
        self._awaited: dict[str, AwaitedAnswer] = {}

    def due(self, tables: Mapping[str, TableProgress], now: float) -> Iterator[MissingMessages]:
        """What has to be asked for now.

        Args:
            tables: name -> how far the table is stored.
        """
        incomplete = {name: one for name, one in tables.items() if one.online and one.incomplete}
        self._awaited = {
            name: one
            for name, one in self._awaited.items()
            if name in incomplete and one.asked.series == incomplete[name].series
        }
        for name, awaited in self._awaited.items():
            awaited.look(incomplete[name].number, now)
        room = MOST_AWAITED - sum(one.missing for one in self._awaited.values() if not one.due(now))
        for name, progress in incomplete.items():
            if room <= 0:
                return
            before = self._awaited.get(name)
            if before is None or before.due(now):
                number, last = progress.missing
                wanted = MissingMessages(name, progress.series, number, min(last, number + LARGEST))
                wait_s = FIRST_WAIT_S
                if before is not None and before.missing:
                    wait_s = min(before.wait_s * 2, LONGEST_WAIT_S)
                self._awaited[name] = AwaitedAnswer(wanted, now, wait_s)
                room -= wanted.last - wanted.number
                yield wanted
