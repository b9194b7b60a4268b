"""What a phone at the table shows of the game: events, verdicts, questions, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bench.evenings.keys import ComparedItem, items
from companion.api.snapshot import Snapshot
from companion.runtime.stepped import SteppedApp
from companion.table.questions import OpenQuestion
from companion.table.record import Record
from companion.table.timeline import is_correction

ACCUSING = frozenset(
    {
        *("wrong_number", "wrong_word", "wrong_sound", "should_be_silent", "should_have_skipped"),
        *("too_late", "no_call", "false_accusation", "must_stop", "must_not_look", "must_not_return"),
        *("not_announced", "misplaced"),
    }
)
"""Verdicts that say that a player has done something wrong."""
Verdicts = Counter[tuple[str, str]]
"""(player, verdict) -> how often."""


def verdicts_of(record: Record[Any]) -> Verdicts:
    """The accusing verdicts that count."""
    return Counter((str(v["player"]), str(v["verdict"])) for v in record.verdicts if v["verdict"] in ACCUSING)


def numbered(record: Record[Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """The events that count with the numbers of their entries."""
    gone = record.undone()
    return [
        (entry.n, entry.event)
        for entry in record.entries
        if entry.code is None and entry.n not in gone and not is_correction(entry.event)
    ]


class Page:
    """The game as phones show it."""

    def __init__(self, app: SteppedApp, countdown: bool) -> None:
        self._app = app
        self._countdown = countdown

    @property
    def record(self) -> Record[Any]:
        """The record of the running game."""
        game = self._app.app.table.referee.game
        assert game is not None, "there is no game on the table"
        return game.record

    def allows(self, event: Mapping[str, Any]) -> bool:
        """Whether the rules would accept this event now."""
        latest = max((float(one.event.get("t", 0.0)) for one in self.record.entries), default=0.0)
        return self.record.preview({**event, "t": latest}).code is None

    @property
    def snapshot(self) -> Snapshot:
        """All that the page shows."""
        return self._app.snapshot()

    @property
    def phase(self) -> str:
        """The phase of the game."""
        return str(self.record.book.view(self.record.state)["phase"])

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The open questions, oldest first."""
        return tuple(self._app.app.table.referee.questions)

    def items(self) -> list[ComparedItem]:
        """The events that count."""
        return items(numbered(self.record), self._countdown)

    def source(self, n: int) -> str:
        """Which sense reported an entry."""
        game = self._app.app.table.referee.game
        assert game is not None
        return game.sources.get(n, "")

    def verdicts(self) -> Verdicts:
        """The accusing verdicts that count."""
        return verdicts_of(self.record)
