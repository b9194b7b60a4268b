"""Builds and runs the evening: stage, service and players."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from companion.api.snapshot import Standing
from companion.commands.demo_night.programme import programme
from companion.commands.demo_night.run import DemoPhone, EveningFailed, Players, PrintLine, follow
from companion.commands.demo_night.stage import (
    DrawnTable,
    Scheduled,
    blocks,
    photograph,
    pictures,
    schedule,
    sound_track,
)
from companion.commands.demo_night.stage_clock import StageClock
from companion.commands.demo_night.voices import RecordedVoices
from companion.core import clock as wall
from companion.core.config import Config
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.runtime.server import PagesServer
from companion.store.folder import DataFolder
from hardware.simulated import SimulatedCamera, SimulatedMicrophone

FPS = 10.0
"""Pictures a second of the simulated camera."""
SEED = 7
Served = Callable[[str], None]
"""Called with the address of the pages once they answer."""


def free_port(wanted: int) -> int:
    """The wanted port if nobody uses it, otherwise 0: any free one."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", wanted))
        except OSError:
            return 0
    return wanted


def run(speed: float, port: int, print_line: PrintLine, served: Served) -> tuple[Standing, ...]:
    """Plays the evening; returns the standings of the night.

    Raises:
        EveningFailed: the result differs from the programme's, or a tap was refused; the message says which.
        CompanionError: the service could not be started.
    """
    scheduled = schedule(programme())
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        stage = StageClock(wall.monotonic(), speed, wall.monotonic, time.sleep)
        app = _service(scheduled, stage, Path(folder), port)
        app.start()
        try:
            pages = PagesServer(app)
            pages.start()
            try:
                return _evening(app, pages, scheduled, stage, print_line, served)
            finally:
                stage.stop()
                app.stop()
                pages.stop()
        except BaseException:
            stage.stop()
            app.stop()
            raise


def _evening(
    app: App,
    pages: PagesServer,
    scheduled: list[Scheduled],
    stage: StageClock,
    print_line: PrintLine,
    served: Served,
) -> tuple[Standing, ...]:
    served(app.host.join_url())
    begun = stage()
    follower = follow(app.host.subscribe(), print_line, lambda: stage() - begun)
    players = Players(
        DemoPhone(f"http://127.0.0.1:{pages.port}"),
        stage,
        begun,
        scheduled,
        app.host.snapshot,
        lambda step: photograph(step, np.random.default_rng([SEED, *step.player.encode()])),
        print_line,
    )
    players.play()
    standings = app.host.snapshot().night.standings
    app.table.stop()
    follower.join(2.0)
    if players.problems:
        raise EveningFailed("demo.not_as_written", problems="; ".join(players.problems))
    return standings


def _service(scheduled: list[Scheduled], stage: StageClock, folder: Path, port: int) -> App:
    """The service with the stage as its camera and microphone."""
    rng = np.random.default_rng(SEED)
    track = sound_track(scheduled, RecordedVoices(), rng)
    tables = [DrawnTable(game, rng) for game in scheduled]
    begun = stage()
    for name in ("camera", "microphone", Players.NAME):
        stage.join(name)

    def waits(name: str) -> Callable[[float], None]:
        return lambda moment: stage.wait(name, moment)

    plain = Config()
    config = msgspec.structs.replace(
        plain,
        pages=msgspec.structs.replace(plain.pages, port=free_port(port), open_to_all=True),
    )
    inputs = Inputs(
        camera=lambda: SimulatedCamera(pictures(tables, FPS), begun, waits("camera")),
        microphone=lambda: SimulatedMicrophone(blocks(track), begun, waits("microphone")),
        lossless=True,
    )
    return App(config, DataFolder(folder), clock=stage, inputs=inputs)
