"""An update from a page: installed from the sources of apt, undone if the service does not answer."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "packaging" / "appliance" / "update.py"
NAMES = ("tabletop-companion", "tabletop-companion-data", "tabletop-companion-appliance")


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("update", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["update"] = module
    spec.loader.exec_module(module)
    return module


class Machine:
    """A machine with apt: `newest` is what its sources hold, `answering` the versions whose service works."""

    def __init__(self, program: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.program = program
        self.version, self.newest = "1.0", "1.0"
        self.answering = {"1.0", "2.0"}
        self.commands: list[tuple[str, ...]] = []
        self.request = tmp_path / "request.json"
        self.cache = tmp_path / "cache"
        self.status = tmp_path / "status.json"
        places = {"REQUEST": self.request, "CACHE": self.cache, "STATUS": self.status}
        for name, place in places.items():
            monkeypatch.setattr(program, name, place)
        monkeypatch.setattr(program, "run", self.run)
        monkeypatch.setattr(program, "answers", lambda: self.version in self.answering)

    def run(self, *command: str) -> str:
        self.commands.append(command)
        if command[0] == "dpkg-query":
            return self.version
        if command[0] == "dpkg":
            files = [Path(word) for word in command if word.endswith(".deb")]
            assert "--install" in command
            assert tuple(file.name.split("_")[0] for file in files) == (NAMES[0], NAMES[2], NAMES[1])
            assert all(file.is_file() for file in files)
            self.version = files[0].name.split("_")[1]
            return ""
        if "install" not in command:
            return ""
        fetched = self.version if "--download-only" in command else self.newest
        folder = next(word for word in command if word.startswith("Dir::Cache::archives=")).partition("=")[2]
        if "--download-only" in command or fetched != self.version:
            for name in NAMES:
                (Path(folder) / f"{name}_{fetched}_all.deb").write_text(fetched)
        self.version = fetched
        return ""

    def ask(self, action: str) -> dict[str, str]:
        self.request.write_text(json.dumps({"id": "7", "action": action}))
        self.program.main()
        found: dict[str, str] = json.loads(self.status.read_text())
        return found


@pytest.fixture
def machine(program: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(program, monkeypatch, tmp_path)


def test_the_newest_version_is_installed_and_the_one_before_is_kept(machine: Machine) -> None:
    machine.newest = "2.0"
    assert machine.ask("update") == {"id": "7", "state": "done", "why": ""}
    assert machine.version == "2.0"
    assert set(machine.program.kept()) == {"1.0", "2.0"}
    assert not machine.request.exists()
    assert machine.status.stat().st_mode & 0o777 == 0o640


def test_without_a_newer_version_nothing_is_installed(machine: Machine) -> None:
    assert machine.ask("update")["state"] == "current"
    assert machine.version == "1.0"


def test_a_version_whose_service_does_not_answer_is_replaced_by_the_one_before(machine: Machine) -> None:
    machine.newest = "2.0"
    machine.answering = {"1.0"}
    found = machine.ask("update")
    assert (found["state"], machine.version) == ("went_back", "1.0")
    assert "did not answer" in found["why"]
    assert set(machine.program.kept()) == {"1.0"}, "nobody goes back to it"


def test_going_back_and_forth_needs_no_network(machine: Machine) -> None:
    machine.newest = "2.0"
    machine.ask("update")
    machine.commands.clear()
    assert machine.ask("back")["state"] == "done"
    assert machine.version == "1.0"
    assert not any(one[0].startswith("apt") for one in machine.commands)
    assert machine.ask("back")["state"] == "done"
    assert machine.version == "2.0"


def test_without_an_earlier_version_there_is_no_way_back(machine: Machine) -> None:
    found = machine.ask("back")
    assert (found["state"], found["why"]) == ("failed", "no earlier version is kept")


def test_what_apt_says_reaches_the_page(
    program: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*command: str) -> str:
        if command[0] == "apt-get":
            raise program.Failed("apt-get: E: Could not get lock")
        return machine.run(*command)

    monkeypatch.setattr(program, "run", broken)
    found = machine.ask("update")
    assert (found["state"], found["why"]) == ("failed", "apt-get: E: Could not get lock")


@pytest.mark.parametrize("action", ["", "shell", "update; rm -rf /", "../back"])
def test_nothing_but_the_two_words_is_carried_out(machine: Machine, action: str) -> None:
    machine.request.write_text(json.dumps({"id": "7", "action": action}))
    machine.program.main()
    assert machine.commands == []
    assert not machine.status.exists()
    assert not machine.request.exists()


def test_a_request_that_cannot_be_read_is_deleted(machine: Machine) -> None:
    """systemd would start the program again and again for it, and then no more at all."""
    machine.request.write_text('{"id": "7"')
    machine.program.main()
    assert machine.commands == []
    assert not machine.request.exists()


def test_a_page_never_sees_the_result_of_the_request_before(
    program: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    publish = program.publish

    def published(number: str, state: str, why: str = "") -> None:
        publish(number, state, why)
        seen.append((state, machine.request.exists()))

    monkeypatch.setattr(program, "publish", published)
    machine.ask("update")
    assert seen == [("running", True), ("current", False)]


def test_a_command_that_fails_names_its_last_line(program: ModuleType) -> None:
    with pytest.raises(program.Failed, match="nothing-of-this-name"):
        program.run("nothing-of-this-name")
    with pytest.raises(program.Failed, match="second line"):
        program.run("sh", "-c", "echo first line >&2; echo second line >&2; exit 3")


def test_only_so_many_versions_are_kept(machine: Machine) -> None:
    for newest in ("2.0", "3.0", "4.0", "5.0"):
        machine.answering.add(newest)
        machine.newest = newest
        machine.ask("update")
    assert len(machine.program.kept()) <= machine.program.KEPT + 1
    assert "5.0" in machine.program.kept()
