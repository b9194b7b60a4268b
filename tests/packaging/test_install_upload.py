"""A version that a phone has sent: installed if it is newer, undone if the service does not answer."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "packaging" / "appliance" / "update.py"
NAMES = ("tabletop-companion", "tabletop-companion-appliance", "tabletop-companion-data")


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("update_by_upload", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "update_by_upload", module)
    spec.loader.exec_module(module)
    return module


class ApplianceAt:
    """An appliance with version 1.0, which it keeps; open_upload.py gives out the packages of `sent`."""

    def __init__(self, program: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.program = program
        self.version, self.answering = "1.0", {"1.0", "2.0"}
        self.sent: tuple[tuple[str, str], ...] = tuple((name, "2.0") for name in NAMES)
        self.cannot_install: set[str] = set()
        self.refused = ""
        self.opened_with: tuple[str, ...] = ()
        self.copied = b""
        self.uploads = tmp_path / "uploads"
        self.uploads.mkdir()
        (self.uploads / "update").write_bytes(b"signed packages")
        self.cache, self.key = tmp_path / "cache", tmp_path / "key.pem"
        self.cache.mkdir()
        self.key.touch()
        for name in NAMES:
            (self.cache / f"{name}_1.0_all.deb").touch()
        places = {
            "REQUEST": tmp_path / "request.json",
            "STATUS": tmp_path / "status.json",
            "CACHE": self.cache,
            "UPLOADS": self.uploads,
            "KEYS": (self.key, tmp_path / "keys"),
        }
        for name, place in places.items():
            monkeypatch.setattr(program, name, place)
        monkeypatch.setattr(program, "run", self.run)
        monkeypatch.setattr(program, "answers", lambda: self.version in self.answering)

    def run(self, *command: str) -> str:
        if command[0] == "dpkg-query":
            return self.version
        if command[0] == "dpkg-deb":
            return " ".join(Path(command[-1]).name.removesuffix(".deb").split("_"))
        if command[:2] == ("dpkg", "--compare-versions"):
            if float(command[2]) <= float(command[4]):
                raise self.program.Failed("dpkg: failed")
            return ""
        if command[0] == "dpkg":
            version = Path(command[-1]).name.split("_")[1]
            if version in self.cannot_install:
                raise self.program.Failed("dpkg: it depends on a library that is not here")
            self.version = version
            return ""
        assert command[:2] == ("/usr/bin/python3", "-I")
        if self.refused:
            raise self.program.Failed(f"/usr/bin/python3: {self.refused}")
        self.copied = Path(command[3]).read_bytes()
        self.opened_with = command[5:]
        for name, version in self.sent:
            (Path(command[4]) / f"{name}_{version}_all.deb").touch()
        return ""

    def install(self) -> tuple[str, str]:
        self.program.REQUEST.write_text(json.dumps({"id": "7", "action": "install"}))
        self.program.main()
        found = json.loads(self.program.STATUS.read_text())
        return found["state"], found["why"]


@pytest.fixture
def appliance(program: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ApplianceAt:
    return ApplianceAt(program, monkeypatch, tmp_path)


def test_the_version_is_installed_and_kept_and_the_file_deleted(appliance: ApplianceAt) -> None:
    (appliance.key.parent / "keys").mkdir()
    (appliance.key.parent / "keys" / "owner.pem").touch()
    assert appliance.install() == ("done", "")
    assert appliance.version == "2.0"
    assert set(appliance.program.kept()) == {"1.0", "2.0"}
    assert appliance.opened_with == (str(appliance.key), str(appliance.key.parent / "keys" / "owner.pem"))
    assert appliance.copied == b"signed packages"
    assert not list(appliance.uploads.iterdir())
    assert not (appliance.cache / "incoming").exists()


def test_a_version_whose_service_does_not_answer_is_replaced(appliance: ApplianceAt) -> None:
    appliance.answering = {"1.0"}
    assert appliance.install()[0] == "went_back"
    assert appliance.version == "1.0"
    assert set(appliance.program.kept()) == {"1.0"}


def test_a_version_that_cannot_be_installed_is_replaced(appliance: ApplianceAt) -> None:
    appliance.cannot_install = {"2.0"}
    state, why = appliance.install()
    assert (state, appliance.version) == ("failed", "1.0")
    assert set(appliance.program.kept()) == {"1.0"}
    assert "depends on a library" in why


def test_why_a_file_is_refused_is_said_without_the_program(appliance: ApplianceAt) -> None:
    appliance.refused = "the update is not signed by a key that this machine trusts"
    assert appliance.install() == ("failed", appliance.refused)
    assert appliance.version == "1.0"
    assert not list(appliance.uploads.iterdir())


@pytest.mark.parametrize("version", ["1.0", "0.9"])
def test_an_older_version_is_not_installed(appliance: ApplianceAt, version: str) -> None:
    """A signed version with a fault that is known by now must not come back from a phone."""
    appliance.sent = tuple((name, version) for name in NAMES)
    assert appliance.install() == ("failed", f"version {version} is not newer than 1.0")


@pytest.mark.parametrize(
    "sent",
    [
        (),
        ((NAMES[0], "2.0"),),
        tuple((name, "2.0") for name in (*NAMES, "bash")),
        ((NAMES[0], "2.0"), (NAMES[1], "2.0"), (NAMES[2], "3.0")),
    ],
)
def test_other_packages_are_not_installed(appliance: ApplianceAt, sent: tuple[tuple[str, str], ...]) -> None:
    appliance.sent = sent
    assert appliance.install() == ("failed", "the update does not hold the packages of one version")
    assert appliance.version == "1.0"


def test_without_a_key_nothing_is_opened(appliance: ApplianceAt) -> None:
    appliance.key.unlink()
    assert appliance.install() == ("failed", "this machine has no key for updates")
    assert appliance.opened_with == ()


def test_no_link_of_the_service_is_followed(appliance: ApplianceAt, tmp_path: Path) -> None:
    """The service with the pages owns the folder of uploads; root must not read or delete elsewhere."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "update").write_text("a secret")
    (appliance.uploads / "update").unlink()
    (appliance.uploads / "update").symlink_to(secret / "update")
    assert appliance.install()[0] == "failed"
    (appliance.uploads / "update").unlink()
    appliance.uploads.rmdir()
    appliance.uploads.symlink_to(secret)
    assert appliance.install() == ("failed", "no update was sent")
    assert (secret / "update").read_text() == "a secret"
    assert appliance.copied == b""


def test_a_pipe_or_a_file_that_is_too_large_is_not_read(
    appliance: ApplianceAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appliance.program, "MOST_BYTES", 10)
    assert appliance.install() == ("failed", "what was sent is no plain file, or too large")
    (appliance.uploads / "update").unlink()
    os.mkfifo(appliance.uploads / "update")
    assert appliance.install() == ("failed", "what was sent is no plain file, or too large")
