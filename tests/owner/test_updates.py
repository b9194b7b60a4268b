"""Updates as the pages ask for them."""

import json
from pathlib import Path

import pytest

from companion.api.machine import UploadPiece
from companion.core.errors import CompanionError
from companion.owner.updates import REQUEST, Updates
from companion.owner.uploads import Uploads


def updates_in(folder: Path, program: str) -> Updates:
    uploads = Uploads(folder / "uploads")
    keys = (folder / "update-key.pem", folder / "update-keys")
    return Updates(folder, uploads, folder / program, folder / "status.json", folder / "cache", keys)


@pytest.fixture
def updates(tmp_path: Path) -> Updates:
    (tmp_path / "update.py").touch()
    return updates_in(tmp_path, "update.py")


def test_a_machine_without_the_program_is_not_updated(tmp_path: Path) -> None:
    updates = updates_in(tmp_path, "none")
    assert not updates.state().available
    with pytest.raises(CompanionError, match="cannot be updated"):
        updates.request("update")
    assert not (tmp_path / REQUEST).exists()


def test_a_request_runs_once_at_a_time_and_its_result_is_shown(updates: Updates, tmp_path: Path) -> None:
    updates.request("update")
    assert json.loads((tmp_path / REQUEST).read_text())["action"] == "update"
    assert updates.state().result == "running"
    with pytest.raises(CompanionError, match="being updated"):
        updates.request("back")
    (tmp_path / REQUEST).unlink()
    (tmp_path / "status.json").write_text('{"id": "1", "state": "failed", "why": "no network"}')
    assert (updates.state().result, updates.state().why) == ("failed", "no network")
    (tmp_path / "status.json").write_text('{"state": "half of a')
    assert updates.state().result == ""


def test_versions_that_are_kept_are_named(updates: Updates, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    for name in (
        "tabletop-companion_1.0_arm64.deb",
        "tabletop-companion-data_1.0_all.deb",
        "other_2_all.deb",
    ):
        (tmp_path / "cache" / name).touch()
    assert updates.state().versions == ("1.0",)


@pytest.mark.parametrize("key", ["update-key.pem", "update-keys/owner.pem"])
def test_a_version_from_a_phone_needs_a_key_and_a_file(updates: Updates, tmp_path: Path, key: str) -> None:
    (tmp_path / "update-keys").mkdir()
    assert not updates.state().from_file
    with pytest.raises(CompanionError, match="knows no key"):
        updates.request("install")
    (tmp_path / key).touch()
    assert updates.state().from_file
    with pytest.raises(CompanionError, match="no version was sent"):
        updates.request("install")
    assert not (tmp_path / REQUEST).exists()
    Uploads(tmp_path / "uploads").take(UploadPiece("update", 0, b"signed packages"))
    updates.request("install")
    assert json.loads((tmp_path / REQUEST).read_text())["action"] == "install"
