"""The appliance's wireless network as the pages see it, and the first start."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.api.wireless import FirstSettings, HotspotAccess, WirelessJoin
from companion.core.config import load
from companion.core.errors import CompanionError
from companion.games import game_names
from companion.owner.first_start import FirstStart
from companion.owner.restarter import Restarter
from companion.owner.settings import SettingsService
from companion.owner.wireless import REQUEST, Wireless

OPEN = {"wifi": True, "hotspot": {"name": "Table", "password": "abc"}, "networks": ["Home"]}


class Box:
    """A new appliance."""

    def __init__(self, folder: Path) -> None:
        self.status = folder / "status.json"
        self.request = folder / REQUEST
        self.file = folder / "config.toml"
        self.restarts = 0
        self.untouched = True
        restarter = Restarter(self._restart)
        self.wireless = Wireless(self.status, folder)
        settings = SettingsService(self.file, folder, game_names(), dict, lambda: False, restarter)
        self.first = FirstStart(folder, self.wireless, settings, restarter, lambda: self.untouched)

    def _restart(self) -> None:
        self.restarts += 1

    def report(self, **status: Any) -> None:
        self.status.write_text(json.dumps({**OPEN, **status}))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def test_without_the_service_of_the_appliance_there_is_nothing_to_join(box: Box, tmp_path: Path) -> None:
    for wireless in (box.wireless, Wireless(None, tmp_path)):
        assert not wireless.state().available
        with pytest.raises(CompanionError, match="does not manage"):
            wireless.join(WirelessJoin("Home", "correct horse"))
    box.status.write_text("half of a fi")
    assert not box.wireless.state().available


def test_a_request_waits_for_the_service_and_its_password_is_deleted(box: Box) -> None:
    box.report()
    assert box.wireless.state().hotspot == HotspotAccess("Table", "abc")
    box.wireless.join(WirelessJoin("Home", "correct horse"))
    assert box.request.stat().st_mode & 0o777 == 0o640
    asked = json.loads(box.request.read_text())
    assert (asked["name"], asked["password"]) == ("Home", "correct horse")
    assert box.wireless.state().joined is None
    box.report(request=asked["id"], joined=False)
    assert box.wireless.state().joined is False
    assert not box.request.exists()
    assert box.wireless.state().joined is False


@pytest.mark.parametrize(
    ("name", "password"), [("", "x" * 8), ("n" * 33, ""), ("Home", "short"), ("Home", "x" * 64)]
)
def test_impossible_names_and_passwords_are_refused(box: Box, name: str, password: str) -> None:
    box.report()
    with pytest.raises(CompanionError):
        box.wireless.join(WirelessJoin(name, password))
    assert not box.request.exists()


def test_the_first_start_comes_once(box: Box) -> None:
    assert not box.first.due, "no appliance"
    box.report()
    assert box.first.due
    box.first.finish(FirstSettings("de", "Home", "correct horse"))
    assert not box.first.due
    assert load(box.file, game_names()).table.language == "de"
    assert box.restarts == 1
    assert json.loads(box.request.read_text())["name"] == "Home"


def test_nothing_is_taken_over_if_the_network_is_impossible(box: Box) -> None:
    box.report()
    with pytest.raises(CompanionError):
        box.first.finish(FirstSettings("de", "Home", "short"))
    assert box.first.due
    assert not box.file.exists()


def test_the_same_language_needs_no_restart_and_a_machine_in_use_no_welcome(box: Box) -> None:
    box.report()
    box.first.finish(FirstSettings("en", "", ""))
    assert (box.restarts, box.file.exists(), box.request.exists()) == (0, False, False)
    (box.file.parent / "welcomed").unlink()
    box.untouched = False
    assert not box.first.due
