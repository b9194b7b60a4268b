"""What the processes with the tables report to `python -m bench.hall`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.store.journal import read_journal

GAMES = "games.jsonl"
"""File in the folder of a process: the games of tables without a journal on disk, one a line."""


class EndedGame(msgspec.Struct, frozen=True):
    """A game that ended."""

    key: str
    ended: float
    """Seconds since 1970 by the one true clock."""


class GameOfTable(msgspec.Struct, frozen=True):
    """A game that was played at a table of the hall."""

    table: str
    key: str
    name: str
    events: int
    players: tuple[str, ...]
    winner: tuple[str, ...] = ()
    scores: dict[str, int] = {}
    ended: bool = False


def games_of(folder: Path) -> Iterator[GameOfTable]:
    """All games of all tables below a folder, from journals and lists of games."""
    for path in sorted(folder.glob("*/journal.sqlite")):
        with read_journal(path) as journal:
            for row in journal.games():
                yield GameOfTable(
                    path.parent.name,
                    row.key,
                    row.name,
                    journal.length(row.id),
                    tuple(row.players),
                    tuple(row.winner or ()),
                    row.scores or {},
                    row.ended is not None,
                )
    for path in sorted(folder.glob(f"*/{GAMES}")):
        with path.open("rb") as lines:
            for line in lines:
                yield msgspec.json.decode(line, type=GameOfTable)
