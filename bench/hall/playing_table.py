"""A whole table of the hall: a real journal on disk, threads of its own, the real device of MQTT."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic, time
from typing import Any

from bench.hall.ended import EndedGame
from bench.hall.games import REAL_PACE_S, PlayedGame
from companion.api.commands import Caller, Refusal, Reply, Request
from companion.api.snapshot import GameOnTable, Seat, Snapshot
from companion.store.journal import Journal
from companion.table.publisher import Publisher, Subscription


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
        for n, one in enumerate(game.events, 1):
            seq = journal.append(row.id, n, float(n), one.event, source="phone", code=one.code)
            shot = Snapshot(seq, shown, scores=dict(one.scores), phase=one.phase, turn=one.turn)
            self._publisher.publish(seq, shot, None, ())
            if self._stopping.wait(self._random.expovariate(self._speed / REAL_PACE_S)):
                return
        journal.end_game(row.id, game.scores, game.winner)
        self._ended(EndedGame(row.key, time()))
        self._publisher.publish(journal.seq(), Snapshot(journal.seq()), None, ())
