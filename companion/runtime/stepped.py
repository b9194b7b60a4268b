"""The service in one thread on a virtual clock: eyes, ears, table, spotters, rules and host as in
`companion serve`, but without a device, an output, a thread or a pause.

The caller gives pictures, sound, presses and commands with their times, in the order in which they arrive.
The same input gives the same journal, byte for byte.

>>> import tempfile
>>> from pathlib import Path
>>> from companion.api.commands import Caller, EnterEvent, NewGame
>>> from companion.core.config import Config
>>> from companion.runtime.stepped import SteppedApp
>>> with tempfile.TemporaryDirectory() as folder, SteppedApp(Config(), DataFolder(Path(folder))) as app:
...     started = app.command(NewGame("nasty_7", ("Ida", "Jo")), Caller("referee"))
...     app.advance(2.0)
...     played = {"event": "card_played", "player": "Ida", "card": "racketeer"}
...     replied = app.command(EnterEvent(played), Caller("referee"))
...     app.advance(20.0)  # nobody calls
...     print([line.event["event"] for line in app.lines()])
['card_played', 'time_passed']
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.api.commands import Caller, Command, Reply, Request
from companion.api.snapshot import Snapshot
from companion.core.clock import VirtualClock
from companion.core.config import Config
from companion.core.message import Message
from companion.core.observations import Observation, Point, Press, SourceChanged
from companion.devices.inputs import Inputs
from companion.host.table_setup import CHECK_S
from companion.runtime.app import App
from companion.runtime.identity import repeatable
from companion.senses.ears import CUT, WaitingSound
from companion.store.folder import DataFolder
from companion.store.journal import Journal
from companion.store.rows import GameRow, Line
from companion.table.table import WAITING_S
from hardware.streams import Block, Frame

if TYPE_CHECKING:
    from typing import Self

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of day at the start, if none is given."""


UNSEEN = 8
"""Pictures that wait for `work` at most; the oldest is dropped, as by the eyes of a busy machine."""
Sense = Literal["eyes", "ears"]


class SenseDelay(msgspec.Struct, frozen=True):
    """How long the senses take until they report, in seconds: as long as on a slow machine."""

    eyes_s: float = 0.0
    ears_s: float = 0.0


