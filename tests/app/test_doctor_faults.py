"""Faults are put in one by one: `companion doctor` names each with a remedy."""

import importlib
import os
import shutil
import socket
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import gpiozero
import numpy as np
import pytest
from device_faults import DEVICE_FAULTS, Fault, Put, webcam
from gpiozero.pins.mock import MockFactory, MockPWMPin

from bench.hostile.target import target
from companion.api.snapshot import SourceState
from companion.core.config import (
    ButtonsConfig,
    Config,
    Mqtt,
    Pages,
    Speech,
)
from companion.core.finding import Finding
from companion.core.message import message
from companion.host import doctor, service_query
from companion.host.deck_library import SHIPPED
from companion.host.running_checks import running_findings
from companion.owner import system_checks
from companion.store.folder import DataFolder
from companion.vision.deck.deck import Deck
from hardware import access, detect, wear

NOW = 1_800_000_000.0


def throttled(bits: int) -> Put:
    return lambda monkeypatch, path: [detect.power(lambda command: f"throttled={bits:#x}\n")]


def hot(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    (path / "class/thermal/thermal_zone0").mkdir(parents=True)
    (path / "class/thermal/thermal_zone0/temp").write_text("83000\n")
    found = wear.temperature(path)
    return [found] if found else []


def memory_card(errors: int, written_gb: int) -> Put:
    """A card of 32 GB with so many errors of its file system."""

    def put(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
        disk = path / "sda1"
        disk.mkdir()
        (disk / "size").write_text(str(32 * 10**9 // 512))
        (path / "dev/block").mkdir(parents=True)
        (path / "dev/block/8:1").symlink_to(disk)
        about = path / "fs/ext4/sda1"
        about.mkdir(parents=True)
        (about / "lifetime_write_kbytes").write_text(str(written_gb * 10**9 // 1024))
        (about / "errors_count").write_text(str(errors))
        found = wear.card(path, path, os.makedev(8, 1))
        return [found] if found else []

    return put


def broker(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    return list(doctor._broker(Config(mqtt=Mqtt(host="127.0.0.1", port=port))))


def clock(now: float, answer: str) -> Put:
    return lambda monkeypatch, path: list(system_checks.clock_findings(now, lambda command: answer))


def full_disk(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    usage = shutil.disk_usage(path)._replace(free=20 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    return list(system_checks.data_findings(DataFolder(path)))


def others_folder(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.setattr("os.geteuid", lambda: path.stat().st_uid + 1)
    return list(system_checks.data_findings(DataFolder(path)))


def files_of_root(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr(system_checks, "foreign_files", lambda folder: [folder / "journal.sqlite"])
    return list(system_checks.data_findings(DataFolder(path)))


def other_server(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    """Another web server has the port."""

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *arguments: Any) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        port = server.server_address[1]
        assert service_query.listening(port)
        assert service_query.service_findings(port) is None
        found = [doctor._port(Config(pages=Pages(host="127.0.0.1", port=port)))]
        server.shutdown()
    return found


def hanging_service(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr(service_query, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        return service_query.service_findings(silent.getsockname()[1]) or []


def no_library(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    real = importlib.import_module

    def load(name: str) -> Any:
        if name == "vosk":
            raise ImportError("No module named 'vosk'")
        return real(name)

    monkeypatch.setattr(importlib, "import_module", load)
    return list(doctor._libraries())


def deck_of_an_earlier_version(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    replace(Deck.load(SHIPPED / "nasty_7"), verifier_features=None).save(path / "decks" / "nasty_7")
    return list(doctor._decks(Config(), DataFolder(path)))


def damaged_deck(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    (path / "decks" / "nasty_7").mkdir(parents=True)
    (path / "decks" / "nasty_7" / "deck.npz").write_bytes(b"no deck")
    return list(doctor._decks(Config(), DataFolder(path)))


def old_python(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    return [doctor._python()]


def reported(name: str, code: str, **params: Any) -> Put:
    """The running service has reported a source like this."""
    state = SourceState(up=code == "out_of_focus", code=code, params=params, why=None)
    return lambda monkeypatch, path: running_findings(Config(), {name: state}, (1080, 1920))


def unlocked(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    sources = {"camera": SourceState(True, None)}
    return running_findings(Config(), sources, (1080, 1920), (message("camera.unlocked_exposure"),))


def small_picture(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[Finding]:
    return running_findings(Config(), {"camera": SourceState(True, None)}, (480, 640))


FAULTS: dict[str, Fault] = {
    **DEVICE_FAULTS,
    "low voltage now": (throttled(0x1), "power", "too little voltage now", "supply"),
    "low voltage before": (throttled(0x10000), "power", "too little voltage since", "supply"),
    "too hot now": (throttled(0xE0008), "power", "too hot or throttled now", "heat sink"),
    "too hot before": (throttled(0x80000), "power", "too hot or throttled since", "heat sink"),
    "processor hot": (hot, "temperature", "83 °C", "heat sink"),
    "card with errors": (memory_card(3, 10), "memory card", "3 errors", "replace the card"),
    "card worn": (memory_card(0, 32 * 400), "memory card", "400 times", "second card"),
    "broker not reached": (broker, "MQTT broker", "cannot be used", "[mqtt]"),
    "clock in the past": (clock(1e9, "yes"), "clock", "long past", "network"),
    "clock not synchronised": (clock(NOW, "no\n"), "clock", "follows no time server", "set-ntp true"),
    "disk nearly full": (full_disk, "data folder", "20 MB", "free"),
    "data of another user": (others_folder, "data folder", "belongs to", "service is asked"),
    "files of root": (files_of_root, "data folder", "journal.sqlite", "doctor --fix"),
    "port taken": (other_server, "port", "cannot be used", "pages.port"),
    "service hangs": (hanging_service, "service", "does not answer", "systemctl restart"),
    "library missing": (no_library, "vosk", "No module named", "pip install"),
    "speech model missing": (
        lambda monkeypatch, path: [doctor._model(Config(speech=Speech(model="nowhere")), DataFolder(path))],
        "speech model", "nowhere", "speech.model",
    ),
    "deck missing": (
        lambda monkeypatch, path: list(doctor._decks(Config(decks={"nasty_7": "gone"}), DataFolder(path))),
        "deck nasty_7", "gone", "enrol",
    ),
    "deck of an earlier version": (
        deck_of_an_earlier_version, "deck nasty_7", "kept less of a card", "Learn cards"
    ),
    "deck damaged": (damaged_deck, "deck nasty_7", "is damaged", "companion enrol nasty_7"),
    "old Python": (old_python, "python", "3.9.2", "3.11"),
    "service: camera out of focus": (reported("camera", "out_of_focus"), "camera", "1920", "out of focus"),
    "service: cards too small": (small_picture, "camera", "44 pixels", "hang the camera lower"),
    "service: exposure not locked": (unlocked, "camera", "works, but", "keep the light as it is"),
    "service: a busy button": (
        reported("buttons", "buttons_impaired", names=["seat 1"], why="GPIO 5 is busy"), "buttons",
        "seat 1", "",
    ),
    "service: microphone unplugged": (
        reported("microphone", "microphone.none"), "microphone", "no microphone", "plug one in",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_remedy(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put, name, what, remedy = FAULTS[fault]
    found = put(monkeypatch, tmp_path)
    named = [one for one in found if not one.there or one.remedy is not None]
    sentences = [(str(one.name), f"{one.what} -> {one.remedy or ''}") for one in named]
    fitting = [text for known, text in sentences if known == name and what in text and remedy in text]
    assert fitting, sentences


def test_a_healthy_machine_has_no_such_findings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=MockPWMPin))
    good = [
        *system_checks.clock_findings(NOW, lambda command: "yes\n"),
        *system_checks.data_findings(DataFolder(tmp_path)),
        detect.power(lambda command: "throttled=0x0\n"),
        detect.gpio(Config(buttons=ButtonsConfig(seats=[5, 17]))),
        *webcam(np.full((1080, 1920, 3), 120, np.uint8))(monkeypatch, tmp_path),
        *running_findings(Config(), {"camera": SourceState(True, None)}, (1080, 1920)),
        *access.access_findings(tmp_path),
    ]
    assert [(one.there, one.remedy) for one in good] == [(True, None)] * 6


def test_files_of_another_user_are_given_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A restore as root has left a journal and a deck."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "own").touch()
    given: list[tuple[str, int]] = []
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.lchown", lambda path, user, group: given.append((Path(path).name, user)))
    owner = tmp_path.stat()
    real = Path.stat
    fields = (owner.st_mode, owner.st_ino, owner.st_dev, 1, 4711, 4712, 0, 0, 0, 0)
    monkeypatch.setattr(
        Path, "stat", lambda path, **how: os.stat_result(fields) if path == tmp_path else real(path, **how)
    )
    done = system_checks.fix(DataFolder(tmp_path), NOW, lambda command: "no\n")
    assert given == [("decks", 4711), ("own", 4711)]
    assert [one.code for one in done] == ["doctor.gave_back", "doctor.clock_follows"]


def test_doctor_makes_no_folder_for_the_wrong_user(tmp_path: Path) -> None:
    """`sudo companion doctor --data NEW` before the first start."""
    new = DataFolder(tmp_path / "new")
    found = list(system_checks.data_findings(new))
    assert (found[0].there, "when the service starts" in str(found[0].what)) == (True, True)
    assert doctor._running(new) is None
    assert not new.path.exists()


def test_the_running_service_is_asked(tmp_path: Path) -> None:
    """Also by a user who may not read its data folder."""
    (tmp_path / "config.toml").write_text("[camera]\nbackend = 'none'\n")
    with target(tmp_path) as running:
        config = Config(pages=Pages(port=running.port))
        found = doctor.check_machine(config, DataFolder(tmp_path / "of another user"))
        texts = {str(one.name): str(one.what) for one in found}
        assert texts["service"] == f"runs and answers on port {running.port}"
        assert str(tmp_path) in texts["data folder"]
        assert "port" not in texts
        assert "python" in texts
