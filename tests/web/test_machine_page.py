"""This machine on a phone: its state, a backup that is restored, a report."""

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from chromium import Phone
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import PIN, SAME, StillHost
from web_server import serving

from companion.store import backups
from companion.store.folder import DataFolder
from companion.store.journal import Journal

Phones = Callable[..., Phone]


def backup_of_another_machine(tmp_path: Path) -> Path:
    data = DataFolder(tmp_path / "other")
    data.create()
    journal = Journal(data.journal)
    journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    journal.close()
    (data.path / "config.toml").write_text('[table]\nlanguage = "fr"\n')
    file = tmp_path / "companion-backup.zip"
    backups.back_up(data, file, "0.9", datetime(2026, 11, 20, tzinfo=UTC))
    return file


def test_only_the_referee_restores_and_sees_the_machine(guest: FlaskClient, referee: FlaskClient) -> None:
    piece = {"kind": "backup", "offset": 0, "data": "UEs="}
    assert guest.get("/api/machine").status_code == 403
    assert guest.get("/report.zip").status_code == 403
    for path, body in [("/api/upload", piece), ("/api/restore/examine", {}), ("/api/restore", {})]:
        assert guest.post(path, json=body, headers=SAME).status_code == 403
    assert "84 °C" not in guest.get("/machine").get_data(as_text=True)
    assert referee.post("/api/upload", json=piece, headers=SAME).get_json() == {"ok": True, "size": 2}
    refused = referee.post("/api/restore", json={}, headers=SAME)
    assert refused.status_code == 422
    assert "no backup" in refused.get_json()["text"]


def test_an_update_needs_a_phone_that_was_made_the_referees(
    guest: FlaskClient, referee: FlaskClient, host: StillHost
) -> None:
    folder = Path(host.owner.settings.state().file).parent
    (folder / "update.py").touch()
    asked = {"action": "update"}
    assert guest.post("/api/update", json=asked, headers=SAME).status_code == 403
    pin, host.pin = host.pin, ""
    assert guest.get("/api/machine").status_code == 200, "everybody decides"
    assert guest.post("/api/update", json=asked, headers=SAME).status_code == 403
    host.pin = pin
    assert not (folder / "update-request.json").exists()
    assert referee.post("/api/update", json={"action": "shell"}, headers=SAME).status_code == 400
    assert referee.post("/api/update", json=asked, headers=SAME).get_json() == {"ok": True}
    assert referee.get("/api/machine").get_json()["updates"]["result"] == "running"


def test_an_update_is_asked_for_and_its_end_is_shown(app: Flask, host: StillHost, phones: Phones) -> None:
    folder = Path(host.owner.settings.state().file).parent
    (folder / "update.py").touch()
    (folder / "tabletop-companion_0.9_arm64.deb").touch()
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/machine")
        phone.tap("Go back to the version before")
        expect(page.get_by_text("The machine is being updated.")).to_be_visible()
        (folder / "update.json").write_text('{"id": "1", "state": "went_back", "why": "no answer"}')
        (folder / "update-request.json").unlink()
        expect(page.get_by_text("The new version did not work")).to_be_visible()
        page.close()


def test_a_version_is_sent_and_its_refusal_is_shown(
    app: Flask, host: StillHost, phones: Phones, tmp_path: Path
) -> None:
    folder = Path(host.owner.settings.state().file).parent
    (folder / "update.py").touch()
    version = tmp_path / "tabletop-companion_2.0_arm64.update"
    version.write_bytes(bytes(range(256)) * 4000)
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/machine")
        expect(page.get_by_text("Look for a newer version")).to_be_visible()
        expect(page.get_by_label("Install a version from this phone")).to_have_count(0)
        (folder / "update-key.pem").touch()
        page.reload()
        page.get_by_label("Install a version from this phone").set_input_files(version)
        expect(page.get_by_text("The machine is being updated.")).to_be_visible()
        assert (folder / "uploads" / "update").read_bytes() == version.read_bytes()
        (folder / "update.json").write_text('{"state": "failed", "why": "the update is not signed"}')
        (folder / "update-request.json").unlink()
        expect(page.get_by_text("The latest update failed. (the update is not signed)")).to_be_visible()
        page.close()


def test_the_report_is_a_file(referee: FlaskClient) -> None:
    answer = referee.get("/report.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="companion-report-2026-11-22.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.data)) as report:
        assert set(report.namelist()) == {"about.txt", "findings.txt", "settings.txt", "log.txt"}


def test_a_piece_that_is_too_large_is_refused(referee: FlaskClient) -> None:
    piece = {"kind": "backup", "offset": 0, "data": "A" * 1600 * 1024}
    assert referee.post("/api/upload", json=piece, headers=SAME).status_code == 413


def test_a_backup_is_sent_shown_and_restored(
    app: Flask, host: StillHost, phones: Phones, tmp_path: Path
) -> None:
    with serving(app) as port:
        base = f"http://127.0.0.1:{port}"
        phone = phones(base)
        phone.excuse("status of 422")
        phone.context.request.post(f"{base}/api/role", data={"code": PIN}, headers={"Origin": base})
        page = phone.open("/machine")
        expect(page.get_by_text("84 °C: the processor slows down")).to_be_visible()
        broken = tmp_path / "broken.zip"
        broken.write_bytes(b"PK" + bytes(2_000_000))
        page.get_by_label("Restore a backup").set_input_files(broken)
        expect(page.get_by_role("alert")).to_contain_text("no backup")
        page.get_by_label("Restore a backup").set_input_files(backup_of_another_machine(tmp_path))
        expect(page.get_by_text("1 game")).to_be_visible()
        expect(page.get_by_text("Ida and Jo")).to_be_visible()
        phone.tap("Restore it")
        expect(page.get_by_text("42 °C: cool enough")).to_be_visible()
        expect(page.get_by_text("The latest backup was restored.")).to_be_visible()
        values = {one.key: one.value for one in host.owner.settings.state().fields}
        assert values["table.language"] == "fr"
        page.close()
