"""An evening of all five games by taps on six browsers: phones, a tablet and a television. One is killed
and one is without a network for a minute. Nothing may be missing and nothing may count twice on any.

    python tests/web/whole_games.py docs/images      the whole evening, with a picture of each browser

tests/web/test_browser_evening.py plays it with shorter games.
"""

import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from chromium import TABLET, Phone, chromium
from past_evening import script
from playwright.sync_api import Page, expect
from stalling_proxy import StallingProxy, stalling
from tapping import Tappers, entries, logged, prepare, sent
from test_browser_position import send
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.record import Record, opened
from companion.table.story import phrases
from web import create_app

TELEVISION = {"width": 1920, "height": 1080}
OFFLINE_S = 25.0
PLAYERS = ("Ida", "Jo", "Kai")
WHOLE: Mapping[str, Mapping[str, Any]] = {
    "bugs_and_co": {},
    "seven_merry_monsters": {"target": 60, "tracking": "tricks"},
    "nasty_7": {},
    "trio_monsters": {},
    "thirteen_monsters": {},
}
SHORTER: Mapping[str, Mapping[str, Any]] = {
    "bugs_and_co": {},
    "seven_merry_monsters": {"target": 10, "tracking": "tricks"},
    "nasty_7": {"deck_size": 12},
    "trio_monsters": {"deck_size": 13},
    "thirteen_monsters": {},
}
"""The same games with as few cards as their rules allow; 13 Monsters begins near its end."""
PICTURED = {"bugs_and_co": 6}
"""Taps of a game before its picture, where they are not 60."""
AT_ONCE = 0.9
"""Share of the entries of a game that a page is sent each by itself."""
PICTURE_PX, GAP_PX = 560, 12
BEGUN = 85
"""Events of the recorded game of 13 Monsters before the shorter one begins."""


@dataclass
class Evening:
    """Six browsers at a table.

    `quick` games are the SHORTER ones.
    """

    table: str
    make: Callable[..., Phone]
    way: StallingProxy
    offline: str
    quick: bool = True
    random: Random = field(default_factory=lambda: Random(5))
    pictures: Path | None = None
    counted: set[str] = field(default_factory=set)
    """Keys of the events of earlier games."""

    def __post_init__(self) -> None:
        self.entering = [self.make(self.table, has_touch=True) for _ in range(2)]
        self.without_network = self.make(self.offline)
        self.tablet = self.make(self.table, viewport=TABLET)
        self.television = self.make(self.table, viewport=TELEVISION)
        self.killed = self.make(self.table)
        for phone in self.all:
            phone.excuse_server_away()
            phone.excuse("status of 409")
            prepare(phone)
            phone.open("/table" if phone is self.television else "/")
        self.tappers = Tappers(self.entering, self.random)
        self.back = threading.Timer(OFFLINE_S, self.way.go_on)

    @property
    def all(self) -> list[Phone]:
        """The six browsers."""
        return [*self.entering, self.without_network, self.tablet, self.television, self.killed]

    def play(self) -> dict[str, int]:
        """Plays and checks every game; game -> taps."""
        taps = {}
        games = SHORTER if self.quick else WHOLE
        for number, (name, settings) in enumerate(games.items()):
            taps[name] = self._game(number, name, settings)
        self.back.join()
        self.killed.page = self.killed.context.new_page()
        self.killed.open()
        self._shown_everywhere(self._state())
        self._nothing_missed(len(games))
        for phone in self.all:
            phone.page.close()
        return taps

    def _game(self, number: int, name: str, settings: Mapping[str, Any]) -> int:
        page = self.entering[0].page
        start = {"game": name, "players": PLAYERS, "settings": settings}
        if self.quick and name == "thirteen_monsters":
            start = {**start, **near_the_end()}
        send(page, "new_game", start)
        for phone in self.entering:
            expect(phone.page.locator(".winner")).to_have_count(0)
            expect(phone.page.locator("h1")).to_have_text(self._state()["game"]["title"])
        if number == 1:
            self.way.stall()
            self.back.start()
        taps = self.tappers.play(lambda n: self._on_tap(number, name, n))
        self._agrees_with_the_journal(name)
        return taps

    def _on_tap(self, number: int, name: str, taps: int) -> None:
        if number == 1 and taps == 20:
            self.killed.page.close()
        if self.pictures and taps == PICTURED.get(name, 60):
            for phone in self.all[1:5]:
                phone.page.evaluate("scrollTo(0, 0)")
            self.tablet.page.wait_for_timeout(500)  # sheets have slid in
            shots = [phone.page.screenshot() for phone in (self.entering[1], self.tablet, self.television)]
            (self.pictures / f"evening_{name}.webp").write_bytes(side_by_side(shots))

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.entering[1].page.evaluate(
            "fetch('/state.json').then((one) => one.json())"
        )
        return found

    def _agrees_with_the_journal(self, name: str) -> None:
        """What the phones sent is in the journal once each, under the numbers they were answered, and nothing
        else; the rules make of it what the pages show."""
        state = self._state()
        text = self.entering[0].page.evaluate(
            f"fetch('/past/{state['game']['id']}.jsonl').then((one) => one.text())"
        )
        header, *journal = [json.loads(line) for line in text.splitlines()]
        all_sent = [one for phone in self.entering for one in sent(phone)]
        by_key = {one.key: one for one in all_sent}
        # a phone that waited too long sends the same event again, and is answered the same
        assert all(one == by_key[one.key] for one in all_sent)
        position = [event for event in journal if event["event"] in ("position", "time_passed")]
        mine = [one for one in by_key.values() if one.key not in self.counted]
        self.counted |= {one.key for one in mine}
        numbered = {one.n: one.event for one in mine}
        assert len(numbered) == len(mine) == len(journal) - len(position)
        for n, event in numbered.items():
            assert n is not None
            assert event.items() <= journal[n - 1].items(), (name, n)
        record: Record[Any] = opened(header)
        for event in journal:
            record.push(event)
        assert state["state"] == json.loads(json.dumps(record.book.view(record.state)))
        assert (state["scores"], state["winner"]) == (record.scores(), list(record.winner()))

    def _shown_everywhere(self, state: Mapping[str, Any]) -> None:
        final = {player: str(score).replace("-", "\u2212") for player, score in state["scores"].items()}
        for phone in self.all:
            expect(phone.page.locator(".link")).to_be_empty()
            expect(phone.page.locator(".winner, .celebration").first).to_be_visible()
        for phone in self.all:
            if phone is not self.television:
                assert shown(phone.page) == final

    def _nothing_missed(self, games: int) -> None:
        """Pages that were never away have received every entry of every game, and hardly one of them later
        than the next: a page that reads too slowly is sent the latest snapshot only (web.streams)."""
        for phone in (*self.entering, self.tablet, self.television):
            received: dict[int, set[int]] = {}
            for game, n in logged(phone):
                received.setdefault(game, set()).add(n)
            assert len(received) == games
            for numbers in received.values():
                assert numbers == set(range(1, max(numbers) + 1))
            at_once = {one for one in entries(phone) if one[1]}
            assert len(at_once) >= AT_ONCE * sum(map(len, received.values()))


