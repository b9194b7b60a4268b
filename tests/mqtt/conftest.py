"""A broker, a table and its device."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mosquitto_broker import Consumer, Mosquitto

from companion.api.commands import Accepted, Caller, EndGame, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.mqtt.device import MqttDevice
from companion.store.journal import Journal
from companion.table.table import Table

REFEREE = Caller("referee")


class PlayedTable:
    """A table with its journal in a folder, and devices that publish it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.sqlite"
        self.table = Table(lambda: Journal(self.journal), monotonic)
        self.table.start()
        self.devices: list[MqttDevice] = []

    def device(self, broker: Mosquitto, **config: Any) -> MqttDevice:
        made = MqttDevice(broker.config(**config), self.table, self.journal, self.folder)
        made.start()
        self.devices.append(made)
        return made

    def begin(self) -> None:
        assert isinstance(self.table.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE), Accepted)

    def play(self, player: str, card: str = "gun") -> None:
        event = {"event": "card_played", "player": player, "card": card}
        self.table.command(EnterEvent(event), REFEREE)

    def end(self) -> None:
        assert isinstance(self.table.command(EndGame(), REFEREE), Accepted)

    def close(self) -> None:
        for device in self.devices:
            device.stop()
        self.table.stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    one = Mosquitto(tmp_path / "broker")
    yield one
    one.kill()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    one = PlayedTable(tmp_path)
    yield one
    one.close()


@pytest.fixture
def consumer(broker: Mosquitto) -> Iterator[Callable[..., Consumer]]:
    made: list[Consumer] = []

    def make(*topics: str, **options: Any) -> Consumer:
        made.append(Consumer(broker.config(), *(topics or ("companion/#",)), **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
