"""Reads what can be read of a damaged journal: its rows, and the seals that prove them."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.store.chain import COLUMNS, START, Seal, digest_of, link_matches, query

Key = tuple[str, int]
"""Kind of a row (companion.store.chain.COLUMNS) and its number."""
Values = tuple[Any, ...]
SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a journal that is open, or whose service was killed."""


VERSIONS = 18
"""Place of the header's two bytes that say whether there is a write-ahead log (2) or not (1)."""
HEADER: Mapping[int, bytes] = {
    0: b"SQLite format 3\0",
    16: b"\x10\x00",  # pages of 4096 bytes
    VERSIONS: b"\x02\x02",
    20: b"\x00\x40\x20\x20",
    44: b"\x00\x00\x00\x04",
    52: bytes(4),  # no automatic vacuum
    56: b"\x00\x00\x00\x01",  # UTF-8
    64: bytes(4),
}
"""Place -> bytes that are the same in the header of every journal (https://www.sqlite.org/fileformat2.html)."""


class Salvage(NamedTuple):
    """The rows and seals of one file, unchecked."""

    rows: Mapping[Key, Values]
    seals: Mapping[int, Seal]


class Proven(NamedTuple):
    """The rows that may be used again."""

    rows: Mapping[Key, Values]
    unproven: int
    """How many of them have no seal any more."""
    lost: frozenset[Key]
    """Rows that are not there, or not as they were written."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection for reading that decodes damaged text, too, and leaves the write-ahead log as it is.

    Raises:
        sqlite3.Error: the file cannot be opened.
    """
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5.0)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    return db


def salvage(path: Path) -> Salvage:
    """Everything that SQLite can still read in a copy of a journal."""
    rows: dict[Key, Values] = {}
    for kind in COLUMNS:
        for number, *values in _both_ways(path, query(kind), query(kind, newest_first=True)):
            if isinstance(number, int):
                rows[kind, number] = tuple(values)
    seals: dict[int, Seal] = {}
    columns = "SELECT id, kind, row, digest, link FROM seal ORDER BY id"
    for seal in map(Seal._make, _both_ways(path, columns, columns + " DESC")):
        seals[seal.id] = seal
    return Salvage(rows, seals)


def _both_ways(path: Path, forwards: str, backwards: str) -> list[tuple[Any, ...]]:
    """The rows of a table from its beginning to the damage, and from its end back to the damage."""
    found: list[tuple[Any, ...]] = []
    for text in (forwards, backwards):
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError), contextlib.closing(connect(path)) as db:
            db.execute("PRAGMA writable_schema=ON")  # reads a schema of which a part is damaged
            cursor = db.execute(text)
            while (row := cursor.fetchone()) is not None:
                found.append(row)
            return found
    return found


def prove(damaged: Salvage, copy: Salvage | None) -> Proven:
    """The rows of both that are as they were written.

    Args:
        copy: of an earlier state of the same journal; None: there is none.
    """
    others = copy if copy is not None and _same_chain(damaged, copy) else Salvage({}, {})
    seals = {**others.seals, **damaged.seals}
    whole = all(number in seals for number in range(1, max(seals, default=0) + 1))
    by_row: dict[Key, list[Seal]] = {}
    for source in (others.seals, damaged.seals):
        for seal in source.values():
            by_row.setdefault((seal.kind, seal.row), []).append(seal)
    rows: dict[Key, Values] = {}
    unproven = 0
    for key in sorted({*damaged.rows, *others.rows}, key=str):
        known = by_row.get(key, [])
        candidates = [source.rows[key] for source in (damaged, others) if key in source.rows]
        good = next((one for one in candidates if any(_fits(seals, seal, one) for seal in known)), None)
        if good is not None:
            rows[key] = good
        elif not known and not whole:
            rows[key] = candidates[-1]
            unproven += 1
    lost = frozenset(key for key in by_row if key not in rows and key[0] in COLUMNS)
    return Proven(rows, unproven, lost | {key for key in damaged.rows if key not in rows})


