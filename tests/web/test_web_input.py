"""Nonsense from a phone: a clear sentence and a status of its own, never a traceback."""

import io

import pytest
from flask.testing import FlaskClient
from still_host import JPEG, SAME, StillHost, scanning

from companion.api.commands import Refusal
from companion.core.errors import Unavailable
from web import create_app
from web.routes import FORM_BYTES

NEW = {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}


@pytest.mark.parametrize(
    ("command", "body"),
    [
        ("undo", b""),
        ("undo", b"nonsense"),
        ("undo", b"[]"),
        ("undo", b"null"),
        ("undo", b'{"x": 1}'),
        ("undo", b"\xff\xfe\x00"),
        ("event", b"[1, 2]"),
        ("event", b'"card_played"'),
        ("event", b"[" * 8000),
        ("new_game", b'{"game": 7, "players": []}'),
        ("new_game", b'{"game": "nasty_7", "players": "Ida"}'),
        ("new_game", b'{"game": "nasty_7", "players": ["Ida"], "settings": []}'),
        ("amend", b'{"n": "1", "event": null}'),
        ("amend", b'{"n": true, "event": null}'),
        ("amend", b'{"n": 1}'),
        ("overrule", b'{"n": 1.5}'),
        ("answer", b'{"question": null, "option": "a"}'),
    ],
)
def test_nonsense_is_refused(referee: FlaskClient, host: StillHost, command: str, body: bytes) -> None:
    answer = referee.post(f"/api/command/{command}", data=body, headers=SAME)
    assert answer.status_code == 400
    told = answer.get_json()
    assert told["ok"] is False
    assert told["code"] == "bad_json"
    assert "Traceback" not in told["text"]
    assert host.asked == []


def test_long_nonsense_is_not_even_read(referee: FlaskClient) -> None:
    answer = referee.post("/api/command/event", data=b"x" * 70_000, headers=SAME)
    assert answer.status_code == 413
    assert answer.get_json()["code"] == "too_large"


def test_unknown_command_is_not_found(referee: FlaskClient) -> None:
    assert referee.post("/api/command/reboot", json={}, headers=SAME).status_code == 404


def test_good_command_reaches_the_host_as_it_was_meant(referee: FlaskClient, host: StillHost) -> None:
    assert referee.post("/api/command/new_game", json=NEW, headers=SAME).status_code == 200
    event = {"event": "card_played", "player": "Ida", "card": "gun", "t": 3.5}
    assert referee.post("/api/command/event", json=event, headers=SAME).status_code == 200
    assert referee.post("/api/command/amend", json={"n": 1, "event": None}, headers=SAME).status_code == 200
    assert host.asked == [
        ("new_game", {**NEW, "position": None}, "referee"),
        ("event", event, "referee"),
        ("amend", {"n": 1, "event": None, "preview": False, "rest": None}, "referee"),
    ]


def test_refusal_by_the_rules_is_a_conflict_with_its_sentence(referee: FlaskClient, host: StillHost) -> None:
    host.reply = Refusal("not_your_turn", "It is Jo's turn.")
    answer = referee.post("/api/command/event", json={"event": "card_played"}, headers=SAME)
    assert answer.status_code == 409
    assert answer.get_json() == {"ok": False, "code": "not_your_turn", "text": "It is Jo's turn."}


def test_companion_error_is_told_as_it_stands(referee: FlaskClient, host: StillHost) -> None:
    host.fault = Unavailable("table.silent")
    answer = referee.post("/api/command/undo", json={}, headers=SAME)
    assert answer.status_code == 503
    assert answer.get_json()["text"] == "the table does not answer: start the companion again"


def test_fault_of_our_own_is_logged_and_told_in_one_sentence(
    referee: FlaskClient, host: StillHost, caplog: pytest.LogCaptureFixture
) -> None:
    host.fault = ZeroDivisionError("the inside of the machine")
    answer = referee.post("/api/command/undo", json={}, headers=SAME)
    assert answer.status_code == 500
    assert "inside of the machine" not in answer.get_data(as_text=True)
    assert "ZeroDivisionError" in caplog.text


def send(client: FlaskClient, data: bytes | None, player: str = "Ida") -> tuple[int, dict[str, object]]:
    form: dict[str, object] = {"player": player}
    if data is not None:
        form["picture"] = (io.BytesIO(data), "IMG_0001.jpg")
    answer = client.post("/api/photo", data=form, headers=SAME)
    return answer.status_code, answer.get_json()


