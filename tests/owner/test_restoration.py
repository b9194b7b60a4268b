"""A backup from a phone: examined first, restored at the next start, everything or nothing."""

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.api.machine import UploadPiece
from companion.core.errors import CompanionError
from companion.owner.restarter import Restarter
from companion.owner.restoration import RESULT, WAITING, Restoration, restore_waiting
from companion.owner.uploads import Uploads
from companion.runtime.owner import startable
from companion.store import backups
from companion.store.folder import DataFolder
from companion.store.journal import Journal

NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


class Machine:
    """A machine with a game, a deck and settings of its own."""

    def __init__(self, path: Path, *players: str) -> None:
        self.data = DataFolder(path)
        self.data.create()
        journal = Journal(self.data.journal)
        journal.begin_game("nasty_7", list(players), {})
        journal.close()
        (self.data.decks / "nasty_7").mkdir(parents=True)
        (self.data.decks / "nasty_7" / "deck.json").write_text("{}")
        (self.data.path / "config.toml").write_text('[table]\nlanguage = "de"\n')
        (self.data.path / "key").write_text(f"key of {players[0]}")
        (self.data.path / "phones.json").write_text(f"phones of {players[0]}")
        self.restarts = 0
        self.uploads = Uploads(path / "uploads")
        self.restoration = Restoration(self.data, self.uploads, startable, Restarter(self._restart))

    def _restart(self) -> None:
        self.restarts += 1

    def backup(self, file: Path) -> bytes:
        backups.back_up(self.data, file, "0.9", NOW)
        return file.read_bytes()

    def send(self, data: bytes) -> None:
        self.uploads.take(UploadPiece("backup", 0, data))

    def text(self, name: str) -> str:
        return (self.data.path / name).read_text()


@pytest.fixture
def old(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "old", "Ida", "Jo")


@pytest.fixture
def new(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path / "new", "Kai", "Lu")
    (machine.data.path / "config.toml").write_text('[table]\nlanguage = "fr"\n')
    return machine


def test_a_backup_whose_settings_name_a_deck_that_it_lacks_is_refused(
    old: Machine, new: Machine, tmp_path: Path
) -> None:
    (old.data.path / "config.toml").write_text('[decks]\nnasty_7 = "holiday"\n')
    new.send(old.backup(tmp_path / "b.zip"))
    with pytest.raises(CompanionError, match="holiday"):
        new.restoration.restore()
    assert new.restarts == 0
    assert not (new.data.path / WAITING).exists()


def test_what_a_backup_holds_is_told_and_nothing_changes(old: Machine, new: Machine, tmp_path: Path) -> None:
    new.send(old.backup(tmp_path / "b.zip"))
    found = new.restoration.examine()
    assert (found.games, found.players, found.decks, found.settings) == (1, ("Ida", "Jo"), ("nasty_7",), True)
    assert (found.version, found.made) == ("0.9", "2026-11-22T20:00:00+00:00")
    assert found.last_game
    assert 'language = "fr"' in new.text("config.toml")
    assert {one.name for one in new.data.path.iterdir() if one.name.startswith(".")} == set()


def test_a_backup_moves_everything_to_another_machine_whose_phones_stay_known(
    old: Machine, new: Machine, tmp_path: Path
) -> None:
    new.send(old.backup(tmp_path / "b.zip"))
    assert restore_waiting(new.data, NOW) is None
    new.restoration.restore()
    assert new.restarts == 1
    assert 'language = "fr"' in new.text("config.toml"), "nothing is exchanged while the service runs"
    result = restore_waiting(new.data, NOW)
    assert result is not None
    assert result.done
    assert 'language = "de"' in new.text("config.toml")
    assert new.text("key") == "key of Kai"
    assert new.text("phones.json") == "phones of Kai"
    assert 'language = "fr"' in (new.data.path / result.before / "config.toml").read_text()
    assert not (new.data.path / WAITING).exists()
    assert new.restoration.result() == result
    assert restore_waiting(new.data, NOW) is None


def damaged(data: bytes) -> bytes:
    return data[: len(data) // 2]


def with_settings(data: bytes, text: str, tmp_path: Path) -> bytes:
    file = tmp_path / "changed.zip"
    file.write_bytes(data)
    with zipfile.ZipFile(file) as before:
        kept = {name: before.read(name) for name in before.namelist() if name != "config.toml"}
    with zipfile.ZipFile(file, "w") as after:
        for name, content in {**kept, "config.toml": text.encode()}.items():
            after.writestr(name, content)
    return file.read_bytes()


def test_what_this_version_could_not_start_with_is_refused_before_anything_changes(
    old: Machine, new: Machine, tmp_path: Path
) -> None:
    good = old.backup(tmp_path / "b.zip")
    bad = [
        b"not a zip",
        damaged(good),
        with_settings(good, "[camera]\nunknown = 1\n", tmp_path),
        with_settings(good, "[camera\n", tmp_path),
    ]
    for data in bad:
        new.send(data)
        with pytest.raises(CompanionError):
            new.restoration.examine()
        with pytest.raises(CompanionError):
            new.restoration.restore()
    assert new.restarts == 0
    assert not (new.data.path / WAITING).exists()
    assert 'language = "fr"' in new.text("config.toml")


def test_a_backup_that_cannot_be_restored_at_the_start_keeps_no_service_from_starting(new: Machine) -> None:
    (new.data.path / WAITING).write_bytes(b"half of a file")
    result = restore_waiting(new.data, NOW)
    assert result is not None
    assert not result.done
    assert "backup.zip" in str(result.why)
    assert not (new.data.path / WAITING).exists()
    assert 'language = "fr"' in new.text("config.toml")
    assert (new.data.path / RESULT).exists()


def test_without_a_backup_there_is_nothing_to_examine(new: Machine) -> None:
    with pytest.raises(CompanionError):
        new.restoration.examine()
    assert new.restoration.result() is None