class SteppedApp:
    """The service for one thread; a `with` block opens and closes it.

    Every moment is in seconds of the one clock and may not lie before the ones given so far: a picture that
    arrives late is given with its time of exposure and, as `arrived`, the moment of its arrival.

    Args:
        config: the configuration; its devices are not opened.
        data: the data folder, locked while it is open.
        start: what the clock shows at the start.
        began: the time of day at the start.
        delay: how late the reports of the senses reach the table.
        record: folder below which everything is recorded as an evening; None: nothing is.
        check_pictures: whether the quality of the camera's picture is checked every few seconds.
    """

    def __init__(
        self,
        config: Config,
        data: DataFolder,
        start: float = 0.0,
        *,
        began: datetime = BEGAN,
        delay: SenseDelay | None = None,
        record: Path | None = None,
        check_pictures: bool = True,
    ) -> None:
        self.clock = VirtualClock(start)
        identity = repeatable(self.clock, began)
        self.app = App(
            config,
            data,
            clock=self.clock,
            inputs=Inputs(),
            identity=identity,
            record=record,
            record_all=True,
        )
        """The service itself, for its host (photographs, set-up)."""
        self._record = record is not None
        self._delay = SenseDelay() if delay is None else delay
        self._pictures: deque[tuple[Any, float]] = deque(maxlen=UNSEEN)
        self._sounds: deque[WaitingSound] = deque()
        self._reports: dict[Sense, list[Observation]] = {"eyes": [], "ears": []}
        self._late: list[tuple[float, int, Observation]] = []
        self._numbers = itertools.count()
        self._next_check = start + CHECK_S if check_pictures else math.inf
        self._up: dict[str, bool] = {}

    def open(self) -> None:
        """Locks the data folder and puts an interrupted game on the table again.

        Raises:
            CompanionError: see App.start.
        """
        self.app.data.lock()
        try:
            self.app.decks.check()
            self.app.table_setup.load()
            if self._record:
                self.app.recorder.start()
            self.app.table.open()
        except BaseException:
            self.app.data.unlock()
            raise
        self._settle()

    def close(self) -> None:
        """Closes the journal and unlocks the data folder."""
        self.app.table.close()
        self.app.recorder.stop(timeout=60.0)
        self.app.data.unlock()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what happens -------------------------------------------------------------------------------------

    def advance(self, t: float) -> None:
        """Lets time pass until the moment `t`: deadlines expire, held and late reports are judged."""
        while self.clock() < t:
            self.clock.set(min(t, self._next_moment()))
            while self._late and self._late[0][0] <= self.clock():
                self.app.table.submit(heapq.heappop(self._late)[2])
            self.app.gate.release()
            if self.clock() >= self._next_check:
                self._next_check += CHECK_S
                self.app.table_setup.check_picture()
            self._settle()

    def frame(self, frame: Frame, arrived: float | None = None, *, look: bool = True) -> None:
        """Gives a picture of the camera, which arrived at `arrived` (None: when it was exposed). Without
        `look` it waits for `work`."""
        self.advance(frame.t if arrived is None else arrived)
        self._came_up("camera")
        self.app.frame(frame)
        self._pictures.extend(self.app.eyes.take_waiting())
        if look:
            self.work("eyes", frame.t)
            self.report("eyes", self._delay.eyes_s)
        self._settle()

    def block(self, block: Block, arrived: float | None = None, *, listen: bool = True) -> None:
        """Gives a block of the microphone's sound (None: it arrived when its last sample sounded). Without
        `listen` it waits for `work`."""
        self.advance(block.t + len(block.samples) / block.rate if arrived is None else arrived)
        self._came_up("microphone")
        self.app.block(block)
        self._sounds.extend(self.app.ears.take_waiting())
        if listen:
            self.work("ears", block.t)
            self.report("ears", self._delay.ears_s)
        self._settle()

    def work(self, sense: Sense, t: float) -> list[Observation]:
        """Lets a sense analyse what it got up to the moment `t`, of pictures only the last one. Returns what
        it found; the table gets that with `report`."""
        if sense == "eyes":
            while self._pictures and self._pictures[0][1] <= t:
                image, exposed = self._pictures.popleft()
                if not (self._pictures and self._pictures[0][1] <= t):
                    self.app.eyes.look(image, exposed)
        else:
            while self._sounds and _time_of(self._sounds[0]) <= t:
                self.app.ears.listen(self._sounds.popleft())
        found = self.app.take_observations()
        self._reports[sense] += found
        return found

    def report(self, sense: Sense, later_s: float = 0.0) -> None:
        """Lets the table have what a sense has found, now or `later_s` seconds later."""
        found, self._reports[sense] = self._reports[sense], []
        for observation in found:
            if later_s > 0.0:
                heapq.heappush(self._late, (self.clock() + later_s, next(self._numbers), observation))
            else:
                self.app.table.submit(observation)
        self._settle()

    def press(self, press: Press, arrived: float | None = None) -> None:
        """Gives the press of a button (None: it arrived when it happened)."""
        self.advance(press.t if arrived is None else arrived)
        self.app.pressed(press)
        self._settle()

    def source_changed(
        self, source: str, up: bool, why: Message | None = None, *, listen: bool = True
    ) -> None:
        """Reports that a device came up or went down. The first picture and the first block report it by
        themselves. A microphone that goes down ends the utterance, with `listen` at once."""
        self._up[source] = up
        self.app.source_changed(SourceChanged(self.clock(), source, up, why))
        self._sounds.extend(self.app.ears.take_waiting())
        if listen:
            self.work("ears", math.inf)
            self.report("ears")
        self._settle()

    def hold_attention(self) -> None:
        """From now on the table directs the senses only with `direct`, or half a second later."""
        self.app.gate.holds = True

    def direct(self) -> None:
        """The table directs the senses by what it judged last (see `hold_attention`)."""
        self.app.gate.direct()
        self._settle()

    def set_zones(self, game: str, zones: Mapping[str, Sequence[Point]]) -> None:
        """Draws zones of a game; without any, those that were drawn are deleted.

        Raises:
            CompanionError: see companion.host.zones.Zones.draw.
        """
        if zones:
            self.app.zones.draw(game, {zone: list(shape) for zone, shape in zones.items()})
        else:
            self.app.zones.reset(game)

    def mute(self, since: float, until: float) -> None:
        """The companion itself sounds in this interval: the ears ignore it."""
        self.app.mute(since, until)

    def ask(self, request: Request, caller: Caller, key: str = "") -> Future[Reply]:
        """Gives a command of a phone that arrives now (`key`: see companion.api.commands.Command).

        The future has its reply once it is judged: at once, or for an event with a time when the senses have
        reported everything before it (see `advance`).
        """
        answer = self.app.table.ask(Command(self.clock(), request, caller, key))
        self._settle()
        return answer

    def command(self, request: Request, caller: Caller) -> Reply:
        """Gives a command of a phone and lets time pass until its reply is there, at most as long as the
        table holds reports."""
        answer = self.ask(request, caller)
        while not answer.done():
            self.advance(self._next_moment())
        return answer.result()

    # --- what is known ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Everything that is known now."""
        return self.app.table.snapshot()

    @property
    def journal(self) -> Journal:
        """The journal, for reading."""
        return self.app.table.referee.journal

    def games(self) -> list[GameRow]:
        """All games of the journal, oldest first."""
        return self.journal.games()

    def lines(self, game: int | None = None) -> list[Line]:
        """The judged events of a game (None: of the latest one), in their order."""
        rows = self.games()
        if game is None:
            return self.journal.lines(rows[-1].id) if rows else []
        return self.journal.lines(game)

    @property
    def idle(self) -> bool:
        """Whether nothing has moved for a while: a camera then skips pictures (hardware.streams.can_skip)."""
        return self.app.idle_detector()

    # --- inside -------------------------------------------------------------------------------------------

    def _next_moment(self) -> float:
        """The next moment at which something may happen by itself."""
        waits = self.clock() + WAITING_S if self.app.table.waits else math.inf
        late = self._late[0][0] if self._late else math.inf
        return min(waits, self._next_check, late, self.app.gate.next_release)

    def _came_up(self, source: str) -> None:
        if not self._up.get(source):
            self.source_changed(source, True)

    def _settle(self) -> None:
        """Steps the table until nothing is left to be judged now."""
        self.app.table.step()
        while not self.app.table.caught_up:
            self.app.table.step()


def _time_of(sound: WaitingSound) -> float:
    """The time of a waiting block; the end of an utterance is due at once."""
    return CUT if isinstance(sound, str) else sound[1]
