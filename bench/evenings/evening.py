"""Plays one script through the real path on a virtual clock: pictures, sound, presses, phones."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bench.evenings import page, room, stage
from bench.evenings.counts import Evening
from bench.evenings.manners import ENTERED, Manners, taps_of
from bench.evenings.page import Page
from bench.evenings.photos import Photographer
from bench.evenings.script import TIMES, Beat, Json, Script, TrueEvent
from bench.evenings.truth import EveningTruth
from companion.api.commands import Caller, EnterEvent, NewGame, Refusal, Reply, Request
from companion.art.draw.raster import Pixels
from companion.art.scene import Scene
from companion.core.config import Config
from companion.core.observations import Press
from companion.games import game_named
from companion.runtime.stepped import SteppedApp
from companion.store.folder import DataFolder
from companion.table.record import opened
from hardware.streams import Block, Frame

BLOCK_S = 0.06
OFFERED_S = 2.0
"""Seconds for which people wait for the page to offer what they want to enter."""
STEP_S = 0.1
"""Seconds of a step of an evening without camera and microphone."""
BEFORE_S = 2.0
"""Seconds that the table is watched before the first beat."""
PATIENCE_S = 2.5
"""Longest that somebody who looks at the page waits for what has just happened."""
REPLY_S = 12.0
REFEREE = Caller("referee")
Seen = Callable[[float, Pixels], None]
"""Gets the pictures that the camera takes (for `--show`)."""


@dataclass(frozen=True)
class Properties:
    """What a game needs to be drawn."""

    scene: type[Scene] = Scene
    decks: str = ""
    """Folder of a deck that the project does not bring along."""


class Performing:
    """One evening: the world and the service, moved forward together."""

    def __init__(
        self, script: Script, app: SteppedApp, properties: Properties, seen: Seen | None = None
    ) -> None:
        rng = np.random.default_rng([script.seed, len(script.game), 99])
        self.script, self.app = script, app
        self.counts = Evening(script.game, script.seed)
        game = game_named(script.game)
        self._hears = game.hears(script.settings)
        self._watched = game.followed
        countdown = game.hearing is not None and game.hearing.words == "countdown"
        self.truth = EveningTruth(script, countdown)
        self.page = Page(app, countdown)
        self.manners = Manners(self.page, self.truth, self.counts, self.send, rng)
        trouble = stage.drawn(rng, script.seconds)
        self.stage = stage.Stage(script, trouble, rng, properties.scene) if self._watched else None
        self.room = room.Room(script.players, room.drawn(rng), rng, room.VoiceBank()) if self._hears else None
        self._photos = Photographer(app, self.counts, np.random.default_rng([script.seed, 4]))
        self._next_picture = self._next_block = 0.0
        self._known = 0
        self._measured: set[int] = set()
        self._seen = seen
        self._true_verdicts = page.Verdicts()

    # --- the world ----------------------------------------------------------------------------------------

    def run_until(self, t: float) -> None:
        """Pictures and sound until the moment `t`; due questions are answered."""
        while True:
            picture = self._next_picture if self.stage is not None else np.inf
            block = self._next_block + BLOCK_S if self.room is not None else np.inf
            if min(picture, block) > t:
                if self.stage is None and self.room is None and self.app.clock() + STEP_S < t:
                    self.app.advance(self.app.clock() + STEP_S)
                    self._noticed(0.0)
                    continue
                break
            began = time.process_time()
            if picture <= block:
                self._take_picture(picture)
            else:
                self._take_block()
            self._noticed(time.process_time() - began)
        self.app.advance(max(t, self.app.clock()))
        self._noticed(0.0)

    def _take_picture(self, t: float) -> None:
        assert self.stage is not None
        image = self.stage.picture(t)
        if self._seen is not None:
            self._seen(t, image)
        self.app.frame(Frame(image, t))
        self._next_picture = t + self.stage.wait_s(t)

    def _take_block(self) -> None:
        assert self.room is not None
        samples = self.room.block(self._next_block, round(BLOCK_S * room.RATE))
        self.app.block(Block(samples, self._next_block, room.RATE))
        self._next_block = round(self._next_block + BLOCK_S, 6)

    def _noticed(self, worked: float) -> None:
        """What has reached the page since the last time."""
        entries = self.page.record.entries if self.app.snapshot().game is not None else []
        if len(entries) != self._known:
            self._known = len(entries)
            self._measure_delays(worked)
        if self.app.snapshot().game is not None:
            self.manners.notice(self.app.clock(), self._true_verdicts)

    def _measure_delays(self, worked: float) -> None:
        """How late the latest true event is on the page."""
        shown = self.page.items()
        wanted = self.truth.items()
        if not shown or len(shown) > len(wanted) or shown[-1].key != wanted[len(shown) - 1].key:
            return
        index = wanted[len(shown) - 1].numbers[-1]
        if index not in self._measured and self.truth.events[index].sense not in ENTERED:
            self.counts.delays.append(round(self.app.clock() - self.truth.at[index] + worked, 3))
        self._measured.add(index)

    def send(self, request: Request) -> Reply:
        """A command of a phone; the world goes on until its reply is there."""
        answer = self.app.ask(request, REFEREE)
        limit = self.app.clock() + REPLY_S
        while not answer.done() and self.app.clock() < limit:
            self.run_until(self.app.clock() + BLOCK_S)
        return answer.result() if answer.done() else Refusal("silent")

    # --- the evening --------------------------------------------------------------------------------------

    def play(self) -> Evening:
        """Plays the whole script; the counts."""
        began = time.process_time()
        script = self.script
        self.run_until(BEFORE_S)
        reply = self.app.command(NewGame(script.game, script.players, script.settings), REFEREE)
        assert reply.ok, reply
        self.run_until(self.app.clock() + 1.5)
        for beat, self._true_verdicts in zip(script.beats, _verdicts_after(script), strict=True):
            self._play(beat)
        self._look()
        self.manners.finish()
        self.counts.played_s = round(self.app.clock(), 1)
        self.counts.worked_s = round(time.process_time() - began, 1)
        return self.counts

    def _play(self, beat: Beat) -> None:
        start = self.app.clock()
        self.manners.what = beat.what
        if self.stage is not None:
            self.stage.add(beat.moves, start)
            # a hand may come in at once, while the next picture was thought to be far away
            self._next_picture = min(self._next_picture, start + stage.CALM_S)
        ends = [0.0]
        for call in beat.calls:
            if self.room is not None:
                ends.append(self.room.add(start + call.at, call.player, call.words, call.loudness) - start)
        for at, what in sorted(self._things(beat), key=lambda one: one[0]):
            self.run_until(start + at)
            what()
            self.manners.answer_due(self.app.clock())
        self.run_until(start + max(beat.seconds, *ends))
        self._settle(beat.look or self.manners.alarmed)

    def _things(self, beat: Beat) -> list[tuple[float, Callable[[], None]]]:
        """What happens in the beat besides pictures and sound."""
        found: list[tuple[float, Callable[[], None]]] = []
        for event in beat.truth:
            found.append((event.at, partial(self._happen, event)))
        for press in beat.presses:
            found.append((press.at, partial(self._press, press.button)))
        for photo in beat.photos:
            found.append((photo.at, partial(self._photos.take, photo, self.send)))
        return found

    def _happen(self, event: TrueEvent) -> None:
        self.truth.happened(event, self.app.clock())
        if event.sense == "phone":
            self._enter(event.event)

    def _press(self, button: str) -> None:
        self.app.press(Press(self.app.clock(), button))

    def _enter(self, event: Json) -> None:
        """Somebody enters on a phone what no sense can know, as soon as the page offers it."""
        bare = {name: value for name, value in event.items() if name not in TIMES}
        limit = self.app.clock() + OFFERED_S
        while not self.page.allows(bare) and self.app.clock() < limit:
            self.run_until(self.app.clock() + 0.25)
        self.counts.needed_taps += taps_of(bare)
        self.send(EnterEvent(bare))

    def _settle(self, look: bool) -> None:
        """The players deal with questions and, if they look at the page, with what is wrong on it."""
        limit = self.app.clock() + 20.0
        while self.manners.waits and self.app.clock() < limit:
            self.run_until(self.app.clock() + 0.25)
            self.manners.answer_due(self.app.clock())
        if look or self.manners.alarmed:
            self._look()

    def _look(self) -> None:
        limit = self.app.clock() + PATIENCE_S
        while self.app.clock() < limit and not self.manners.agrees:
            self.run_until(self.app.clock() + 0.25)
            self.manners.answer_due(self.app.clock())
        self.manners.look(self.app.clock())


def _verdicts_after(script: Script) -> list[page.Verdicts]:
    """The true mistakes up to the end of each beat."""
    record = opened(script.header())
    found = []
    for beat in script.beats:
        for one in beat.truth:
            record.push(one.event)
        found.append(page.verdicts_of(record))
    return found


def evening(script: Script, properties: Properties | None = None, seen: Seen | None = None) -> Evening:
    """Plays a script in a data folder of its own; the counts."""
    properties = properties or Properties()
    with tempfile.TemporaryDirectory() as folder:
        zones = {script.game: {name: list(shape) for name, shape in script.zones.items()}}
        decks = {script.game: properties.decks} if properties.decks else {}
        config = Config(zones=zones if script.zones else {}, decks=decks)
        with SteppedApp(config, DataFolder(Path(folder))) as app:
            return Performing(script, app, properties, seen).play()
