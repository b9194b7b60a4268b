"""What can be read from the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.core.errors import Unreadable
from companion.store.chain import START, Seal
from companion.store.rows import GAME_COLUMNS, AskedQuestion, GameRow, Line, Receipt, game_of, line_of

LARGEST_ID = 2**63 - 1
"""Largest row id of SQLite; larger numbers are an error there."""


T = TypeVar("T")


class JournalReading:
    """The reading half of a journal. Every method raises Unreadable if the file is damaged."""

    _db: sqlite3.Connection
    _path: Path
    _version: int

    def _rows(self, query: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            return self._db.execute(query, tuple(values)).fetchall()
        except sqlite3.DatabaseError as error:
            raise Unreadable("journal.unreadable", path=self._path, why=str(error)) from error

    def _made(self, make: Callable[[Any], T], rows: Iterable[Any]) -> list[T]:
        try:
            return [make(row) for row in rows]
        except msgspec.DecodeError as error:
            raise Unreadable("journal.unreadable", path=self._path, why=str(error)) from error

    def seq(self) -> int:
        """Number of the latest line of all games; 0 for an empty journal."""
        return int(self._rows("SELECT coalesce(max(seq), 0) FROM line")[0][0])

    def games(self, night: int | None = None) -> list[GameRow]:
        """All games, or those of one night, oldest first."""
        rows = self._rows(
            f"SELECT {GAME_COLUMNS} FROM game WHERE ?1 IS NULL OR night = ?1 ORDER BY id", (night,)
        )
        return self._made(game_of, rows)

    def game(self, game: int) -> GameRow:
        """One game by its number.

        Raises:
            Unreadable: no game has this number.
        """
        rows: list[Any] = []
        if abs(game) <= LARGEST_ID:
            rows = self._rows(f"SELECT {GAME_COLUMNS} FROM game WHERE id = ?", (game,))
        if not rows:
            raise Unreadable("journal.no_game", game=game, path=self._path)
        return self._made(game_of, rows)[0]

    def open_game(self) -> GameRow | None:
        """The game that has not ended; None between two games."""
        rows = self._rows(f"SELECT {GAME_COLUMNS} FROM game WHERE ended IS NULL ORDER BY id DESC LIMIT 1")
        return next(iter(self._made(game_of, rows)), None)

    def latest_night(self) -> int | None:
        """The night of the latest game."""
        row = self._rows("SELECT max(id) FROM night")[0]
        return None if row[0] is None else int(row[0])

    def lines(self, game: int) -> list[Line]:
        """All judged events of one game in their order."""
        rows = self._rows(
            "SELECT seq, n, t, at, source, event, code FROM line WHERE game = ? ORDER BY n", (game,)
        )
        return self._made(line_of, rows)

    def count(self, game: int) -> int:
        """How many judged events one game has."""
        return int(self._rows("SELECT count(*) FROM line WHERE game = ?", (game,))[0][0])

    def since(self, seq: int) -> list[tuple[int, Line]]:
        """The judged events of all games after the line `seq`, in their order, each with its game."""
        rows = self._rows(
            "SELECT game, seq, n, t, at, source, event, code FROM line WHERE seq > ? ORDER BY seq", (seq,)
        )
        lines = self._made(line_of, [row[1:] for row in rows])
        return [(row[0], line) for row, line in zip(rows, lines, strict=True)]

    def questions(self, game: int) -> list[AskedQuestion]:
        """The questions of one game in the order in which they were closed; of an old journal there are
        none."""
        if self._version < 2:
            return []
        rows = self._rows(
            "SELECT n, t, source, code, player, about, answer, events FROM question"
            " WHERE game = ? ORDER BY id",
            (game,),
        )
        return [AskedQuestion(*row) for row in rows]

    def receipt(self, key: str) -> Receipt | None:
        """The reply to the command with this key; None: it was never carried out, or long ago."""
        rows = self._rows("SELECT key, digest, reply FROM receipt WHERE key = ?", (key,))
        return Receipt(*rows[0]) if rows else None

    def latest_seal(self) -> Seal:
        """The latest seal of the chain; START: there is none."""
        rows = self._rows("SELECT id, kind, row, digest, link FROM seal ORDER BY id DESC LIMIT 1")
        return Seal(*rows[0]) if rows else START

    def seals_after(self, seal: int, kinds: Sequence[str], most: int) -> list[Seal]:
        """At most `most` seals of these kinds after the one with this number, in the order of writing."""
        marks = ", ".join("?" * len(kinds))
        rows = self._rows(
            f"SELECT id, kind, row, digest, link FROM seal WHERE id > ? AND kind IN ({marks})"
            " ORDER BY id LIMIT ?",
            (seal, *kinds, most),
        )
        return [Seal(*row) for row in rows]

    def seal(self, number: int) -> Seal | None:
        """The seal with this number; None: there is none."""
        rows = self._rows("SELECT id, kind, row, digest, link FROM seal WHERE id = ?", (number,))
        return Seal(*rows[0]) if rows else None

    def nth_seal(self, n: int, kinds: Sequence[str]) -> Seal | None:
        """The n-th seal of these kinds, from 1; None: there are fewer."""
        marks = ", ".join("?" * len(kinds))
        rows = self._rows(
            f"SELECT id, kind, row, digest, link FROM seal WHERE kind IN ({marks})"
            " ORDER BY id LIMIT 1 OFFSET ?",
            (*kinds, n - 1),
        )
        return Seal(*rows[0]) if rows and n > 0 else None

    def line(self, seq: int) -> tuple[int, Line]:
        """One judged event by its sequence number, with the number of its game.

        Raises:
            Unreadable: there is no such line.
        """
        rows = self._rows("SELECT game, seq, n, t, at, source, event, code FROM line WHERE seq = ?", (seq,))
        if not rows:
            raise Unreadable("journal.unreadable", path=self._path, why=f"line {seq} is missing")
        return int(rows[0][0]), self._made(line_of, [rows[0][1:]])[0]

    def length(self, game: int) -> int:
        """Number of the latest entry of a game; 0: it has none."""
        return int(self._rows("SELECT coalesce(max(n), 0) FROM line WHERE game = ?", (game,))[0][0])
