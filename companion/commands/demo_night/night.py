"""Builds and runs the evening: stage, service and players."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from companion import art
from companion.api.snapshot import Standing
from companion.commands.demo_night.drawn_table import DrawnTable, photograph, pictures
from companion.commands.demo_night.programme import GamePlan, TurnOver
from companion.commands.demo_night.run import DemoPhone, EveningFailed, Players, PrintLine, follow
from companion.commands.demo_night.stage import Scheduled, blocks, schedule, sound_track
from companion.commands.demo_night.stage_clock import StageClock
from companion.commands.demo_night.voices import RecordedVoices
from companion.core import clock as wall
from companion.core.config import Config
from companion.core.observations import Press
from companion.devices.inputs import Inputs
from companion.host.deck_library import DeckLibrary
from companion.runtime.app import App
from companion.runtime.server import PagesServer
from companion.store.folder import DataFolder
from hardware.simulated import SimulatedCamera, SimulatedMicrophone

FPS = 10.0
"""Pictures a second of the simulated camera."""
SEED = 7
ENROLLED_PX = 440
"""Height of a picture from which a card is learned."""
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


def run(
    plans: Sequence[GamePlan], speed: float, port: int, print_line: PrintLine, served: Served
) -> tuple[Standing, ...]:
    """Plays these games one after the other; returns the standings of the night.

    Raises:
        EveningFailed: the result differs from the programme's, or a tap was refused; the message says which.
        CompanionError: the service could not be started.
    """
    scheduled = schedule(list(plans))
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        for plan in plans:
            enrol_if_needed(plan, DataFolder(Path(folder)))
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


def enrol_if_needed(plan: GamePlan, data: DataFolder) -> None:
    """Enrols the cards that are turned over in a game for which no deck comes with the companion, as an owner
    would: from a picture of each."""
    labels = [step.label for step in plan.steps if isinstance(step, TurnOver)]
    if not labels or DeckLibrary({}, data.decks).folder(plan.game) is not None:
        return
    from companion.vision.deck.enrol import enrol_pictures

    pictures_of = [art.draw_card(plan.game, label, ENROLLED_PX) for label in labels]
    enrol_pictures(plan.game, labels, pictures_of).deck.save(data.decks / plan.game)


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
        photograph,
        lambda button: app.table.submit(Press(stage(), button)),
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
