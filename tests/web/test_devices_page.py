"""Trying the devices out: what may be asked by whom, the page in a real browser, and a phone that speaks."""

from collections.abc import Callable

import msgspec
from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost, eventually
from web_server import serving

from companion.api.snapshot import Announced, TableChange

Phones = Callable[..., Phone]


def test_only_the_referee_tries_the_devices(
    guest: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    buzzer = {"name": "buzzer"}
    assert guest.get("/api/devices").status_code == 403
    assert guest.post("/api/devices/try", json=buzzer, headers=SAME).status_code == 403
    assert guest.post("/api/devices/loop", json={}, headers=SAME).status_code == 403
    assert host.device_test.tried == []
    assert referee.get("/api/devices").get_json()["outputs"] == ["buzzer"]
    assert referee.post("/api/devices/try", json=buzzer, headers=SAME).get_json() == {"ok": True}
    assert host.device_test.tried == ["buzzer"]
    assert referee.post("/api/devices/loop", json={}, headers=SAME).get_json()["heard"] is True


def test_what_is_not_plugged_in_is_said(referee: FlaskClient) -> None:
    refused = referee.post("/api/devices/try", json={"name": "voice"}, headers=SAME)
    assert refused.status_code >= 400
    assert "there is no voice" in refused.get_json()["text"]
    assert referee.post("/api/devices/try", json={"nonsense": 1}, headers=SAME).status_code == 400


def test_the_page_shows_presses_levels_and_remedies(app: Flask, host: StillHost, phones: Phones) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/devices")
        expect(page.get_by_text("seat 1: now!")).to_be_visible()
        expect(page.get_by_text("not pressed yet, GPIO 21")).to_be_visible()
        expect(page.get_by_text("Too loud: turn the microphone down or move it away.")).to_be_visible()
        expect(
            page.get_by_text("too little voltage now: use the Pi's own power supply and a short cable")
        ).to_be_visible()
        page.get_by_role("button", name="Buzzer", exact=True).click()
        page.get_by_role("button", name="Does it hear the buzzer?").click()
        expect(page.get_by_text("Yes, 21.5 dB above the background.")).to_be_visible()
        assert host.device_test.tried == ["buzzer"]
        page.close()


def test_a_phone_speaks_what_is_worth_a_word(app: Flask, host: StillHost, phones: Phones) -> None:
    with serving(app) as port:
        phone = phones(f"http://127.0.0.1:{port}")
        phone.context.add_init_script(
            "window.said = []; window.SpeechSynthesisUtterance = class { constructor(t) { this.text = t; } };"
            "Object.defineProperty(window, 'speechSynthesis', { value: {"
            "speak: (words) => window.said.push(words.text), cancel: () => {} } });"
        )
        page = phone.open()
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="This phone speaks").click()
        eventually(lambda: page.evaluate("window.said"))
        assert page.evaluate("window.said") == ["This phone speaks now."]
        eventually(lambda: host.subscriptions, "the phone does not listen")
        quiet = {"code": "correct", "text": "Jo was right.", "priority": 0, "params": {}, "rhythm": None}
        loud = {"code": "too_late", "text": "Jo was late.", "priority": 4, "params": {}, "rhythm": None}
        for subscription in host.subscriptions:
            for announcements in ([quiet], [loud, quiet]):
                announced = tuple(msgspec.convert(one, Announced) for one in announcements)
                subscription.put((8, TableChange("change", host.snapshot(), announced)))
        eventually(lambda: page.evaluate("window.said.length > 1"))
        assert page.evaluate("window.said") == ["This phone speaks now.", "Jo was late."]
        page.close()
