"""The service that one thread steps: virtual time, the real senses, and the same journal every time."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api_client import REFEREE

from companion.api.commands import Accepted, EnterEvent, GoOn, NewGame, Refusal, Undo
from companion.commands.demo_night.drawn_table import DrawnTable, pictures
from companion.commands.demo_night.programme import ExpectedResult, GamePlan, PlaceCard, Say, Wait
from companion.commands.demo_night.stage import blocks, schedule, sound_track
from companion.commands.demo_night.voices import RecordedVoices
from companion.core.config import Config
from companion.core.message import message
from companion.core.observations import Landing, Press, Sighting
from companion.runtime.stepped import SenseDelay, SteppedApp
from companion.store.folder import DataFolder
from companion.store.rows import Line
from hardware.streams import Block, Frame

CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
FPS = 10.0


@pytest.fixture
def app(tmp_path: Path) -> Iterator[SteppedApp]:
    with SteppedApp(Config(), DataFolder(tmp_path), 100.0) as app:
        yield app


def nasty(app: SteppedApp, *players: str, **settings: Any) -> None:
    reply = app.command(NewGame("nasty_7", players or ("Ida", "Jo"), settings), REFEREE)
    assert isinstance(reply, Accepted)


def entered(app: SteppedApp, **event: Any) -> None:
    assert isinstance(app.command(EnterEvent(event), REFEREE), Accepted)


def told(lines: list[Line]) -> list[tuple[Any, str]]:
    return [(line.event["event"], line.source) for line in lines]


def test_time_passes_without_pause_and_without_threads(app: SteppedApp) -> None:
    begun, threads = time.monotonic(), threading.active_count()
    nasty(app)
    app.command(GoOn(), REFEREE)
    app.advance(110.0)
    entered(app, event="card_played", player="Ida", card="racketeer")
    app.advance(3700.0)
    assert told(app.lines()) == [("card_played", "phone"), ("time_passed", "clock")]
    assert 13.0 < app.lines()[-1].t < 13.1, "three seconds after the card, when the table looked"
    assert app.lines()[-1].at == "2026-01-01T00:00:13.020+00:00"
    assert app.clock() == 3700.0
    assert threading.active_count() == threads
    assert time.monotonic() - begun < 20.0


def test_a_command_is_answered_now_or_when_the_senses_have_reported(app: SteppedApp) -> None:
    nasty(app)
    refused = app.command(Undo(), REFEREE)
    assert isinstance(refused, Refusal)
    assert refused.code == "nothing_to_undo"
    app.frame(Frame(np.zeros((90, 160, 3), np.uint8), 101.0))
    app.app.table.submit(Landing(101.2, "pile", None))
    app.advance(101.5)
    played = EnterEvent({"event": "card_played", "player": "Ida", "card": "racketeer"})
    asked = app.ask(played, REFEREE)
    assert not asked.done(), "a picture that was exposed earlier may still arrive"
    assert isinstance(app.command(Undo(), REFEREE), Refusal)
    app.advance(104.5)
    assert asked.done()


def test_presses_and_sources_are_judged_at_their_moments(app: SteppedApp) -> None:
    nasty(app, "Ida", "Jo", "Kai", deck_size=30)
    entered(app, event="card_played", player="Ida", card="racketeer")
    entered(app, event="heard", words=["one"])
    app.advance(101.0)
    app.press(Press(101.0, "seat 3"), arrived=101.02)
    app.advance(102.0)
    assert told(app.lines())[-1] == ("accused", "buttons")
    app.source_changed("microphone", True)
    app.source_changed("microphone", False, message("microphone.silent"))
    assert not app.snapshot().sources["microphone"].up


def test_reports_arrive_as_late_as_on_a_slow_machine(tmp_path: Path) -> None:
    class Sees:
        def feed(self, image: Any, t: float) -> list[Landing]:
            return [Landing(t, "pile", Sighting("racketeer", 0.9, CORNERS))]

        def expect(self, labels: Any) -> None: ...

        def set_zones(self, zones: Any) -> None: ...

    judged = {}
    for delay in (0.0, 0.4):
        folder = DataFolder(tmp_path / f"late{delay}")
        with SteppedApp(Config(), folder, delay=SenseDelay(eyes_s=delay)) as app:
            nasty(app)
            app.command(GoOn(), REFEREE)
            app.app.eyes.set_watcher(Sees)
            app.frame(Frame(np.zeros((90, 160, 3), np.uint8), 1.0))
            app.app.eyes.set_watcher(None)
            app.advance(1.39)
            early = len(app.lines())
            app.advance(5.0)
            judged[delay] = (early, [line.event.get("t") for line in app.lines()][:1])
    assert judged == {0.0: (1, [1.0]), 0.4: (0, [1.0])}


# --- the real senses --------------------------------------------------------------------------------------


PLAN = GamePlan(
    "nasty_7",
    ["Ida", "Jo"],
    {"deck_size": 12},
    [
        PlaceCard("Ida", "racketeer"),
        Say("Ida", "one"),
        PlaceCard("Jo", "twin_racketeer"),
        Say("Jo", "two three"),
        PlaceCard("Jo", "racketeer"),
        Wait(4.5),
    ],
    ExpectedResult({}, []),
)


def evening(folder: Path) -> tuple[list[Any], bytes]:
    """Plays the plan with drawn pictures and recorded voices; returns the journal."""
    import msgspec

    scheduled = schedule([PLAN])
    rng = np.random.default_rng(7)
    track = sound_track(scheduled, RecordedVoices(), rng)
    frames = [Frame(image, 50.0 + t) for t, image in pictures([DrawnTable(scheduled[0], rng)], FPS)]
    sound = [Block(samples, 50.0 + n * 0.04, 16_000) for n, samples in enumerate(blocks(track))]
    arriving: list[tuple[float, Frame | Block]] = [(frame.t, frame) for frame in frames]
    arriving += [(block.t + len(block.samples) / 16_000, block) for block in sound]
    with SteppedApp(Config(), DataFolder(folder), 50.0) as app:
        app.advance(50.5)
        assert isinstance(app.command(NewGame("nasty_7", ("Ida", "Jo"), PLAN.settings), REFEREE), Accepted)
        for _, item in sorted(arriving, key=lambda one: one[0]):
            if item.t < app.clock() - 0.1:
                continue
            if isinstance(item, Frame):
                app.frame(item)
            else:
                app.block(item)
        return told(app.lines()), msgspec.json.encode((app.games(), app.lines(), app.snapshot()))


def test_real_senses_referee_in_one_thread_and_the_same_every_time(tmp_path: Path) -> None:
    seen, first = evening(tmp_path / "1")
    assert seen == [
        ("card_played", "camera"),
        ("heard", "microphone"),
        ("card_played", "camera"),
        ("heard", "microphone"),
        ("card_played", "camera"),
        ("time_passed", "clock"),
    ]
    assert evening(tmp_path / "2")[1] == first
