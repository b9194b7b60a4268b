"""What `companion doctor` and the set-up page look at besides the devices: programs, models, disk, port."""

from __future__ import annotations

import importlib
import importlib.metadata
import shutil
import socket
import sys
import time
from collections.abc import Iterator

from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.games import games
from companion.host.deck_library import DeckLibrary
from companion.store.folder import DataFolder
from hardware.detect import ProbeResult, everything, limited, power

LIBRARIES = {
    "cv2": "the camera's pictures: pip install 'opencv-python-headless>=4.10,<6'",
    "numpy": "pictures and sound: pip install numpy",
    "vosk": "the calls: pip install vosk",
    "sounddevice": "the microphone: sudo apt install libportaudio2, then pip install sounddevice",
    "flask": "the pages: pip install flask",
    "waitress": "the pages: pip install waitress",
}
"""Libraries and what is missing without them."""

PACKAGES = {"cv2": "opencv-python-headless"}
"""What a library is called where it is installed from, if otherwise."""
RELEASED = 1_790_000_000
"""Seconds since 1970 at which this program existed already."""
FREE_MB = 200
"""A journal needs little, but a full disk ends the evening."""


def check_machine(config: Config, folder: DataFolder) -> list[ProbeResult]:
    """Everything, in the order in which one would put it right."""
    running = _running(folder)
    found = [
        _python(),
        _clock(time.time()),
        *_libraries(),
        _model(config, folder),
        *_decks(config, folder),
        _disk(folder),
    ]
    if running:
        found.append(ProbeResult("service", True, f"{running}; it has the devices and the port"))
        return [*found, limited("power", power)]
    return [*found, _port(config), *everything(config)]


def _python() -> ProbeResult:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return ProbeResult("python", good, version, "" if good else "use Python 3.11, 3.12 or 3.13", needed=True)


def _clock(now: float) -> ProbeResult:
    """The date of a game is this machine's; a Pi without a network wakes up in the past."""
    text = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if now < RELEASED:
        remedy = "connect it to a network once, or set it: sudo date --set '2026-12-24 20:00'"
        return ProbeResult("clock", False, f"{text}: that is long past", remedy)
    return ProbeResult("clock", True, text)


def _libraries() -> Iterator[ProbeResult]:
    for name, remedy in LIBRARIES.items():
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            yield ProbeResult(name, False, f"cannot be loaded ({error})", f"for {remedy}", needed=True)
        else:
            yield ProbeResult(name, True, _version(name), needed=True)


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(PACKAGES.get(library, library))
    except importlib.metadata.PackageNotFoundError:
        return "there"  # from apt, or OpenCV under another of its names


def _model(config: Config, folder: DataFolder) -> ProbeResult:
    from companion.speech.model import models

    try:
        path = models.find_model("en", models.named(config.speech.model, folder.models))
    except CompanionError as error:
        return ProbeResult(
            "speech model", False, str(error), "install the companion again, or set speech.model"
        )
    return ProbeResult("speech model", True, str(path))


def _decks(config: Config, folder: DataFolder) -> Iterator[ProbeResult]:
    decks = DeckLibrary(config.decks, folder.decks)
    for kind in games():
        game = kind.name
        try:
            path = decks.folder(game)
        except CompanionError as error:
            what, _, remedy = str(error).partition(": ")
            yield ProbeResult(f"deck {game}", False, what, remedy)
            continue
        if path is not None:
            yield ProbeResult(f"deck {game}", True, str(path))
        elif kind.followed:
            yield ProbeResult(
                f"deck {game}",
                False,
                "none",
                f"companion enrol {game} --from FOLDER; cards are entered by hand until then",
            )


def _disk(folder: DataFolder) -> ProbeResult:
    try:
        folder.create()
    except CompanionError as error:
        what, _, remedy = str(error).partition(": ")
        return ProbeResult("data folder", False, what, remedy, needed=True)
    free = shutil.disk_usage(folder.path).free // 2**20
    what = f"{folder.path}, {free} MB free"
    if free < FREE_MB:
        return ProbeResult("data folder", False, what, f"free some space: at least {FREE_MB} MB", needed=True)
    return ProbeResult("data folder", True, what, needed=True)


def _port(config: Config) -> ProbeResult:
    pages = config.pages
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((pages.host, pages.port))
        except OSError as error:
            remedy = "stop the other program, or set pages.port"
            return ProbeResult(
                "port", False, f"{pages.port} cannot be used ({error.strerror})", remedy, needed=True
            )
    return ProbeResult("port", True, f"{pages.port} is free", needed=True)


def _running(folder: DataFolder) -> str:
    """Who has the data folder, empty if nobody."""
    try:
        folder.lock("doctor")
    except CompanionError as error:
        return str(error).partition(": ")[0]
    folder.unlock()
    return ""
