"""Files that arrive in pieces."""

from pathlib import Path

import pytest

from companion.api.machine import UploadPiece
from companion.core.errors import CompanionError
from companion.owner import uploads as module
from companion.owner.uploads import Uploads


def test_pieces_become_one_file_and_a_new_file_replaces_it(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    assert uploads.take(UploadPiece("backup", 0, b"one ")).size == 4
    assert uploads.take(UploadPiece("backup", 4, b"two")).size == 7
    assert uploads.file("backup").read_bytes() == b"one two"
    uploads.take(UploadPiece("backup", 0, b"new"))
    assert uploads.file("backup").read_bytes() == b"new"
    uploads.forget("backup")
    assert not uploads.file("backup").exists()


def test_a_lost_piece_is_named(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    uploads.take(UploadPiece("backup", 0, b"one "))
    for offset in (3, 5, -1):
        with pytest.raises(CompanionError, match="go on at byte 4"):
            uploads.take(UploadPiece("backup", offset, b"x"))
    assert uploads.file("backup").read_bytes() == b"one "


def test_a_piece_whose_answer_was_lost_may_come_again(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path / "uploads")
    uploads.take(UploadPiece("backup", 0, b"one "))
    uploads.take(UploadPiece("backup", 4, b"two"))
    assert uploads.take(UploadPiece("backup", 4, b"two")).size == 7
    with pytest.raises(CompanionError, match="go on at byte 7"):
        uploads.take(UploadPiece("backup", 4, b"six"))
    assert uploads.file("backup").read_bytes() == b"one two"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", {"backup": 6})
    uploads = Uploads(tmp_path / "uploads")
    uploads.take(UploadPiece("backup", 0, b"one "))
    with pytest.raises(CompanionError, match="too large"):
        uploads.take(UploadPiece("backup", 4, b"two"))


def test_a_full_disk_is_named_and_keeps_its_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESERVE", 2**60)
    with pytest.raises(CompanionError, match="not enough room"):
        Uploads(tmp_path / "uploads").take(UploadPiece("backup", 0, b"one"))
