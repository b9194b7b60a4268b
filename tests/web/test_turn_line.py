"""Whose turn it is stands on every page while a game is played."""

from collections.abc import Callable

import pytest
from chromium import Phone
from playwright.sync_api import expect
from test_browser_position import send

PAGES = ("/rules", "/join", "/setup", "/history", "/help", "/new", "/past", "/devices", "/position")


@pytest.fixture
def game(table: str, phones: Callable[..., Phone]) -> Phone:
    phone = phones(table)
    phone.excuse("status of 422")  # there is no camera
    send(phone.open(), "new_game", {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}})
    return phone


def test_every_page_says_whose_turn_it_is_and_leads_back(game: Phone) -> None:
    for path in PAGES:
        page = game.open(path)
        expect(page.locator(".turn-line")).to_have_text("Ida turns over a card.")
    page.locator(".turn-line").click()
    page.wait_for_url("**/")


def test_it_follows_the_game_and_goes_with_it(game: Phone) -> None:
    page = game.open("/join")
    send(page, "event", {"event": "card_played", "player": "Ida", "card": "racketeer"})
    expect(page.locator(".turn-line")).to_have_text("Ida calls.")
    send(page, "event", {"event": "heard", "words": ["one"]})
    expect(page.locator(".turn-line")).to_have_text("Jo turns over a card.")
    send(page, "end_game", {})
    expect(page.locator(".turn-line")).to_have_count(0)
