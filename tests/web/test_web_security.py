"""Who may send what: same origin, known names, roles."""

import pytest
from flask.testing import FlaskClient
from still_host import PIN, SAME, StillHost, Tick, scanning

from companion.api.commands import Accepted, Caller, Refusal
from web.security import is_home_name

READ = {"event": "display_scanned", "player": "Ida", "display": {"red": {"cards": 3, "jokers": 1}}}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:8081"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_post_from_elsewhere_is_refused(
    referee: FlaskClient, host: StillHost, headers: dict[str, str]
) -> None:
    answer = referee.post("/api/command/undo", json={}, headers=headers)
    assert answer.status_code == 403
    assert answer.get_json()["ok"] is False
    assert host.asked == []


@pytest.mark.parametrize("headers", [SAME, {"Sec-Fetch-Site": "same-origin"}])
def test_post_from_this_page_is_carried_out(
    referee: FlaskClient, host: StillHost, headers: dict[str, str]
) -> None:
    answer = referee.post("/api/command/undo", json={}, headers=headers)
    assert answer.get_json() == {"ok": True}
    assert host.asked == [("undo", {}, "referee")]


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("localhost", True),
        ("companion", True),
        ("companion.local", True),
        ("companion.fritz.box", True),
        ("192.168.1.20", True),
        ("[fe80::1]", True),
        ("evil.example", False),
        ("local.evil.com", False),
        ("companion.local.evil.com", False),
    ],
)
def test_only_names_at_home_are_answered(guest: FlaskClient, name: str, home: bool) -> None:
    assert is_home_name(name) is home
    assert guest.get("/state.json", headers={"Host": f"{name}:8080"}).status_code == (200 if home else 421)


def test_the_configured_address_is_answered_whatever_its_name(
    guest: FlaskClient, host: StillHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "join_url", lambda host="": "http://table.example.org/")
    assert guest.get("/", headers={"Host": "table.example.org"}).status_code == 200


def test_guest_watches(guest: FlaskClient, host: StillHost) -> None:
    for name, data in (("undo", {}), ("event", READ), ("end_game", {}), ("overrule", {"n": 1})):
        answer = guest.post(f"/api/command/{name}", json=data, headers=SAME)
        assert answer.status_code == 403
        assert answer.get_json()["code"] == "referee_only"
    assert host.asked == []


def test_the_player_of_a_phone_is_sent_with_its_commands(
    guest: FlaskClient, host: StillHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.shown = scanning()
    assert guest.post("/api/me", json={"player": "Ida"}, headers=SAME).get_json() == {"ok": True, "me": "Ida"}
    callers: list[Caller] = []

    def command(request: object, caller: Caller, key: str = "") -> Accepted:
        callers.append(caller)
        return Accepted(n=3)

    monkeypatch.setattr(host, "command", command)
    answer = guest.post("/api/command/event", json=READ, headers=SAME)
    assert (answer.status_code, answer.get_json()) == (200, {"ok": True, "n": 3})
    assert callers == [Caller("guest", "Ida")]


def test_the_key_of_a_command_is_handed_on_and_checked(
    referee: FlaskClient, host: StillHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    def command(request: object, caller: Caller, key: str = "") -> Accepted | Refusal:
        keys.append(key)
        return Refusal("key_reused", "Load the page again.") if key == "other" else Accepted()

    monkeypatch.setattr(host, "command", command)

    def status(**headers: str) -> int:
        return referee.post("/api/command/undo", json={}, headers={**SAME, **headers}).status_code

    assert [status(), status(**{"Idempotency-Key": "7f-1"}), status(**{"Idempotency-Key": "other"})] == [
        200,
        200,
        422,
    ]
    assert keys == ["", "7f-1", "other"]
    assert status(**{"Idempotency-Key": "x" * 101}) == 400
    assert status(**{"Idempotency-Key": "a b"}) == 400


def test_evidence_is_kept_for_the_referee_only(guest: FlaskClient, referee: FlaskClient) -> None:
    assert guest.post("/api/why", json={"n": 3}, headers=SAME).status_code == 403
    kept = referee.post("/api/why", json={"n": 3}, headers=SAME).get_json()
    assert kept == {"ok": True, "file": "/var/lib/companion/evidence/3.zip", "pictures": 3, "sound": True}
    assert referee.post("/api/why", json={"n": "3"}, headers=SAME).status_code == 400


def test_nobody_is_somebody_who_does_not_play(guest: FlaskClient, host: StillHost) -> None:
    assert guest.post("/api/me", json={"player": "Ida"}, headers=SAME).status_code == 409
    host.shown = scanning()
    assert guest.post("/api/me", json={"player": "Zoe"}, headers=SAME).status_code == 409
    assert guest.post("/api/me", json={"player": None}, headers=SAME).status_code == 200


def test_pin_makes_the_referee_until_the_whistle_is_given_back(guest: FlaskClient, host: StillHost) -> None:
    wrong = guest.post("/api/role", json={"code": "0000"}, headers=SAME)
    assert wrong.status_code == 403
    assert wrong.get_json()["text"] == "That is not the code."
    assert guest.post("/api/role", json={"code": f" {PIN} "}, headers=SAME).get_json()["role"] == "referee"
    assert guest.post("/api/command/undo", json={}, headers=SAME).status_code == 200
    assert guest.post("/api/leave", json={}, headers=SAME).get_json()["role"] == "guest"
    assert guest.post("/api/command/undo", json={}, headers=SAME).status_code == 403


def test_empty_pin_is_never_entered(guest: FlaskClient) -> None:
    assert guest.post("/api/role", json={"code": ""}, headers=SAME).status_code == 403


def test_guessing_the_pin_is_slow(guest: FlaskClient, tick: Tick) -> None:
    def guess(pin: str) -> int:
        return guest.post("/api/role", json={"code": pin}, headers=SAME).status_code

    assert [guess(f"000{n}") for n in range(5)] == [403] * 5
    assert guess(PIN) == 429
    tick.now += 29
    assert guess(PIN) == 429
    tick.now += 2
    assert [guess(f"100{n}") for n in range(5)] == [403] * 5
    tick.now += 31
    assert guess(PIN) == 429
    tick.now += 30
    assert guess(PIN) == 200


def test_table_without_a_pin_lets_everybody_decide(guest: FlaskClient, host: StillHost) -> None:
    host.pin = ""
    assert guest.post("/api/command/undo", json={}, headers=SAME).status_code == 200
    assert host.asked == [("undo", {}, "referee")]


def test_forged_session_is_no_referee(guest: FlaskClient, host: StillHost) -> None:
    guest.set_cookie("companion", "eyJyb2xlIjoicmVmZXJlZSJ9.aAAAAA.forged")
    assert guest.post("/api/command/undo", json={}, headers=SAME).status_code == 403


def test_session_cookie_is_kept_from_scripts_and_other_sites(guest: FlaskClient) -> None:
    cookie = guest.post("/api/role", json={"code": PIN}, headers=SAME).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
