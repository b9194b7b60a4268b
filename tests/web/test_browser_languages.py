"""Every phone is spoken to in its own language, and longer words still fit a narrow phone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from api_client import REFEREE, request
from chromium import Phone
from playwright.sync_api import expect
from web_server import serving_table

from companion.announce.phrases import LOCALE
from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app

Phones = Callable[..., Phone]
PAGES = ("join", "new", "setup", "enrol", "voices", "help", "rules", "history", "table")
GAMES = {
    "nasty_7": ["Ida", "Jo", "Kai"],
    "seven_merry_monsters": ["Ida", "Jo", "Kai"],
    "bugs_and_co": ["Ida", "Jo"],
    "thirteen_monsters": ["Ida", "Jo"],
    "trio_monsters": ["Ida", "Jo"],
}


@pytest.fixture
def translated(tmp_path: Path) -> Iterator[tuple[str, App]]:
    """A real table that speaks English, with pages in every language."""
    app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())
    pages = create_app(app.host, secret_key=b"k" * 32, locale_dir=LOCALE, writer=TableRenderer(phrases))
    with serving_table(app, pages) as address:
        yield address, app


@pytest.mark.parametrize("language", ["de-CH", "fr-CH"])
def test_no_page_is_wider_than_a_narrow_phone(
    translated: tuple[str, App], phones: Phones, language: str
) -> None:
    base, app = translated
    phone = phones(base, locale=language)
    for page in ("", *PAGES):
        phone.open(f"/{page}")
        assert phone.page.locator("html").get_attribute("lang") == language[:2]
        assert phone.overflow() <= 0, page
    for game, players in GAMES.items():
        assert app.host.command(request("new_game", {"game": game, "players": players}), REFEREE).ok
        phone.open("/")
        assert phone.overflow() <= 0, game
    phone.open("/new").locator("summary").click()
    assert phone.overflow() <= 0


def test_two_phones_read_the_same_verdict_in_two_languages(
    translated: tuple[str, App], phones: Phones
) -> None:
    base, app = translated
    assert app.host.command(request("new_game", {"game": "nasty_7", "players": ["Ida", "Jo"]}), REFEREE).ok
    german, english = phones(base, locale="de-DE").open("/"), phones(base, locale="en-GB").open("/")
    app.host.command(
        request("event", {"event": "card_played", "player": "Ida", "card": "racketeer"}), REFEREE
    )
    app.host.command(request("event", {"event": "heard", "words": ["two"]}), REFEREE)
    expect(german.locator("#verdict")).to_contain_text("Ida hat zwei gesagt. Richtig war eins.")
    expect(english.locator("#verdict")).to_contain_text("Ida said two. It was one.")


def test_language_is_switched_in_the_menu_and_stays(translated: tuple[str, App], phones: Phones) -> None:
    phone = phones(translated[0], locale="en-GB")
    phone.open("/")
    phone.tap("Menu")
    phone.page.get_by_role("button", name="Language English").click()
    phone.page.get_by_role("button", name="Deutsch").click()
    expect(phone.page.locator("h1")).to_have_text("Es spielt noch niemand.")
    expect(phone.open("/new").locator("h1")).to_have_text("Neues Spiel")
