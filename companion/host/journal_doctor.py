"""`companion doctor --journal`: whether the journal is as it was written, and what was damaged before."""

from __future__ import annotations

import sqlite3

from companion.core.errors import Unavailable
from companion.core.finding import Finding
from companion.core.message import message
from companion.store.folder import DataFolder
from companion.store.healing import check, reports
from companion.store.journal import read_journal

JOURNAL, REPAIRED = message("doctor.name_journal"), message("doctor.name_repaired")


def check_journal(folder: DataFolder) -> list[Finding]:
    """The finding about the journal, then one for each damage that was repaired.

    Changes nothing; the service may be running.

    Raises:
        Unavailable: there is no journal, or it cannot be opened.
    """
    if not folder.journal.exists():
        raise Unavailable("journal.missing", folder=folder.path)
    try:
        found = check(folder.journal)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable("journal.cannot_open", path=folder.journal, why=str(error)) from error
    return [_sound(folder) if found.sound else _damaged(folder), *_repaired(folder)]


def _sound(folder: DataFolder) -> Finding:
    with read_journal(folder.journal) as journal:
        games = journal.games()
        lines = sum(len(journal.lines(row.id)) for row in games)
    what = message("doctor.journal_sound", games=len(games), lines=lines)
    return Finding(JOURNAL, True, what, needed=True)


def _damaged(folder: DataFolder) -> Finding:
    found = check(folder.journal)
    what = message(
        "doctor.journal_damaged",
        changed=found.changed,
        lost=found.lost,
        broken=found.broken,
        why=found.file or "-",
    )
    return Finding(JOURNAL, False, what, message("doctor.repair_journal"), needed=True)


def _repaired(folder: DataFolder) -> list[Finding]:
    found = []
    for one in reports(folder.journal):
        what = message(
            "doctor.journal_repaired",
            at=one.at,
            folder=one.folder,
            rows=one.rows,
            lost=one.lost,
            unproven=one.unproven,
        )
        found.append(Finding(REPAIRED, True, what))
        for game in one.games:
            text = message("doctor.game_cut", game=game.id, kept=game.kept, lost=game.lost)
            found.append(Finding(REPAIRED, True, text))
    return found
