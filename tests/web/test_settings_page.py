"""The settings on a phone: who may see them, and a change from the field to the file."""

from collections.abc import Callable

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from still_host import PIN, SAME, StillHost
from web_server import serving

Phones = Callable[..., Phone]


def values(client: FlaskClient) -> dict[str, object]:
    return {one["key"]: one["value"] for one in client.get("/api/settings").get_json()["fields"]}


def test_only_the_referee_sees_and_changes_settings(guest: FlaskClient, referee: FlaskClient) -> None:
    version = referee.get("/api/settings").get_json()["version"]
    change = {"values": {"camera.fps": 10}, "version": version}
    assert guest.get("/api/settings").status_code == 403
    for step, body in [("check", change), ("save", change), ("back", {})]:
        assert guest.post(f"/api/settings/{step}", json=body, headers=SAME).status_code == 403
    assert b"above_cm" not in guest.get("/settings").data
    assert values(referee)["camera.fps"] == 15.0
    assert referee.post("/api/settings/save", json=change, headers=SAME).get_json()["ok"] is True
    assert values(referee)["camera.fps"] == 10.0


def test_problems_are_written_in_the_phones_language(referee: FlaskClient) -> None:
    version = referee.get("/api/settings").get_json()["version"]
    change = {"values": {"camera.fps": 90}, "version": version}
    found = referee.post("/api/settings/check", json=change, headers=SAME).get_json()
    assert found["problems"] == [{"key": "camera.fps", "text": "choose a value from 0 to 60"}]


def referees_page(phone: Phone, base: str) -> Page:
    phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
    return phone.open("/settings")


def test_a_value_is_chosen_checked_shown_as_a_line_and_saved(
    app: Flask, host: StillHost, phones: Phones
) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        page = referees_page(phone, base)
        page.locator("summary", has_text="Camera").click()
        height = page.get_by_label("Height above the table in cm")
        expect(height).to_have_value("80")
        height.fill("7")
        phone.tap("See the changes")
        expect(page.get_by_text("choose a value from 20 to 250")).to_be_visible()
        height.fill("72,5")
        page.locator("summary", has_text="Sounds and lamps").click()
        page.get_by_label("Buzzer", exact=True).select_option("27")
        phone.tap("See the changes")
        expect(page.get_by_text("+above_cm = 72.5  # measured")).to_be_visible()
        expect(page.get_by_text("+pin = 27")).to_be_visible()
        phone.tap("Save and restart")
        expect(page.get_by_text("The new settings are in force.")).to_be_visible()
        fields = {one.key: one.value for one in host.owner.settings.state().fields}
        assert (fields["camera.above_cm"], fields["buzzer.pin"]) == (72.5, 27)
        phone.tap("Put the earlier settings back")
        expect(page.get_by_label("Height above the table in cm")).to_have_value("80")
        page.close()


def test_pins_of_buttons_are_added_and_two_on_one_pin_are_named(
    app: Flask, host: StillHost, phones: Phones
) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        page = referees_page(phone, base)
        page.locator("summary", has_text="Buttons").click()
        seats = page.get_by_role("group", name="Players' buttons")
        seats.get_by_role("button", name="One more button").click()
        seats.get_by_label("Seat 1", exact=True).select_option("5")
        seats.get_by_role("button", name="One more button").click()
        seats.get_by_label("Seat 2", exact=True).select_option("17")
        phone.tap("See the changes")
        expect(page.get_by_text("both pin 17")).to_be_visible()
        seats.get_by_label("Seat 2", exact=True).select_option("6")
        expect(page.get_by_text("seat 1: now!")).to_be_visible()
        phone.tap("See the changes")
        expect(page.get_by_text("+seats = [5, 6]")).to_be_visible()
        page.close()


def test_a_device_is_chosen_from_what_is_there(app: Flask, host: StillHost, phones: Phones) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        page = referees_page(phone, base)
        page.locator("summary", has_text="Microphone").click()
        page.get_by_label("Which microphone").select_option(label="USB Audio")
        expect(page.get_by_text("Too loud: turn the microphone down or move it away.")).to_be_visible()
        phone.tap("See the changes")
        expect(page.get_by_text('+device = "USB Audio"')).to_be_visible()
        page.close()
