"""Every page is there, brings everything along, and sends the headers that keep others out."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from still_host import JPEG, StillHost

from web import BASE_STYLES

PAGES = ["/", "/table", "/history", "/help", "/position", "/new", "/setup", "/photo", "/join", "/overlay"]
WEB = Path(__file__).resolve().parents[2] / "web"


@pytest.mark.parametrize("page", PAGES)
def test_page_is_served_with_strict_headers(guest: FlaskClient, page: str) -> None:
    answer = guest.get(page)
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    kept = page in ("/", "/table")
    assert answer.headers["Cache-Control"] == ("no-cache" if kept else "no-store")
    assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("page", PAGES)
def test_page_holds_nothing_that_the_policy_would_block(guest: FlaskClient, page: str) -> None:
    html = guest.get(page).get_data(as_text=True)
    assert not re.search(r"\sstyle=|\son\w+=", html)
    for script in re.findall(r"<script\b[^>]*>", html):
        assert 'type="application/json"' in script or "src=" in script
    for address in re.findall(r'(?:src|href)="([^"]+)"', html):
        assert address.startswith(("/", "http://192.168.1.20:8080/"))


def test_every_static_file_that_a_template_names_exists() -> None:
    for template in WEB.glob("templates/*.html"):
        html = template.read_text(encoding="utf-8")
        for name in re.findall(r"file\('([^']+)'", html) + re.findall(r'"([^"]+\.css)"', html):
            assert (WEB / "static" / name).is_file(), f"{template.name} names {name}"


def test_every_style_sheet_is_linked_by_a_page(guest: FlaskClient) -> None:
    templates = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("templates/*.html"))
    named = {*re.findall(r'"([^"]+\.css)"', templates), *BASE_STYLES}
    found = {path.relative_to(WEB / "static").as_posix() for path in WEB.glob("static/**/*.css")}
    games = {name for name in found if name.startswith("games/")}
    assert found - games == {name for name in named if not name.startswith("games/")}
    linked = re.findall(r'<link rel="stylesheet" href="([^"]+)">', guest.get("/").get_data(as_text=True))
    board = "".join(guest.get(address).get_data(as_text=True) for address in linked)
    assert all((WEB / "static" / name).read_text(encoding="utf-8") in board for name in games)
    assert board.startswith((WEB / "static/css/base.css").read_text(encoding="utf-8"))


def test_snapshot_inside_a_page_cannot_break_out_of_it(guest: FlaskClient, host: StillHost) -> None:
    host.shown["announcement"] = {"text": "</script><script>alert(1)</script>"}
    html = guest.get("/").get_data(as_text=True)
    assert "<script>alert" not in html
    assert r"\u003c/script\u003e" in html


def test_unknown_address_is_a_plain_sentence(guest: FlaskClient) -> None:
    answer = guest.get("/nowhere")
    assert answer.status_code == 404
    assert "There is nothing here." in answer.get_data(as_text=True)
    assert guest.get("/nowhere.json").get_json()["code"] == "not_found"


def test_state_is_the_snapshot(guest: FlaskClient, host: StillHost) -> None:
    assert guest.get("/state.json").get_json() == host.published


def test_join_page_shows_the_address_and_its_code(guest: FlaskClient) -> None:
    html = guest.get("/join").get_data(as_text=True)
    assert "192.168.1.20:8080" in html
    code = guest.get("/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert b"<svg" in code.data


def test_photograph_is_served_and_a_forgotten_one_is_not(referee: FlaskClient) -> None:
    assert referee.get("/photo/p1.jpg").data == JPEG
    gone = referee.get("/photo/p2.jpg")
    assert gone.status_code == 422
    assert "that picture is not kept any more" in gone.get_data(as_text=True)
    assert referee.get("/photo/a%2e%2e.jpg").status_code == 404


@pytest.mark.parametrize(
    "path", ["/api/command/undo", "/api/why", "/api/role", "/api/photo", "/api/points", "/api/me"]
)
def test_nothing_is_changed_by_get(guest: FlaskClient, path: str) -> None:
    answer = guest.get(path)
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
