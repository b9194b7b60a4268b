"""Checks of `companion doctor` and the devices page besides the devices: programs, models, disk, port."""

from __future__ import annotations

import importlib
import importlib.metadata
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.core.finding import Finding
from companion.core.message import Message, message
from companion.games import games
from companion.host.deck_library import DeckLibrary
from companion.host.history import History
from companion.host.service_query import SERVICE, listening, service_findings
from companion.owner.health import wear_findings
from companion.owner.system_checks import clock_findings, data_findings
from companion.store.folder import DataFolder
from hardware.access import access_findings
from hardware.detect import POWER, everything, limited, power, words

PORT, SPEECH_MODEL = message("doctor.name_port"), message("doctor.name_speech_model")
ADVICE, BROKER = message("doctor.name_advice"), message("doctor.name_mqtt")
_SENSES = {
    "camera": message("doctor.name_camera_figure"),
    "microphone": message("doctor.name_microphone_figure"),
    "buttons": message("doctor.name_buttons_figure"),
}
LIBRARIES = {
    "cv2": message("doctor.install_cv2"),
    "numpy": message("doctor.install_numpy"),
    "vosk": message("doctor.install_vosk"),
    "sounddevice": message("doctor.install_sounddevice"),
    "flask": message("doctor.install_flask"),
    "waitress": message("doctor.install_waitress"),
}
"""Library -> what it is needed for, and how to install it."""

PACKAGES = {"cv2": "opencv-python-headless"}
"""Library -> name of its package, where they differ."""


def check_machine(config: Config, folder: DataFolder, *, ask: bool = True) -> list[Finding]:
    """All findings, in the order in which they should be corrected.

    Args:
        ask: asks the service that runs on this machine, which knows its devices and its data folder; False:
            this process is the service.
    """
    port = config.pages.port
    own = [_python(), *clock_findings(time.time()), *wear_findings(folder), *_libraries()]
    answer = service_findings(port) if ask and listening(port) else None
    if answer is not None:
        known = {str(one.name) for one in answer}
        return [*(one for one in own if str(one.name) not in known), *answer]
    running = _running(folder)
    found = [*own, *data_findings(folder), _model(config, folder), *_decks(config, folder), *_senses(folder)]
    found += _broker(config)
    if running:
        found.append(Finding(SERVICE, True, running))
        return [*found, limited(POWER, power)]
    return [*found, _port(config), *access_findings(), *everything(config)]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] <= (3, 13)
    remedy = None if good else message("doctor.use_python")
    return Finding(words("python"), good, words(version), remedy, needed=True)


def _libraries() -> Iterator[Finding]:
    for name, remedy in LIBRARIES.items():
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            why = message("doctor.cannot_load", why=str(error))
            yield Finding(words(name), False, why, remedy, needed=True)
        else:
            yield Finding(words(name), True, words(_version(name)), needed=True)


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(PACKAGES.get(library, library))
    except importlib.metadata.PackageNotFoundError:
        return "there"  # installed from apt, or OpenCV under another package name


def _model(config: Config, folder: DataFolder) -> Finding:
    from companion.speech.model import models

    try:
        path = models.find_model("en", models.named(config.speech.model, folder.models))
    except CompanionError as error:
        return Finding(SPEECH_MODEL, False, error.message, message("doctor.set_model"))
    return Finding(SPEECH_MODEL, True, words(str(path)))


def _decks(config: Config, folder: DataFolder) -> Iterator[Finding]:
    decks = DeckLibrary(config.decks, folder.decks)
    for kind in games():
        game = kind.name
        name = message("doctor.name_deck", game=game)
        try:
            path = decks.folder(game)
        except CompanionError as error:
            yield Finding(name, False, error.message)
            continue
        if path is not None:
            yield _deck(decks, game, path, name)
        elif kind.followed:
            yield Finding(name, False, message("doctor.no_deck"), message("doctor.enrol", game=game))


def _deck(decks: DeckLibrary, game: str, path: Path, name: Message) -> Finding:
    try:
        without_detail = decks.deck(game).without_detail
    except CompanionError as error:
        return Finding(name, False, error.message, message("doctor.enrol_again", game=game))
    if without_detail:
        from companion.vision.deck.check import without_detail_note

        again = message("doctor.enrol_again", game=game)
        return Finding(name, False, without_detail_note(without_detail), again)
    return Finding(name, True, words(str(path)))


def _senses(folder: DataFolder) -> Iterator[Finding]:
    """How right the senses were in the latest games, with what helps; nothing before the first game."""
    try:
        known = History(folder.journal).senses()
    except CompanionError:
        return  # there is no journal yet, or the service says what is wrong with it
    for one in known.senses:
        what = message("doctor.sense", right=one.right, total=one.total, asked=one.asked)
        yield Finding(_SENSES[one.sense], True, what)
    for advice in known.advice:
        if not isinstance(advice, str):
            yield Finding(ADVICE, True, advice)


def _broker(config: Config) -> Iterator[Finding]:
    """Whether the configured MQTT broker admits this table; nothing if MQTT is off."""
    if not config.mqtt.host:
        return
    from companion.mqtt.broker import check
    from companion.mqtt.device import table_name

    table = table_name(config.mqtt)
    # Another client name than the service's: the broker would disconnect the service.
    why = check(config.mqtt, f"companion-{table}-doctor")
    host, port = config.mqtt.host, config.mqtt.port
    if why:
        what = message("doctor.mqtt_not_connected", host=host, port=port, why=why)
        yield Finding(BROKER, False, what, message("doctor.set_broker"))
    else:
        yield Finding(BROKER, True, message("doctor.mqtt_connected", host=host, port=port, table=table))


def _port(config: Config) -> Finding:
    pages = config.pages
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((pages.host, pages.port))
        except OSError as error:
            taken = message("doctor.port_taken", port=pages.port, why=error.strerror)
            return Finding(PORT, False, taken, message("doctor.set_port"), needed=True)
    return Finding(PORT, True, message("doctor.port_free", port=pages.port), needed=True)


def _running(folder: DataFolder) -> Message | None:
    """Which process uses the data folder; None if it is free."""
    if not folder.path.exists():
        return None  # locking would make it, for the wrong user if this is root
    try:
        folder.lock("doctor")
    except CompanionError as error:
        holder = error.message.params.get("holder")
        return message("doctor.in_use_by", holder=holder) if holder else message("doctor.in_use")
    folder.unlock()
    return None