def test_photograph_is_read(referee: FlaskClient, host: StillHost) -> None:
    status, told = send(referee, JPEG)
    assert status == 200
    assert host.pictures == [("Ida", JPEG)]
    assert told["ok"] is True


def test_photograph_of_a_good_camera_is_read_whole(referee: FlaskClient, host: StillHost) -> None:
    data = JPEG + bytes(range(256)) * 40_000
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    part = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    body = part % (b"player", b"", b"Ida") + part % (b"picture", b'; filename="a.jpg"', data) + b"--x--\r\n"
    assert referee.post("/api/photo", data=body, headers={**SAME, **kind}).status_code == 200
    assert host.pictures == [("Ida", data)]


@pytest.mark.parametrize("data", [None, b""])
def test_no_picture_is_said(referee: FlaskClient, data: bytes | None) -> None:
    status, told = send(referee, data)
    assert (status, told["code"]) == (400, "no_picture")


@pytest.mark.parametrize("data", [b"GIF89a....", b"%PDF-1.7", b"<svg/>", b"\x00" * 100])
def test_what_is_no_picture_is_said(referee: FlaskClient, data: bytes) -> None:
    status, told = send(referee, data)
    assert (status, told["code"]) == (415, "no_picture")


def test_broken_picture_is_said_in_the_words_of_the_eyes(referee: FlaskClient) -> None:
    status, told = send(referee, JPEG + b"broken")
    assert (status, told["text"]) == (422, "picture: the picture is incomplete; copy or take it again")


def test_huge_picture_is_refused(referee: FlaskClient, host: StillHost) -> None:
    body = JPEG + b"0" * (FORM_BYTES + 100_000)
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = referee.post("/api/photo", data=body, headers={**SAME, **kind})
    assert answer.status_code == 413
    assert "20 MB" in answer.get_json()["text"]
    assert host.pictures == []


def test_guest_may_photograph_the_own_display_only(guest: FlaskClient, host: StillHost) -> None:
    host.shown = scanning()
    assert send(guest, JPEG)[0] == 403
    guest.post("/api/me", json={"player": "Ida"}, headers=SAME)
    assert send(guest, JPEG)[0] == 200
    assert send(guest, JPEG, "Jo")[0] == 403


def test_points_of_a_display_are_asked_of_the_host(guest: FlaskClient) -> None:
    asked = {"display": {"red": {"cards": 2, "jokers": 1}, "blue": {"cards": 1, "jokers": 0}}, "aside": 0}
    answer = guest.post("/api/points", json=asked, headers=SAME)
    assert answer.get_json() == {"ok": True, "points": 20, "columns": {"red": 10, "blue": 10}}


@pytest.mark.parametrize(
    "body",
    [
        {"display": {"red": {"cards": 1, "jokers": 2}}},
        {"display": {"red": {"cards": 1}}},
        {"display": {"red": {"cards": -1, "jokers": -1}}},
        {"display": {"red": 3}},
        {"display": {}, "aside": -1},
        {"display": {}, "aside": 10**9},
        {},
    ],
)
def test_impossible_display_is_refused(guest: FlaskClient, body: object) -> None:
    assert guest.post("/api/points", json=body, headers=SAME).status_code == 400


def test_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="16 random bytes"):
        create_app(StillHost(), secret_key=b"short")


def test_photographed_dice_come_back_as_a_proposal(referee: FlaskClient, host: StillHost) -> None:
    form = {"picture": (io.BytesIO(JPEG), "dice.jpg"), "count": "3"}
    answer = referee.post("/api/dice", data=form, headers=SAME)
    assert answer.status_code == 200
    assert answer.get_json() == {"ok": True, "dice": [4, 4, 1], "unsure": []}
    assert host.asked == []


@pytest.mark.parametrize(
    ("picture", "count", "status"), [(JPEG, "0", 400), (b"GIF89a", "3", 415), (b"", "3", 400)]
)
def test_what_is_no_photograph_of_dice_is_refused(
    referee: FlaskClient, picture: bytes, count: str, status: int
) -> None:
    form = {"picture": (io.BytesIO(picture), "dice.jpg"), "count": count}
    assert referee.post("/api/dice", data=form, headers=SAME).status_code == status
