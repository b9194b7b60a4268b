"""The report holds what helps, and nothing private."""

import io
import logging
import socket
import subprocess
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from companion.core.config import Config
from companion.core.finding import Finding
from companion.core.message import message
from companion.owner.report import RecentLog, ReportService
from companion.owner.scrubbing import scrubbed
from companion.store.folder import DataFolder
from companion.store.journal import Journal

NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
TOKEN = "Zx81_kT7mQvB2nLw9RyE4uHs6"
LOG = f"""2026-11-22T19:00:00 companion: The pages are at http://192.168.1.20:8080/ (referee: code 481516)
2026-11-22T19:00:01 companion: fe80::ba27:ebff:fe12:3456 b8:27:eb:12:34:56 asked, mail ida@example.org
2026-11-22T19:00:02 companion: Maximiliane's card was not seen; MAXIMILIANE was asked; Jo-Ann too
2026-11-22T19:00:03 companion: cookie {TOKEN} of /home/ida is void
2026-11-22T19:00:04 companion: the camera gives no picture for 2.0 s
"""
PRIVATE = (
    "maximiliane", "jo-ann", "192.168.1.20", "fe80", "b8:27", "ida@", "481516", TOKEN.lower(), "/home/ida",
    "broker.example", "tablename", "someuser", "swordfish", "secret-pages",
)  # fmt: skip


def config() -> Config:
    values = {
        "mqtt": {"host": "broker.example", "user": "someuser", "table": "tablename"},
        "pages": {"url": "http://secret-pages/"},
        "camera": {"above_cm": 81.5},
    }
    return msgspec.convert(values, Config)


def files(service: ReportService) -> dict[str, str]:
    name, content = service.report()
    assert name == "companion-report-2026-11-22.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as report:
        return {one: report.read(one).decode() for one in report.namelist()}


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.create()
    journal = Journal(folder.journal)
    journal.begin_game("nasty_7", ["Maximiliane", "Jo-Ann"], {})
    journal.close()
    (folder.path / "mqtt-password").write_text("swordfish")
    return folder


def finding() -> list[Finding]:
    return [Finding(message("doctor.name_camera"), False, message("library.words", words="Jo-Ann's phone"))]


def test_nothing_private_is_in_it_and_the_rest_is(data: DataFolder) -> None:
    asked: list[Sequence[str]] = []

    def journalctl(command: Sequence[str]) -> str:
        asked.append(command)
        return LOG

    found = files(ReportService(config(), data, finding, RecentLog(), lambda: NOW, journalctl))
    whole = "\n".join(found.values()).lower()
    assert [one for one in (*PRIVATE, socket.gethostname().lower()) if one in whole and len(one) > 2] == []
    assert "the camera gives no picture for 2.0 s" in found["log.txt"]
    assert "camera.above_cm = 81.5" in found["settings.txt"]
    assert "mqtt.host = set" in found["settings.txt"]
    assert "missing  camera" in found["findings.txt"]
    assert "Python 3." in found["about.txt"]
    assert "--unit=companion.service" in asked[0]


def test_without_a_journal_of_the_system_the_own_lines_are_there(data: DataFolder) -> None:
    def none(command: Sequence[str]) -> str:
        raise subprocess.SubprocessError

    log = RecentLog()
    logger = logging.getLogger("companion.test_report")
    logger.addHandler(log)
    try:
        logger.warning("the microphone of %s fails", "Maximiliane")
    finally:
        logger.removeHandler(log)
    found = files(ReportService(config(), data, finding, log, lambda: NOW, none))
    assert "the microphone of <name> fails" in found["log.txt"]


def test_numbers_that_help_stay() -> None:
    kept = "1280x720 px at 14.9 fps, 48000 Hz, 2026-11-22 20:00:01, version 0.1.0, 3.3 V, 123456 bytes"
    assert scrubbed(kept, ["Ida"]) == kept
