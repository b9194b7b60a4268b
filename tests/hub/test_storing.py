"""What the hub stores: each message once, in SQLite and in PostgreSQL alike."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hall_messages import ENDED, judged, opened, result, status, taken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.errors import Unavailable
from companion.hub.database import HubDatabase
from companion.hub.standings import Filter, HallReader
from companion.hub.storing import ResultStore
from companion.mqtt.messages import TableForgotten

WALL = datetime(2026, 11, 20, 20, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def store(database: HubDatabase) -> ResultStore:
    return ResultStore(database, lambda: WALL)


@pytest.fixture
def reader(database: HubDatabase) -> HallReader:
    return HallReader(database)


def test_a_result_counts_once_however_often_it_comes(store: ResultStore, reader: HallReader) -> None:
    first = store.store(taken(opened("g1", 1), judged("g1", 1, 2), result("g1", 3)))
    assert (first.events, first.results, first.again) == (2, 1, 0)
    again = store.store(taken(opened("g1", 1), judged("g1", 1, 2), result("g1", 3), result("g1", 3)))
    assert (again.events, again.results, again.again) == (0, 0, 4)
    assert [(one.place, one.player, one.points, one.games, one.won) for one in reader.standings()] == [
        (1, "Ida", 2, 1, 1),
        (2, "Jo", 1, 1, 0),
        (3, "Kai", 0, 1, 0),
    ]
    assert reader.counts() == {"hall_table": 1, "hall_game": 1, "hall_event": 1, "hall_result": 1}


def test_the_same_game_id_at_two_tables_is_two_games(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(result("g1", 1), result("g1", 1, table="bay")))
    assert reader.standings()[0].games == 2


def test_a_later_result_of_the_same_game_replaces_the_earlier(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(result("g1", 1)))
    changed = result("g1", 5, "Jo", sequence=12, scores={"Ida": 3, "Jo": 5, "Kai": 1})
    store.store(taken(changed))
    store.store(taken(result("g1", 1)))
    assert [one.player for one in reader.standings()] == ["Jo", "Ida", "Kai"]
    assert len(reader.games()) == 1


def test_a_name_that_a_table_forgets_is_forgotten(
    store: ResultStore, reader: HallReader, database: HubDatabase
) -> None:
    heard = {"event": "heard", "player": "Kai"}
    store.store(taken(opened("g1", 1), judged("g1", 1, 2, event=heard), result("g1", 3), result("g2", 4)))
    assert "Kai" in {one.player for one in reader.standings()}
    reader.leave_out("window", "g2", True)
    anew: dict[str, Any] = {"series": "s2", "players": ("Ida", "Jo", "Somebody 1")}
    scores = {"Ida": 5, "Jo": 3, "Somebody 1": 1}
    store.store(
        taken(
            status(4, series="s2"),
            opened("g1", 1, **anew),
            judged("g1", 1, 2, series="s2", event=heard | {"player": "Somebody 1"}),
            result("g1", 3, **anew, scores=scores),
            result("g2", 4, **anew, scores=scores),
        )
    )
    assert {one.player for one in reader.standings()} == {"Ida", "Jo", "Somebody 1"}
    assert reader.standings()[0].games == 1, "what the organiser left out stays out"
    late = taken(opened("g1", 1), judged("g1", 1, 2, event=heard), result("g1", 3, sequence=9))
    store.store(late)
    everything = [
        str(row)
        for kind in ("game", "event", "placing")
        for row in database.rows(f"SELECT * FROM hall_{kind}")
    ]
    assert not any("Kai" in one for one in everything)
    assert (store.tables["window"].series, store.tables["window"].number) == ("s2", 4)


def test_a_game_that_a_table_forgets_is_forgotten(
    store: ResultStore, reader: HallReader, database: HubDatabase
) -> None:
    before = taken(opened("g1", 1), judged("g1", 1, 2), result("g1", 3), result("g2", 4))
    store.store(before)
    store.store(taken(result("g1", 1, table="bay")))
    forgotten = TableForgotten(table="window", games=("g1", "g7"))
    store.store(taken(forgotten, forgotten))
    store.store(before)
    assert {(one.table, one.game) for one in reader.games()} == {("window", "g2"), ("bay", "g1")}
    assert reader.standings()[0].games == 2
    for kind in ("game", "event", "placing", "result"):
        rows = database.rows(f"SELECT * FROM hall_{kind} WHERE table_name = 'window' AND game = 'g1'")
        assert rows == [], kind


def test_games_without_a_winner_do_not_count(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(result("g1", 1, "")))
    assert reader.standings() == []
    assert [one.decided for one in reader.games()] == [False]


def test_the_organiser_may_leave_a_result_out(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(result("g1", 1), result("g2", 2, "Jo", scores={"Jo": 9, "Ida": 2, "Kai": 1})))
    assert reader.leave_out("window", "g2", True)
    assert reader.standings()[0].games == 1
    store.store(taken(result("g2", 2, "Jo")))
    assert reader.standings()[0].games == 1, "it came again"
    assert reader.leave_out("window", "g2", False)
    assert reader.standings()[0].games == 2
    assert not reader.leave_out("window", "unknown", True)


def test_equal_points_share_a_place(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(result("g1", 1), result("g2", 2, "Jo", scores={"Jo": 5, "Ida": 3, "Kai": 1})))
    assert [(one.place, one.points) for one in reader.standings()] == [(1, 3), (1, 3), (3, 0)]


def test_an_evening_lasts_until_five_in_the_morning(store: ResultStore, reader: HallReader) -> None:
    late, next_day = "2026-11-21T03:30:00.000+00:00", "2026-11-21T04:30:00.000+00:00"
    store.store(
        taken(
            result("g1", 1), result("g2", 2, started=late), result("g3", 3, started=next_day, name="nasty_7")
        )
    )
    assert [(one.day, one.games, one.players) for one in reader.evenings()] == [
        ("2026-11-21", 1, 3),
        ("2026-11-20", 2, 3),
    ]
    assert reader.standings(Filter("2026-11-20", "2026-11-20"))[0].games == 2
    assert reader.standings(Filter(name="nasty_7"))[0].games == 1
    assert [one.game for one in reader.games(Filter(player="Kai"))] == ["g1", "g2", "g3"]
    assert reader.games(Filter(player="Lou")) == []


def test_missing_numbers_are_noticed(store: ResultStore, reader: HallReader) -> None:
    store.store(taken(status(0), opened("g1", 1)))
    assert not store.tables["window"].incomplete
    store.store(taken(judged("g1", 2, 3)))
    assert (store.tables["window"].number, store.tables["window"].incomplete) == (1, True)
    assert [one.complete for one in reader.tables()] == [False]
    store.store(taken(judged("g1", 1, 2), judged("g1", 2, 3)))
    assert (store.tables["window"].number, store.tables["window"].incomplete) == (3, False)
    store.store(taken(status(5)))
    assert store.tables["window"].incomplete, "the table says that the broker has five"


def test_a_restarted_hub_knows_how_far_it_is(store: ResultStore, database: HubDatabase) -> None:
    store.store(taken(status(2), opened("g1", 1), judged("g1", 1, 2), judged("g1", 4, 5)))
    again = ResultStore(database, lambda: WALL).tables["window"]
    assert (again.series, again.number, again.head, again.missing) == ("s1", 2, 5, (2, 4))


def test_only_gaps_are_missing(store: ResultStore) -> None:
    store.store(taken(opened("g1", 1), judged("g1", 2, 3), judged("g1", 3, 4), status(7)))
    assert store.tables["window"].missing == (1, 2)
    store.store(taken(judged("g1", 5, 6), judged("g1", 1, 2)))
    assert (store.tables["window"].number, store.tables["window"].missing) == (4, (4, 7))
    store.store(taken(judged("g1", 4, 5)))
    assert store.tables["window"].missing == (6, 7)
    store.store(taken(judged("g1", 6, 7)))
    assert not store.tables["window"].incomplete


def test_a_new_series_starts_at_nothing(store: ResultStore) -> None:
    store.store(taken(opened("g1", 1), judged("g1", 1, 2)))
    store.store(taken(opened("g1", 1, series="s2")))
    progress = store.tables["window"]
    assert (progress.series, progress.number, progress.incomplete) == ("s2", 1, False)


def test_a_failed_batch_changes_nothing(store: ResultStore, database: HubDatabase) -> None:
    store.store(taken(opened("g1", 1)))
    with database.transaction() as connection:
        from sqlalchemy import text

        connection.execute(text("ALTER TABLE hall_event RENAME TO elsewhere"))
    with pytest.raises(Unavailable):
        store.store(taken(result("g1", 2), judged("g1", 1, 3)))
    assert store.tables["window"].number == 1
    assert HallReader(database).games() == []


def test_an_open_database_of_a_newer_hub_is_refused(url: str) -> None:
    HubDatabase(url).close()
    database = HubDatabase(url)
    with database.transaction() as connection:
        from sqlalchemy import text

        connection.execute(text("INSERT INTO hub_schema VALUES (99)"))
    database.close()
    with pytest.raises(Unavailable, match="newer hub"):
        HubDatabase(url)


GAMES = [
    [
        opened(f"g{k}", 3 * k + 1),
        judged(f"g{k}", 1, 3 * k + 2),
        result(f"g{k}", 3 * k + 3, "Ida" if k % 2 else "Jo"),
    ]
    for k in range(4)
]
MESSAGES = [one for game in GAMES for one in game]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(range(12)), st.lists(st.integers(0, 11), max_size=12), st.integers(1, 8))
def test_any_order_and_any_repetition_gives_the_same_standings(
    order: list[int], repeated: list[int], size: int
) -> None:
    database = HubDatabase("sqlite://")
    store, reader = ResultStore(database, lambda: WALL), HallReader(database)
    arrived = [MESSAGES[k] for k in (*order, *repeated)]
    for start in range(0, len(arrived), size):
        store.store(taken(*arrived[start : start + size]))
    for start in range(0, 12, size):  # as a table sends again what was asked for
        store.store(taken(*MESSAGES[start : start + size]))
    assert store.tables["window"].number == 12
    assert [(one.player, one.points, one.games) for one in reader.standings()] == [
        ("Ida", 6, 4),
        ("Jo", 6, 4),
        ("Kai", 0, 4),
    ]
    assert all(one.ended == ENDED for one in reader.games())
    database.close()


def test_progress_that_may_wait_is_written_later(store: ResultStore, database: HubDatabase) -> None:
    store.store(taken(opened("g1", 1)))
    first = store.store(taken(judged("g1", 1, 2), status(2)), progress=False)
    assert first.events == 1
    assert store.unwritten == {"window"}
    assert ResultStore(database, lambda: WALL).tables["window"].number == 1
    store.store([])
    assert store.unwritten == set()
    assert ResultStore(database, lambda: WALL).tables["window"].number == 2
    assert HallReader(database).tables()[0].online


def test_a_new_series_is_written_at_once(store: ResultStore, database: HubDatabase) -> None:
    store.store(taken(opened("g1", 1)))
    store.store(taken(opened("g1", 1, series="s2"), opened("g1", 1, table="bay")), progress=False)
    after = ResultStore(database, lambda: WALL).tables
    assert (after["window"].series, after["window"].former, after["window"].epoch) == ("s2", ("s1",), 2)
    assert set(after) == {"window", "bay"}
    assert store.unwritten == set()


def test_a_failed_batch_leaves_what_waits(store: ResultStore, database: HubDatabase) -> None:
    store.store(taken(opened("g1", 1)))
    store.store(taken(judged("g1", 1, 2)), progress=False)
    database.run("ALTER TABLE hall_event RENAME TO hall_event_away")
    with pytest.raises(Unavailable):
        store.store(taken(judged("g1", 2, 3)), progress=False)
    database.run("ALTER TABLE hall_event_away RENAME TO hall_event")
    assert store.tables["window"].number == 2
    store.store([])
    assert ResultStore(database, lambda: WALL).tables["window"].number == 2
