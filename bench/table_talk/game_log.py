"""Games that were played are kept in a file, so that a long measurement can be done in several runs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bench.report.results import commit_at_hand
from bench.table_talk.loop import GameResult


class LoggedGame(msgspec.Struct, frozen=True):
    """One line of the file."""

    commit: str
    """The code that played it."""
    game: str
    """What tells this game from others: its noise, its number, who stands at the table."""
    result: GameResult


class GameLog:
    """The games of a file. Those that other code played are left there, and count for nothing.

    Args:
        path: of a file that need not be there yet; None: nothing is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._commit = commit_at_hand()
        lines = [] if path is None or not path.is_file() else path.read_text(encoding="utf-8").splitlines()
        logged = [msgspec.json.decode(line, type=LoggedGame) for line in lines]
        self._known = {one.game: one.result for one in logged if one.commit == self._commit}

    def get(self, game: str) -> GameResult | None:
        """The result of a game that was played before."""
        return self._known.get(game)

    def keep(self, game: str, result: GameResult) -> None:
        """Adds the result of a game."""
        self._known[game] = result
        if self._path is not None:
            line = msgspec.json.encode(LoggedGame(self._commit, game, result)).decode()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
