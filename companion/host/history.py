"""What has been played on this machine: every game with its result, the players' records, and files of it.

Read from the journal whenever somebody asks; the running game's table is not disturbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.games import rulebook
from companion.store.journal import GameRow, read_journal
from companion.table.night import Finished, fewest_points_win, places, points

Json = dict[str, Any]

SHOWN = 100
"""So many games are shown, the latest; the files hold all."""


def finished(row: GameRow) -> Finished:
    """A game of the journal as the night counts it."""
    return Finished(
        row.id, row.name, tuple(row.players), tuple(row.winner or ()), row.scores or {}, row.ended is not None
    )


def places_of(row: GameRow) -> dict[str, int]:
    """Place of each player, 1 for the best."""
    return places(finished(row))


def link(row: GameRow) -> str:
    """The link that enters a game into BG Stats."""
    from companion.store import exports  # when somebody asks: its libraries would make every start longer

    title = rulebook(row.name).title
    return exports.bgstats_link(row, title, places_of(row), highest_wins=not fewest_points_win(row.name))


class History:
    """Reads the journal for the pages and the command line. Every method may be called from any thread.

    Args:
        path: the journal's file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def state(self) -> Json:
        """`games`, the latest first: `id`, `name`, `title`, `started`, `ended` (or None), `players`,
        `scores`, `winner` (empty: broken off, or still on the table) and `bgstats` (a link, or None);
        `records`, see records_of.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        with read_journal(self._path) as journal:
            rows = journal.games()
        return {
            "games": [_shown(row) for row in reversed(rows[-SHOWN:])],
            "records": records_of([finished(row) for row in rows]),
        }

    def script(self, game: int) -> tuple[str, str]:
        """A file name and the script of a game, as `companion replay` reads it.

        Raises:
            CompanionError: there is no such game, or no journal.
        """
        from companion.store import exports

        with read_journal(self._path) as journal:
            row = journal.game(game)
            return exports.file_name(row), exports.script(row, journal.lines(game))

    def table(self) -> str:
        """All results as CSV.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        from companion.store import exports

        with read_journal(self._path) as journal:
            return exports.table((row, places_of(row)) for row in journal.games())


def records_of(games: Sequence[Finished]) -> list[Json]:
    """Of each player over all evenings: `player`, `games` that were decided, `won`, and `points`, one for
    each player finished above. Most points first; who has played no decided game is left out."""
    found: dict[str, Json] = {}
    for game in games:
        for player, beaten in points(game).items() if game.winner else ():
            record = found.setdefault(player, {"player": player, "games": 0, "won": 0, "points": 0})
            record["games"] += 1
            record["won"] += player in game.winner
            record["points"] += beaten
    return sorted(found.values(), key=lambda one: (-one["points"], -one["won"]))


def _shown(row: GameRow) -> Json:
    return {
        "id": row.id,
        "name": row.name,
        "title": rulebook(row.name).title,
        "started": row.started,
        "ended": row.ended,
        "players": row.players,
        "scores": row.scores or {},
        "winner": row.winner or [],
        "bgstats": link(row) if row.winner else None,
    }
