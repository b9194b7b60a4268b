"""Which commands a phone may send. The only place where the role behind a command is checked.

The referee may do everything. A player may enter and correct the reading of the own cards, and answer
questions about it. The owner of a phone selects the player it belongs to; this is not verified.
"""

from __future__ import annotations

from typing import Any

from companion.api.commands import Amend, Answer, Caller, EnterEvent, Request
from companion.core.events import Event
from companion.table.questions import OpenQuestions
from companion.table.record import Record

READINGS = frozenset({"display_scanned", "tiles_scored"})
"""Events that count the cards or tiles of one player."""


def allowed(caller: Caller, request: Request, record: Record[Any] | None, questions: OpenQuestions) -> bool:
    """Whether the caller may send this command now.

    Args:
        record: the record of the game on the table; None between two games.
        questions: the open ones.
    """
    if caller.role == "referee":
        return True
    if caller.player is None:
        return False
    match request:
        case EnterEvent(event):
            return _is_reading_of(caller.player, event)
        case Amend(n, event):
            before = _event(record, n)
            return _is_reading_of(caller.player, before) and _is_reading_of(caller.player, event)
        case Answer(question):
            asked = questions.get(str(question))
            return asked is not None and asked.question.player == caller.player
        case _:
            return False


def _event(record: Record[Any] | None, n: int) -> Event | None:
    known = record is not None and 1 <= n <= len(record.entries)
    return record.entries[n - 1].event if record is not None and known else None


def _is_reading_of(player: str, event: Event | None) -> bool:
    kind = None if event is None else event.get("event")
    return isinstance(kind, str) and kind in READINGS and event is not None and event.get("player") == player
