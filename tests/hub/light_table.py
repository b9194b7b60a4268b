"""A table of a tournament without senses, rules and pages: takes seatings and plays them to a given end."""

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mosquitto_broker import Mosquitto

from companion.api.commands import Caller, Refusal, Reply, Request
from companion.api.snapshot import SeatingOffer, Snapshot
from companion.core.clock import monotonic
from companion.mqtt.device import MqttDevice
from companion.store.journal import Journal, read_journal
from companion.store.rows import GameRow
from companion.table.publisher import Publisher, Subscription


class JournalFile:
    """The games of a journal, read by any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def games(self) -> list[GameRow]:
        with read_journal(self._path) as journal:
            return journal.games()


class LightTable:
    """Its device is the real one, and so are its journal and the check of what is offered."""

    def __init__(self, folder: Path, broker: Mosquitto, name: str) -> None:
        folder.mkdir()
        self.name = name
        path = folder / "journal.sqlite"
        self._journal = Journal(path)
        self._referee: Any = SimpleNamespace(seating=None, changed=False, journal=JournalFile(path))
        self._lock = threading.Lock()
        self._publisher = Publisher(monotonic)
        self.device = MqttDevice(broker.config(table=name), self, path, folder)
        self.device.start()

    @property
    def offered(self) -> SeatingOffer | None:
        found: SeatingOffer | None = self._referee.seating
        return found

    def play(self, order: Callable[[str], int]) -> None:
        """Plays the offered game: the players end in this order."""
        with self._lock:
            planned, self._referee.seating = self.offered, None
        assert planned is not None, f"nothing is planned for {self.name}"
        players = sorted(planned.players, key=order)
        scores = {player: 10 - place for place, player in enumerate(players)}
        if planned.game == "bugs_and_co":  # the fewest points win
            scores = {player: place for place, player in enumerate(players)}
        row = self._journal.begin_game(planned.game, planned.players, {}, planned.id)
        self._journal.append(row.id, 1, 1.0, {"event": "played"}, source="phone")
        self._journal.end_game(row.id, scores, [players[0]])
        self._publisher.publish(self._journal.seq(), Snapshot(self._journal.seq()), None, ())

    def stop(self) -> None:
        self.device.stop()
        self._journal.close()

    # --- what the device needs ---

    def call(self, run: Callable[[Any], Any]) -> Any:
        with self._lock:
            return run(self._referee)

    def subscribe(self) -> Subscription:
        return self._publisher.subscribe()

    def unsubscribe(self, subscription: Subscription) -> None:
        self._publisher.unsubscribe(subscription)

    def snapshot(self) -> Snapshot:
        return self._publisher.snapshot()

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        return Refusal("not_simulated")
