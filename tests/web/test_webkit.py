"""WebKit, the engine of Safari: every page, and whole games by taps. Runs where its driver is installed."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask, Response
from tapping import SCRIPT, Tappers, sent
from test_browser_every_page import SMALL, html_pages
from webkit import PHONE, WebKitPhone, missing, webkit
from whole_games import SHORTER, near_the_end

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

SEND = """([name, data]) => fetch(`/api/command/${name}`, {
  method: "POST", body: JSON.stringify(data), headers: {"Content-Type": "application/json"},
}).then((reply) => reply.json())"""
PLAYERS = ("Ida", "Jo", "Maximiliane")
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture
def watched(table_pages: Flask) -> Flask:
    """Pages that run the script of the tapping tests before their own."""
    table_pages.add_url_rule("/watch.js", "watch", lambda: Response(SCRIPT, mimetype="text/javascript"))

    def add(response: Response) -> Response:
        if response.mimetype == "text/html":
            page = response.get_data(as_text=True)
            response.set_data(page.replace("<head>", '<head><script src="/watch.js"></script>', 1))
        return response

    table_pages.after_request(add)
    return table_pages


@pytest.fixture
def phone(watched: Flask, table: str) -> Iterator[WebKitPhone]:
    """A phone at a table; its console may not have complained in the end."""
    with webkit(table) as found:
        yield found
        assert found.complaints() == []


def begin(phone: WebKitPhone, game: str, **more: Any) -> None:
    data = {"game": game, "players": PLAYERS, "settings": {}, **more}
    assert phone.evaluate(SEND, ["new_game", data])["ok"]


def test_every_page_fits_a_phone(phone: WebKitPhone, table_pages: Flask) -> None:
    phone.open()
    begin(phone, "seven_merry_monsters")
    wrong = {}
    for path in html_pages(table_pages):
        phone.open(path)
        found = [] if phone.evaluate(WIDTH) <= PHONE["width"] else ["wider than the screen"]
        if found := found + phone.evaluate(SMALL):
            wrong[path] = found
    assert not wrong, wrong


@pytest.mark.parametrize("game", SHORTER)
def test_a_game_is_played_by_taps(game: str, phone: WebKitPhone) -> None:
    phone.open()
    more = near_the_end() if game == "thirteen_monsters" else {"settings": SHORTER[game]}
    begin(phone, game, **more)
    assert Tappers([phone], Random(5)).play() > 5
    assert all(one.ok or one.n for one in sent(phone))
