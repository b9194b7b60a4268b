"""The service around the app: web server, signals, and messages to systemd.

Stops in order within two seconds of SIGTERM or SIGINT: first the pages, then the senses, the table and its
journal.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import msgspec

from companion.announce.announcement import Announcement
from companion.core.config import Config, load
from companion.core.end_request import EndRequest
from companion.core.errors import CompanionError
from companion.games import game_names
from companion.runtime.app import App
from companion.runtime.mqtt import mqtt_device
from companion.runtime.process import ServiceProcess
from companion.runtime.server import PagesServer
from companion.store.folder import DataFolder
from companion.store.volatile import usable
from companion.table.storage_notice import show_not_stored

CONFIG = "config.toml"
"""The configuration file of the data folder."""
HOTSPOT = Path("/run/companion-hotspot/status.json")
"""Where the appliance's service (packaging/appliance/hotspot.py) reports."""
HEARTBEAT_S = 0.5
"""Seconds between two checks of `App.healthy`."""


def settings(file: Path | None, folder: DataFolder, *, port: int | None, simulated: bool) -> Config:
    """The configuration of `file`, else of `config.toml` in the data folder, else the defaults.

    Raises:
        UsageError: the file is wrong; the message names the key.
    """
    own = folder.path / CONFIG
    config = load(file if file is not None else own if own.is_file() else None, game_names())
    replace = msgspec.structs.replace
    if port is not None:
        config = replace(config, pages=replace(config.pages, port=port))
    if simulated:
        camera, microphone = config.camera, config.microphone
        if camera.backend not in ("recording", "none"):
            config = replace(config, camera=replace(camera, backend="drawn"))
        if microphone.backend != "recording":
            config = replace(config, microphone=replace(microphone, backend="none"))
    return config


class Service:
    """Runs app and pages until a signal comes."""

    def __init__(
        self,
        config: Config,
        folder: DataFolder,
        *,
        simulated: bool = False,
        browser: bool = False,
        record: Path | None = None,
        config_file: Path | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        if simulated:
            from hardware import gpio

            gpio.simulate()
        runtime = Path(environ["RUNTIME_DIRECTORY"]) if environ.get("RUNTIME_DIRECTORY") else None
        process = ServiceProcess(runtime, config_file or folder.path / CONFIG, HOTSPOT, self._restart)
        folder, self._not_stored = usable(folder, runtime)
        self._app = App(config, folder, process=process, record=record)
        self.restarts = False
        """Whether the service was ended to start again."""
        self._browser = browser
        self._environ = environ
        self._end = EndRequest()

    def run(self) -> None:
        """Starts everything, serves until a signal comes, stops everything.

        Raises:
            CompanionError: a part could not be started; nothing is left running.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        self._app.start_table()
        if (why := self._not_stored) is not None:
            logging.getLogger(__name__).error("%s", why)
            self._app.table.call(lambda referee: show_not_stored(referee, why))
        self._expire()
        try:
            pages = PagesServer(self._app)
        except BaseException:
            self._app.stop()
            raise
        pages.start()
        device = mqtt_device(self._app)
        try:
            if device is not None:
                device.start()
            self._say_ready()
            self._app.start_senses()
            while not self._end.wait(HEARTBEAT_S):
                if self._app.healthy() and pages.alive:
                    notify("WATCHDOG=1", self._environ)
        finally:
            notify("STOPPING=1", self._environ)
            if device is not None:
                device.stop()
            self._app.stop()
            pages.stop()

    def _expire(self) -> None:
        """Deletes what is older than the owner wants; a full disk does not keep the service from starting."""
        try:
            self._app.host.stored_data.expire(self._app.config.stored.keep_days)
        except CompanionError as error:
            logging.getLogger(__name__).warning("old games are not deleted: %s", error)

    def _say_ready(self) -> None:
        url = self._app.host.join_url().rstrip("/") + "/"
        code = "" if self._app.config.pages.open_to_all else self._app.host.pairing.fresh().code
        decides = f"code {code}; `companion pair` makes another" if code else "everybody"
        print(f"The pages are at {url} (referee: {decides}). Ctrl-C ends the service.", flush=True)
        if sys.stdout.isatty():
            import segno

            print("Point a phone's camera at this:", flush=True)
            segno.make(url, error="l", micro=False).terminal(compact=True)
        if self._app.recorder.running:
            print(f"This evening is being recorded in {self._app.recorder.evening}.", flush=True)
        notify("READY=1", self._environ)
        self._app.announcer.announce([Announcement("ready")])
        if self._browser and sys.stdout.isatty():
            import webbrowser

            webbrowser.open(f"{url}join#code={code}")

    def _restart(self) -> None:
        self.restarts = True
        self._end.make()

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._end.make()


def start_again() -> None:
    """Starts the program again after `Service.run` has ended for that. systemd starts it by itself; elsewhere
    this process is replaced by a new one with the same arguments."""
    if not os.environ.get("NOTIFY_SOCKET"):
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def leave() -> None:
    """Ends the process; immediately if a thread is inside a library call that cannot be interrupted, such as
    loading a speech model. Python's normal exit would stop that thread when the call returns, and C++ would
    then abort the process ("terminate called without an active exception"). Call this after everything is
    closed."""
    if threading.active_count() > 1:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def notify(state: str, environ: Mapping[str, str]) -> None:
    """Sends the service's state to systemd (sd_notify(3)); does nothing outside a service."""
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        try:
            sender.sendto(state.encode(), address)
        except OSError as error:
            logging.getLogger(__name__).warning("the message %s to systemd failed: %s", state, error)
