"""A phone at a table of a tournament: the planned game is offered, declined, and begun with one tap."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import PHONE, Phone
from playwright.sync_api import expect
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.api.snapshot import SeatingOffer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table import seating
from companion.table.story import phrases
from web import create_app

PLANNED = SeatingOffer("s1", "<b>Cup</b>", 2, "nasty_7", "", ("<i>Ida</i>", "Jo " + "x" * 36))


@pytest.fixture
def seated_app(tmp_path: Path) -> Iterator[tuple[App, str]]:
    app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())
    pages = create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases))
    with serving_table(app, pages) as address:
        yield app, address


def test_the_planned_game_is_offered_and_begun_with_one_tap(
    seated_app: tuple[App, str], phones: Callable[..., Phone]
) -> None:
    app, address = seated_app
    phone = phones(address)
    page = phone.open("/")
    app.table.call(lambda referee: seating.offer(referee, PLANNED))
    offer = page.locator(".seating-offer")
    expect(offer).to_contain_text("<b>Cup</b>, round 2")
    expect(offer).to_contain_text("<i>Ida</i>")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_contain_text("Declined")
    offer.get_by_role("button", name="Begin this game").click()
    expect(page.locator("h1")).to_have_text("The Nasty 7")
    expect(offer).to_have_count(0)
    snapshot = app.table.snapshot()
    assert snapshot.game is not None
    assert [one.name for one in snapshot.game.players] == list(PLANNED.players)
