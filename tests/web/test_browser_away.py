"""The table is away: pages show the last known score and of when it is, on https and on plain http."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chromium import Phone
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from still_host import eventually
from test_browser_position import send
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app

Phones = Callable[..., Phone]
Service = Callable[..., AbstractContextManager[str]]
STOOD = re.compile(r"The connection is lost\. This is how things stood at \d{1,2}:\d\d")

KEPT = "caches.open('pages').then((kept) => kept.match('/')).then(Boolean)"
REMEMBERED = "JSON.parse(localStorage['companion.last'] ?? 'null')?.snapshot.scores.Ida"


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Starts the table on its data, as often as it is called; `port`: the one it had before."""

    def start(port: int = 0) -> AbstractContextManager[str]:
        app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())
        pages = create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases))
        return serving_table(app, pages, port)

    return start


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def score(page: Page, player: str) -> str:
    return page.locator(".scores li", has_text=player).locator(".score").inner_text()


def play(phone: Phone, card: str = "racketeer") -> None:
    """Ida plays a card and calls it rightly: she has one card less."""
    send(phone.page, "event", {"event": "card_played", "player": "Ida", "card": card})
    send(phone.page, "event", {"event": "heard", "words": ["one"]})
    expect(phone.page.locator(".scores li", has_text="Ida").locator(".score")).to_have_text("54")


def begin(phone: Phone) -> None:
    players = {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}
    send(phone.open(), "new_game", players)
    expect(phone.page.locator(".scores li")).to_have_count(2)


class _BadGateway(BaseHTTPRequestHandler):
    """What a proxy for https answers while the table behind it is away."""

    def do_GET(self) -> None:
        self.send_error(502)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def proxy_alone(port: int) -> Iterator[None]:
    """A proxy without a table behind it."""
    with ThreadingHTTPServer(("127.0.0.1", port), _BadGateway) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield
        finally:
            server.shutdown()


def test_a_page_is_loaded_again_while_the_table_is_away(service: Service, phones: Phones) -> None:
    loaded_again(service, phones, lambda port: nullcontext())


def test_a_page_is_loaded_again_while_a_proxy_is_alone(service: Service, phones: Phones) -> None:
    loaded_again(service, phones, proxy_alone)


def loaded_again(
    service: Service, phones: Phones, meanwhile: Callable[[int], AbstractContextManager[None]]
) -> None:
    """Loads pages while the table is away; `meanwhile`: what answers at its port then."""
    with service() as address:
        phone = phones(address, keeps_pages=True)
        phone.excuse_server_away()
        phone.excuse("status of 502", "aborting the connection", "ERR_")
        begin(phone)
        page = phone.open()
        eventually(lambda: page.evaluate(KEPT))
        phone.open("/rules")
        phone.open()
        play(phone)  # later than the page was kept
        eventually(lambda: page.evaluate(REMEMBERED) == 54)
    with meanwhile(port_of(address)):
        page.reload()
        expect(page.locator(".link")).to_have_text(STOOD)
        assert score(page, "Ida") == "54"
        expect(page.locator("h1")).to_have_text("The Nasty 7")
        phone.open("/rules")
        expect(
            page.locator("html[data-kept] main.rules-page, html[data-kept] .rules-page main")
        ).to_be_visible()
        assert page.url.endswith("/rules")
        page.goto("/setup")  # a page that is not kept: the score instead
        expect(page.locator(".scores li")).to_have_count(2)
    with service(port_of(address)):
        # The kept page loads itself again as soon as the table answers, at any moment from now on.
        expect(page.locator("html:not([data-kept]) .link")).to_be_empty()
        assert score(page, "Ida") == "54"
        page.close()


def test_without_a_service_worker_the_page_says_of_when_it_is_and_comes_back(
    service: Service, phones: Phones
) -> None:
    with service() as address:
        phone = phones(address)
        phone.excuse_server_away()
        begin(phone)
        page = phone.open()
        play(phone)
        eventually(lambda: page.evaluate(REMEMBERED) == 54)
        phone.open("/rules")
    page.go_back()
    expect(page.locator(".link")).to_have_text(STOOD)
    assert score(page, "Ida") == "54"
    with service(port_of(address)):
        expect(page.locator(".link")).to_be_empty()
        page.close()


def test_the_service_worker_may_serve_every_page_and_is_asked_for_again(guest: FlaskClient) -> None:
    answer = guest.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in guest.get("/").headers["Content-Security-Policy"]
