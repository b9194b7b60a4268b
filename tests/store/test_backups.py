"""A backup brings everything back; what is no backup changes nothing."""

import errno
import os
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.core.errors import Unavailable, Unreadable
from companion.store import backups
from companion.store.folder import DataFolder
from companion.store.healing import open_journal
from companion.store.journal import Journal, read_journal

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    folder = DataFolder(tmp_path / "data")
    folder.create()
    (folder.path / "phones.json").write_text("{}")
    folder.key()
    (folder.decks / "nasty_7").mkdir(parents=True)
    (folder.decks / "nasty_7" / "deck.npz").write_bytes(b"features")
    (folder.path / "config.toml").write_text("[pages]\nport = 8081\n")
    return folder


def written(folder: DataFolder) -> Journal:
    journal = Journal(folder.journal)
    game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    journal.append(game.id, 1, 0.0, {"event": "undone"}, source="phone")
    return journal


def test_everything_comes_back_on_another_machine(folder: DataFolder, tmp_path: Path) -> None:
    open_journal = written(folder)  # as the service has it while the backup is made
    assert backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW) == 5
    open_journal.close()
    other = DataFolder(tmp_path / "other")
    assert backups.restore(other, tmp_path / "b.zip", NOW) is None
    assert other.key() == folder.key()
    assert (other.decks / "nasty_7" / "deck.npz").read_bytes() == b"features"
    assert (other.path / "key").stat().st_mode & 0o777 == 0o600
    journal = read_journal(other.journal)
    assert journal.seq() == 1
    journal.close()
    assert (tmp_path / "b.zip").stat().st_mode & 0o777 == 0o600


def test_what_was_there_is_put_aside(folder: DataFolder, tmp_path: Path) -> None:
    written(folder).close()
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    later = written(folder)
    later.close()
    aside = backups.restore(folder, tmp_path / "b.zip", NOW)
    assert aside == folder.path / "before-restore-20261121-193000"
    old, new = read_journal(aside / "journal.sqlite"), read_journal(folder.journal)
    assert (len(old.games()), len(new.games())) == (2, 1)
    old.close()
    new.close()


def test_nothing_is_restored_under_a_running_service(folder: DataFolder, tmp_path: Path) -> None:
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    folder.lock()
    (folder.path / "config.toml").write_text("changed since")
    with pytest.raises(Unavailable, match="in use by companion serve"):
        backups.restore(DataFolder(folder.path), tmp_path / "b.zip", NOW)
    assert (folder.path / "config.toml").read_text() == "changed since"
    folder.unlock()


