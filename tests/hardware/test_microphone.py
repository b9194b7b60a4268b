"""The microphone against what PortAudio does: blocks with their time, lost samples, a silent end."""

import sys
from collections.abc import Callable

import numpy as np
import pytest
from sound_card import FakePortAudio

from companion.core.errors import Unavailable
from hardware import microphone
from hardware.streams import Stalled

Plugged = Callable[..., FakePortAudio]


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Plugged:
    def make(fails: str = "") -> FakePortAudio:
        fake = FakePortAudio(fails)
        monkeypatch.setitem(sys.modules, "sounddevice", fake)
        return fake

    return make


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def play(fake: FakePortAudio, adc: float, overflow: bool = False, level: int = 7) -> None:
    """The sound card gives one block, `adc` being its time of the first sample."""
    fake.give(np.full((320, 1), level, np.int16), adc, overflow)


def test_blocks_carry_the_time_of_their_first_sample(card: Plugged) -> None:
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


def test_a_time_of_another_clock_is_not_believed(card: Plugged) -> None:
    fake, clock = card(), Clock()
    opened = microphone.Microphone("", 1.0, clock)
    play(fake, adc=1.7e9)
    assert next(iter(opened)).t == pytest.approx(100.0 - 0.02)


def test_lost_samples_are_a_gap(card: Plugged) -> None:
    fake, clock = card(), Clock()
    opened = microphone.Microphone("", 1.0, clock)
    play(fake, adc=99.98)
    clock.now = 103.02
    play(fake, adc=103.0, overflow=True)
    first, second = next(iter(opened)), next(iter(opened))
    assert (first.gap, second.gap) == (False, True)
    assert second.t == pytest.approx(103.0)


def test_a_microphone_that_falls_silent_was_unplugged(card: Plugged) -> None:
    card()
    opened = microphone.Microphone("", 0.05, Clock())
    with pytest.raises(Stalled, match="still plugged in"):
        next(iter(opened))


def test_the_list_of_devices_is_a_new_one_each_time(card: Plugged) -> None:
    fake = card()
    microphone.Microphone("", 1.0, Clock())
    microphone.Microphone("", 1.0, Clock())
    assert fake.restarts == 2


def test_a_microphone_is_found_by_a_part_of_its_name(card: Plugged) -> None:
    fake = card()
    microphone.Microphone("table mic", 1.0, Clock())
    assert fake.streams[-1].device == 1
    assert microphone.microphones() == ["USB Table Mic: Audio"]
    with pytest.raises(Unavailable, match="there is no microphone named HDMI"):
        microphone.Microphone("HDMI", 1.0, Clock())


def test_why_there_is_no_microphone(card: Plugged, monkeypatch: pytest.MonkeyPatch) -> None:
    card(fails="Error querying device -1")
    with pytest.raises(Unavailable, match="plug one in"):
        microphone.Microphone("", 1.0, Clock())
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(Unavailable, match="sudo apt install libportaudio2"):
        microphone.microphones()
