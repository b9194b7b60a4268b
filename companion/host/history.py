"""What has been played on this machine: every game with its result, the players' records, and files of it.

Each request reads the journal; the running game is not affected.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from companion.api.game_steps import GameSteps
from companion.api.history import GameHistory, PastGame, PlayerRecord, SenseFigures
from companion.api.players import CallTimes, PlayerReports
from companion.games import known_game, rulebook
from companion.host.game_files import GameFiles
from companion.host.player_reports import player_reports
from companion.store.healing import reports
from companion.store.journal import Journal, read_journal
from companion.store.rows import GameRow
from companion.table.night import Finished, fewest_points_win, places, points
from companion.table.reaction_times import reaction_times
from companion.table.readings import Reading, readings_of
from companion.table.replayed_game import ReplayedGame
from companion.table.trust import figures

COUNTED = 20
"""The senses' figures are those of so many games, the latest ones."""
SHOWN = 100
"""The most games that are shown, the latest ones; the files hold all."""
STEPS = 50
"""The most steps of a game that are read at once."""
REPLAYED = 3
"""So many games that were opened last are kept as they were replayed."""


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
    from companion.store import exports  # imported late: its libraries would make every start slower

    title = rulebook(row.name).title
    return exports.bgstats_link(row, title, places_of(row), highest_wins=not fewest_points_win(row.name))


class History:
    """Reads the journal for the pages and the command line. Every method may be called from any thread.

    Args:
        path: the journal's file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, list[Reading]] = {}
        self._times: dict[int, dict[str, tuple[float, ...]]] = {}
        self._lock = threading.Lock()
        self._files = GameFiles()
        self._replayed: dict[object, ReplayedGame] = {}

    def state(self) -> GameHistory:
        """The latest games and the players' records.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        with read_journal(self._path) as journal:
            rows = journal.games()
        return GameHistory(
            tuple(_shown(row) for row in reversed(rows[-SHOWN:])),
            records_of([finished(row) for row in rows]),
            self.senses(),
            reports(self._path),
        )

    def senses(self) -> SenseFigures:
        """How right the senses were in the latest games.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        with read_journal(self._path) as journal:
            rows = [row for row in journal.games() if known_game(row.name)][-COUNTED:]
            known = {row.id: self._readings(row, journal) for row in rows}
        self._known = {row.id: known[row.id] for row in rows if row.ended is not None}
        return figures((one for found in known.values() for one in found), len(rows))

    def players(self) -> PlayerReports:
        """Every player's wins, opponents, and times of calls in the latest games.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        with read_journal(self._path) as journal:
            rows = [row for row in journal.games() if known_game(row.name)]
            heard = [row for row in rows if _hears(row)][-COUNTED:]
            times = {row.id: self._reactions(row, journal) for row in heard}
        self._times = {row.id: times[row.id] for row in heard if row.ended is not None}
        calls: dict[str, list[CallTimes]] = {}
        for row in heard:
            for player, seconds in times[row.id].items():
                calls.setdefault(player, []).append(CallTimes(row.id, row.started, seconds))
        titles = {row.name: rulebook(row.name).title for row in rows}
        return PlayerReports(player_reports([finished(row) for row in rows], titles, calls))

    def _reactions(self, row: GameRow, journal: Journal) -> dict[str, tuple[float, ...]]:
        """The times of calls in one game. A player whose name was deleted since has another one."""
        known = self._times.get(row.id)
        if known is not None and known.keys() <= set(row.players):
            return known
        return reaction_times(row, journal.lines(row.id))

    def _readings(self, row: GameRow, journal: Journal) -> list[Reading]:
        """The readings of one game; those of a game that has ended do not change."""
        if row.id in self._known:
            return self._known[row.id]
        return readings_of(row, journal.lines(row.id), journal.questions(row.id))

    def script(self, game: int) -> tuple[str, str]:
        """A file name and the script of a game, as `companion replay` reads it.

        Raises:
            CompanionError: there is no such game, or no journal.
        """
        from companion.store import exports

        with read_journal(self._path) as journal:
            row = journal.game(game)
            return exports.file_name(row), exports.script(row, journal.lines(game))

    def steps(self, game: int, first: int) -> GameSteps:
        """Steps of a game from number `first` on, at most STEPS, without sentences. The game is replayed once
        and kept while it is one of the latest that were opened.

        Raises:
            CompanionError: there is no such game, or no journal.
        """
        from companion.store import exports

        with read_journal(self._path) as journal:
            row = journal.game(game)
            # A player's name can be deleted from a game that has ended: then it is another row.
            key = (row.key, tuple(row.players), journal.count(game))
            with self._lock:
                found = self._replayed.pop(key, None)
            if found is None:
                found = ReplayedGame(row, journal.lines(game))
        with self._lock:
            self._replayed[key] = found
            while len(self._replayed) > REPLAYED:
                self._replayed.pop(next(iter(self._replayed)))
        return found.steps(first, STEPS, exports.file_name(row))

    def open_file(self, name: str, text: str) -> str:
        """Opens the script of a game to step through it; nothing is stored. The key of `file_steps`.

        Raises:
            CompanionError: it is no script of a game, or too long.
        """
        return self._files.open(name, text)

    def file_steps(self, key: str, first: int) -> GameSteps:
        """Steps of a game that was opened from a file, at most STEPS, without sentences.

        Raises:
            CompanionError: it is not open any more.
        """
        return self._files.steps(key, first, STEPS)

    def table(self) -> str:
        """All results as CSV.

        Raises:
            CompanionError: there is no journal, or it cannot be read.
        """
        from companion.store import exports

        with read_journal(self._path) as journal:
            return exports.table((row, places_of(row)) for row in journal.games())


def records_of(games: Sequence[Finished]) -> tuple[PlayerRecord, ...]:
    """Each player's record over all evenings, most points first. Only decided games count."""
    found: dict[str, PlayerRecord] = {}
    for game in games:
        for player, beaten in points(game).items() if game.winner else ():
            known = found.get(player, PlayerRecord(player, 0, 0, 0))
            won = known.won + (player in game.winner)
            found[player] = PlayerRecord(player, known.games + 1, won, known.points + beaten)
    return tuple(sorted(found.values(), key=lambda one: (-one.points, -one.won)))


def _hears(row: GameRow) -> bool:
    """Whether players of a game call within a time limit."""
    game = known_game(row.name)
    return game is not None and game.times_calls(row.settings)


def _shown(row: GameRow) -> PastGame:
    return PastGame(
        row.id,
        row.name,
        rulebook(row.name).title,
        row.started,
        row.ended,
        tuple(row.players),
        row.scores or {},
        tuple(row.winner or ()),
        link(row) if row.winner else None,
        row.night,
        points(finished(row)),
    )
