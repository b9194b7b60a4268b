"""Players: who wins what, who calls how fast, who finishes above whom, and who led an evening."""

import re
from collections.abc import Callable
from pathlib import Path

from chromium import Phone
from flask.testing import FlaskClient
from past_evening import evening
from playwright.sync_api import expect

from companion.host.history import History


def test_reports_are_served_as_described(guest: FlaskClient) -> None:
    found = guest.get("/api/players").get_json()
    assert [one["player"] for one in found["players"]] == ["Ida", "Jo"]
    assert guest.get("/players?name=Nobody").status_code == 200


def test_each_player_has_a_report(still: str, phones: Callable[..., Phone]) -> None:
    phone = phones(still, locale="en-GB")
    page = phone.open("/players?name=Ida")
    expect(page.locator("main > .lead")).to_have_text("Ida won 1 of 1 game.")
    expect(page.locator(".bars li").first).to_have_text(re.compile("The Nasty 7.*1 of 1"))
    expect(page.locator(".bars li").last).to_have_text(re.compile("Jo.*above 1, below 0"))
    expect(page.get_by_role("img", name="0.95 s")).to_be_visible()
    phone.tap("Jo")
    expect(page.locator("main > .lead")).to_have_text("Jo won 0 of 1 game.")
    expect(page).to_have_url(re.compile("name=Jo$"))
    expect(page.locator("svg.chart")).to_have_count(0)
    assert phone.overflow() <= 0


def test_reports_come_from_the_journal(tmp_path: Path) -> None:
    evening(tmp_path / "journal.sqlite")
    history = History(tmp_path / "journal.sqlite")
    reports = {one.player: one for one in history.players().players}
    assert (reports["Jo"].games, reports["Jo"].won) == (5, 3)
    assert sum(len(game.seconds) for one in reports.values() for game in one.calls) == 11
    assert reports["Ida"].calls[0].game == 1
    assert history.players() == history.players(), "kept times are the same as computed ones"
    games = history.state().games
    assert {game.night for game in games} == {1}
    total = {name: sum(game.points.get(name, 0) for game in games) for name in reports}
    assert total == {name: one.points for name, one in reports.items()}
