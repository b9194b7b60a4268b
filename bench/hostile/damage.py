"""Flipped bits, halves and lost rows of a journal: whether the service's journal opens, and silent
differences."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.journal_damage import JournalDamage
from companion.store.healing import open_journal
from companion.store.journal import Journal, read_journal
from companion.store.rows import GameRow, Line

Content = dict[int, tuple[GameRow, list[Line]]]


class Damages(NamedTuple):
    """What was tried and what came of it."""

    tried: int
    opened: int
    silent: int


def damage(folder: Path, flips: int, seed: int) -> Damages:
    """Damages copies of a journal, half of them with rows in the write-ahead log."""
    source = folder / "source"
    source.mkdir()
    _write(source)
    before = _content(source)
    rng = random.Random(seed)
    opened = silent = 0
    tried = flips + 12
    for number in range(tried):
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work)
        _damage(work, number - flips, rng)
        try:
            journal = open_journal(work / "journal.sqlite")
            healed = journal.healed
            journal.close()
            opened += 1
            silent += _silent(before, _content(work), healed)
        except CompanionError as error:
            print(f"does not open: {error}")
    return Damages(tried, opened, silent)


def _write(folder: Path) -> None:
    path = folder / "live.sqlite"
    with Journal(path) as journal:
        for number in range(6):
            row = journal.begin_game("nasty_7", ["Ida", "Jo", f"Kai {number}"], {"deck_size": 20 + number})
            for n in range(1, 41):
                event = {"event": "heard", "words": ["two", str(n)], "start": n / 10, "end": n / 10 + 0.3}
                journal.append(row.id, n, n / 10, event, source="microphone")
            if number < 5:
                journal.end_game(row.id, {"Ida": 3, "Jo": number}, ["Ida"])
            if number == 2:
                journal.close()
                journal = open_journal(path)
        for ending in ("", "-wal", ".latest", ".copy"):  # as a killed service leaves them
            shutil.copyfile(f"{path}{ending}", folder / f"journal.sqlite{ending}")
        journal.close()
    for file in folder.glob("live*"):
        file.unlink()


def _damage(work: Path, kind: int, rng: random.Random) -> None:
    """`kind` below 0: a flipped bit; otherwise a file cut at a quarter, half or three quarters, or lost
    rows."""
    files = [work / "journal.sqlite", work / "journal.sqlite-wal"]
    if kind >= 6:
        with sqlite3.connect(files[0]) as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute(
                "DELETE FROM line WHERE seq > ?" if kind < 9 else "DELETE FROM line WHERE seq = ?",
                (kind * 20,),
            )
        db.close()
        return
    file = rng.choices(files, [one.stat().st_size for one in files])[0] if kind < 0 else files[kind // 3]
    data = bytearray(file.read_bytes())
    if kind < 0:
        place = rng.randrange(len(data) * 8)
        data[place // 8] ^= 1 << place % 8
    else:
        del data[len(data) * (kind % 3 + 1) // 4 :]
    file.write_bytes(bytes(data))


def _content(folder: Path) -> Content:
    with read_journal(folder / "journal.sqlite") as journal:
        return {row.id: (row, journal.lines(row.id)) for row in journal.games()}


def _silent(before: Content, after: Content, healed: JournalDamage | None) -> bool:
    """Whether something differs that was not reported."""
    for number, (row, lines) in after.items():
        known = before.get(number)
        if known is None or row.players != known[0].players or row.settings != known[0].settings:
            return True
        if lines != known[1][: len(lines)] or row.scores not in (known[0].scores, {}, None):
            return True
    same = before.keys() == after.keys() and all(after[one][1] == before[one][1] for one in before)
    return not same and healed is None
