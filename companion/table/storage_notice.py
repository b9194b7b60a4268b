"""Shows on every page that nothing is stored, because the disk cannot be written."""

from __future__ import annotations

from companion.announce.announcement import Announcement
from companion.core.message import Message
from companion.core.observations import SourceChanged
from companion.table.referee import Referee

STORAGE = "storage"
"""The source whose state says whether games are stored."""


def show_not_stored(referee: Referee, why: Message) -> None:
    """The service uses a data folder in memory (companion.store.volatile)."""
    referee.source(SourceChanged(referee.clock(), STORAGE, False, why))
    referee.announce(Announcement("not_stored", {"why": why}))