def side_by_side(pictures: Sequence[bytes]) -> bytes:
    """A WebP of several PNGs, brought to the same height."""
    images = [cv2.imdecode(np.frombuffer(one, np.uint8), cv2.IMREAD_COLOR) for one in pictures]
    rows = []
    for image in images:
        assert image is not None
        width = round(image.shape[1] * PICTURE_PX / image.shape[0])
        scaled = cv2.resize(image, (width, PICTURE_PX), interpolation=cv2.INTER_AREA)
        rows.append(cv2.copyMakeBorder(scaled, 0, 0, 0, GAP_PX, cv2.BORDER_CONSTANT, value=(127, 127, 127)))
    done, webp = cv2.imencode(".webp", np.hstack(rows)[:, :-GAP_PX], [cv2.IMWRITE_WEBP_QUALITY, 75])
    assert done
    return webp.tobytes()


def shown(page: Page) -> dict[str, str]:
    """The scores on the board."""
    rows = page.locator(".scores > li").all()
    return {row.locator(".who strong").inner_text(): row.locator(".score").inner_text() for row in rows}


def near_the_end() -> dict[str, Any]:
    """Players, house rules and position of 13 Monsters after most of the recorded game."""
    header, *events = script("thirteen_monsters")
    record: Record[Any] = opened(header)
    for event in events[:BEGUN]:
        record.push(event)
    position = json.loads(json.dumps(record.book.view(record.state)))
    return {"players": header["players"], "settings": header["settings"], "position": position}


def main(arguments: Sequence[str]) -> None:
    """Plays the whole evening; with a folder, keeps pictures of it there."""
    pictures = Path(arguments[0]) if arguments else None
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(Path(folder)), inputs=Inputs())
        pages = create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases))
        with serving_table(app, pages) as address, stalling(address) as (offline, way):
            begun = time.monotonic()
            evening = Evening(
                address,
                lambda base, **given: Phone(browser, base, **given),
                way,
                offline,
                False,
                pictures=pictures,
            )
            print(json.dumps(evening.play()), f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
