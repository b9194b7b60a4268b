"""The microphone against what PortAudio does: blocks with their time, lost samples, a silent end."""

import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.core.errors import Unavailable
from hardware import microphone
from hardware.streams import Stalled

DEVICES = [
    {"name": "HDMI", "max_input_channels": 0},
    {"name": "USB Table Mic: Audio", "max_input_channels": 1},
]


class Fake(types.ModuleType):
    """A module that behaves as sounddevice does; the test plays the sound card."""

    class PortAudioError(Exception):
        pass

    def __init__(self, fails: str = "") -> None:
        super().__init__("sounddevice")
        self.fails = fails
        self.restarts = 0
        self.streams: list[Any] = []

    def _terminate(self) -> None:
        self.restarts += 1

    def _initialize(self) -> None: ...

    def query_devices(self) -> list[dict[str, Any]]:
        return DEVICES

    def InputStream(self, **named: Any) -> Any:  # noqa: N802 - sounddevice's name
        if self.fails:
            raise self.PortAudioError(self.fails)
        self.streams.append(types.SimpleNamespace(**named, aborted=False))
        stream = self.streams[-1]
        stream.start = lambda: None
        stream.abort = lambda ignore_errors: setattr(stream, "aborted", True)
        stream.close = lambda ignore_errors: None
        return stream


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Fake]:
    def make(fails: str = "") -> Fake:
        fake = Fake(fails)
        monkeypatch.setitem(sys.modules, "sounddevice", fake)
        return fake

    return make


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def play(fake: Fake, adc: float, overflow: bool = False, level: int = 7) -> None:
    """The sound card gives one block, `adc` being its time of the first sample."""
    samples = np.full((320, 1), level, np.int16)
    times = types.SimpleNamespace(inputBufferAdcTime=adc)
    status = types.SimpleNamespace(input_overflow=True) if overflow else None
    fake.streams[-1].callback(samples, 320, times, status)
    samples[:] = 0  # PortAudio uses its buffer again


def test_blocks_carry_the_time_of_their_first_sample(card: Callable[..., Fake]) -> None:
    fake, clock = card(), Clock()
    opened = microphone.Microphone("", 1.0, clock)
    blocks = iter(opened)
    for i in range(3):
        clock.now = 100.0 + (i + 1) * 0.02 + 0.004
        play(fake, adc=100.0 + i * 0.02, level=i + 1)
    found = [next(blocks) for _ in range(3)]
    assert [round(block.t, 4) for block in found] == [100.0, 100.02, 100.04]
    assert [int(block.samples[0]) for block in found] == [1, 2, 3]
    assert not any(block.gap for block in found)
    opened.close()
    opened.close()
    assert fake.streams[0].aborted


def test_a_time_of_another_clock_is_not_believed(card: Callable[..., Fake]) -> None:
    fake, clock = card(), Clock()
    opened = microphone.Microphone("", 1.0, clock)
    play(fake, adc=1.7e9)
    assert next(iter(opened)).t == pytest.approx(100.0 - 0.02)


def test_lost_samples_are_a_gap(card: Callable[..., Fake]) -> None:
    fake, clock = card(), Clock()
    opened = microphone.Microphone("", 1.0, clock)
    play(fake, adc=99.98)
    clock.now = 103.02
    play(fake, adc=103.0, overflow=True)
    first, second = next(iter(opened)), next(iter(opened))
    assert (first.gap, second.gap) == (False, True)
    assert second.t == pytest.approx(103.0)


def test_a_microphone_that_falls_silent_was_unplugged(card: Callable[..., Fake]) -> None:
    card()
    opened = microphone.Microphone("", 0.05, Clock())
    with pytest.raises(Stalled, match="still plugged in"):
        next(iter(opened))


def test_the_list_of_devices_is_a_new_one_each_time(card: Callable[..., Fake]) -> None:
    fake = card()
    microphone.Microphone("", 1.0, Clock())
    microphone.Microphone("", 1.0, Clock())
    assert fake.restarts == 2


def test_a_microphone_is_found_by_a_part_of_its_name(card: Callable[..., Fake]) -> None:
    fake = card()
    microphone.Microphone("table mic", 1.0, Clock())
    assert fake.streams[-1].device == 1
    assert microphone.microphones() == ["USB Table Mic: Audio"]
    with pytest.raises(Unavailable, match="there is no microphone named HDMI"):
        microphone.Microphone("HDMI", 1.0, Clock())


def test_why_there_is_no_microphone(card: Callable[..., Fake], monkeypatch: pytest.MonkeyPatch) -> None:
    card(fails="Error querying device -1")
    with pytest.raises(Unavailable, match="plug one in"):
        microphone.Microphone("", 1.0, Clock())
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(Unavailable, match="sudo apt install libportaudio2"):
        microphone.microphones()
