"""Numbers that limit what a phone may send: the last value that passes and the first that does not."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from handed_over import KeptConnection
from still_host import JPEG, SAME, StillHost, Tick

from web.errors import Refused
from web.listeners import Listeners, Polls
from web.roles import CodeGate
from web.routes import body_limit


@pytest.fixture
def clock() -> Tick:
    return Tick()


@pytest.fixture
def gate(clock: Tick) -> CodeGate:
    return CodeGate(clock)


def wrong(gate: CodeGate, times: int, address: str = "phone") -> None:
    for _ in range(times):
        gate.check(address)
        gate.tried(address, False)


def waiting(gate: CodeGate, address: str = "phone") -> str:
    with pytest.raises(Refused) as refused:
        gate.check(address)
    assert (refused.value.status, refused.value.code) == (429, "wait")
    return refused.value.text


def test_every_fifth_wrong_code_costs_half_a_minute_more(gate: CodeGate, clock: Tick) -> None:
    for pause in (30, 60, 90):
        wrong(gate, 5)
        assert f"Wait {pause + 1} seconds" in waiting(gate)
        clock.now += pause - 0.5
        assert "Wait 1 seconds" in waiting(gate)
        clock.now += 0.5
    gate.check("phone")
    gate.tried("phone", True)
    wrong(gate, 4)
    gate.check("phone")


def test_each_address_waits_for_itself(gate: CodeGate) -> None:
    wrong(gate, 5)
    gate.check("another")
    waiting(gate)


def test_only_so_many_addresses_are_remembered(gate: CodeGate) -> None:
    wrong(gate, 5, "first")
    for number in range(CodeGate.REMEMBERED - 1):
        wrong(gate, 1, f"phone {number}")
    waiting(gate, "first")
    wrong(gate, 1, "one more")
    gate.check("first")


def test_a_newcomer_gets_the_place_of_an_address_that_holds_more() -> None:
    listeners = Listeners(3)
    ended: list[str] = []

    def stream(name: str) -> Callable[[], None]:
        return lambda: ended.append(name)

    assert [listeners.join("hog", stream(f"hog {n}")) for n in range(4)] == [True, True, True, False]
    assert listeners.join("Ida", stream("Ida"))
    assert listeners.join("Jo", stream("Jo"))
    assert ended == ["hog 0", "hog 1"]
    assert not listeners.join("hog", stream("hog")), "everybody has one"
    assert not listeners.join("Kai", stream("Kai"))
    last = stream("last")
    listeners.leave(last)
    assert not listeners.join("Kai", last), "an unknown stream frees no place"


def test_pages_without_a_stream_ask_less_often_when_there_are_many(clock: Tick) -> None:
    polls = Polls(clock)
    assert polls.wait_s() == 2
    waits = []
    for _ in range(30):
        clock.now += 1.0
        waits += [polls.wait_s() for _ in range(100)]
    assert 9 <= waits[-1] <= 11
    clock.now += 60.0
    assert polls.wait_s() == 2


def test_a_full_house_says_when_to_ask_and_nothing_is_sent_twice(guest: FlaskClient) -> None:
    connections = [KeptConnection() for _ in range(3)]
    answers = [guest.get("/events", environ_overrides=one.environ) for one in connections]
    assert [one.status_code for one in answers] == [200, 200, 503]
    assert int(answers[2].headers["Retry-After"]) >= 2
    for one in connections:
        one.leave()
    state = guest.get("/state.json")
    assert int(state.headers["Retry-After"]) >= 2
    again = guest.get("/state.json", headers={"If-None-Match": state.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_guest_sends_twenty_commands_at_once(guest: FlaskClient, referee: FlaskClient) -> None:
    statuses = [guest.post("/api/command/undo", json={}, headers=SAME).status_code for _ in range(21)]
    assert statuses == [403] * 20 + [429]
    assert referee.post("/api/command/undo", json={}, headers=SAME).status_code == 200


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/api/command/event", 8192),
        ("/api/command/answer", 1024),
        ("/api/me", 2048),
        ("/api/command/undo", 65536),
    ],
)
def test_each_address_has_its_longest_body(referee: FlaskClient, path: str, most: int) -> None:
    assert body_limit("POST", path) == most
    body = b'{"event": "' + b"x" * most + b'"}'
    assert referee.post(path, data=body, headers=SAME).status_code == 413
    assert referee.post(path, data=body[: most - 2] + b'"}', headers=SAME).status_code != 413


@pytest.mark.parametrize(("count", "status"), [(0, 400), (1, 200), (60, 200), (61, 400)])
def test_one_to_sixty_dice_may_be_asked_for(referee: FlaskClient, count: int, status: int) -> None:
    form = {"picture": (io.BytesIO(JPEG), "dice.jpg"), "count": str(count)}
    assert referee.post("/api/dice", data=form, headers=SAME).status_code == status


@pytest.mark.parametrize(
    ("column", "aside", "status"),
    [
        ({"cards": 1000, "jokers": 1000}, 0, 200),
        ({"cards": 1001, "jokers": 0}, 0, 400),
        ({"cards": 1, "jokers": 0}, 1000, 200),
        ({"cards": 1, "jokers": 0}, 1001, 400),
        ({"cards": 1, "jokers": -1}, 0, 400),
        ({"cards": 0, "jokers": 0}, 0, 200),
    ],
)
def test_a_column_has_up_to_a_thousand_cards(
    guest: FlaskClient, monkeypatch: pytest.MonkeyPatch, host: StillHost, column: Any, aside: int, status: int
) -> None:
    asked = {"display": {"red": column}, "aside": aside}
    assert guest.post("/api/points", json=asked, headers=SAME).status_code == status


@pytest.mark.parametrize(("length", "status"), [(64, 200), (65, 404)])
def test_the_name_of_a_photograph_has_up_to_64_characters(
    referee: FlaskClient, monkeypatch: pytest.MonkeyPatch, host: StillHost, length: int, status: int
) -> None:
    monkeypatch.setattr(host, "photo", lambda photo_id: JPEG)
    assert referee.get(f"/photo/{'a' * length}.jpg").status_code == status


@pytest.mark.parametrize(("last", "since"), [("9" * 15, int("9" * 15)), ("1" + "0" * 15, None), ("²", None)])
def test_the_last_event_of_a_phone_has_up_to_fifteen_digits(
    guest: FlaskClient, host: StillHost, last: str, since: int | None
) -> None:
    connection = KeptConnection()
    guest.get("/events", headers={"Last-Event-ID": last}, environ_overrides=connection.environ)
    start, _, data = connection.sent[0].partition(b"data: ")
    assert start.startswith(b"retry: 1000\n\n")
    assert json.loads(data)["since"] == since
    connection.leave()
