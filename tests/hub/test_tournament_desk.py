"""Registration, the organiser's desk, and results that find their round, in both kinds of database."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hall_messages import result, taken
from tournaments import plan

from companion.hub.database import HubDatabase
from companion.hub.storing import ResultStore
from companion.hub.tournament.desk import DeskRefused, TournamentDesk
from companion.hub.tournament.model import RoundTable, Tournament
from companion.hub.tournament.offers import SeatingPublisher
from companion.hub.tournament.reading import TournamentReader
from companion.hub.tournament.registration import Registration, RegistrationRefused, hashed
from companion.hub.tournament.rounds import RoundImpossible
from companion.hub.tournament.scoring import tournament_standings

WALL = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


class Hall:
    """A desk, a registration and a store with one database."""

    def __init__(self, database: HubDatabase) -> None:
        self.database = database
        self.now = 0.0
        self.reader = TournamentReader(database)
        self.publisher = SeatingPublisher(self.reader)
        self.desk = TournamentDesk(database, lambda: WALL, self.publisher.changed)
        self.registration = Registration(database, lambda: self.now)
        self.store = ResultStore(database, lambda: WALL, self.publisher.changed)
        self.sent: list[tuple[str, bytes]] = []
        self.numbers = 0

    def begin(self, players: int = 8, **changes: Any) -> str:
        id_ = self.desk.create(plan(**changes))
        for number in range(1, players + 1):
            self.registration.register(id_, f"P{number}")
        self.desk.start_round(id_)
        return id_

    def known(self, id_: str) -> Tournament:
        found = self.reader.read(id_)
        assert found is not None
        return found

    def tables(self, id_: str) -> tuple[RoundTable, ...]:
        return self.known(id_).rounds[-1].tables

    def report(self, id_: str, number: int = 1, **changes: Any) -> bool:
        """The table reports its game, with the first player as its winner; whether the round has changed."""
        before = self.known(id_)
        table = self.tables(id_)[number - 1]
        names = [before.name_of(one) for one in table.players]
        self.numbers += 1
        known: dict[str, Any] = {
            "table": table.place,
            "name": before.rounds[-1].game,
            "players": tuple(names),
            "scores": {name: 10 - seat for seat, name in enumerate(names)},
            "started": "2026-11-20T18:00:00.000+00:00",
        }
        game = changes.pop("game", table.id)
        winner = changes.pop("winner", names[0])
        self.store.store(taken(result(game, self.numbers, winner, **(known | changes))))
        return self.known(id_) != before

    def publish(self, connection: int = 1) -> dict[str, Any]:
        self.sent.clear()
        self.publisher.publish(connection, lambda topic, payload: self.sent.append((topic, payload)))
        return {topic: msgspec.json.decode(payload) if payload else None for topic, payload in self.sent}


@pytest.fixture
def hall(database: HubDatabase) -> Hall:
    return Hall(database)


def code(run: Callable[[], object]) -> str:
    with pytest.raises((DeskRefused, RegistrationRefused, RoundImpossible)) as caught:
        run()
    return str(caught.value.code)  # type: ignore[attr-defined]


def test_registration(hall: Hall) -> None:
    id_ = hall.desk.create(plan())
    first = hall.registration.register(id_, "  Ida   Ö ", "1234")
    assert hall.known(id_).entrants[0].name == "Ida Ö"
    assert hall.reader.entrant_of(id_, hashed(first.secret)) == first.number == 1
    assert code(lambda: hall.registration.register(id_, "IDA ö")) == "name_taken"
    for bad in ("", "   ", "x" * 41, "\u202e\u200b"):
        assert code(lambda bad=bad: hall.registration.register(id_, bad)) == "bad_name"
    for bad in ("12", "12a4", "1" * 9, "１２３４"):
        assert code(lambda bad=bad: hall.registration.register(id_, "Jo", bad)) == "bad_pin"
    assert code(lambda: hall.registration.register("nowhere", "Jo")) == "closed"
    hall.desk.open_registration(id_, False)
    assert code(lambda: hall.registration.register(id_, "Jo")) == "closed"
    assert hall.desk.add(id_, "Jo") == 2, "the organiser still may"
    assert code(lambda: hall.registration.sign_in(id_, "Jo", "")) == "wrong_pin", "no PIN is no way in"


def test_a_pin_opens_the_own_page_on_another_phone(hall: Hall) -> None:
    id_ = hall.desk.create(plan())
    first = hall.registration.register(id_, "Ida", "1234")
    second = hall.registration.sign_in(id_, "ida", "1234")
    assert hall.reader.entrant_of(id_, hashed(second.secret)) == 1
    assert hall.reader.entrant_of(id_, hashed(first.secret)) is None
    for _ in range(5):
        assert code(lambda: hall.registration.sign_in(id_, "Ida", "9999")) == "wrong_pin"
    assert code(lambda: hall.registration.sign_in(id_, "Ida", "1234")) == "too_often"
    hall.now = 61.0
    assert hall.registration.sign_in(id_, "Ida", "1234").number == 1
    rows = hall.database.rows("SELECT pin, token FROM tournament_entrant")
    assert rows[0].pin.startswith("scrypt:")
    assert "1234" not in rows[0].pin.split("$"), "a hash may hold these digits by chance"
    assert second.secret not in rows[0].token


def test_many_register_at_once(hall: Hall) -> None:
    id_ = hall.desk.create(plan())
    threads = [
        threading.Thread(target=hall.registration.register, args=(id_, f"P{number}")) for number in range(12)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [one.number for one in hall.known(id_).entrants] == list(range(1, 13))


def test_a_result_finds_its_round_once(hall: Hall) -> None:
    id_ = hall.begin()
    table = hall.tables(id_)[0]
    assert hall.report(id_)
    done = hall.tables(id_)[0]
    assert (done.ranks[table.players[0]], done.source) == (1, "table")
    assert not hall.report(id_), "the same result again"
    assert hall.report(id_, winner=hall.known(id_).name_of(table.players[1]), sequence=12), "it was amended"
    assert hall.tables(id_)[0].ranks[table.players[1]] == 1
    rows = {row.number: row.points for row in tournament_standings(hall.known(id_))}
    assert sum(rows.values()) == 200


def test_results_that_do_not_belong_to_the_round(hall: Hall) -> None:
    id_ = hall.begin()
    assert not hall.report(id_, table="t9")
    assert not hall.report(id_, name="chess")
    assert not hall.report(id_, winner="")
    names = hall.known(id_).name_of
    strangers = ("Kim", *(names(one) for one in hall.tables(id_)[0].players[1:]))
    assert not hall.report(id_, players=strangers, winner="Kim", scores={})
    assert not hall.report(id_, game="g1", started="2026-11-20T17:00:00.000+00:00"), "before the round"
    assert not hall.report(id_, game=f"{id_}-r1-t1-9")
    assert hall.report(id_, game="g2"), "the same players began it by hand"
    assert not hall.report(id_, game="g3", sequence=1), "a second game does not replace it"


def test_what_the_organiser_sets_stays(hall: Hall) -> None:
    id_ = hall.begin()
    one, two, *rest = hall.tables(id_)[0].players
    places = {one: 1, two: 1} | dict.fromkeys(rest[:1], 3) | dict.fromkeys(rest[1:], 4)
    hall.desk.correct(id_, 1, 1, places)
    assert hall.tables(id_)[0].ranks == places
    assert not hall.report(id_)
    for bad in ({one: 1}, {}, dict.fromkeys(hall.tables(id_)[0].players, 2), places | {two: 3}):
        assert code(lambda bad=bad: hall.desk.correct(id_, 1, 1, bad)) == "bad_ranks"
    assert code(lambda: hall.desk.correct(id_, 1, 99, places)) == "unknown"


def test_a_game_is_played_again_under_another_id(hall: Hall) -> None:
    id_ = hall.begin()
    before = hall.tables(id_)[0]
    hall.report(id_)
    hall.desk.play_again(id_, 1, 1)
    again = hall.tables(id_)[0]
    assert not again.done
    assert again.id != before.id
    assert not hall.report(id_, game=before.id, sequence=99), "the discarded game changes nothing"
    assert hall.report(id_)


def test_an_absent_player(hall: Hall) -> None:
    id_ = hall.begin(least=2, games=["nasty_7"])
    table = hall.tables(id_)[0]
    hall.desk.absent(id_, table.players[0])
    rest = hall.tables(id_)[0]
    assert rest.players == table.players[1:]
    assert rest.id != table.id
    assert hall.known(id_).rounds[-1].absent == (table.players[0],)
    assert code(lambda: hall.desk.absent(id_, table.players[0])) == "not_now"
    for player in rest.players:
        hall.desk.absent(id_, player)
    assert hall.tables(id_)[0].done, "nobody came, so nothing is waited for"


def test_a_game_under_an_earlier_seating_counts_if_the_organiser_says_so(hall: Hall) -> None:
    id_ = hall.begin(least=3, games=["nasty_7"])
    before = hall.tables(id_)[0]
    came = before.players[0]
    hall.desk.absent(id_, came)
    names = tuple(hall.known(id_).name_of(one) for one in before.players)
    scores = {name: seat for seat, name in enumerate(names)}  # the fewest points win
    assert not hall.report(id_, game=before.id, players=names, scores=scores, winner=names[0])
    found = hall.desk.earlier_results(id_)
    assert set(found) == {1}
    assert found[1].ranks == {player: place for place, player in enumerate(before.players, 1)}
    assert code(lambda: hall.desk.count_earlier(id_, 1, "another")) == "not_now"
    assert code(lambda: hall.desk.count_earlier(id_, 2, before.id)) == "not_now"
    hall.desk.count_earlier(id_, 1, before.id)
    table = hall.tables(id_)[0]
    assert (table.players, table.ranks, table.source) == (before.players, found[1].ranks, "organiser")
    assert hall.known(id_).rounds[-1].absent == ()
    assert hall.desk.earlier_results(id_) == {}
    assert hall.publish()["companion/t1/seating"] is None


def test_a_name_that_a_table_forgets_leaves_the_tournament(hall: Hall) -> None:
    id_ = hall.begin(games=["nasty_7"], rounds=2)
    first = hall.tables(id_)[0]
    players = tuple(hall.known(id_).name_of(one) for one in first.players)
    gone = first.players[1]
    hall.report(id_)
    hall.report(id_, 2)
    ranks = hall.tables(id_)[0].ranks
    hall.desk.start_round(id_)
    now = next(one for one in hall.tables(id_) if gone in one.players)
    playing = tuple(hall.known(id_).name_of(one) for one in now.players)
    anew = tuple("Somebody k7m2qx" if name == players[1] else name for name in players)
    values: dict[str, Any] = {"series": "s2", "table": first.place, "name": "nasty_7", "players": anew}
    hall.store.store(taken(result(first.id, 1, players[0], scores=dict.fromkeys(anew, 3), **values)))
    assert hall.known(id_).name_of(gone) == "Somebody k7m2qx"
    assert players[1] not in {one.name for one in hall.known(id_).entrants}
    assert hall.known(id_).rounds[0].tables[0].ranks == ranks
    hall.report(id_, now.number, players=playing, winner=playing[0], scores=dict.fromkeys(playing, 3))
    assert hall.tables(id_)[now.number - 1].done, "the game was begun with the old name"


def test_a_pin_leads_nowhere_when_the_name_is_forgotten(hall: Hall) -> None:
    id_ = hall.desk.create(plan(games=["nasty_7"], tables=["t1"], least=2, most=2))
    phone = hall.registration.register(id_, "Ida", "1234")
    hall.desk.add(id_, "Jo")
    hall.desk.start_round(id_)
    hall.report(id_)
    [table] = hall.tables(id_)
    anew = tuple("Somebody k7m2qx" if one == 1 else "Jo" for one in table.players)
    values: dict[str, Any] = {"series": "s2", "table": "t1", "name": "nasty_7", "players": anew}
    hall.store.store(taken(result(table.id, 1, "Jo", scores={"Jo": 3}, **values)))
    assert [one.name for one in hall.known(id_).entrants] == ["Somebody k7m2qx", "Jo"]
    for name in ("Ida", "Somebody k7m2qx"):
        assert code(lambda name=name: hall.registration.sign_in(id_, name, "1234")) == "wrong_pin"
    assert hall.reader.entrant_of(id_, hashed(phone.secret)) == 1, "the own phone still shows the page"


def test_an_earlier_game_with_somebody_else_is_not_offered(hall: Hall) -> None:
    id_ = hall.begin(games=["nasty_7"])
    before = hall.tables(id_)[0]
    hall.desk.play_again(id_, 1, 1)
    names = ("Kim", *(hall.known(id_).name_of(one) for one in before.players[1:]))
    hall.report(id_, game=before.id, players=names, scores={}, winner="Kim")
    assert hall.desk.earlier_results(id_) == {}
    hall.report(id_, game=before.id, sequence=12)
    assert set(hall.desk.earlier_results(id_)) == {1}
    hall.report(id_)
    assert hall.desk.earlier_results(id_) == {}, "the present seating has a result"


def test_seatings_are_published_and_withdrawn(hall: Hall) -> None:
    id_ = hall.begin(other_tables=1, tables=["t1"])
    sent = hall.publish()
    assert list(sent) == ["companion/t1/seating"], "the other table has no companion"
    seating = sent["companion/t1/seating"]
    assert (seating["id"], seating["round"], seating["name"]) == (hall.tables(id_)[0].id, 1, "nasty_7")
    assert seating["players"] == [hall.known(id_).name_of(one) for one in hall.tables(id_)[0].players]
    assert hall.publish() == {}, "nothing has changed"
    assert hall.publish(2) == sent, "another connection: the broker may have lost it"
    hall.report(id_)
    assert hall.publish(2) == {"companion/t1/seating": None}
    hall.report(id_)
    assert hall.publish(2) == {}
    [_, other] = hall.tables(id_)
    hall.desk.correct(id_, 1, 2, {player: place for place, player in enumerate(other.players, 1)})
    hall.desk.start_round(id_)
    assert hall.publish(2)["companion/t1/seating"]["round"] == 2
    hall.desk.finish(id_)
    assert hall.publish(2) == {"companion/t1/seating": None}


def test_a_second_tournament_does_not_withdraw_the_first_ones_seating(hall: Hall) -> None:
    first = hall.begin(tables=["t1", "t2"])
    hall.begin(tables=["t2", "t3"])
    assert set(hall.publish()) == {f"companion/t{n}/seating" for n in (1, 2, 3)}
    hall.report(first, 1)
    assert hall.publish() == {"companion/t1/seating": None}


def test_the_course_of_a_tournament(hall: Hall) -> None:
    id_ = hall.begin(rounds=2)
    assert code(lambda: hall.desk.start_round(id_)) == "round_open"
    assert code(lambda: hall.desk.open_registration(id_, True)) == "not_now"
    gone = hall.tables(id_)[0].players[0]
    for number in (1, 2):
        hall.report(id_, number)
    hall.desk.withdraw(id_, gone)
    hall.desk.add(id_, "Late")
    hall.desk.start_round(id_)
    seated = {one for table in hall.tables(id_) for one in table.players}
    assert seated == set(range(1, 10)) - {gone}
    for number in (1, 2):
        hall.report(id_, number)
    assert hall.known(id_).over
    assert code(lambda: hall.desk.start_round(id_)) == "over"
    hall.desk.finish(id_)
    assert not hall.report(id_, 1, sequence=50), "what a table says later changes nothing"
    assert code(lambda: hall.desk.withdraw(id_, 1)) == "not_now"
    assert [one.title for one in hall.reader.all()] == ["Spring cup"]


@pytest.mark.parametrize(
    "changes",
    [
        {"tables": []},
        {"tables": ["t1", "t1"]},
        {"games": ["trio_monsters"], "least": 6, "most": 8},
        {"least": 4, "most": 3},
    ],
)
def test_impossible_plans(hall: Hall, changes: dict[str, Any]) -> None:
    assert code(lambda: hall.desk.create(plan(**changes))) == "bad_plan"
