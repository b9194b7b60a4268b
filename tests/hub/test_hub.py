"""A whole hub with a real broker, real tables and a real database: killed, cut off, and complete again."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from hall_messages import result, status
from mosquitto_broker import Consumer, Mosquitto, until

from companion.api.commands import Caller, EndGame, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.core.config import Broker
from companion.hub.service import Hub
from companion.hub.settings import HubPages, HubSettings, StoredResults
from companion.mqtt.device import MqttDevice
from companion.mqtt.messages import encoded, table_topic
from companion.store.journal import Journal, read_journal
from companion.table.table import Table

REFEREE = Caller("referee")
PASSWORD = "a right good password"


class SimulatedTable:
    """A table with its device."""

    def __init__(self, folder: Path, broker: Mosquitto, name: str) -> None:
        folder.mkdir()
        self.journal = folder / "journal.sqlite"
        self.table = Table(lambda: Journal(self.journal), monotonic)
        self.table.start()
        self.device = MqttDevice(broker.config(table=name), self.table, self.journal, folder)
        self.device.start()

    def play(self, *players: str) -> None:
        """A short game that is decided by an event of its own."""
        self.table.command(NewGame("nasty_7", players), REFEREE)
        self.table.command(EnterEvent({"event": "card_played", "player": players[0], "card": "gun"}), REFEREE)
        self.table.command(EndGame(), REFEREE)

    def stop(self) -> None:
        self.device.stop()
        self.table.stop()


class RunningHub:
    """Hubs with one database, one after the other."""

    def __init__(self, folder: Path, broker: Mosquitto, url: str) -> None:
        secret = folder / "organiser"
        secret.write_text(PASSWORD + "\n")
        self._settings = HubSettings(
            broker=Broker(host="127.0.0.1", port=broker.port, tls=False),
            pages=HubPages(host="127.0.0.1", port=0, organiser_file=str(secret)),
            database=StoredResults(url=url),
            seasons={"autumn": ("2026-09-01", "2026-11-30")},
        )
        self.hub: Hub | None = None
        self.start()

    def start(self) -> None:
        self.hub = Hub(self._settings)
        self.hub.start()

    def stop(self) -> None:
        if self.hub is not None:
            self.hub.stop()
        self.hub = None

    def get(self, path: str, **options: Any) -> requests.Response:
        assert self.hub is not None
        return requests.get(f"http://127.0.0.1:{self.hub.port}{path}", timeout=10, **options)

    @property
    def games(self) -> int:
        assert self.hub is not None
        return len(self.hub.reader.games())


@pytest.fixture
def running(tmp_path: Path, broker: Mosquitto, url: str) -> Iterator[RunningHub]:
    one = RunningHub(tmp_path, broker, url)
    yield one
    one.stop()


def test_results_arrive_by_themselves_and_once(
    running: RunningHub, broker: Mosquitto, tmp_path: Path
) -> None:
    tables = [SimulatedTable(tmp_path / name, broker, name) for name in ("bay", "window")]
    for table in tables:
        table.play("Ida", "Jo")
    until(lambda: running.games == 2)
    page = running.get("/").text
    assert "<h2>bay</h2>" in page
    assert "<h2>window</h2>" in page
    tables[0].table.command(NewGame("nasty_7", ("<b>Ida</b>", "Jo")), REFEREE)
    until(lambda: "&lt;b&gt;Ida" in running.get("/").text)
    assert "<b>Ida" not in running.get("/").text
    for table in tables:
        table.stop()
    until(lambda: running.get("/").text.count("Not connected") == 2)


def test_a_hub_that_was_away_misses_nothing(running: RunningHub, broker: Mosquitto, tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "bay", broker, "bay")
    table.play("Ida", "Jo")
    until(lambda: running.games == 1)
    for _ in range(3):
        running.stop()
        table.play("Ida", "Jo")
        running.start()
    until(lambda: running.games == 4)
    assert_complete(running, table)
    table.stop()


def assert_complete(running: RunningHub, table: SimulatedTable) -> None:
    """Every entry of the journal is in the hub's database once."""
    assert running.hub is not None
    with read_journal(table.journal) as journal:
        games = journal.games()
        lines = sum(len(journal.lines(one.id)) for one in games)
    counts = running.hub.reader.counts()
    assert (counts["hall_game"], counts["hall_result"]) == (len(games), len(games))
    until(lambda: running.hub is not None and running.hub.reader.counts()["hall_event"] == lines)


