"""Checks a journal before it is opened, and makes a sound one of a damaged one.

A damaged journal is copied to `damaged/` in the data folder. The new one has every row that is as it was
written; of a game whose lines are damaged, the lines before the damage. So the service always starts.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import Unavailable
from companion.core.journal_damage import DamagedGame, JournalDamage
from companion.store.anchor import anchor_path, latest_seal
from companion.store.chain import Findings, verify
from companion.store.journal import VERSION, Journal
from companion.store.salvage import (
    SIDE_FILES,
    Key,
    Proven,
    Salvage,
    Values,
    apply_log,
    connect,
    copied,
    header_is_sound,
    mend_header,
    prove,
    salvage,
    transplant,
)

DAMAGED = "damaged"
"""Folder of damaged journals, below the data folder."""
REPORT = "report.json"
NOT_DAMAGE = ("SQLITE_BUSY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_READONLY")
"""Errors of SQLite that say nothing about what is written in the file."""
TABLES: Mapping[int, frozenset[str]] = {
    1: frozenset({"night", "game", "line"}),
    2: frozenset({"night", "game", "line", "question"}),
    3: frozenset({"night", "game", "line", "question", "receipt"}),
    4: frozenset({"night", "game", "line", "question", "receipt", "seal"}),
}
"""Version of the schema -> its tables."""


def copy_path(journal: Path) -> Path:
    """The sound copy that is kept beside a journal."""
    return journal.with_name(journal.name + ".copy")


def check(path: Path) -> Findings:
    """What is wrong with a journal. One of a newer companion is not checked.

    Raises:
        sqlite3.Error: another program has locked it, or the disk fails.
    """
    if path.stat().st_size > 0 and not header_is_sound(path):
        return Findings(file="the header of the file")
    try:
        with contextlib.closing(connect(path)) as db:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            tables = _tables(db)
            if version > VERSION and not tables <= TABLES[VERSION]:
                return Findings()
            if version != 0 and tables != TABLES.get(version, frozenset()):
                return Findings(file=f"version {version} with the tables {', '.join(sorted(tables))}")
            if version == 0:
                latest = latest_seal(path)
                empty = not tables and (latest is None or latest.id == 0)
                return Findings() if empty else Findings(file="no version")
            if version < VERSION:
                said = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
                return Findings(file="" if said == "ok" else said)
            return verify(db, latest_seal(path))
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "").startswith(NOT_DAMAGE):
            raise
        return Findings(file=str(error))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes the damaged text
        return Findings(file=str(error))


def _tables(db: sqlite3.Connection) -> frozenset[str]:
    names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return frozenset(str(name) for (name,) in names)


def heal(path: Path, now: datetime) -> JournalDamage | None:
    """Makes the journal sound if it is damaged; None: it is sound, or there is none.

    The caller has locked the data folder and nobody has the journal open.

    Raises:
        Unavailable: the disk is full or fails; the journal is as it was.
    """
    ready = path.with_name(path.name + ".healed")
    if ready.exists():  # interrupted after the new journal was complete
        put_in_place(ready, path)
    if not path.exists():
        _start_anew(path)
        return None
    try:
        findings = check(path)
    except sqlite3.Error:
        return None  # opening the journal says why
    if findings.sound:
        return None
    try:
        return _heal(path, ready, findings, now)
    except OSError as error:
        raise Unavailable("journal.cannot_heal", path=path, why=error.strerror or str(error)) from error


def _start_anew(path: Path) -> None:
    """There is no journal: an anchor and a copy of an earlier one do not belong to the next one."""
    anchor_path(path).unlink(missing_ok=True)
    copy_path(path).unlink(missing_ok=True)


def _heal(path: Path, ready: Path, findings: Findings, now: datetime) -> JournalDamage:
    folder = path.parent / DAMAGED / f"{now.astimezone(UTC):%Y%m%d-%H%M%S}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    copied(path, folder)
    proven = _proven(path, folder)
    latest = latest_seal(path)
    games = write_rows(path.with_name(path.name + ".new"), proven.rows)
    unknown = 0 if latest is None else max(0, latest.id - len(proven.rows) - len(proven.lost))
    found = findings.file or f"{findings.changed} changed, {findings.lost} lost, {findings.broken} broken"
    healed = JournalDamage(
        now.astimezone(UTC).isoformat(timespec="seconds"),
        str(folder),
        found,
        len(proven.rows),
        len(proven.lost) + unknown,
        proven.unproven,
        tuple(_damaged(proven, games)),
    )
    (folder / REPORT).write_bytes(msgspec.json.format(msgspec.json.encode(healed), indent=1) + b"\n")
    os.replace(path.with_name(path.name + ".new"), ready)
    put_in_place(ready, path)
    return healed


def _proven(path: Path, folder: Path) -> Proven:
    """The rows of the damaged journal and of its copy that are as they were written."""
    copy = copy_path(path)
    with tempfile.TemporaryDirectory(prefix="reading-", dir=folder) as work:
        for name in ("as-it-is", "header", "schema"):
            (Path(work) / name).mkdir()
        found = [salvage(copied(path, Path(work) / "as-it-is"))]
        target = copied(path, Path(work) / "header")
        mend_header(target)
        found.append(salvage(target))
        apply_log(target)
        found.append(salvage(target))
        if copy.exists():
            target = copied(path, Path(work) / "schema")
            transplant(copy, target)
            found.append(salvage(target))
            earlier: Salvage | None = salvage(Path(shutil.copyfile(copy, Path(work) / "copy.sqlite")))
        else:
            earlier = None
        return prove(max(found, key=lambda one: len(one.rows) + len(one.seals)), earlier)


def write_rows(target: Path, rows: Mapping[Key, Values]) -> Mapping[int, int]:
    """Writes a new journal with these rows, of each game the lines up to the first that is missing.

    Returns the number of lines of each game.

    Raises:
        OSError: it cannot be written.
    """
    for ending in ("", *SIDE_FILES):
        target.with_name(target.name + ending).unlink(missing_ok=True)
    kept: dict[int, int] = {}
    with Journal(target) as journal:
        with journal.together():
            for key, values in _complete(rows):
                if key[0] == "line":
                    game, n = values[0], values[1]
                    if n != kept.get(game, 0) + 1:
                        continue
                    kept[game] = n
                journal.put_back(*key, values)
        journal.make_single_file()
    anchor_path(target).unlink(missing_ok=True)
    with target.open("rb") as written:
        os.fsync(written.fileno())
    return kept


def _complete(rows: Mapping[Key, Values]) -> Iterable[tuple[Key, Values]]:
    """The rows in the order in which they can be written: a night that is lost begins with its game; what
    belongs to a lost game is left out; a game that others followed has ended."""
    games = {number: values for (kind, number), values in rows.items() if kind == "game"}
    nights = {number: values for (kind, number), values in rows.items() if kind == "night"}
    for _, night, _, _, _, started in games.values():
        nights.setdefault(night, (started,))
    yield from ((("night", number), nights[number]) for number in sorted(nights))
    for number in sorted(games):
        yield ("game", number), games[number]
        unfinished = (games[number][5], "{}", "[]") if number != max(games) else None
        result = rows.get(("result", number), unfinished)
        if result is not None:
            yield ("result", number), result
    lines = [key for key in rows if key[0] == "line" and rows[key][0] in games]
    yield from ((key, rows[key]) for key in sorted(lines, key=lambda key: (rows[key][0], rows[key][1])))
    questions = sorted(key for key in rows if key[0] == "question" and rows[key][0] in games)
    yield from ((key, rows[key]) for key in questions)


def _damaged(proven: Proven, kept: Mapping[int, int]) -> Iterable[DamagedGame]:
    known: dict[int, int] = {}
    for key, values in proven.rows.items():
        if key[0] == "line":
            known[values[0]] = max(known.get(values[0], 0), values[1])
    for (kind, number), values in sorted(proven.rows.items(), key=str):
        if kind == "game" and known.get(number, 0) > kept.get(number, 0):
            players: list[str] = msgspec.json.decode(values[3])
            lost = known[number] - kept.get(number, 0)
            yield DamagedGame(number, str(values[2]), players, kept.get(number, 0), lost)


def put_in_place(ready: Path, path: Path) -> None:
    """Puts a new journal in place of the present one. May be repeated."""
    for ending in SIDE_FILES:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    anchor_path(path).unlink(missing_ok=True)
    os.replace(ready, path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def keep_copy(journal: Journal, path: Path) -> None:
    """Copies a journal that was found sound, unless it has not changed since the last copy.

    Raises:
        CompanionError: it cannot be written; the earlier copy is still there.
    """
    copy, part = copy_path(path), path.with_name(path.name + ".copying")
    if latest_of(copy) == journal.latest_seal().id:
        return
    part.unlink(missing_ok=True)
    journal.copy_to(part)
    os.replace(part, copy)


def latest_of(copy: Path) -> int:
    """Number of the latest seal of a copy; -1: there is none, or it is damaged."""
    if not copy.exists():
        return -1
    try:
        with contextlib.closing(connect(copy)) as db:
            return int(db.execute("SELECT coalesce(max(id), 0) FROM seal").fetchone()[0])
    except sqlite3.Error:
        return -1


def open_journal(path: Path, **options: Any) -> Journal:
    """The journal for writing, made sound before. `options`: see Journal. A copy of it is kept.

    Raises:
        CompanionError: it cannot be opened: the disk is full or fails, or a newer companion has made it.
    """
    healed = heal(path, datetime.now(UTC))
    journal = Journal(path, **options)
    journal.healed = healed
    with contextlib.suppress(OSError, Unavailable):
        keep_copy(journal, path)
    return journal


def reports(journal: Path) -> tuple[JournalDamage, ...]:
    """What became of every damaged journal that is kept, the latest first."""
    found = []
    for file in sorted((journal.parent / DAMAGED).glob(f"*/{REPORT}"), reverse=True):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            found.append(msgspec.json.decode(file.read_bytes(), type=JournalDamage))
    return tuple(found)
