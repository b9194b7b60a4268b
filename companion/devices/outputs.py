"""Buzzer, lamps and voice: opens the configured ones and connects them to the announcer.

An output that fails is reported and does not stop the others. The ears ignore buzzer and voice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.announce.announcement import Announcement
from companion.announce.announcer import Announcer
from companion.announce.outputs import Output, Wait
from companion.announce.phrases import Phrases
from companion.announce.rhythms import LAMP, RHYTHMS, length
from companion.announce.voice import Voice
from companion.core.clock import Clock
from companion.core.config import Config
from companion.core.errors import Unavailable
from companion.core.fault_reporter import ReportFault
from companion.devices.listening_lamp import ListeningLamp

ECHO_S = 0.12
"""Seconds for which a room echoes after the companion's own sound."""

MuteInterval = Callable[[float, float], None]
"""Takes the first and the last moment of a sound that the companion makes, in seconds of the one clock."""


class Outputs:
    """The configured outputs.

    Args:
        voice: the folder of sentences that were spoken and kept.
        announcer: gives its announcements to buzzer, lamps and voice.
        mute: called with the interval of each of the companion's own sounds.
        listening_lamp: is opened and closed with the others.
        report_fault: called with the error of an output that cannot be opened or fails, and with None when it
            works.
        phrases: makes the voice's words in a language.
    """

    def __init__(
        self,
        config: Config,
        voice: Path,
        clock: Clock,
        announcer: Announcer,
        mute: MuteInterval,
        listening_lamp: ListeningLamp,
        report_fault: ReportFault,
        phrases: Callable[[str], Phrases],
    ) -> None:
        self._phrases = phrases
        self._config = config
        self._spoken = voice
        self._clock = clock
        self._report_fault = report_fault
        self._announcer = announcer
        self._mute = mute
        self._devices: list[Any] = []
        self._outputs: dict[str, Output] = {}
        self._listening_lamp = listening_lamp

    def open(self) -> None:
        """Opens all configured outputs."""
        config = self._config
        if config.buzzer.pin is not None:
            self._open("buzzer", self._buzzer)
        if config.lamps.pin is not None or config.lamps.rgb is not None:
            self._open("lamps", self._lamps)
        if self._listening_lamp.configured:
            self._open("listening lamp", self._listening_lamp.open)
        if config.voice.backend != "none":
            self._open("voice", self._voice, wanted=False)

    def close(self) -> None:
        """Silences and closes all outputs; a second call is harmless."""
        for output in self._outputs.values():
            output.stop(timeout=0.3)
        for device in self._devices:
            device.close()
        self._devices, self._outputs = [], {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the outputs that are open."""
        return tuple(self._outputs)

    def test(self, name: str, announcement: Announcement) -> None:
        """Gives an announcement on one output only.

        Raises:
            Unavailable: it is not open.
        """
        if name not in self._outputs:
            raise Unavailable("output.missing", name=name)
        self._outputs[name].put(announcement)

    # --- each of them -------------------------------------------------------------------------------------

    def _open(self, name: str, build: Callable[[], Any], *, wanted: bool = True) -> None:
        try:
            self._devices.append(build())
        except Unavailable as error:
            if wanted:
                self._report_fault(name, error)
        else:
            self._report_fault(name, None)

    def _buzzer(self) -> Any:
        from hardware.gpio import Buzzer

        wired = self._config.buzzer
        assert wired.pin is not None
        buzzer = Buzzer(
            wired.pin, passive=wired.kind == "passive", tone_hz=wired.tone_hz, active_high=wired.active_high
        )

        def sound(announcement: Announcement, wait: Wait) -> None:
            if announcement.rhythm is not None:
                self._sounds(length(announcement.rhythm))
                buzzer.play(RHYTHMS[announcement.rhythm], wait)

        self._connect("buzzer", sound)
        return buzzer

    def _lamps(self) -> Any:
        from hardware.gpio import Lamp

        wired = self._config.lamps
        lamp = Lamp(wired.pin, wired.rgb, active_high=wired.active_high)

        def show(announcement: Announcement, wait: Wait) -> None:
            if announcement.rhythm is not None:
                lamp.play(RHYTHMS[announcement.rhythm], LAMP[announcement.rhythm], wait)

        self._connect("lamps", show)
        return lamp

    def _voice(self) -> Any:
        from hardware.speaker import Espeak, Speaker

        wired, language = self._config.voice, self._config.table.language
        speaker = Speaker(wired.device)
        render = Espeak(language, wired.words_per_minute)
        voice = Voice(self._phrases(language), render, self._spoken)

        def say(announcement: Announcement, wait: Wait) -> None:
            speech = voice.speech(announcement)
            if speech is not None:
                self._sounds(speech.seconds)
                speaker.play(speech, wait)

        self._connect("voice", say)
        return speaker

    def _sounds(self, seconds: float) -> None:
        now = self._clock()
        self._mute(now, now + seconds + ECHO_S)

    def _connect(self, name: str, give: Callable[[Announcement, Wait], None]) -> None:
        output = Output(name, give, self._report_fault, self._clock)
        output.start()
        self._outputs[name] = output
        self._announcer.connect(output)


def output_pins(config: Config) -> dict[int, int]:
    """The pins of buzzer and lamps, each with the level (0, 1) at which it is off."""
    buzzer, lamps = config.buzzer, config.lamps
    pins = {pin: int(not lamps.active_high) for pin in (lamps.pin, lamps.listening, *(lamps.rgb or ()))}
    pins[buzzer.pin] = int(not buzzer.active_high)
    return {pin: level for pin, level in pins.items() if pin is not None}


def write_output_pins(config: Config, runtime: Path) -> None:
    """Writes into systemd's runtime folder which pins to turn off if this process is killed. A folder that
    cannot be written is logged and is no error."""
    from hardware import silence

    try:
        silence.note(runtime / "outputs", output_pins(config))
    except OSError as error:
        logging.getLogger(__name__).warning("after a kill buzzer and lamps stay as they are: %s", error)
