"""How far each table is stored: which of its numbered messages are there, and which are missing. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.hub.intake import JournalPlace
from companion.hub.number_ranges import NumberRanges
from companion.mqtt.messages import TableState, TableStatus

FORMER = 8
"""Most earlier series that are remembered."""


class TableProgress:
    """How far one table is stored; `changed` says whether it differs from the database."""

    def __init__(
        self,
        series: str = "",
        number: int = 0,
        head: int = 0,
        beyond: Iterable[tuple[int, int]] = (),
        epoch: int = 0,
        former: Iterable[str] = (),
    ) -> None:
        self.series = series
        self.number = number
        self.head = head
        self.beyond = NumberRanges(beyond)
        """Numbers after a gap that are stored already."""
        self.epoch = epoch
        """How many series the table has had: what it sends in a later one replaces what it sent before."""
        self.former = tuple(former)
        self.online: bool | None = None
        self.version: str | None = None
        self.state: TableState | None = None
        self.changed = False
        self.urgent = False
        """Whether a new series began: a hub that did not remember it would count the next one wrongly."""

    def written(self) -> None:
        """It is in the database now."""
        self.changed = self.urgent = False
        self.state = None

    def copy(self) -> TableProgress:
        """A batch that fails must leave what is known unchanged."""
        found = TableProgress(
            self.series, self.number, self.head, self.beyond.ranges, self.epoch, self.former
        )
        found.online, found.version, found.state = self.online, self.version, self.state
        found.changed, found.urgent = self.changed, self.urgent
        return found

    @property
    def incomplete(self) -> bool:
        """Whether messages are missing that the broker has acknowledged to the table."""
        return self.head > self.number

    @property
    def missing(self) -> tuple[int, int]:
        """What to ask for: the numbers after the first of these, up to the second. It is the first gap and
        those that follow it, as long as less is known between them than is missing."""
        missing = known = 0
        number, last = self.number, self.number
        for first, end in [*self.beyond.ranges, (self.head + 1, self.head)]:
            if first - 1 > number:
                missing += first - 1 - number
                last = first - 1
            known += end - first + 1
            if known > missing:
                break
            number = end
        return self.number, last

    def epoch_of(self, series: str) -> int:
        """The epoch of a message: 0 in a former series, which replaces nothing."""
        if series not in self.former:
            self._follow(series)
        return self.epoch if series == self.series else 0

    def passed(self, place: JournalPlace) -> None:
        """A message from this place was stored, or was stored before."""
        if place.series in self.former:
            return
        self._follow(place.series)
        if place.number > self.number:
            self.beyond.add(place.number)
            self.number = self.beyond.joined(self.number)
        self.head = max(self.head, place.number)
        self.changed = True

    def reported(self, status: TableStatus) -> None:
        """The table said that it is there, and how far the broker has acknowledged its messages."""
        self.online, self.changed = status.online, True
        if status.online:
            self.version = status.version
            if status.series:
                self._follow(status.series)
                self.head = max(self.head, status.number)

    def _follow(self, series: str) -> None:
        if series != self.series:
            former = (*self.former, self.series) if self.series else self.former
            self.former = tuple(one for one in former if one != series)[-FORMER:]
            self.series, self.number, self.head = series, 0, 0
            self.epoch += 1
            self.changed = self.urgent = True
            self.beyond = NumberRanges()
