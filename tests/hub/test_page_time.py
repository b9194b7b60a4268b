"""What a page of a large hall costs: processor time, so a busy machine does not change it."""

from collections.abc import Iterator
from time import thread_time

import pytest
from flask.testing import FlaskClient
from hall_messages import result, status, taken

from companion.hub.database import HubDatabase
from companion.hub.pages import create_hub_pages
from companion.hub.ratings import RatingReader
from companion.hub.standings import HallReader
from companion.hub.storing import ResultStore
from companion.mqtt.messages import TableState
from companion.store.journal import utc_now

TABLES, GAMES = 1000, 3
LIMIT_S = 0.1


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HubDatabase, FlaskClient]]:
    """A thousand tables that play, with three results each of two thousand players."""
    database = HubDatabase(f"sqlite:///{tmp_path_factory.mktemp('hall') / 'hub.sqlite'}")
    store = ResultStore(database, utc_now)
    for number in range(TABLES):
        name, here = f"t{number}", (f"P{number}", f"P{number + TABLES}", f"P{(number * 7) % TABLES} x")
        state = TableState(
            table=name, seq=1, game="g", name="trio_monsters", title="Trio", players=here, turn=here[0]
        )
        games = [
            result(f"g{k}", k + 1, here[k % 3], table=name, players=here, scores=dict.fromkeys(here, k))
            for k in range(GAMES)
        ]
        store.store(taken(status(0, table=name), state, *games))
    reader = HallReader(database)
    app = create_hub_pages(reader, RatingReader(database), {}, "", lambda: "")
    yield database, app.test_client()
    database.close()


@pytest.mark.parametrize("path", ["/", "/standings", "/games", "/evenings", "/standings?game=trio_monsters"])
def test_a_page_of_a_thousand_tables(hall: tuple[HubDatabase, FlaskClient], path: str) -> None:
    database, client = hall
    client.get(path)
    times = []
    for _ in range(5):
        database.changed()  # a result has come: nothing may be kept
        began = thread_time()
        answer = client.get(path)
        times.append(thread_time() - began)
        assert answer.status_code == 200
    assert sorted(times)[2] < LIMIT_S, times


def test_what_has_not_changed_is_not_read_again(hall: tuple[HubDatabase, FlaskClient]) -> None:
    database, _ = hall
    reader = HallReader(database)
    first = reader.standings()
    assert reader.standings() is first
    database.changed()
    assert reader.standings() is not first
