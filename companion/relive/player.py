"""Gives a recorded evening to the stepped service, item by item, and returns what that judged.

By default the senses work as they did that evening: on the pictures that they had time for, and they report
as late as they did. With `at_once` they analyse every picture and report at its moment, as on a machine that
is fast enough.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec

from companion.core.errors import Unreadable, UsageError
from companion.core.message import Message, message
from companion.core.observations import Observation
from companion.host.deck_library import SHIPPED
from companion.recording import format as files
from companion.recording.reader import BlockRead, FrameRead, Happening, JudgedGame, RecordedEvening
from companion.recording.setup import COPIED, DECK, file_hash, folder_hash
from companion.runtime.equipment import equipment
from companion.runtime.stepped import SteppedApp
from companion.store.folder import DataFolder
from companion.table.recording_notice import take_up

Pace = Callable[[float], None]
"""Called with the moment of each item before it is given: it may wait."""


class SenseReport(msgspec.Struct, frozen=True):
    """What a sense reported, and when."""

    at: float
    observation: Observation


class Relived(msgspec.Struct, frozen=True):
    """What came of an evening that was played again."""

    games: tuple[JudgedGame, ...]
    reports: tuple[SenseReport, ...]
    """What eyes and ears reported, without watermarks."""
    end: float
    """The moment of the last item, in seconds of the one clock."""
    cut_off: str | None
    """Name of the file that ended early."""
    warnings: tuple[Message, ...]
    """What differs from the evening: decks and models."""


def relive(
    evening: RecordedEvening,
    workspace: Path,
    models: Path,
    *,
    at_once: bool = False,
    pace: Pace = lambda moment: None,
) -> Relived:
    """Plays an evening again.

    Args:
        workspace: an empty folder for the service's data.
        models: folder of added speech models.

    Raises:
        Unreadable: the evening cannot be read.
        UsageError: a deck that was played with is not there.
    """
    data = prepared(evening, workspace, models)
    manifest = evening.manifest
    config = msgspec.structs.replace(manifest.config, decks={})
    app = SteppedApp(
        config, data, manifest.start, began=datetime.fromisoformat(manifest.began), check_pictures=False
    )
    if not at_once and manifest.running is None:
        app.hold_attention()
    with app:
        warnings = _changed(evening, app, data)
        first = app.journal.seq()
        games = {row.id for row in app.games()}
        if manifest.running is not None:
            running = manifest.running
            take_up(app.app.table.referee, running.game, running.time, running.paused)
        giver = _Giver(app, at_once)
        if not at_once:
            app.hold_attention()  # from here on where the recording began in the middle of a game
        moment = manifest.start
        try:
            for happening in evening.happenings():
                pace(happening.at)
                giver.give(happening)
                moment = max(moment, happening.at)
        except msgspec.DecodeError as error:
            raise Unreadable("evening.unreadable", file=evening.folder / files.LOG, why=str(error)) from error
        app.advance(moment)
        judged = [
            JudgedGame(row, tuple(line for line in app.lines(row.id) if line.seq > first))
            for row in app.games()
        ]
        kept = tuple(one for one in judged if one.lines or one.game.id not in games)
        return Relived(kept, tuple(giver.reports), moment, evening.cut_off, warnings)


class _Giver:
    """Gives the items of a log to the service."""

    def __init__(self, app: SteppedApp, at_once: bool) -> None:
        self._app = app
        self._at_once = at_once
        self.reports: list[SenseReport] = []

    def give(self, happening: Happening) -> None:
        """Gives one item at its moment."""
        app = self._app
        app.advance(happening.at)
        match happening:
            case FrameRead():
                app.frame(happening.frame, happening.at, look=False)
                if self._at_once:
                    self._work("eyes", happening.frame.t)
                    app.report("eyes")
            case BlockRead():
                app.block(happening.block, happening.at, listen=False)
                if self._at_once:
                    self._work("ears", happening.block.t)
                    app.report("ears")
            case files.Worked():
                self._worked(happening)
            case files.Directed():
                if not self._at_once:
                    app.direct()
            case files.PressArrived():
                app.press(happening.press, happening.at)
            case files.SourceReported():
                change = happening.change
                app.source_changed(change.source, change.up, change.why, listen=self._at_once)
            case files.OwnSound():
                app.mute(happening.since, happening.until)
            case files.CommandArrived():
                request = files.request_read(happening.name, happening.body)
                app.ask(request, happening.caller, happening.key)
            case files.ZonesChanged():
                app.set_zones(happening.game, happening.zones)
            case files.SoundRepeats():
                app.app.ears.repeat_sound(happening.times)
            case _:  # a reply, a report, a lost picture: nothing that reached the service
                pass

    def _worked(self, item: files.Worked) -> None:
        if self._at_once:
            return
        if item.done:
            self._app.report(item.sense)
        else:
            self._work(item.sense, item.t)

    def _work(self, sense: str, t: float) -> None:
        found = self._app.work("eyes" if sense == "eyes" else "ears", t)
        at = self._app.clock()
        self.reports += [SenseReport(at, one) for one in found if isinstance(one, files.REPORTS)]


def prepared(evening: RecordedEvening, workspace: Path, models: Path) -> DataFolder:
    """A data folder that holds what the service had at the start of the evening.

    Raises:
        UsageError: a deck that was played with is not there.
        Unreadable: a copy cannot be read.
    """
    data = DataFolder(workspace)
    data.models = models
    setup = evening.folder / files.SETUP
    try:
        data.create()
        for name in COPIED:
            if (setup / name).is_file():
                shutil.copyfile(setup / name, workspace / name)
        for folder in (data.voices, data.decks):
            if (setup / folder.name).is_dir():
                shutil.copytree(setup / folder.name, folder)
        start = evening.start_journal
        if start is not None:
            shutil.copyfile(start, data.journal)
    except OSError as error:
        raise Unreadable("evening.unreadable", file=setup, why=error.strerror or str(error)) from error
    for game in {judged.game.name for judged in evening.journal()}:
        used = evening.manifest.decks.get(game)
        place = data.decks if used is not None and used.copied else SHIPPED
        if used is not None and not (place / game / DECK).is_file():
            raise UsageError("evening.no_deck", folder=evening.folder, game=game)
    return data


def _changed(evening: RecordedEvening, app: SteppedApp, data: DataFolder) -> tuple[Message, ...]:
    """Which decks and models are not those of the evening."""
    now = equipment(app.app.config, app.app.decks, data.models)
    manifest = evening.manifest
    found = []
    for game, used in sorted(manifest.decks.items()):
        path = now.decks.get(game)
        if path is None or file_hash(path / DECK) != used.hash:
            found.append(message("evening.other_deck", game=game))
    for language, known in sorted(manifest.models.items()):
        path = now.models.get(language)
        if path is None or folder_hash(path) != known:
            found.append(message("evening.other_model", language=language))
    return tuple(found)
