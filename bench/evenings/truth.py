"""The true course of one evening as far as it has come: what happened, and what the page should show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.evenings.keys import ComparedItem, items
from bench.evenings.page import Verdicts, verdicts_of
from bench.evenings.script import Json, Script, TrueEvent
from companion.table.record import Record, opened


class EveningTruth:
    """Grows event by event; `at` is the moment of each, in seconds of the evening."""

    def __init__(self, script: Script, countdown: bool) -> None:
        self.record: Record[Any] = opened(script.header())
        self.events: list[TrueEvent] = []
        self.at: list[float] = []
        self._countdown = countdown

    def happened(self, event: TrueEvent, at: float) -> None:
        """The next event has happened."""
        entry = self.record.push(event.event)
        assert entry.code is None, f"{event.event} is refused: {entry.code}"
        self.events.append(event)
        self.at.append(at)

    def items(self) -> list[ComparedItem]:
        """What the journal should hold; numbers are indices of `events`."""
        return items([(i, one.event) for i, one in enumerate(self.events)], self._countdown)

    def of(self, item: ComparedItem) -> TrueEvent:
        """The true event of an item."""
        return self.events[item.numbers[0]]

    def verdicts(self) -> Verdicts:
        """The true mistakes."""
        return verdicts_of(self.record)

    @property
    def view(self) -> Json:
        """The true state."""
        return dict(self.record.book.view(self.record.state))

    @property
    def scores(self) -> Mapping[str, int]:
        """The true scores."""
        return self.record.scores()

    @property
    def moment(self) -> str:
        """The circumstances of the latest event."""
        return self.events[-1].moment if self.events else "before the first move"
