"""A service whose disk cannot be written plays on, and says so."""

import errno
import os
from pathlib import Path

import pytest

from companion.store import volatile
from companion.store.folder import DataFolder
from companion.store.journal import Journal, read_journal
from companion.store.volatile import usable


def kept(folder: Path) -> DataFolder:
    data = DataFolder(folder)
    data.key()
    (data.decks / "own").mkdir(parents=True)
    with Journal(data.journal) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        journal.append(game.id, 1, 1.0, {"event": "card_played"}, source="phone")
    return data


def failing(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Writing fails as on a disk in this state."""
    real = Path.open

    def opened(path: Path, *arguments: object, **more: object) -> object:
        if path.name == volatile.PROBE:
            raise OSError(code, os.strerror(code))
        return real(path, *arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", opened)


def test_a_good_disk_is_used_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    data = DataFolder(tmp_path / "data")
    assert usable(data, tmp_path / "run") == (data, None)
    assert list(data.path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "replace the card"),
        (errno.EACCES, "sudo chown -R companion:"),
        (errno.EIO, "Input/output error; check the disk"),
    ],
)
def test_a_disk_that_cannot_be_written_is_replaced_by_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, remedy: str
) -> None:
    data = kept(tmp_path / "data")
    failing(monkeypatch, code)
    copy, why = usable(data, tmp_path / "run")
    assert why is not None
    assert str(why).startswith("nothing is stored")
    assert remedy in str(why)
    assert copy.path == tmp_path / "run" / "data"
    assert copy.key() == data.key(), "the phones of before still decide"
    assert (copy.decks / "own").is_dir()
    with Journal(copy.journal) as journal:
        journal.append(1, 2, 2.0, {"event": "card_played"}, source="phone")
    with read_journal(data.journal) as journal:
        assert len(journal.lines(1)) == 1, "the disk is as it was"


def test_a_journal_of_another_user_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = kept(tmp_path / "data")
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != data.journal and real(path, mode))
    _, why = usable(data, tmp_path / "run")
    assert "belong to another user" in str(why)


def test_a_read_only_disk_is_not_taken_for_files_of_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = kept(tmp_path / "data")
    failing(monkeypatch, errno.EROFS)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    _, why = usable(data, tmp_path / "run")
    assert "is read-only; restart the Pi" in str(why)


def test_a_journal_that_does_not_fit_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = kept(tmp_path / "data")
    failing(monkeypatch, errno.EROFS)
    monkeypatch.setattr(volatile.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 4096}))
    copy, _ = usable(data, tmp_path / "run")
    assert not copy.journal.exists()
    assert (copy.path / "key").exists()


def test_outside_a_service_the_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = kept(tmp_path / "data")
    failing(monkeypatch, errno.EROFS)
    assert usable(data, None) == (data, None)