def _fits(seals: Mapping[int, Seal], seal: Seal, values: Values) -> bool:
    """Whether a row is the one that was sealed; either the digest or the link may be damaged."""
    try:
        digest = digest_of(seal.kind, seal.row, values)
    except (TypeError, ValueError):
        return False
    before = START if seal.id == 1 else seals.get(seal.id - 1)
    return digest == seal.digest or (before is not None and link_matches(before, seal, digest))


def _same_chain(damaged: Salvage, copy: Salvage) -> bool:
    """Whether the copy is of this journal. Without a readable seal it is taken for it."""
    shared = [number for number in damaged.seals if number in copy.seals]
    return not damaged.seals or any(damaged.seals[one].link == copy.seals[one].link for one in shared)


def transplant(copy: Path, target: Path) -> None:
    """Overwrites the pages of the schema in `target` by those of a sound copy.

    A damaged schema makes all rows unreadable. Both have their tables on the same pages, because the copy was
    made page by page.

    Raises:
        OSError: a file cannot be read or written.
    """
    data = copy.read_bytes()
    size = int.from_bytes(data[16:18], "big") or 4096
    if len(data) < size or target.stat().st_size < size:
        return
    with target.open("r+b") as file:
        for number in _schema_pages(data, size):
            file.seek((number - 1) * size)
            file.write(data[(number - 1) * size : number * size])
    mend_header(target)


def mend_header(target: Path) -> None:
    """Gives a damaged file the constants of every journal's header, and the size that it has.

    Raises:
        OSError: it cannot be written.
    """
    data = bytearray(target.read_bytes()[:100])
    if len(data) < 100:
        return
    data[92:96] = bytes(one ^ 0xFF for one in data[24:28])  # the stored size is not valid
    for place, value in HEADER.items():
        data[place : place + len(value)] = value
    with target.open("r+b") as file:
        file.write(data)


def apply_log(target: Path) -> None:
    """Writes every page of the write-ahead log into the file and deletes the log.

    SQLite itself ignores all that follows a damaged page; here only that page is damaged.

    Raises:
        OSError: it cannot be written.
    """
    log = target.with_name(target.name + "-wal")
    if not log.exists():
        return
    data, size = log.read_bytes(), int.from_bytes(HEADER[16], "big")
    salt, most = data[16:24], target.stat().st_size // size + len(data) // size + 1
    with target.open("r+b") as file:
        for place in range(32, len(data) - size - 23, size + 24):
            number = int.from_bytes(data[place : place + 4], "big")
            if data[place + 8 : place + 16] == salt and 0 < number <= most:
                file.seek((number - 1) * size)
                file.write(data[place + 24 : place + 24 + size])
    for ending in SIDE_FILES:
        target.with_name(target.name + ending).unlink(missing_ok=True)
    mend_header(target)


def header_is_sound(path: Path) -> bool:
    """Whether a file's header begins as that of every journal; the rest of it SQLite checks itself."""
    with path.open("rb") as file:
        data = file.read(100)
    good = all(data[place : place + len(HEADER[place])] == HEADER[place] for place in (0, 16, 20))
    return good and data[18:20] in (b"\x01\x01", b"\x02\x02")


def _schema_pages(data: bytes, size: int) -> Iterable[int]:
    """Page 1 and, if it is an inner page, those below it (https://www.sqlite.org/fileformat2.html)."""
    pages = [1]
    if data[100] == 0x05:
        pages.append(int.from_bytes(data[108:112], "big"))
        cells = int.from_bytes(data[103:105], "big")
        for cell in range(cells):
            place = int.from_bytes(data[112 + 2 * cell : 114 + 2 * cell], "big")
            pages.append(int.from_bytes(data[place : place + 4], "big"))
    return [number for number in pages if 0 < number * size <= len(data)]


def copied(journal: Path, folder: Path) -> Path:
    """Copies a journal with its side files into a folder; returns the copy.

    Raises:
        OSError: there is no space, or a file cannot be read.
    """
    for ending in ("", *SIDE_FILES):
        source = journal.with_name(journal.name + ending)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
    return folder / journal.name
