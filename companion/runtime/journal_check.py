"""Checks the journal while the table rests, and keeps a sound copy of it.

Damage is healed at once: the table closes the journal, `companion.store.healing` makes it sound, and the game
goes on from there.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from companion.core.errors import CompanionError
from companion.store.healing import check, keep_copy
from companion.store.journal import Journal
from companion.table.referee import Referee
from companion.table.table import Table

CHECK_S = 600.0
"""Seconds between two checks."""
IDLE_S = 20.0
"""A check waits until nothing has been judged for so many seconds."""

logger = logging.getLogger(__name__)


class JournalCheck:
    """The thread that checks. `start` and `stop` it once."""

    def __init__(self, table: Table, path: Path, open_journal: Callable[[], Journal]) -> None:
        self._table = table
        self._path = path
        self._open_journal = open_journal
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; harmless if it was never started."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _run(self) -> None:
        wait, seq = CHECK_S, -1
        while not self._stopping.wait(wait):
            latest = self._table.snapshot().seq
            if latest != seq:
                wait, seq = IDLE_S, latest
                continue
            wait = CHECK_S
            try:
                self.check()
            except (CompanionError, OSError, sqlite3.Error):
                logger.exception("the journal cannot be checked")

    def check(self) -> bool:
        """Checks now and heals what is damaged. Whether the journal was sound.

        Raises:
            CompanionError: the table does not answer, or the disk is full or fails.
            sqlite3.Error: the disk fails.
        """
        if check(self._path).sound:
            self._table.call(lambda referee: keep_copy(referee.journal, self._path))
            return True
        logger.error("the journal %s is damaged", self._path)
        self._table.call(self._heal)
        return False

    def _heal(self, referee: Referee) -> None:
        referee.journal.close()
        referee.take_journal(self._open_journal())
