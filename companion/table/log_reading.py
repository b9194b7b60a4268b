"""The whole log of the running game, for phones that correct an entry: a snapshot holds the latest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.api.snapshot import EventOffer, LogEntry
from companion.table.snapshot import log, offered

if TYPE_CHECKING:
    from companion.table.referee import Referee

MOST = 1000
"""The most entries that are read at once."""


def earlier_entries(referee: Referee, before: int) -> tuple[LogEntry, ...]:
    """The latest entries before entry `before`, oldest first, without sentences; none between two games."""
    return () if referee.game is None else log(referee.game, before, MOST)


def offers_at(referee: Referee, n: int) -> tuple[EventOffer, ...]:
    """What could have happened instead of entry `n`; nothing between two games."""
    if referee.game is None:
        return ()
    record = referee.game.record
    return tuple(offered(offer) for offer in record.book.expects(record.state_at(n)))
