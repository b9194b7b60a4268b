"""The description of the HTTP interface: complete, valid, current, and enforced."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from api_check import CheckedClient, check
from flask import Flask, Response
from flask.testing import FlaskClient
from openapi_spec_validator import validate
from still_host import PIN, SAME

from companion.api.snapshot import FieldChoice
from companion.games import games
from companion.games.contract.offers import Choice
from web import types_page
from web.api_page import EXAMPLES, page
from web.openapi import description
from web.routes import ROUTES

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "/phones",
    "/stored",
    "/", "/table", "/history", "/help", "/rules", "/position", "/join", "/new", "/setup", "/photo", "/past",
    "/past/<int:game>", "/past/file/<key>", "/overlay", "/players",
    "/devices",
    "/settings",
    "/machine",
    "/welcome",
    "/voices", "/recordings", "/enrol", "/static/<path:filename>", "/assets/<name>",
    "/assets/art-<version>/<path:name>", "/service-worker.js",
}  # fmt: skip
"""Addresses that serve HTML or files of the program."""
VALUES = {"photo_id": "p1", "name": "1.zip", "game": "1", "n": "1", "key": "0"}


def test_the_description_is_valid_openapi() -> None:
    validate(description())
    assert description()["openapi"].startswith("3.1")


def test_it_is_served_to_everybody(guest: FlaskClient) -> None:
    assert msgspec.json.decode(guest.get("/api/openapi.json").data) == msgspec.json.decode(
        msgspec.json.encode(description())
    )


def test_every_address_of_the_application_is_in_the_table(app: Flask) -> None:
    served = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
        if rule.rule not in PAGES
    }
    assert served == {(route.method, route.rule) for route in ROUTES}


def test_every_field_of_a_choice_reaches_the_pages() -> None:
    assert games()  # imports the rules of every game
    choices = [one for one in Choice.__subclasses__() if one.__module__.startswith("companion.")]
    fields = {name for one in choices for name in one.__struct_fields__}
    assert len(choices) > 10
    assert fields <= set(FieldChoice.__struct_fields__)


def test_the_page_of_the_documentation_is_current() -> None:
    written = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert written == page(), "run `python -m web.api_page > docs/api.md`"


def test_the_types_of_the_page_scripts_are_current() -> None:
    written = (ROOT / "web/static/lib/api_types.d.ts").read_text(encoding="utf-8")
    assert written == types_page.page(), "run `python -m web.types_page > web/static/lib/api_types.d.ts`"


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_example_is_of_the_described_type(path: str) -> None:
    body = description()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema = {**body, "components": description()["components"]}
    jsonschema.Draft202012Validator(schema).validate(msgspec.json.decode(EXAMPLES[path]))


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_example_is_accepted(referee: FlaskClient, path: str) -> None:
    body = EXAMPLES[path].replace("123456", PIN)
    headers = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}  # as curl -d sends it
    status = referee.post(path, data=body, headers=headers).status_code
    assert status == (409 if path in ("/api/me", "/api/language") else 200)


@pytest.mark.parametrize(
    "route", [one for one in ROUTES if one.path != "/events"], ids=lambda one: f"{one.method} {one.path}"
)
def test_the_referees_addresses_are_closed_to_guests(guest: FlaskClient, route: Any) -> None:
    url = re.sub(r"{(\w+)}", lambda found: VALUES[found[1]], route.path)
    answer = guest.open(
        url, method=route.method, headers=SAME, data=b"{}" if route.method == "POST" else None
    )
    if route.access == "referee" and not route.path.startswith("/api/command/"):
        assert (answer.status_code, b"referee_only" in answer.data or b"referee" in answer.data) == (
            403,
            True,
        )
    elif route.access == "everybody":
        assert answer.status_code != 403 or route.path == "/api/role"


@pytest.mark.parametrize(
    "wrong",
    [
        b"{}",
        b'{"ok": true, "role": "king"}',
        b'{"ok": true, "role": "guest", "more": 1}',
        b'{"ok": "yes", "role": "guest"}',
    ],
)
def test_a_response_that_is_not_as_described_is_noticed(app: Flask, wrong: bytes) -> None:
    app.view_functions["join.become_guest"] = lambda: Response(wrong, mimetype="application/json")
    with pytest.raises(jsonschema.ValidationError):
        app.test_client().post("/api/leave", json={}, headers=SAME)


def test_a_response_of_another_media_type_is_noticed(app: Flask) -> None:
    app.view_functions["join.become_guest"] = lambda: Response("done", mimetype="text/plain")
    with pytest.raises(AssertionError, match="text/plain"):
        app.test_client().post("/api/leave", json={}, headers=SAME)


def test_every_client_of_the_tests_checks(guest: FlaskClient) -> None:
    assert isinstance(guest, CheckedClient)
    assert check is not None
