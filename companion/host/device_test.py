"""Test of the devices from a phone: what is found, each button, buzzer, lamps, voice, and the microphone.

The microphone is measured only while a phone asks for it; the listening lamp is lit then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.announce.announcement import Announcement
from companion.api.devices import (
    ButtonState,
    DeviceFinding,
    DeviceState,
    LoopResult,
    MicrophoneLevel,
)
from companion.core.clock import Clock
from companion.core.config import Config
from companion.core.errors import Unavailable
from companion.core.finding import Finding
from companion.core.observations import Press
from companion.devices.button_inputs import button_pins
from companion.devices.outputs import Outputs
from companion.store.folder import DataFolder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.audio.meter import Level, Meter

WATCHED_S = 3.0
"""Seconds for which the microphone is measured after a phone has asked."""
RECHECK_S = 20.0
"""Seconds after which programs, disk and voltage are checked again."""
RISE_DB = 6.0
"""Rise of the level over the room, in dB, from which the buzzer counts as heard."""
SETTLE_S, SOUND_S = 0.6, 0.9
EXAMPLES = {"buzzer": "game_resumed", "lamps": "game_resumed", "voice": "ready"}
"""Output -> code of the announcement that tests it."""


class DeviceTest:
    """The service behind the devices page. Every method may be called from any thread."""

    def __init__(
        self,
        config: Config,
        data: DataFolder,
        clock: Clock,
        outputs: Outputs,
        on_listening: Callable[[bool], None],
    ) -> None:
        self._config = config
        self._data = data
        self._clock = clock
        self._outputs = outputs
        self._on_listening = on_listening
        self._lock = threading.Lock()
        self._meter: Meter | None = None
        self._until = 0.0
        self._pressed: dict[str, float] = {}
        self._found: tuple[float, tuple[DeviceFinding, ...]] | None = None

    # --- what comes in ------------------------------------------------------------------------------------

    def pressed(self, press: Press) -> None:
        """Stores the time of a button press."""
        self._pressed[press.button] = press.t

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes a block of sound; it is measured only while a phone watches."""
        if self._until == 0.0:
            return
        with self._lock:
            if self._clock() >= self._until:
                self._until, self._meter = 0.0, None
                self._on_listening(False)
                return
            if self._meter is None:
                from companion.speech.audio.meter import Meter

                self._meter = Meter(rate)
                self._on_listening(True)
            self._meter.feed(samples)

    # --- what the page asks -------------------------------------------------------------------------------

    def state(self) -> DeviceState:
        """What was found. Each call has the microphone measured for another WATCHED_S."""
        with self._lock:
            self._until = self._clock() + WATCHED_S
        level = self._measured()
        now = self._clock()
        return DeviceState(
            self._findings(now),
            tuple(
                ButtonState(name, pin, self._ago(name, now))
                for name, pin in button_pins(self._config).items()
            ),
            tuple(self._outputs.names),
            None
            if level is None
            else MicrophoneLevel(level.now, level.loudest, level.background, level.clipped, level.finding),
        )

    def findings(self) -> tuple[DeviceFinding, ...]:
        """What `companion doctor` checks besides the devices that this service has open."""
        return self._findings(self._clock())

    def test_output(self, name: str) -> None:
        """Gives a test announcement on buzzer, lamps or voice.

        Raises:
            Unavailable: it is not open.
        """
        self._outputs.test(name, Announcement(EXAMPLES.get(name, "ready")))

    def loop_back(self) -> LoopResult:
        """Sounds the buzzer, or the voice without a buzzer, and returns whether the microphone heard it:
        `heard`, and `rise`, by how much the level rose in dB.

        Raises:
            Unavailable: there is neither buzzer nor voice, or no microphone.
        """
        name = next((one for one in ("buzzer", "voice") if one in self._outputs.names), None)
        if name is None:
            raise Unavailable("output.no_sound")
        before = self._loudest(SETTLE_S)
        self.test_output(name)
        after = self._loudest(SOUND_S)
        return LoopResult(name, after - before >= RISE_DB, round(after - before, 1))

    def _loudest(self, seconds: float) -> float:
        """The highest level in the next seconds, in dB of full scale."""
        with self._lock:
            self._until, self._meter = self._clock() + seconds + WATCHED_S, None
        time.sleep(seconds)
        level = self._measured()
        if level is None:
            raise Unavailable("microphone.no_sound")
        return level.loudest

    def _measured(self) -> Level | None:
        with self._lock:
            return None if self._meter is None else self._meter.level()

    def _ago(self, name: str, now: float) -> float | None:
        pressed = self._pressed.get(name)
        return None if pressed is None else round(now - pressed, 1)

    def _findings(self, now: float) -> tuple[DeviceFinding, ...]:
        if self._found is None or now - self._found[0] > RECHECK_S:
            from companion.host.doctor import check_machine
            from companion.host.service_query import SERVICE

            found = check_machine(self._config, self._data, ask=False)
            self._found = (now, tuple(as_reply(one) for one in found if one.name != SERVICE))
        return self._found[1]


def as_reply(found: Finding) -> DeviceFinding:
    """A finding as the pages get it."""
    return DeviceFinding(found.name, found.there, found.what, found.remedy or "", found.needed)
