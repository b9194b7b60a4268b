"""Phones: who decides, whose they are, codes, presses, and forgetting them."""

import time
from collections.abc import Callable

import pytest
from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost, scanning

from web import create_app


def phone(app: Flask, agent: str = "Android") -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_USER_AGENT"] = agent
    return client


def post(client: FlaskClient, path: str, **data: object) -> tuple[int, dict]:
    answer = client.post(path, json=data, headers=SAME)
    return answer.status_code, answer.get_json()


@pytest.mark.parametrize("step", [-5.0, 2 * 86400.0, -365 * 86400.0])
def test_the_referee_stays_the_referee_when_the_wall_clock_steps(
    referee: FlaskClient, monkeypatch: pytest.MonkeyPatch, step: float
) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + step)
    assert post(referee, "/api/command/undo")[0] == 200


def test_a_cookie_of_another_key_is_nobodys(app: Flask, host: StillHost, referee: FlaskClient) -> None:
    cookie = referee.get_cookie("companion")
    assert cookie is not None
    other = create_app(host, secret_key=b"another key of the table").test_client()
    other.set_cookie("companion", cookie.value)
    assert post(other, "/api/command/undo")[0] == 403
    same = create_app(host, secret_key=b"k" * 32).test_client()
    same.set_cookie("companion", cookie.value)
    assert post(same, "/api/command/undo")[0] == 200


def test_a_player_belongs_to_one_phone(app: Flask, host: StillHost) -> None:
    host.shown = scanning()
    first, second = phone(app), phone(app)
    assert post(first, "/api/me", player="Ida")[0] == 200
    status, told = post(second, "/api/me", player="Ida")
    assert (status, told["code"]) == (409, "player_taken")
    assert post(first, "/api/me", player=None)[0] == 200
    assert post(second, "/api/me", player="Ida")[0] == 200


def test_the_referee_sees_and_forgets_phones(app: Flask, host: StillHost, referee: FlaskClient) -> None:
    host.shown = scanning()
    guest = phone(app, "Mozilla/5.0 (iPhone)")
    post(guest, "/api/me", player="Ida")
    assert guest.get("/api/phones").status_code == 403
    assert post(guest, "/api/pairing/code")[0] == 403
    known = referee.get("/api/phones").get_json()["phones"]
    assert [(one["name"], one["referee"], one["player"], one["this"]) for one in known] == [
        ("?", True, None, True),
        ("iPhone", False, "Ida", False),
    ]
    left = post(referee, "/api/phones/revoke", number=known[1]["number"])[1]["phones"]
    assert len(left) == 1
    assert post(phone(app), "/api/me", player="Ida")[0] == 200
    post(referee, "/api/phones/revoke", number=known[0]["number"])
    assert post(referee, "/api/command/undo")[0] == 403


def test_wrong_codes_are_said_at_the_table(app: Flask, host: StillHost) -> None:
    for number in range(10):
        client = phone(app)
        client.environ_base["REMOTE_ADDR"] = f"192.168.1.{number}"
        assert post(client, "/api/role", code="000000")[0] == 403
    assert [(one.code, one.params) for one in host.said] == [
        ("wrong_codes", {"n": 3}),
        ("wrong_codes", {"n": 8}),
    ]


def test_a_screen_at_the_table_shows_the_code(app: Flask, host: StillHost, referee: FlaskClient) -> None:
    """A browser on the companion itself, and a referee's phone or television; nobody else."""

    def shown(client: FlaskClient, address: str, **headers: str) -> tuple[int, dict]:
        client.environ_base["REMOTE_ADDR"] = address
        answer = client.get("/api/pairing/shown", headers=headers)
        return answer.status_code, answer.get_json()

    for address in ("127.0.0.1", "127.0.1.1", "::1"):
        assert shown(phone(app), address) == (200, {"code": PIN, "seconds": 600.0, "ok": True})
    for address in ("192.168.1.7", "", "fe80::1%wlan0"):
        assert shown(phone(app), address)[0] == 403
    assert shown(phone(app), "127.0.0.1", **{"X-Forwarded-For": "192.168.1.7"})[0] == 403, "through a proxy"
    assert shown(referee, "192.168.1.8")[0] == 200


def test_a_phone_asks_for_a_press(app: Flask, host: StillHost) -> None:
    guest = phone(app)
    assert post(guest, "/api/pairing/ask")[0] == 200
    assert guest.get("/api/pairing/role").get_json()["role"] == "guest"
    assert host.pairing.approve()
    assert guest.get("/api/pairing/role").get_json()["role"] == "referee"
    assert not host.pairing.approve(), "one press, one phone"
    assert host.said[0].code == "phone_asks"


def test_the_page_shows_a_code_and_forgets_a_phone(
    still: str, host: StillHost, phones: Callable[..., Phone]
) -> None:
    page = phones(still).open(f"/join#code={PIN}")
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    page.goto(f"{still}/phones")
    page.get_by_role("button", name="Show a code for one more referee").click()
    expect(page.get_by_role("status").get_by_text(PIN)).to_be_visible()
    expect(page.get_by_text("decides, this one")).to_be_visible()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("decides, this one")).to_have_count(0)
