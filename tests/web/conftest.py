"""The pages with a host that stands still, and phones with and without the whistle."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from still_host import PIN, SAME, StillHost, Tick

from web import create_app


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
    assert client.post("/api/role", json={"pin": PIN}, headers=SAME).status_code == 200
    return client
