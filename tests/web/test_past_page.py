"""What has been played: results, records, and files that leave the machine by the phone."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from api_client import REFEREE, request
from chromium import Phone
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import StillHost, scanning

from companion.api.history import PlayerRecord
from companion.core.config import Config
from companion.devices.inputs import Inputs
from companion.host.history import records_of
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.night import Finished


def test_results_and_scripts_are_files_for_everybody(guest: FlaskClient) -> None:
    table = guest.get("/past/results.csv")
    assert (table.status_code, table.get_data(as_text=True)) == (200, "night,game\r\n1,nasty_7\r\n")
    assert "attachment" in table.headers["Content-Disposition"]
    script = guest.get("/past/1.jsonl")
    assert json.loads(script.get_data(as_text=True)) == {"game": "nasty_7"}
    assert guest.get("/past/7.jsonl").status_code == 422
    assert guest.get("/past/x.jsonl").status_code == 404


def test_evidence_is_the_referees(guest: FlaskClient, referee: FlaskClient) -> None:
    assert guest.get("/evidence/2026_nasty_7_1_2.zip").status_code == 403
    assert referee.get("/evidence/2026_nasty_7_1_2.zip").get_data() == b"PK2026_nasty_7_1_2.zip"
    for name in ("..%2fkey.zip", "key", "a.zip.txt"):
        assert referee.get(f"/evidence/{name}").status_code == 404


def test_kept_evidence_comes_to_the_phone_that_asked(
    still: str, host: StillHost, phones: Callable[..., Phone]
) -> None:
    host.pin, host.shown = "", scanning()
    page = phones(still).open("/history")
    page.locator("button.entry").last.click()
    page.get_by_role("link", name="Something else was wrong").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Keep the evidence").click()
    assert download.value.suggested_filename == "1.zip"
    expect(page.get_by_role("alert")).to_have_text("Kept in /var/lib/companion/evidence/1.zip.")


def test_the_page_tells_results_and_records(still: str, phones: Callable[..., Phone]) -> None:
    phone = phones(still, locale="en-GB", timezone_id="UTC")
    page = phone.open("/past")
    expect(page.locator(".standings li")).to_have_text("Ida won 1 of 1 game1")
    expect(page.locator(".past h2").first).to_have_text(re.compile("Saturday,? 21 November 2026"))
    expect(page.locator(".past li").first).to_contain_text("Ida and Jo; broken off")
    expect(page.locator(".past li").last).to_contain_text("Ida won: Ida 0 and Jo 12")
    assert page.get_by_role("link", name="BG Stats").count() == 1
    with page.expect_download() as download:
        page.get_by_role("link", name="All results as a table").click()
    assert download.value.suggested_filename == "results.csv"
    assert phone.overflow() <= 0


def test_the_page_tells_how_right_the_senses_were_and_what_helps(
    still: str, phones: Callable[..., Phone]
) -> None:
    phone = phones(still, locale="en-GB")
    page = phone.open("/past")
    trust = page.locator(".trust")
    expect(trust.locator("li").first).to_contain_text("Camera: 212 of 218 cards right")
    expect(trust.locator("li").first).to_contain_text("asked about: 4 and corrected: 2")
    expect(trust.locator("li").last).to_have_text("Calls of Jo: 41 of 52 understood")
    expect(trust.locator(".advice")).to_have_text(
        "the microphone is far from Jo: 41 of 52 calls understood; move it, or train the voice"
    )
    assert phone.overflow() <= 0


def test_what_was_played_is_read_from_the_journal(tmp_path: Path) -> None:
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    try:
        for _ in range(2):
            app.host.command(request("new_game", {"game": "nasty_7", "players": ["Ida", "Jo"]}), REFEREE)
            app.host.command(
                request("event", {"event": "card_played", "player": "Ida", "card": "gun"}), REFEREE
            )
        past = app.host.history
        latest, before = past.state().games
        assert (latest.ended, latest.title, before.winner) == (None, "The Nasty 7", ())
        assert before.ended is not None
        name, script = past.script(before.id)
        assert name.endswith("_nasty_7_1.jsonl")
        assert [json.loads(line).get("card") for line in script.splitlines()] == [None, "gun"]
        assert past.table().count("\r\n") == 1 + 4
        assert past.state().senses.games == 2
        assert past.state().senses.senses == (), "phones entered everything"
        kept = app.host.why(1).file
        assert app.host.evidence(kept.rpartition("/")[2]).startswith(b"PK")
    finally:
        app.stop()


def test_records_count_decided_games_only() -> None:
    won = Finished(
        1, "seven_merry_monsters", ("Ida", "Jo", "Kai"), ("Jo",), {"Ida": 9, "Jo": 12, "Kai": 3}, True
    )
    left = Finished(2, "nasty_7", ("Ida", "Lu"), (), {}, True)
    assert records_of([won, left, won]) == (
        PlayerRecord("Jo", games=2, won=2, points=4),
        PlayerRecord("Ida", games=2, won=0, points=2),
        PlayerRecord("Kai", games=2, won=0, points=0),
    )
