"""Two whole games on six browsers at once: nothing is missing and nothing counts twice on any of them.

Two phones enter the recorded games in turn, by the commands that their pages send. Meanwhile one phone is
killed and comes back, and the Wi-Fi of another carries nothing for a minute.
"""

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chromium import PHONE, TABLET, Phone
from playwright.sync_api import Page, expect
from stalling_proxy import stalling
from test_browser_position import send

from companion.table.record import Record, opened

sys.path.append(str(Path(__file__).resolve().parents[1] / "games"))
from playthrough import FOLDER, read

Phones = Callable[..., Phone]
GAMES = ("nasty_7", "seven_merry_monsters")
TELEVISION = {"width": 1920, "height": 1080}
OFFLINE_S = 60
ENTER = """async ([events, start]) => {
  const answers = [];
  for (const [n, event] of events.entries()) {
    const key = (start + n).toString(16).padStart(32, "0");
    const headers = {"Content-Type": "application/json", "Idempotency-Key": key};
    const body = JSON.stringify(event);
    const once = () => fetch("/api/command/event", {method: "POST", headers, body}).then((one) => one.json());
    const [first, again] = [await once(), n % 10 ? null : await once()];
    answers.push([first.n, again === null || again.n === first.n]);
  }
  return answers;
}"""
"""Enters events; every tenth is sent twice with its key, as a phone does whose answer was lost."""


def whole_game(name: str) -> tuple[dict[str, Any], list[dict[str, Any]], Record[Any]]:
    """Header and events of the recorded game, and the record that they make."""
    header, events = read(FOLDER / f"{name}.txt")
    kept = [event for event in events if isinstance(event, dict)]
    record: Record[Any] = opened(header)
    for event in kept:
        record.push(event)
    return header, kept, record


def shown(page: Page) -> dict[str, str]:
    """The scores on the board."""
    rows = page.locator(".scores > li").all()
    return {row.locator(".who strong").inner_text(): row.locator(".score").inner_text() for row in rows}


@pytest.fixture
def quiet(phones: Phones) -> Phones:
    """Phones whose lost connections and refused events are part of the test."""

    def make(base: str, **settings: Any) -> Phone:
        phone = phones(base, **settings)
        phone.excuse("net::ERR_", "status of 409", "status of 422", "status of 503")
        return phone

    return make


def test_two_whole_games_on_six_browsers(table: str, quiet: Phones) -> None:
    with stalling(table) as (address, way):
        entering = [quiet(table), quiet(table)]
        watching = [quiet(address), quiet(table, viewport=TABLET), quiet(table, viewport=TELEVISION)]
        killed = quiet(table, viewport=PHONE)
        for phone in (*entering, *watching, killed):
            phone.open("/table" if phone is watching[2] else "/")
        back = threading.Timer(OFFLINE_S, way.go_on)
        for number, name in enumerate(GAMES):
            header, events, record = whole_game(name)
            data = {"game": name, "players": header["players"], "settings": header.get("settings", {})}
            send(entering[0].page, "new_game", data)
            if number == 0:
                way.stall()
                back.start()
            answered = []
            for part in range(0, len(events), 50):
                page = entering[part // 50 % 2].page
                answered += page.evaluate(ENTER, [events[part : part + 50], number * 10_000 + part])
                if number == 0 and part == 0:
                    killed.page.close()
            assert [n for n, _same in answered] == list(range(1, len(events) + 1))
            assert all(same for _n, same in answered)
            state = entering[1].page.evaluate("fetch('/state.json').then((one) => one.json())")
            assert state["state"] == json.loads(json.dumps(record.book.view(record.state)))
            assert (state["scores"], state["winner"]) == (record.scores(), list(record.winner()))
        back.join()
        killed.page = killed.context.new_page()
        killed.open()
        final = {player: str(score).replace("-", "\u2212") for player, score in record.scores().items()}
        for phone in (*entering, *watching[:2], killed):
            expect(phone.page.locator(".winner").first).to_be_visible()
            expect(phone.page.locator(".link")).to_be_empty()
            assert shown(phone.page) == final
        for phone in (*entering, *watching, killed):
            phone.page.close()
