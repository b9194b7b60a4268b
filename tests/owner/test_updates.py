"""Updates as the pages ask for them."""

import json
from pathlib import Path

import pytest

from companion.core.errors import CompanionError
from companion.owner.updates import REQUEST, Updates


@pytest.fixture
def updates(tmp_path: Path) -> Updates:
    (tmp_path / "update.py").touch()
    return Updates(tmp_path, tmp_path / "update.py", tmp_path / "status.json", tmp_path / "cache")


def test_a_machine_without_the_program_is_not_updated(tmp_path: Path) -> None:
    updates = Updates(tmp_path, tmp_path / "none", tmp_path / "status.json", tmp_path)
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
