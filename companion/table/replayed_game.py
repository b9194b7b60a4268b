"""A game of the journal played again, with the state after each of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.api.game_steps import GameStep, GameSteps
from companion.api.photos import DisplayPoints
from companion.api.snapshot import GameOnTable, LogEntry
from companion.core.events import StateView
from companion.games import game_named
from companion.games.game import DisplayPoints as CountDisplay
from companion.store.rows import GameRow, Line
from companion.table.game_clock import GameClock
from companion.table.running_game import RunningGame
from companion.table.snapshot import seats, verdicts


class ReplayedGame:
    """Every step of one game. Immutable once made; states share what has not changed.

    Args:
        lines: all lines of the game in the journal, in their order.

    Raises:
        BadHeader: the game is not known, or its header is wrong.
    """

    def __init__(self, row: GameRow, lines: Sequence[Line]) -> None:
        kind = game_named(row.name)
        self._row = row
        self._count = kind.display_points
        running = RunningGame(row, kind.rulebook, kind.new_spotter(), GameClock(0.0))
        self._book = running.book
        self._settings = msgspec.to_builtins(running.setup.settings)
        self._players = running.setup.players
        self._states: list[Any] = [running.record.state]
        self._taken_back: list[tuple[int, ...]] = [()]
        entries: list[LogEntry] = []
        gone = running.record.undone()
        for line in lines:
            running.restore([line])
            entries.append(_entry(running, line))
            self._states.append(running.record.state)
            self._taken_back.append(tuple(sorted(running.record.undone() - gone)))
            gone = running.record.undone()
        self._entries = [msgspec.structs.replace(one, undone=one.n in gone) for one in entries]

    @property
    def last(self) -> int:
        """Number of the last step."""
        return len(self._entries)

    def steps(self, first: int, most: int, file: str) -> GameSteps:
        """The steps from number `first` on, at most `most`.

        Args:
            file: name of the file with the whole game.
        """
        numbers = range(max(0, first), min(self.last + 1, max(0, first) + most))
        return GameSteps(
            GameOnTable(self._row.id, self._row.name, self._book.title, self._settings, seats(self._players)),
            self._row.started,
            self._row.ended,
            self.last,
            file,
            tuple(map(self._step, numbers)),
        )

    def _step(self, n: int) -> GameStep:
        state = self._states[n]
        view = self._book.view(state)
        return GameStep(
            n,
            self._entries[n - 1] if n > 0 else None,
            self._taken_back[n],
            view,
            self._book.scores(state),
            tuple(self._book.winner(state)),
            view.get("phase"),
            view.get("turn"),
            {} if self._count is None else worth(self._count, view),
        )


def _entry(running: RunningGame, line: Line) -> LogEntry:
    """The latest entry of the game as it is now."""
    entry = running.record.entries[line.n - 1]
    round_, trick = running.parts[line.n]
    return LogEntry(
        line.n,
        entry.event,
        sentences=running.sentences.of(line.n),
        t=line.t,
        source=line.source,
        rejected=entry.code,
        turn=running.turns.get(line.n),
        rule=entry.rule,
        verdicts=verdicts(running, entry),
        dropped=entry.dropped,
        round=round_,
        trick=trick,
    )


def worth(count: CountDisplay, view: StateView) -> dict[str, DisplayPoints]:
    """Player -> what the display of the view is worth, by the function `count` of the game."""
    aside: Mapping[str, int] = view.get("aside") or {}
    found = {}
    for player, display in (view.get("display") or {}).items():
        points = count(display, aside.get(player, 0))
        found[player] = DisplayPoints(points.total, dict(points.parts))
    return found
