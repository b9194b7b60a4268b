"""A database of each kind, a broker, and simulated tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mosquitto_broker import Mosquitto
from postgres_server import PostgresServer

from companion.hub.database import HubDatabase


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'hub.sqlite'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def database(url: str) -> Iterator[HubDatabase]:
    one = HubDatabase(url)
    yield one
    one.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    one = Mosquitto(tmp_path / "broker")
    yield one
    one.kill()
