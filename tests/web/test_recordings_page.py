"""Recording evenings: who may, the page in a real browser, and the badge on every page."""

from collections.abc import Callable

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost, nothing_yet, scanning
from web_server import serving

Phones = Callable[..., Phone]
BADGE = "This evening is being recorded"


def test_only_the_referee_records(guest: FlaskClient, referee: FlaskClient, host: StillHost) -> None:
    assert guest.get("/api/recordings").status_code == 403
    for what, body in (("start", {}), ("stop", {}), ("forget", {"name": "first"})):
        assert guest.post(f"/api/recordings/{what}", json=body, headers=SAME).status_code == 403
    assert (host.recordings.on, host.recordings.names) == (False, ["first"])
    assert b"/evenings" not in guest.get("/recordings").data
    begun = referee.post("/api/recordings/start", json={}, headers=SAME).get_json()
    assert (begun["ok"], begun["on"]) == (True, True)
    assert [one["name"] for one in begun["evenings"]] == ["second", "first"]
    again = referee.post("/api/recordings/start", json={}, headers=SAME)
    assert "nearly full" in again.get_json()["text"]
    assert not referee.post("/api/recordings/stop", json={}, headers=SAME).get_json()["on"]
    unknown = referee.post("/api/recordings/forget", json={"name": "../keys"}, headers=SAME)
    assert "no evening ../keys" in unknown.get_json()["text"]


def test_the_switch_the_list_and_one_tap_that_deletes(app: Flask, host: StillHost, phones: Phones) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/recordings")
        expect(page.get_by_text("90 min, 250 MB")).to_be_visible()
        expect(page.get_by_text("3 pictures are missing")).to_be_visible()
        page.get_by_role("button", name="Record this evening").click()
        expect(page.get_by_role("button", name="End the recording")).to_be_visible()
        assert host.recordings.on
        expect(page.get_by_text("is being recorded", exact=False).first).to_be_visible()
        page.get_by_role("button", name="End the recording").click()
        expect(page.get_by_role("button", name="Record this evening")).to_be_visible()
        page.get_by_role("button", name="Delete").first.click()
        expect(page.get_by_role("button", name="Delete")).to_have_count(1)
        assert host.recordings.names == ["first"]
        page.close()


def test_every_page_shows_that_the_evening_is_being_recorded(
    app: Flask, host: StillHost, phones: Phones
) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        page = phones(base).open("/")
        for shown in (nothing_yet(), scanning()):
            host.shown = {**shown, "recording": True}
            for path in ("/", "/table", "/history", "/help", "/join", "/setup", "/rules", "/past"):
                page.goto(base + path)
                expect(page.get_by_text(BADGE)).to_be_visible()
            host.shown = {**shown, "recording": False}
            page.goto(base)
            expect(page.locator("nav.bar")).to_be_visible()
            expect(page.get_by_text(BADGE)).to_have_count(0)
        page.close()
