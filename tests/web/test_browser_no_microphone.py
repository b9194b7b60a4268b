"""The Nasty 7 on a table with a camera and no microphone, in a real browser."""

from collections.abc import Callable
from pathlib import Path

from camera_table import CameraTable, served
from chromium import Phone
from playwright.sync_api import Page, expect

Phones = Callable[..., Phone]
HESITATION_S = 1
SLOW_MS = 1400


def start(phone: Phone) -> Page:
    """A game in which whoever hesitates for a second is too late."""
    page = phone.seats("The Nasty 7", "Ida", "Jo")
    page.get_by_text("House rules").click()
    page.get_by_label("Hesitation").fill(str(HESITATION_S))
    phone.tap("Start with", exact=False)
    page.wait_for_url("**/")
    return page


def test_who_taps_slowly_beside_a_camera_is_not_too_late(tmp_path: Path, phones: Phones) -> None:
    with served(tmp_path, CameraTable("nasty_7")) as (address, _app):
        phone = phones(address)
        page = start(phone)
        expect(page.locator(".paused")).to_contain_text("nobody is timed")
        for name in ("Ida", "Jo", "Ida"):
            expect(page.locator("h2").first).to_have_text(f"{name} turns over a card.")
            page.wait_for_timeout(SLOW_MS)
            phone.tap("racketeer")
            expect(page.locator("h2").first).to_have_text(f"{name} calls.")
            page.wait_for_timeout(SLOW_MS)
            phone.tap("It was right")
        expect(page.locator("h2").first).to_have_text("Jo turns over a card.")
        log = page.evaluate("fetch('/state.json').then((reply) => reply.json()).then((s) => s.log)")
        assert [one["verdict"] for entry in log for one in entry["verdicts"]] == ["correct"] * 3
        page.close()


def test_the_clock_is_offered_where_only_a_camera_is_there_and_stands_again(
    tmp_path: Path, phones: Phones
) -> None:
    with served(tmp_path, CameraTable("nasty_7")) as (address, _app):
        phone = phones(address)
        page = start(phone)
        phone.tap("Time the players")
        expect(page.locator(".paused")).to_have_count(0)
        phone.tap("racketeer")
        expect(page.locator("#verdict")).to_contain_text("Ida")
        phone.tap("Do not time the players")
        expect(page.locator(".paused")).to_contain_text("nobody is timed")
        page.close()
