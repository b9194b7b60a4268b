"""Teaching a voice: who may, and the page in a real browser."""

from collections.abc import Callable
from typing import Any

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost, nothing_yet, seats
from web_server import serving

Phones = Callable[..., Phone]


def test_only_the_referee_has_voices_taught(
    guest: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    ida = {"player": "Ida"}
    assert guest.get("/api/voices").status_code == 403
    for what, body in (("begin", ida), ("forget", ida), ("stop", {})):
        assert guest.post(f"/api/voices/{what}", json=body, headers=SAME).status_code == 403
    assert host.voice_training.taught == ["Ida"]
    assert b"Ida" not in guest.get("/voices").data
    refused = referee.post("/api/voices/begin", json={"player": ""}, headers=SAME)
    assert refused.status_code >= 400
    assert "name the player" in refused.get_json()["text"]
    assert referee.post("/api/voices/forget", json=ida, headers=SAME).get_json() == {"ok": True}
    assert referee.get("/api/voices").get_json()["taught"] == []


def test_a_lesson_on_the_page(app: Flask, host: StillHost, phones: Phones) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/voices")
        page.get_by_label("Player").fill("Jo")
        page.get_by_role("button", name="Listen to me").click()
        expect(page.get_by_text("five", exact=True)).to_be_visible()
        expect(page.get_by_text("Heard.")).to_be_visible()
        host.voice_training.lesson = None
        host.voice_training.outcome = {
            "player": "Jo",
            "helps": False,
            "text": "12 of 24 are known again: too few",
        }
        expect(page.get_by_text("Jo is not kept")).to_be_visible()
        expect(page.get_by_text("12 of 24 are known again")).to_be_visible()
        page.get_by_role("button", name="Forget Ida").click()
        expect(page.get_by_role("button", name="Forget Ida")).to_have_count(0)
        assert host.voice_training.taught == []
        page.close()


def inventing() -> dict[str, Any]:
    """The Nasty 7: Ida has just made a sound that is no word."""
    return {
        **nothing_yet(),
        "game": {
            "id": 1,
            "name": "nasty_7",
            "title": "The Nasty 7",
            "settings": {"language": "en"},
            "players": seats("Ida", "Jo"),
        },
        "phase": "play",
        "turn": "Jo",
        "state": {
            "phase": "play",
            "round": 2,
            "turn": "Jo",
            "pile": 1,
            "sound": ["sound 2"],
            "next_number": 2,
        },
        "scores": {"Ida": 30, "Jo": 30},
        "sources": {"microphone": {"up": True}, "camera": {"up": True}},
        "log": [
            {
                "n": 1,
                "event": {"event": "card_played", "player": "Ida", "card": "phone", "t": 1.0},
                "verdicts": [],
                "undone": False,
            }
        ],
    }


def test_an_invented_sound_is_said_three_times(app: Flask, host: StillHost, phones: Phones) -> None:
    host.pin = ""
    host.shown = inventing()
    with serving(app) as port:
        phone = phones(f"http://127.0.0.1:{port}")
        page = phone.open("/")
        phone.tap("Say it three times")
        expect(page.get_by_role("dialog")).to_contain_text("Make the sound again")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#notice")).to_have_text("I know it now.")
        host.shown = {**inventing(), "state": {**inventing()["state"], "sound": ["eight"]}}
        phone.open("/")
        expect(page.get_by_role("button", name="Say it three times")).to_have_count(0)
        page.close()


def test_only_the_referee_has_a_sound_repeated(guest: FlaskClient, referee: FlaskClient) -> None:
    assert guest.get("/api/sound").status_code == 403
    assert guest.post("/api/sound/begin", json={}, headers=SAME).status_code == 403
    assert referee.post("/api/sound/begin", json={}, headers=SAME).get_json() == {
        "ok": True,
        "left": 2,
        "of": 3,
    }
    assert referee.post("/api/sound/stop", json={}, headers=SAME).get_json()["left"] == 0
    assert referee.post("/api/sound/again", json={}, headers=SAME).status_code == 404
