"""Journals of random games, written at ten times the speed of a real table."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic, time
from typing import Any, NamedTuple

from bench.rules.play import header_of, next_event
from companion.api.commands import Caller, Refusal, Reply, Request
from companion.api.snapshot import GameOnTable, Seat, Snapshot
from companion.games import game_names, rulebook
from companion.store.journal import Journal
from companion.table.publisher import Publisher, Subscription
from companion.table.record import opened

REAL_PACE_S = 4.0
"""Seconds between two events at a real table."""
LONGEST = 60
"""Most events of a game; a longer one is ended there and given a winner."""


class PlayedGame(NamedTuple):
    """A random game, played before the measurement."""

    header: dict[str, Any]
    events: list[tuple[dict[str, Any], str | None]]
    """Each with the code of its rejection."""
    scores: dict[str, int]
    winner: list[str]


class EndedGame(NamedTuple):
    """A game of a simulated table that ended."""

    table: str
    key: str
    ended: float
    """Seconds since 1970 by the one true clock."""


def played_games(count: int, seed: int) -> list[PlayedGame]:
    """So many random games of all rulebooks."""
    found = []
    for number in range(count):
        random = Random(f"{seed} {number}")
        header = header_of(rulebook(game_names()[number % len(game_names())]), random)
        record = opened(header)
        events: list[tuple[dict[str, Any], str | None]] = []
        while record.state.phase != "over" and len(events) < LONGEST:
            event = next_event(record, random)
            events.append((event, record.push(event).code))
        winner = record.winner() or [header["players"][number % len(header["players"])]]
        found.append(PlayedGame(header, events, record.scores(), winner))
    return found


class PlayingTable:
    """A table without rules and senses: plays prepared games into a real journal and publishes snapshots, as
    the device of MQTT needs them.

    Args:
        clock_off: seconds by which its time of day is wrong.
        ended: gets each game that ended.
        speed: how much faster than a real table.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        games: list[PlayedGame],
        clock_off: float,
        ended: Callable[[EndedGame], None],
        speed: float = 10.0,
    ) -> None:
        self.name = name
        self.folder = folder
        self.journal = folder / "journal.sqlite"
        folder.mkdir(parents=True)
        self._games = games
        self._ended = ended
        self._speed = speed
        self._wall = lambda: datetime.now(UTC) + timedelta(seconds=clock_off)
        self._publisher = Publisher(monotonic)
        self._stopping = threading.Event()
        self._opened = threading.Event()
        self._random = Random(name)
        self._thread = threading.Thread(target=self._play, name=name, daemon=True)

    def start(self) -> None:
        """Starts to play; returns when the journal is there."""
        self._thread.start()
        self._opened.wait()

    def stop(self) -> None:
        """Stops after the present event."""
        self._stopping.set()
        self._thread.join()

    def subscribe(self) -> Subscription:
        """See companion.table.table.Table."""
        return self._publisher.subscribe()

    def unsubscribe(self, subscription: queue.Queue[Any]) -> None:
        """See companion.table.table.Table."""
        self._publisher.unsubscribe(subscription)

    def snapshot(self) -> Snapshot:
        """See companion.table.table.Table."""
        return self._publisher.snapshot()

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        """Refuses everything."""
        return Refusal("not_simulated")

    def call(self, run: Callable[[Any], Any]) -> Any:
        """See companion.table.table.Table: a seating is not taken."""
        return False

    def _play(self) -> None:
        with Journal(self.journal, wall=self._wall) as journal:
            self._opened.set()
            while not self._stopping.is_set():
                self._play_game(journal, self._random.choice(self._games))

    def _play_game(self, journal: Journal, game: PlayedGame) -> None:
        header = game.header
        row = journal.begin_game(header["game"], header["players"], header["settings"])
        seats = tuple(Seat(name, "#000000", "circle") for name in header["players"])
        shown = GameOnTable(row.id, row.name, row.name, row.settings, seats)
        for n, (event, code) in enumerate(game.events, 1):
            seq = journal.append(row.id, n, float(n), event, source="phone", code=code)
            self._publisher.publish(
                seq, Snapshot(seq, shown, turn=header["players"][n % len(seats)]), None, ()
            )
            if self._stopping.wait(self._random.expovariate(self._speed / REAL_PACE_S)):
                return
        journal.end_game(row.id, game.scores, game.winner)
        self._ended(EndedGame(self.name, row.key, time()))
        self._publisher.publish(journal.seq(), Snapshot(journal.seq()), None, ())
