"""Recording with the whole service: announced, shown, listed, ended and deleted."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from api_client import REFEREE

from companion.api.commands import EnterEvent, NewGame, Undo
from companion.core.config import Config, parse
from companion.core.errors import Unavailable
from companion.core.message import message
from companion.devices.inputs import Inputs
from companion.games import game_names
from companion.recording.reader import RecordedEvening
from companion.relive.player import relive
from companion.runtime.app import App
from companion.store.folder import DataFolder
from hardware.streams import Frame

CONFIG = parse("[recording]\nkeep_free_mb = 0\n[table]\nhold_s = 0.2", game_names())


def app_of(folder: Path, **more: Any) -> App:
    return App(more.pop("config", CONFIG), DataFolder(folder), inputs=Inputs(), **more)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = app_of(tmp_path / "data")
    app.start()
    yield app
    app.stop()


def announced(app: App) -> str:
    latest = app.host.snapshot().announcement
    return "" if latest is None else latest.code


def played(app: App, card: str = "racketeer") -> None:
    app.host.command(EnterEvent({"event": "card_played", "player": "Ida", "card": card}), REFEREE)


def test_nothing_is_recorded_unless_somebody_asks(app: App) -> None:
    app.host.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
    app.frame(Frame(np.zeros((48, 64, 3), np.uint8), app.clock()))
    assert not app.host.snapshot().recording
    assert app.host.recordings.state().evenings == ()
    assert not (app.data.path / "evenings").exists()


def test_the_switch_is_announced_shown_and_deletes(app: App) -> None:
    begun = app.host.recordings.start()
    assert begun.on
    assert app.host.snapshot().recording
    assert announced(app) == "recording_started"
    assert [one.running for one in begun.evenings] == [True]
    assert app.host.recordings.start() == app.host.recordings.state(), "a second start begins no other"
    ended = app.host.recordings.stop()
    assert (ended.on, [one.running for one in ended.evenings]) == (False, [False])
    assert not app.host.snapshot().recording
    assert announced(app) == "recording_stopped"
    app.host.recordings.start()
    name = next(one.name for one in app.host.recordings.state().evenings if one.running)
    left = app.host.recordings.forget(name)
    assert (left.on, len(left.evenings)) == (False, 1)
    assert not (app.data.path / "evenings" / name).exists()
    with pytest.raises(Unavailable, match="there is no evening"):
        app.host.recordings.forget(name)


def test_a_recording_that_ends_by_itself_is_said_and_the_game_goes_on(app: App) -> None:
    app.host.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
    app.host.recordings.start()
    failed = threading.Thread(target=lambda: app._recording_failed(message("recording.disk_full")))
    failed.start()
    failed.join()
    assert announced(app) == "recording_failed"
    assert not app.host.snapshot().recording
    played(app)
    assert [entry.event["event"] for entry in app.host.snapshot().log] == ["card_played"]


def test_a_recording_that_begins_in_the_middle_of_a_game_is_relived(app: App, tmp_path: Path) -> None:
    app.host.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
    played(app)
    app.host.command(EnterEvent({"event": "heard", "words": ["one"]}), REFEREE)
    app.host.recordings.start()
    app.host.command(EnterEvent({"event": "card_played", "player": "Jo", "card": "gun"}), REFEREE)
    app.host.command(Undo(), REFEREE)
    (evening,) = app.host.recordings.stop().evenings
    recorded = RecordedEvening(app.data.path / "evenings" / evening.name)
    assert recorded.manifest.running is not None
    again = relive(recorded, tmp_path / "again", tmp_path / "models")
    (live,), (relived,) = recorded.journal(), again.games
    assert [line.event["event"] for line in live.lines] == ["card_played", "undone"]
    assert [(line.n, line.event["event"], line.code) for line in relived.lines] == [
        (line.n, line.event["event"], line.code) for line in live.lines
    ]
    assert relived.lines[0].event["t"] == pytest.approx(live.lines[0].event["t"], abs=0.1)


def test_a_recording_from_the_start_on_holds_everything(tmp_path: Path) -> None:
    app = app_of(tmp_path / "data", record=tmp_path / "evenings")
    app.start()
    try:
        assert app.host.snapshot().recording
        app.host.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
        played(app)
    finally:
        app.stop()
    (folder,) = (tmp_path / "evenings").iterdir()
    recorded = RecordedEvening(folder)
    assert recorded.manifest.ended is not None
    assert [len(game.lines) for game in recorded.journal()] == [1]
    assert relive(recorded, tmp_path / "again", tmp_path / "models").games[0].lines[0].event["card"] == (
        "racketeer"
    )


def test_what_cannot_be_recorded_is_said_at_the_start(tmp_path: Path) -> None:
    full = msgspec.structs.replace(CONFIG.recording, keep_free_mb=1e9)
    config: Config = msgspec.structs.replace(CONFIG, recording=full)
    app = app_of(tmp_path / "data", config=config, record=tmp_path / "evenings")
    with pytest.raises(Unavailable, match="the disk is nearly full"):
        app.start()
    second = app_of(tmp_path / "data")
    second.start()
    second.stop()
