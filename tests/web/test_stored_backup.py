"""The backup that the page *Stored data* offers."""

from flask.testing import FlaskClient


def test_the_referee_gets_the_backup_as_a_file(referee: FlaskClient) -> None:
    answer = referee.get("/backup.zip")
    assert answer.data == b"PK-all"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="companion-2026-11-22.zip"'
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_guest_does_not(guest: FlaskClient) -> None:
    assert guest.get("/backup.zip").status_code == 403
