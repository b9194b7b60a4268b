"""Every address with each kind of phone: docs/security.md says what is so."""

import io
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from handed_over import KeptConnection
from still_host import JPEG, SAME, StillHost, scanning
from werkzeug.test import TestResponse

from web import security_page
from web.route import Route
from web.routes import ROUTES

ROOT = Path(__file__).parents[2]
VALUES = {"photo_id": "p1", "name": "1.zip", "game": "1"}


def ask(client: FlaskClient, route: Route) -> TestResponse:
    path = route.path
    for name, value in VALUES.items():
        path = path.replace("{" + name + "}", value)
    if route.method == "GET":
        return client.get(path, buffered=False, environ_overrides={"REMOTE_ADDR": "192.168.1.7"})
    if route.form:
        form = {name: (io.BytesIO(JPEG), "a.jpg") if name == "picture" else "1" for name in route.form}
        return client.post(path, data=form, headers=SAME)
    return client.post(path, json={}, headers=SAME)


@pytest.fixture
def player(app: Flask, host: StillHost) -> FlaskClient:
    client = app.test_client()
    host.shown = scanning()
    assert client.post("/api/me", json={"player": "Ida"}, headers=SAME).status_code == 200
    return client


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_what_is_the_referees_is_refused_to_others(
    route: Route, guest: FlaskClient, player: FlaskClient, referee: FlaskClient
) -> None:
    statuses = {}
    for name, client in (("guest", guest), ("player", player), ("referee", referee)):
        with ask(client, route) as answer:
            statuses[name] = answer.status_code
    assert statuses["referee"] != 403
    if route.access in ("referee", "screen"):
        assert (statuses["guest"], statuses["player"]) == (403, 403) or route.path.startswith("/api/command/")
    elif route.access == "everybody" and route.path not in ("/api/role",):
        assert 403 not in (statuses["guest"], statuses["player"])
    assert 500 not in (statuses["guest"], statuses["player"])


COMMANDS = [route for route in ROUTES if route.path.startswith("/api/command/") and route.access == "referee"]


@pytest.mark.parametrize("route", COMMANDS, ids=lambda route: route.path)
def test_commands_reach_the_host_as_a_guests(route: Route, guest: FlaskClient, host: StillHost) -> None:
    ask(guest, route)
    assert not host.asked, "the still host keeps what a referee has sent"


def question_with_picture(host: StillHost) -> None:
    question: dict[str, Any] = {
        "id": "q1",
        "source": "camera",
        "code": "unsure_card",
        "player": "Ida",
        "options": [],
        "picture": "/photo/p1.jpg",
        "text": "Which card?",
    }
    host.shown = {**scanning(), "questions": [question]}


def test_pictures_of_the_camera_need_a_role(
    guest: FlaskClient, player: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    question_with_picture(host)
    seen = {}
    for name, client in (("guest", guest), ("player", player), ("referee", referee)):
        state = client.get("/state.json").get_json()["questions"][0].get("picture")
        connection = KeptConnection()
        client.get("/events", environ_overrides=connection.environ)
        sent = b"/photo/p1.jpg" in connection.sent[0]
        connection.leave()
        page = b"/photo/p1.jpg" in client.get("/").data
        seen[name] = (state, sent, page, client.get("/photo/p1.jpg").status_code)
    assert seen["guest"] == (None, False, False, 403)
    assert seen["player"] == seen["referee"] == ("/photo/p1.jpg", True, True, 200)


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "//", "http://a:b", "null", "http://x:99999999"]
)
def test_a_malformed_origin_is_refused(referee: FlaskClient, origin: str) -> None:
    answer = referee.post("/api/command/undo", json={}, headers={"Origin": origin})
    assert answer.status_code in (400, 403)


@pytest.mark.parametrize(
    "name",
    ["[", "a" * 64 + ".local", "x" * 300, "a b", "a/b", "a@b", "a:b", "\u00e4\u00f6", "", "[::1", "a..b"],
)
def test_a_malformed_host_is_refused(app: Flask, name: str) -> None:
    answer = app.test_client().get("/state.json", headers={"Host": name})
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("name", ["table.box", "companion.example.org", "fritz.box.evil.com"])
def test_a_name_of_the_internet_is_no_home(guest: FlaskClient, name: str) -> None:
    assert guest.get("/state.json", headers={"Host": name}).status_code == 421


@pytest.mark.parametrize(
    "name", ["companion.local", "192.168.1.4:8080", "[fe80::1%25eth0]:80", "pi", "pi.fritz.box"]
)
def test_a_name_of_the_home_is_one(guest: FlaskClient, name: str) -> None:
    assert guest.get("/state.json", headers={"Host": name}).status_code == 200


def test_the_page_of_the_documentation_is_current() -> None:
    written = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    assert written == security_page.page(), "run `python -m web.security_page > docs/security.md`"
