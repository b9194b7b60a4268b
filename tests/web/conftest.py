"""Pages with a host that stands still, pages of a real table, and phones in a real browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from api_check import CheckedClient
from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser
from still_host import PIN, SAME, StillHost, Tick
from web_server import serving, serving_table

from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every response that a test client gets is checked against the OpenAPI description."""
    monkeypatch.setattr(Flask, "test_client_class", CheckedClient)


@pytest.fixture
def host() -> StillHost:
    return StillHost()


@pytest.fixture
def tick() -> Tick:
    return Tick()


@pytest.fixture
def app(host: StillHost, tick: Tick) -> Flask:
    return create_app(host, secret_key=b"k" * 32, clock=tick, heartbeat_s=0.05, listeners=2)


@pytest.fixture
def guest(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def referee(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/api/role", json={"code": PIN}, headers=SAME).status_code == 200
    return client


@pytest.fixture
def phones(browser: Browser) -> Iterator[Callable[..., Phone]]:
    """Makes phones; at the end of the test none of them may have complained."""
    made: list[Phone] = []

    def make(base: str, **settings: Any) -> Phone:
        made.append(Phone(browser, base, **settings))
        return made[-1]

    yield make
    for phone in made:
        phone.context.close()
    assert [complaint for phone in made for complaint in phone.complaints] == []


@pytest.fixture
def still(host: StillHost) -> Iterator[str]:
    """The address of pages behind which nothing moves by itself."""
    with serving(create_app(host, secret_key=b"k" * 32, heartbeat_s=0.5)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def real_table(tmp_path: Path) -> App:
    """A table without senses: journal and rules, everybody decides."""
    return App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())


@pytest.fixture
def table_pages(real_table: App) -> Flask:
    """The pages of that table."""
    key = real_table.data.key()
    return create_app(real_table.host, secret_key=key, writer=TableRenderer(phrases))


@pytest.fixture
def table(real_table: App, table_pages: Flask) -> Iterator[str]:
    """The address of that table with its pages."""
    with serving_table(real_table, table_pages) as address:
        yield address
