"""Learning seats: who may, and the page in a real browser."""

from collections.abc import Callable

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost, nothing_yet, seats
from web_server import serving

from companion.api.devices import KnownSeat

Phones = Callable[..., Phone]


def test_only_the_referee_has_seats_learned(
    guest: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    ida = {"player": "Ida"}
    assert guest.get("/api/seats").status_code == 403
    for what, body in (("begin", ida), ("forget", ida), ("stop", {})):
        assert guest.post(f"/api/seats/{what}", json=body, headers=SAME).status_code == 403
    assert referee.post("/api/seats/begin", json=ida, headers=SAME).get_json() == {"ok": True}
    assert referee.get("/api/seats").get_json() == {
        "array": True,
        "known": [{"player": "Ida", "degrees": 40.0, "spread": 8.0}],
        "player": "Ida",
        "finding": "",
    }
    assert referee.post("/api/seats/forget", json=ida, headers=SAME).get_json() == {"ok": True}
    assert host.seat_training.known == {}


def test_each_player_says_the_own_name(app: Flask, host: StillHost, phones: Phones) -> None:
    host.shown = {**nothing_yet(), "game": {"id": 1, "name": "nasty_7", "title": "The Nasty 7",
                  "settings": {}, "players": seats("Ida", "Jo")}}  # fmt: skip
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/voices")
        expect(page.get_by_text("seat not known")).to_have_count(1)
        page.get_by_role("button", name="Jo: say your name").click()
        expect(page.get_by_text("From your seat, as loud as in a game: say your name.")).to_be_visible()
        host.seat_training.finding = "noisy"
        expect(page.get_by_text("That came from several directions")).to_be_visible()
        host.seat_training.known["Jo"] = KnownSeat("Jo", 120.0, 9.0)
        host.seat_training.stop()
        expect(page.locator("#notice")).to_have_text("The seat of Jo is known.")
        expect(page.get_by_text("seat not known")).to_have_count(0)
        page.close()


def test_a_plain_microphone_has_no_seats(app: Flask, host: StillHost, phones: Phones) -> None:
    host.seat_training.array = False
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/voices")
        expect(page.get_by_role("heading", name="Teach a voice")).to_be_visible()
        expect(page.get_by_role("heading", name="Seats")).to_have_count(0)
        page.close()