@pytest.mark.parametrize("kind", ["no zip", "another zip", "newer", "broken journal", "damaged"])
def test_what_is_no_backup_changes_nothing(folder: DataFolder, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "b.zip"
    backups.back_up(folder, file, "1.0", NOW)
    if kind == "no zip":
        file.write_bytes(b"hello")
    elif kind == "damaged":
        data = bytearray(file.read_bytes())
        at = data.index(b"port = 8081") if b"port = 8081" in data else data.index(b"config.toml") + 14
        data[at] ^= 0xFF
        file.write_bytes(bytes(data))
    else:
        with zipfile.ZipFile(file, "w") as other:
            if kind == "newer":
                other.writestr("backup.json", '{"format": 99, "made": "", "version": "9"}')
            if kind == "broken journal":
                other.writestr("backup.json", '{"format": 1, "made": "", "version": "1"}')
                other.writestr("journal.sqlite", b"nonsense" * 200)
    before = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
    with pytest.raises(Unreadable, match=r"b\.zip"):
        backups.restore(folder, file, NOW)
    (folder.path / "lock").unlink(missing_ok=True)
    assert {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()} == before


def test_a_full_disk_changes_nothing(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while the backup is copied nor while it is put in its place."""
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    before = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
    moves = []

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def second_fails(source: Path, target: Path) -> None:
        moves.append(source)
        if len(moves) == 2:
            full(source, target)
        os.rename(source, target)

    for name, broken in (("extract", full), ("replace", second_fails)):
        with monkeypatch.context() as patched:
            patched.setattr(backups if name == "extract" else backups.os, name, broken)
            with pytest.raises(Unavailable, match="nothing was changed"):
                backups.restore(folder, tmp_path / "b.zip", NOW)
        left = {path: path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}
        assert {path: left[path] for path in before} == before
        assert {path.name for path in left.keys() - before.keys()} <= {"lock"}
    assert not list(folder.path.glob("*restor*"))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (shutil.Error([("a", "b", "[Errno 28] No space left on device")]), r"\(No space left on device\)"),
        (OSError(errno.EIO, "Input/output error"), r"\(Input/output error\)"),
        (OSError(), r"\(unknown\)"),
    ],
)
def test_what_the_system_says_is_passed_on(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    def broken(*_: object) -> None:
        raise error

    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    monkeypatch.setattr(backups, "extract", broken)
    with pytest.raises(Unavailable, match=words):
        backups.restore(folder, tmp_path / "b.zip", NOW)


def test_zones_and_evidence_come_back_and_voices_stay(folder: DataFolder, tmp_path: Path) -> None:
    for name in ("zones.json", "evidence/six.zip", "voices/Jo.npz"):
        (folder.path / name).parent.mkdir(exist_ok=True)
        (folder.path / name).write_text(name)
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    other = DataFolder(tmp_path / "other")
    backups.restore(other, tmp_path / "b.zip", NOW)
    assert (other.path / "zones.json").read_text() == "zones.json"
    assert (other.evidence / "six.zip").read_text() == "evidence/six.zip"
    assert not other.voices.exists()


def test_no_path_leads_out_of_the_folder(folder: DataFolder, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    with zipfile.ZipFile(file, "w") as bad:
        bad.writestr("backup.json", '{"format": 1, "made": "", "version": "1"}')
        for name in ("../out", "decks/../../out", "/out", "evil.py", "decks/ok/deck.npz"):
            bad.writestr(name, "x")
    backups.restore(folder, file, NOW)
    assert not (tmp_path / "out").exists()
    assert not (folder.path / "evil.py").exists()
    assert {path.name for path in folder.decks.rglob("*")} == {"ok", "deck.npz"}


def test_a_file_with_the_name_of_a_folder_is_left_out(folder: DataFolder, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    with zipfile.ZipFile(file, "w") as bad:
        bad.writestr("backup.json", '{"format": 1, "made": "", "version": "1"}')
        bad.writestr("decks", "x")
    backups.restore(DataFolder(tmp_path / "other"), file, NOW)
    assert not (tmp_path / "other" / "decks").exists()


def test_an_empty_place_has_nothing_to_back_up(tmp_path: Path) -> None:
    made = DataFolder(tmp_path / "made")
    made.create()
    for empty in (DataFolder(tmp_path / "nowhere"), made):
        with pytest.raises(Unavailable, match="no data"):
            backups.back_up(empty, tmp_path / "b.zip", "1.0", NOW)
    assert not (tmp_path / "b.zip").exists()


def test_a_backup_that_cannot_be_written_leaves_nothing(folder: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="name another place"):
        backups.back_up(folder, tmp_path / "missing" / "b.zip", "1.0", NOW)


def bomb(file: Path, name: str, size: int) -> None:
    """A backup whose entry `name` unpacks to `size` bytes of zeros."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bad:
        if name != "backup.json":
            bad.writestr("backup.json", '{"format": 1, "made": "", "version": "1"}')
        with bad.open(name, "w", force_zip64=True) as entry:
            for _ in range(size >> 20):
                entry.write(bytes(1 << 20))


@pytest.mark.parametrize("name", ["backup.json", "evidence/a.zip"])
def test_a_backup_that_unpacks_to_too_much_is_refused(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(backups, "MOST_BYTES", 8 << 20)
    bomb(tmp_path / "bomb.zip", name, 16 << 20)
    with pytest.raises(Unreadable, match="more than any backup"):
        backups.restore(folder, tmp_path / "bomb.zip", NOW)
    assert not list(folder.path.glob("*restor*"))


def test_a_size_that_the_header_hides_is_counted(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "MOST_BYTES", 8 << 20)
    monkeypatch.setattr(backups.Budget, "check", lambda *_: None)
    bomb(tmp_path / "bomb.zip", "evidence/a.zip", 16 << 20)
    with pytest.raises(Unreadable, match="more than any backup"):
        backups.restore(folder, tmp_path / "bomb.zip", NOW)


def test_a_full_disk_is_not_called_a_damaged_backup(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=backups.RESERVE + 3))
    with pytest.raises(Unavailable, match="No space left"):
        backups.restore(folder, tmp_path / "b.zip", NOW)


def test_what_is_restored_belongs_to_the_folders_owner(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder).close()
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    given: list[tuple[str, int]] = []
    monkeypatch.setattr(backups.os, "geteuid", lambda: 0)
    monkeypatch.setattr(backups.os, "fchown", lambda *_: None)
    monkeypatch.setattr(backups.os, "chown", lambda path, uid, gid: given.append((Path(path).name, uid)))
    backups.restore(folder, tmp_path / "b.zip", NOW)
    uid = folder.path.stat().st_uid
    assert {("journal.sqlite", uid), ("key", uid), ("phones.json", uid), ("deck.npz", uid)} <= set(given)
    modes = {path.stat().st_mode & 0o777 for path in folder.path.rglob("*") if path.is_file()}
    assert (folder.path / "journal.sqlite").stat().st_mode & 0o777 == 0o600
    assert modes <= {0o600, 0o644}


def test_the_copy_of_the_journal_before_does_not_come_back(folder: DataFolder, tmp_path: Path) -> None:
    open_journal(folder.journal).close()
    written(folder).close()
    backups.back_up(folder, tmp_path / "b.zip", "1.0", NOW)
    with Journal(folder.journal) as later:
        later.append(1, 2, 0.0, {"event": "undone"}, source="phone")
    open_journal(folder.journal).close()
    backups.restore(folder, tmp_path / "b.zip", NOW)
    journal = open_journal(folder.journal)
    assert journal.healed is None
    assert journal.seq() == 1
    journal.close()
