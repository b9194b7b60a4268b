"""A chain of checksums over the journal: every row that is written gets a seal.

A seal holds the digest of its row and a link, which is the digest of the link before it and of this seal. So
a changed, added, lost or reordered row is found. Seals are in the journal's own file. The latest one is also
known to `companion.store.anchor`, so that lost rows at the end are found, too.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

COLUMNS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "night": ("night", ("started",)),
    "game": ("game", ("key", "night", "name", "players", "settings", "started")),
    "result": ("game", ("ended", "scores", "winner")),
    "line": ("line", ("game", "n", "t", "at", "source", "event", "code")),
    "question": (
        "question",
        ("game", "at", "n", "t", "source", "code", "player", "about", "answer", "events"),
    ),
}
"""Kind of a seal -> its table and the columns that its digest covers, besides the row's number."""
NUMBER: Mapping[str, str] = {"line": "seq"}
"""Kind -> the column with the row's number, where it is not `id`."""
BYTES = 16
"""Length of a digest."""


class Seal(NamedTuple):
    """One seal of the chain."""

    id: int
    kind: str
    row: int
    digest: bytes
    link: bytes


START = Seal(0, "", 0, b"", b"")
"""Comes before the first seal."""


def digest_of(kind: str, row: int, values: Sequence[Any]) -> bytes:
    """Digest of the values of a row, in the order of COLUMNS."""
    return hashlib.blake2b(msgspec.json.encode([kind, row, *values]), digest_size=BYTES).digest()


def link_of(before: bytes, number: int, kind: str, row: int, digest: bytes) -> bytes:
    """The link of the seal `number`, which follows one with the link `before`."""
    return hashlib.blake2b(
        before + msgspec.json.encode([number, kind, row]) + digest, digest_size=BYTES
    ).digest()


class Chain:
    """The end of the chain in one open journal."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._last: Seal | None = None

    @property
    def last(self) -> Seal:
        """The latest seal."""
        if self._last is None:
            found = self._db.execute("SELECT id, kind, row, digest, link FROM seal ORDER BY id DESC LIMIT 1")
            self._last = next((Seal(*row) for row in found), START)
        return self._last

    def add(self, kind: str, row: int, values: Sequence[Any]) -> None:
        """Seals a row, in the transaction that wrote it."""
        number, digest = self.last.id + 1, digest_of(kind, row, values)
        seal = Seal(number, kind, row, digest, link_of(self.last.link, number, kind, row, digest))
        self._db.execute("INSERT INTO seal (id, kind, row, digest, link) VALUES (?, ?, ?, ?, ?)", seal)
        self._last = seal

    def forget_last(self) -> None:
        """A transaction was rolled back: the latest seal is read from the file again."""
        self._last = None

    def add_all(self) -> None:
        """Seals every row of a journal that has no seals."""
        for kind in COLUMNS:
            for row, values in rows_of(self._db, kind):
                self.add(kind, row, values)


def query(kind: str, newest_first: bool = False) -> str:
    """The query for the numbers and the sealed values of all rows of a kind."""
    table, columns = COLUMNS[kind]
    number = NUMBER.get(kind, "id")
    where = " WHERE ended IS NOT NULL" if kind == "result" else ""
    order = f" ORDER BY {number}{' DESC' if newest_first else ''}"
    return f"SELECT {number}, {', '.join(columns)} FROM {table} NOT INDEXED{where}{order}"


def rows_of(db: sqlite3.Connection, kind: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Number and sealed values of each row of a kind."""
    for number, *values in db.execute(query(kind)):
        yield number, tuple(values)


class Findings(NamedTuple):
    """What is wrong with a journal; all zero and empty: nothing."""

    changed: int = 0
    """Rows whose values are not those that were written, or that have no seal."""
    lost: int = 0
    """Rows that have a seal and are not there."""
    broken: int = 0
    """Seals that do not follow from the one before."""
    file: str = ""
    """What SQLite says about the file."""

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return self == Findings()


def verify(db: sqlite3.Connection, latest: Seal | None = None) -> Findings:
    """Checks the file, every row and the chain.

    Args:
        db: decodes text without errors, as `companion.store.healing.connect` makes it.
        latest: a seal that must be in the chain; None: unknown.
    """
    try:
        said = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if said != "ok":
            return Findings(file=said)
        seals = [Seal(*row) for row in db.execute("SELECT id, kind, row, digest, link FROM seal ORDER BY id")]
        rows = {(kind, row): values for kind in COLUMNS for row, values in rows_of(db, kind)}
    except (sqlite3.Error, TypeError, UnicodeDecodeError) as error:
        return Findings(file=str(error))
    broken, before = 0, START
    for seal in seals:
        good = seal.id == before.id + 1 and link_matches(before, seal, seal.digest)
        broken, before = broken + (not good), seal
    if (
        latest is not None
        and latest.id
        and not any(seal.id == latest.id and seal.link == latest.link for seal in seals)
    ):
        broken += 1
    known = {(seal.kind, seal.row): seal for seal in seals}
    changed = sum(1 for key, values in rows.items() if key not in known or not _same(known[key], values))
    return Findings(changed, len(known.keys() - rows.keys()), broken)


def _same(seal: Seal, values: Sequence[Any]) -> bool:
    return digest_of(seal.kind, seal.row, values) == seal.digest


def link_matches(before: Seal, seal: Seal, digest: bytes) -> bool:
    """Whether a seal with this digest follows the one before."""
    try:
        return link_of(before.link, seal.id, seal.kind, seal.row, digest) == seal.link
    except TypeError:  # damaged: a value of another type
        return False