def test_what_a_killed_broker_lost_is_asked_for(
    running: RunningHub, broker: Mosquitto, tmp_path: Path
) -> None:
    table = SimulatedTable(tmp_path / "bay", broker, "bay")
    table.play("Ida", "Jo")
    until(lambda: running.games == 1)
    running.stop()
    table.play("Ida", "Jo")
    until(lambda: not table.device.pending)
    time.sleep(0.7)
    broker.kill()
    broker.start()
    running.start()
    until(lambda: running.games == 2, 60)
    assert running.hub is not None
    assert running.hub.collector.figures.asked >= 1
    assert_complete(running, table)
    table.stop()


def test_a_hostile_table_changes_nothing(running: RunningHub, broker: Mosquitto) -> None:
    sender = Consumer(broker.config(), "companion/#", name="hostile")
    sender.send(table_topic("bay", "status"), encoded(status(0, table="bay")))
    until(lambda: "<h2>bay</h2>" in running.get("/").text)
    for payload in (b"", b"{", b"\xff" * 100, b"[" * 100_000, b"0" * 10_000_000, b'{"schema": 2}'):
        sender.send(table_topic("bay", "result", "g1"), payload)
    sender.send(table_topic("bay", "result", "g1"), encoded(result("g1", 1)))
    sender.send(table_topic("bay", "result", "g2"), encoded(result("g2", 2, table="bay")))
    until(lambda: running.games == 1)
    assert running.hub is not None
    assert running.hub.reader.games()[0].game == "g2"
    assert running.hub.collector.figures.refused == 7
    assert "companion_hub_refused_total 7" in running.get("/metrics").text
    sender.close()


def test_pages(running: RunningHub, broker: Mosquitto) -> None:
    sender = Consumer(broker.config(), "none/#", name="sender")
    sender.send(
        table_topic("window", "result", "g1"),
        encoded(result("g1", 1, players=("Ida", "Jo", "=1+1"), scores={})),
    )
    until(lambda: running.games == 1)
    for path in ("/", "/standings", "/evenings", "/games", "/organiser", "/standings?season=autumn"):
        answer = running.get(path)
        assert answer.status_code == 200, path
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        tag = answer.headers["ETag"]
        assert running.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert "Trio Monsters" in running.get("/games").text
    assert "Ida" in running.get("/standings?season=autumn&game=trio_monsters").text
    assert "Ida" not in running.get("/standings?game=nasty_7").text
    assert running.get("/standings?season=winter").status_code == 404
    assert running.get("/standings.csv").text.splitlines()[0] == "place,player,points,games,won"
    assert "\r\n2,'=1+1,0" in running.get("/standings.csv").text
    sender.close()


def test_only_the_organiser_leaves_results_out(running: RunningHub, broker: Mosquitto) -> None:
    sender = Consumer(broker.config(), "none/#", name="sender")
    sender.send(table_topic("window", "result", "g1"), encoded(result("g1", 1)))
    until(lambda: running.games == 1)
    assert running.hub is not None
    base = f"http://127.0.0.1:{running.hub.port}"
    guest, organiser = requests.Session(), requests.Session()
    assert guest.post(f"{base}/games/window/g1", data={"counts": "no"}, timeout=10).status_code == 403
    assert guest.post(f"{base}/organiser", data={"password": "no"}, timeout=10).status_code == 403
    assert organiser.post(f"{base}/organiser", data={"password": PASSWORD}, timeout=10).status_code == 200
    page = organiser.get(f"{base}/games", timeout=10).text
    token = page.split('name="token" value="')[1].split('"')[0]
    assert organiser.post(f"{base}/games/window/g1", data={"counts": "no"}, timeout=10).status_code == 403
    data = {"counts": "no", "token": token}
    assert organiser.post(f"{base}/games/window/g1", data=data, timeout=10).status_code == 200
    assert running.hub.reader.standings() == []
    assert organiser.post(f"{base}/games/window/other", data=data, timeout=10).status_code == 404
    sender.close()
    guest.close()
    organiser.close()
