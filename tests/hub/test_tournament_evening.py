"""A tournament of 32 players, four rounds and four games, from the registration to the podium.

A browser organises it, three players register with browsers, one table is a whole companion whose page begins
each game with one tap; the other tables and players are simulated. Broker and hub are killed on the way.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from chromium import Phone
from light_table import LightTable
from mosquitto_broker import Mosquitto, until
from playwright.sync_api import Browser, expect
from web_server import serving_table

from bench.rules.play import next_event
from companion.announce.render import TableRenderer
from companion.api.commands import Caller, EndGame, EnterEvent
from companion.core.config import Broker, Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.hub.service import Hub
from companion.hub.settings import HubPages, HubSettings, StoredResults
from companion.hub.tournament.scoring import table_points, tournament_standings
from companion.hub.tournament.swiss import meetings
from companion.mqtt.device import MqttDevice
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app

pytestmark = pytest.mark.long

PASSWORD = "a right good password"
REFEREE = Caller("referee")
TABLES, ROUNDS = 8, 4
"""One table is a whole one. With fewer, players would have to meet twice."""
NAMES = [f"Player {number:02}" for number in range(1, 4 * TABLES + 1)]


def strength(name: str) -> int:
    """The smaller the number of a player, the better the player."""
    return int(name.split()[-1])


class Evening:
    """Broker, hub, simulated tables and a whole one."""

    def __init__(self, folder: Path, broker: Mosquitto) -> None:
        self.broker = broker
        secret = folder / "organiser"
        secret.write_text(PASSWORD)
        self._settings = HubSettings(
            broker=Broker(host="127.0.0.1", port=broker.port, tls=False),
            pages=HubPages(host="127.0.0.1", port=0, organiser_file=str(secret)),
            database=StoredResults(url=f"sqlite:///{folder / 'hub.sqlite'}"),
        )
        self.hub = self._started()
        self.tables = [LightTable(folder / f"t{n:02}", broker, f"t{n:02}") for n in range(1, TABLES)]
        whole = folder / "whole"
        whole.mkdir()
        self.app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(whole), inputs=Inputs())
        self.pages = create_app(self.app.host, secret_key=self.app.data.key(), writer=TableRenderer(phrases))

    def _started(self) -> Hub:
        hub = Hub(self._settings)
        hub.start()
        return hub

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.hub.port}"

    def restart_hub(self) -> None:
        port = self.hub.port
        self.hub.stop()
        pages = HubPages(host="127.0.0.1", port=port, organiser_file=self._settings.pages.organiser_file)
        self._settings = HubSettings(
            broker=self._settings.broker, pages=pages, database=self._settings.database
        )
        self.hub = self._started()

    def device(self) -> MqttDevice:
        """The MQTT device of the whole companion, started."""
        data = self.app.data
        one = MqttDevice(self.broker.config(table="whole"), self.app.table, data.journal, data.path)
        one.start()
        return one

    def known(self, id_: str) -> Any:
        return self.hub.desk.read(id_)

    def play_whole_table(self, phone: Phone, random: Random) -> None:
        """One tap begins the offered game; it is played to its end by the rules, at random."""
        phone.page.get_by_role("button", name="Begin this game").click()
        until(lambda: self.app.table.snapshot().game is not None)
        while not self.app.table.snapshot().winner:
            event = self.app.table.call(
                lambda referee: next_event(referee.game.record, random) if referee.game else {}
            )
            self.app.table.command(EnterEvent(event), REFEREE)
        self.app.table.command(EndGame(), REFEREE)

    def stop(self) -> None:
        for table in self.tables:
            table.stop()
        self.hub.stop()


@pytest.fixture
def evening(tmp_path: Path, broker: Mosquitto) -> Iterator[Evening]:
    one = Evening(tmp_path, broker)
    yield one
    one.stop()


def organise(phone: Phone) -> str:
    """Logs in, plans the tournament, and returns its id."""
    page = phone.open("/organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("link", name="Results that should not count")).to_be_visible()
    phone.open("/organiser/tournaments/new")
    page.get_by_label("Title").fill("Spring <cup>")
    for game in ("Trio Monsters", "Bugs & Co", "13 Monsters", "The Nasty 7"):
        page.get_by_label(game).check()
    page.get_by_label("Rounds (with groups: rounds within the groups)").fill(str(ROUNDS))
    page.get_by_label("Players at a table, at least").fill("4")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("h1")).to_have_text("Spring <cup>")
    return page.url.split("/")[-2]


def register(phone: Phone, id_: str, name: str, pin: str = "") -> None:
    page = phone.open(f"/t/{id_}")
    page.get_by_role("link", name="Register").click()
    page.get_by_label("Your name, as the tables show it").fill(name)
    page.get_by_label("PIN, if you like: 4 to 8 digits").fill(pin)
    page.get_by_role("button", name="Register").click()
    expect(page.locator("main")).to_contain_text("You are registered.")


def test_thirty_two_players_four_rounds_four_games(evening: Evening, browser: Browser) -> None:
    organiser, first = Phone(browser, evening.base), Phone(browser, evening.base)
    with serving_table(evening.app, evening.pages) as address:
        device = evening.device()
        until(lambda: len([one for one in evening.hub.reader.tables() if one.online]) == TABLES, 60)
        id_ = organise(organiser)
        register(first, id_, NAMES[0], "1234")
        for name in NAMES[1:]:
            evening.hub.desk.add(id_, name)
        at_table = Phone(browser, address)
        at_table.open("/")
        random = Random(1)
        for number in range(1, ROUNDS + 1):
            organiser.open(f"/t/{id_}/organise")
            organiser.tap(f"Start round {number}")
            expect(first.page.locator(".next-table")).to_contain_text("Table ")
            until(lambda: all(table.offered for table in evening.tables), 60)
            if number == 2:
                evening.broker.kill()
                evening.broker.start()
            for table in evening.tables:
                table.play(strength)
            evening.play_whole_table(at_table, random)
            if number == 3:
                for phone in (organiser, first):
                    phone.excuse_server_away()
                evening.restart_hub()
            until(lambda: evening.known(id_).latest.done, 90)
        organiser.open(f"/t/{id_}/organise")
        organiser.tap("Finish the tournament")
        expect(first.page.locator(".podium")).to_be_visible()
        device.stop()
        at_table.context.close()  # before its table ends
    known = evening.known(id_)
    rows = tournament_standings(known)
    assert [len(one.tables) for one in known.rounds] == [TABLES] * ROUNDS
    assert len({one.game for one in known.rounds}) == 4
    assert max(meetings(known).values()) == 1
    assert all(row.games == ROUNDS for row in rows)
    given = [sum(table_points(table.ranks).values()) for one in known.rounds for table in one.tables]
    assert {abs(points - 200) for points in given} <= {0, 1}, "a third of a place is rounded"
    assert sum(row.points for row in rows) == sum(given)
    screen = Phone(browser, evening.base, viewport={"width": 1920, "height": 1080})
    shown = screen.open(f"/t/{id_}/screen").locator(".podium li strong").all_inner_texts()
    assert shown == [row.name for row in rows[:3]]
    assert [phone.complaints for phone in (organiser, first, at_table, screen)] == [[], [], [], []]
