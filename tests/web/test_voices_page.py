"""Teaching a voice: who may, and the page in a real browser."""

from collections.abc import Callable

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost
from web_server import serving

Phones = Callable[..., Phone]


def test_only_the_referee_has_voices_taught(
    guest: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    ida = {"player": "Ida"}
    assert guest.get("/api/voices").status_code == 403
    for what, body in (("begin", ida), ("forget", ida), ("stop", {})):
        assert guest.post(f"/api/voices/{what}", json=body, headers=SAME).status_code == 403
    assert host.teaching.taught == ["Ida"]
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
        phone.context.request.post(f"{base}/api/role", data={"pin": PIN}, headers={"Origin": base})
        page = phone.open("/voices")
        page.get_by_label("Player").fill("Jo")
        page.get_by_role("button", name="Listen to me").click()
        expect(page.get_by_text("five", exact=True)).to_be_visible()
        expect(page.get_by_text("Heard.")).to_be_visible()
        host.teaching.lesson = None
        host.teaching.outcome = {"player": "Jo", "helps": False, "text": "12 of 24 are known again: too few"}
        expect(page.get_by_text("Jo is not kept")).to_be_visible()
        expect(page.get_by_text("12 of 24 are known again")).to_be_visible()
        page.get_by_role("button", name="Forget Ida").click()
        expect(page.get_by_role("button", name="Forget Ida")).to_have_count(0)
        assert host.teaching.taught == []
        page.close()
