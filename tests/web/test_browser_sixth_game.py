"""Pig (tests/games/pig), a game without a page of its own, is played on the generic page."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Phone
from playwright.sync_api import expect
from test_browser_play import scores, start

from companion import games

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers Pig before the table starts."""
    monkeypatch.syspath_prepend(GAMES)
    monkeypatch.setattr(games, "PACKAGES", (*games.PACKAGES, "pig"))


@pytest.mark.usefixtures("registered")
def test_a_game_without_a_page_of_its_own_is_started_played_and_undone(
    table: str, phones: Callable[..., Phone]
) -> None:
    phone = phones(table)
    page = start(phone, "Pig", "Ida", "Jo")
    phone.tap("What happened?")
    phone.tap("Ida die rolled.")
    phone.tap("Enter")
    expect(page.locator("#verdict")).to_have_text("points lost")
    phone.tap("What happened?")
    phone.tap("Jo points kept.")
    scores(page, Ida="0", Jo="0")
    # The scores were the same before; the page offers the undo of the latest move once it knows it.
    expect(page.get_by_text("Ida is on turn.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Undo: ")).click()
    phone.tap("Take it back")
    expect(page.get_by_text("Jo is on turn.")).to_be_visible()
