"""The journal: every event that the referee judged, on disk before it is announced.

SQLite in write-ahead mode with `synchronous=FULL`: a line that `append` returned for survives a power cut
(https://www.sqlite.org/pragma.html#pragma_synchronous). One connection writes, owned by the thread that
opened it; readers open their own with `read_journal`.

>>> import tempfile
>>> from pathlib import Path
>>> from companion.store.journal import Journal, read_journal
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "journal.sqlite"
...     with Journal(file) as journal:
...         game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
...         event = {"event": "card_played", "player": "Ida", "card": "gun", "t": 1.0}
...         sequence = journal.append(game.id, 1, 1.0, event, source="phone")
...     with read_journal(file) as journal:
...         print(sequence, [line.event["card"] for line in journal.lines(game.id)])
1 ['gun']
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.errors import CompanionError, Unavailable, Unreadable
from companion.core.message import message
from companion.store.anchor import JournalAnchor
from companion.store.chain import COLUMNS, NUMBER, Chain
from companion.store.reading import JournalReading
from companion.store.rows import (
    AskedQuestion,
    GameRow,
    Receipt,
    as_text,
)
from companion.store.sqlite_errors import reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from companion.core.journal_damage import JournalDamage

VERSION = 4
"""`user_version` of the newest schema."""

MIGRATIONS: Mapping[int, str] = {
    version: resources.files(__package__).joinpath(name).read_text()
    for version, name in ((2, "questions.sql"), (3, "receipts.sql"), (4, "seals.sql"))
}
"""Version -> the SQL that migrates to it from the version before; version 1 is schema.sql."""

SEALED_FROM = 4
"""Version of the schema from which on every row has a checksum."""

RECEIPTS = 2000
"""The most commands whose replies are kept, for phones that send them again."""

NEW_NIGHT_AFTER_H = 8.0
"""Hours after the last event; a game that starts later belongs to a new night."""

Wall = Callable[[], datetime]
"""The time of day, with its zone."""


def utc_now() -> datetime:
    """The time of day in UTC."""
    return datetime.now(UTC)


def random_key() -> str:
    """A key for a new game that no other game in the world has."""
    return uuid.uuid4().hex


class JournalFailed(CompanionError):
    """The journal could not be written; the change was not made."""


class Journal(JournalReading):
    """The journal's file; a `with` block closes it.

    Args:
        wall: the time of day of what is written.
        new_key: makes the key of a new game.
        writable: False: it is opened for reading and must exist.
    """

    def __init__(
        self,
        path: Path,
        *,
        wall: Wall = utc_now,
        new_key: Callable[[], str] = random_key,
        writable: bool = True,
    ) -> None:
        self._wall = wall
        self._new_key = new_key
        self._path = path
        self._version = VERSION
        self._together = False
        self._anchor: JournalAnchor | None = None
        self.healed: JournalDamage | None = None
        """What was done because the file was damaged (companion.store.healing)."""
        uri = f"{path.absolute().as_uri()}?mode={'rwc' if writable else 'ro'}"
        try:
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5.0)
        except sqlite3.Error as error:
            raise Unavailable("journal.cannot_open", path=path, why=reason(error)) from error
        try:
            self._prepare(writable)
        except sqlite3.OperationalError as error:  # the disk, not what is written in the file
            self._db.close()
            raise Unavailable("journal.cannot_open", path=path, why=reason(error)) from error
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise Unreadable("journal.unreadable", path=path, why=str(error)) from error
        except CompanionError:
            self._db.close()
            raise

    def _prepare(self, writable: bool) -> None:
        self._chain = Chain(self._db)
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise Unavailable("journal.newer", path=self._path)
        if not writable:
            if version < 1:
                raise Unavailable("journal.older", path=self._path)
            self._version = version
            return
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        for step in range(version + 1, VERSION + 1):
            self._migrate(step)
        self._anchor = JournalAnchor(self._path)
        self._anchor.write(self._chain.last)

    def _migrate(self, to: int) -> None:
        script = MIGRATIONS[to] if to > 1 else resources.files(__package__).joinpath("schema.sql").read_text()
        try:
            self._db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version={to};")
            if to == SEALED_FROM:
                Chain(self._db).add_all()
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Closes the file; a second call is harmless."""
        self._db.close()
        if self._anchor is not None:
            self._anchor.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------------------

    def begin_game(
        self, name: str, players: Sequence[str], settings: Mapping[str, Any], key: str | None = None
    ) -> GameRow:
        """Starts a game, in the present night or, after NEW_NIGHT_AFTER_H, in a new one.

        Args:
            key: the key of the game, which no other game has; None: a new one.

        Raises:
            JournalFailed: it could not be written; there is no new game.
        """
        key, started = key or self._new_key(), self._now()
        with self._written():
            night = self._night()
            row = self._insert(
                "game", (key, night, name, as_text(list(players)), as_text(dict(settings)), started)
            )
        return GameRow(row, key, night, name, list(players), dict(settings), started)

    def append(
        self, game: int, n: int, t: float, event: Mapping[str, Any], *, source: str, code: str | None = None
    ) -> int:
        """One judged event, on disk when this returns. Returns the journal's sequence number of the line.

        Raises:
            JournalFailed: it is not on disk.
        """
        with self._written():
            return self._insert("line", (game, n, float(t), self._now(), source, as_text(event), code))

    def note_question(self, game: int, asked: AskedQuestion) -> None:
        """A question that is closed.

        Raises:
            JournalFailed: it could not be written.
        """
        row = msgspec.structs.astuple(msgspec.structs.replace(asked, t=float(asked.t)))
        with self._written():
            self._insert("question", (game, self._now(), *row))

    def end_game(self, game: int, scores: Mapping[str, int], winner: Sequence[str]) -> None:
        """Ends a game with its result (no winner: it was not finished).

        Raises:
            JournalFailed: it could not be written; the game is still on the table.
        """
        with self._written():
            self.put_back("result", game, (self._now(), as_text(dict(scores)), as_text(list(winner))))

    def _insert(self, kind: str, values: Sequence[Any]) -> int:
        """Inserts a row and seals it, within `_written`. Returns its number."""
        columns = COLUMNS[kind][1]
        marks = ", ".join("?" * len(columns))
        cursor = self._db.execute(f"INSERT INTO {kind} ({', '.join(columns)}) VALUES ({marks})", values)
        assert cursor.lastrowid is not None
        self._chain.add(kind, cursor.lastrowid, values)
        return cursor.lastrowid

    def put_back(self, kind: str, row: int, values: Sequence[Any]) -> None:
        """Writes a row under its number and seals it, within `together`: for a journal that is made of the
        rows of another one."""
        table, columns = COLUMNS[kind]
        if kind == "result":
            change = ", ".join(f"{column} = ?" for column in columns)
            self._db.execute(f"UPDATE game SET {change} WHERE id = ?", (*values, row))
        else:
            names = ", ".join((NUMBER.get(kind, "id"), *columns))
            marks = ", ".join("?" * (len(columns) + 1))
            self._db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", (row, *values))
        self._chain.add(kind, row, values)

    def keep_receipt(self, receipt: Receipt) -> None:
        """The reply to a command that a phone may send again. Only the latest RECEIPTS are kept.

        Raises:
            JournalFailed: it could not be written.
        """
        with self._written():
            cursor = self._db.execute(
                "INSERT INTO receipt (key, digest, reply) VALUES (?, ?, ?)",
                (receipt.key, receipt.digest, receipt.reply),
            )
            assert cursor.lastrowid is not None
            self._db.execute("DELETE FROM receipt WHERE id <= ?", (cursor.lastrowid - RECEIPTS,))

    def _night(self) -> int:
        """The night of a game that starts now: the latest one, unless its last event is too long ago. The
        time at which a game was ended does not count, because a game is often ended only when the next one
        starts. A clock that was set back by more than that also starts a new night: it was wrong then or is
        now.
        """
        latest = self._db.execute(
            "SELECT id, max(started, coalesce((SELECT max(started) FROM game WHERE night = night.id), ''),"
            " coalesce((SELECT max(at) FROM line JOIN game ON game.id = line.game"
            " WHERE game.night = night.id), ''))"
            " FROM night ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if latest is not None:
            pause = self._wall() - datetime.fromisoformat(latest[1])
            if abs(pause.total_seconds()) < NEW_NIGHT_AFTER_H * 3600:
                return int(latest[0])
        return self._insert("night", (self._now(),))

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written in this block is on disk completely when it ends, or not at all.

        Raises:
            JournalFailed: it could not be written.
        """
        with self._written():
            self._together = True
            try:
                yield
            finally:
                self._together = False

    @contextmanager
    def _written(self) -> Iterator[None]:
        """One transaction, or a part of the one of `together`: written completely, or not at all and
        JournalFailed is raised."""
        begin, end, back = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        if self._together:
            if not self._db.in_transaction:  # a full disk has ended it
                raise JournalFailed("journal.cannot_write", path=self._path, why=message("disk.full"))
            begin, end, back = ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part")
        try:
            self._db.execute(begin)
            try:
                yield
                self._db.execute(end)
                end = ""
            finally:
                if end:
                    self._chain.forget_last()
                    if self._db.in_transaction:  # a full disk may have ended the transaction already
                        self._db.execute(back)
                elif not self._together and self._anchor is not None:
                    self._anchor.write(self._chain.last)
        except sqlite3.Error as error:
            raise JournalFailed("journal.cannot_write", path=self._path, why=reason(error)) from error

    def copy_to(self, path: Path) -> None:
        """A consistent copy of the whole journal in one file, also while another process writes (SQLite
        backup API).

        Raises:
            JournalFailed: it cannot be written.
        """
        target = sqlite3.connect(path)
        try:
            self._db.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # the copy can be read without writing beside it
        except sqlite3.Error as error:
            raise JournalFailed("journal.cannot_write", path=path, why=reason(error)) from error
        finally:
            target.close()

    def make_single_file(self) -> None:
        """Moves everything into the one file; the journal is closed next.

        Raises:
            JournalFailed: it cannot be written.
        """
        try:
            self._db.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            raise JournalFailed("journal.cannot_write", path=self._path, why=reason(error)) from error

    def _now(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="milliseconds")


def read_journal(path: Path) -> Journal:
    """The journal for reading only, also while the service writes.

    Raises:
        Unavailable: there is no journal file.
    """
    if not path.exists():
        raise Unavailable("journal.missing", folder=path.parent)
    return Journal(path, writable=False)
