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
from companion.store.rows import (
    GAME_COLUMNS,
    AskedQuestion,
    GameRow,
    Line,
    Receipt,
    as_text,
    game_of,
    line_of,
)
from companion.store.sqlite_errors import reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

VERSION = 3
"""`user_version` of the newest schema."""
LARGEST_ID = 2**63 - 1
"""Largest row id of SQLite; larger numbers are an error there."""

MIGRATIONS: Mapping[int, str] = {
    version: resources.files(__package__).joinpath(name).read_text()
    for version, name in ((2, "questions.sql"), (3, "receipts.sql"))
}
"""Version -> the SQL that migrates to it from the version before; version 1 is schema.sql."""

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


class Journal:
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
        self._has_questions = True
        self._together = False
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
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise Unavailable("journal.newer", path=self._path)
        if not writable:
            if version < 1:
                raise Unavailable("journal.older", path=self._path)
            self._has_questions = version > 1
            return
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("PRAGMA foreign_keys=ON")
        for step in range(version + 1, VERSION + 1):
            self._migrate(step)

    def _migrate(self, to: int) -> None:
        script = MIGRATIONS[to] if to > 1 else resources.files(__package__).joinpath("schema.sql").read_text()
        self._db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version={to}; COMMIT;")

    def close(self) -> None:
        """Closes the file; a second call is harmless."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing ------------------------------------------------------------------------------------------

    def begin_game(self, name: str, players: Sequence[str], settings: Mapping[str, Any]) -> GameRow:
        """Starts a game, in the present night or, after NEW_NIGHT_AFTER_H, in a new one.

        Raises:
            JournalFailed: it could not be written; there is no new game.
        """
        key, started = self._new_key(), self._now()
        with self._written():
            night = self._night()
            cursor = self._db.execute(
                "INSERT INTO game (key, night, name, players, settings, started) VALUES (?, ?, ?, ?, ?, ?)",
                (key, night, name, as_text(list(players)), as_text(dict(settings)), started),
            )
        row = cursor.lastrowid
        assert row is not None
        return GameRow(row, key, night, name, list(players), dict(settings), started)

    def append(
        self, game: int, n: int, t: float, event: Mapping[str, Any], *, source: str, code: str | None = None
    ) -> int:
        """One judged event, on disk when this returns. Returns the journal's sequence number of the line.

        Raises:
            JournalFailed: it is not on disk.
        """
        with self._written():
            cursor = self._db.execute(
                "INSERT INTO line (game, n, t, at, source, event, code) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (game, n, t, self._now(), source, as_text(event), code),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def note_question(self, game: int, asked: AskedQuestion) -> None:
        """A question that is closed.

        Raises:
            JournalFailed: it could not be written.
        """
        row = msgspec.structs.astuple(asked)
        with self._written():
            self._db.execute(
                "INSERT INTO question (game, at, n, t, source, code, player, about, answer, events)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (game, self._now(), *row),
            )

    def end_game(self, game: int, scores: Mapping[str, int], winner: Sequence[str]) -> None:
        """Ends a game with its result (no winner: it was not finished).

        Raises:
            JournalFailed: it could not be written; the game is still on the table.
        """
        with self._written():
            self._db.execute(
                "UPDATE game SET ended = ?, scores = ?, winner = ? WHERE id = ?",
                (self._now(), as_text(dict(scores)), as_text(list(winner)), game),
            )

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
        cursor = self._db.execute("INSERT INTO night (started) VALUES (?)", (self._now(),))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

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
                if end and self._db.in_transaction:  # a full disk may have ended the transaction already
                    self._db.execute(back)
        except sqlite3.Error as error:
            raise JournalFailed("journal.cannot_write", path=self._path, why=reason(error)) from error

    def _now(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="milliseconds")

    # --- reading ------------------------------------------------------------------------------------------

    def seq(self) -> int:
        """Number of the latest line of all games; 0 for an empty journal."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM line").fetchone()[0])

    def games(self, night: int | None = None) -> list[GameRow]:
        """All games, or those of one night, oldest first."""
        rows = self._db.execute(
            f"SELECT {GAME_COLUMNS} FROM game WHERE ?1 IS NULL OR night = ?1 ORDER BY id", (night,)
        )
        return [game_of(row) for row in rows]

    def game(self, game: int) -> GameRow:
        """One game by its number.

        Raises:
            Unreadable: no game has this number.
        """
        row = None
        if abs(game) <= LARGEST_ID:
            row = self._db.execute(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise Unreadable("journal.no_game", game=game, path=self._path)
        return game_of(row)

    def open_game(self) -> GameRow | None:
        """The game that has not ended; None between two games."""
        row = self._db.execute(
            f"SELECT {GAME_COLUMNS} FROM game WHERE ended IS NULL ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else game_of(row)

    def latest_night(self) -> int | None:
        """The night of the latest game."""
        row = self._db.execute("SELECT max(id) FROM night").fetchone()
        return None if row[0] is None else int(row[0])

    def lines(self, game: int) -> list[Line]:
        """All judged events of one game in their order."""
        rows = self._db.execute(
            "SELECT seq, n, t, at, source, event, code FROM line WHERE game = ? ORDER BY n", (game,)
        )
        return [line_of(row) for row in rows]

    def since(self, seq: int) -> list[tuple[int, Line]]:
        """The judged events of all games after the line `seq`, in their order, each with its game."""
        rows = self._db.execute(
            "SELECT game, seq, n, t, at, source, event, code FROM line WHERE seq > ? ORDER BY seq", (seq,)
        )
        return [(game, line_of(row)) for game, *row in rows]

    def questions(self, game: int) -> list[AskedQuestion]:
        """The questions of one game in the order in which they were closed; of an old journal there are
        none."""
        if not self._has_questions:
            return []
        rows = self._db.execute(
            "SELECT n, t, source, code, player, about, answer, events FROM question"
            " WHERE game = ? ORDER BY id",
            (game,),
        )
        return [AskedQuestion(*row) for row in rows]

    def receipt(self, key: str) -> Receipt | None:
        """The reply to the command with this key; None: it was never carried out, or long ago."""
        row = self._db.execute("SELECT key, digest, reply FROM receipt WHERE key = ?", (key,)).fetchone()
        return None if row is None else Receipt(*row)

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


def read_journal(path: Path) -> Journal:
    """The journal for reading only, also while the service writes.

    Raises:
        Unavailable: there is no journal file.
    """
    if not path.exists():
        raise Unavailable("journal.missing", folder=path.parent)
    return Journal(path, writable=False)
