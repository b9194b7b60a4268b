"""The first start of an appliance on the phone, and its wireless network on a screen."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost
from web_server import serving

Phones = Callable[..., Phone]
IN_HOTSPOT = {"REMOTE_ADDR": "10.42.0.17"}
NEARBY = {"REMOTE_ADDR": "192.168.1.17"}
STATUS = {
    "wifi": True,
    "hotspot": {"name": "Tabletop companion", "password": "k7mq2vb9xw"},
    "networks": ["Home", "Cafe"],
}


@pytest.fixture
def folder(host: StillHost) -> Path:
    return Path(host.owner.settings.state().file).parent


@pytest.fixture
def appliance(folder: Path) -> Path:
    (folder / "status.json").write_text(json.dumps(STATUS))
    return folder


def claim(client: FlaskClient, place: dict[str, str]) -> int:
    return client.post("/api/welcome/claim", json={}, headers=SAME, environ_overrides=place).status_code


def test_a_new_appliance_belongs_to_the_first_phone_in_its_own_network(app: Flask, appliance: Path) -> None:
    phone = app.test_client()
    assert phone.get("/", environ_overrides=IN_HOTSPOT).headers.get("Location") == "/welcome"
    assert phone.get("/", environ_overrides=NEARBY).status_code == 200
    assert claim(phone, NEARBY) == 409
    assert claim(phone, IN_HOTSPOT) == 200
    assert phone.get("/api/pairing/role").get_json()["role"] == "referee"
    assert claim(app.test_client(), IN_HOTSPOT) == 409


def test_a_machine_that_is_no_new_appliance_is_claimed_by_nobody(guest: FlaskClient, folder: Path) -> None:
    assert claim(guest, IN_HOTSPOT) == 409
    (folder / "status.json").write_text(json.dumps(STATUS))
    (folder / "welcomed").touch()
    assert claim(guest, IN_HOTSPOT) == 409
    assert guest.get("/", environ_overrides=IN_HOTSPOT).status_code == 200


def test_the_password_of_the_network_is_for_screens_and_the_referee(
    guest: FlaskClient, referee: FlaskClient, appliance: Path
) -> None:
    for path in ("/api/wireless", "/wifi.svg"):
        assert guest.get(path, environ_overrides=NEARBY).status_code == 403
        assert guest.get(path, environ_overrides={"REMOTE_ADDR": "127.0.0.1"}).status_code == 200
    assert referee.get("/api/wireless").get_json()["hotspot"]["password"] == "k7mq2vb9xw"
    assert b"<svg" in referee.get("/wifi.svg").data
    assert "k7mq2vb9xw" not in referee.get("/table").get_data(as_text=True)
    assert "Tabletop companion" in referee.get("/table").get_data(as_text=True)
    assert "k7mq2vb9xw" not in guest.get("/welcome", environ_overrides=NEARBY).get_data(as_text=True)
    (appliance / "status.json").write_text(json.dumps({**STATUS, "hotspot": None}))
    assert referee.get("/wifi.svg").status_code == 404


def test_a_narrow_table_view_has_room_for_both_codes(app: Flask, appliance: Path, phones: Phones) -> None:
    with serving(app) as port:
        phone = phones(f"http://127.0.0.1:{port}")
        page = phone.open("/table")
        expect(page.get_by_alt_text("QR code of the wireless network")).to_be_visible()
        assert phone.overflow() == 0
        page.close()


def test_language_and_network_are_asked_once(
    app: Flask, host: StillHost, appliance: Path, phones: Phones
) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.excuse("status of 422")
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/")
        expect(page.get_by_role("heading", name="Welcome")).to_be_visible()
        page.get_by_label("Your wireless network").select_option("Home")
        page.get_by_label("Its password").fill("short")
        phone.tap("Done")
        expect(page.get_by_role("alert")).to_contain_text("8 to 63")
        page.get_by_label("Its password").fill("correct horse")
        phone.tap("Done")
        expect(page.get_by_text("The companion now joins Home.")).to_be_visible()
        request = json.loads((appliance / "wifi-request.json").read_text())
        assert (request["name"], request["password"]) == ("Home", "correct horse")
        page = phone.open("/")
        assert page.url == f"{base}/"
        page.close()
