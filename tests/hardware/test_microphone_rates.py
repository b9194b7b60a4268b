"""Microphones with other rates and channels than 16 kHz mono: the sound, its channels and its exact time."""

import sys
from collections.abc import Callable

import numpy as np
import pytest
from sound_card import Device, FakePortAudio, device

from companion.core.errors import Unavailable
from hardware.arrays import ChannelChoice
from hardware.microphone import RATE, Microphone, OtherRate
from hardware.streams import Block

START = 100.0
CLICK_S = 1.5
Plugged = Callable[..., FakePortAudio]


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Plugged:
    def plug(one: Device, *rates: int) -> FakePortAudio:
        fake = FakePortAudio(devices=[one], rates=rates)
        monkeypatch.setitem(sys.modules, "sounddevice", fake)
        return fake

    return plug


class Clock:
    now = START

    def __call__(self) -> float:
        return self.now


def tone(rate: int, seconds: float) -> np.ndarray:
    """A tone of 1 kHz that swells for 2 ms at CLICK_S."""
    t = np.arange(round(rate * seconds)) / rate
    swell = np.exp(-(((t - CLICK_S) / 0.002) ** 2))
    return np.asarray(np.round(8000 * np.cos(2 * np.pi * 1000 * (t - CLICK_S)) * swell), np.int16)


def heard(
    fake: FakePortAudio, opened: Microphone, clock: Clock, sound: np.ndarray, rate: int, start: float = START
) -> list[Block]:
    """What the microphone gives for sound (samples x channels) that the card delivers at `rate`."""
    blocks = iter(opened)
    size = fake.streams[-1].blocksize
    given: list[Block] = []
    for at in range(0, len(sound) - size + 1, size):
        clock.now = start + (at + size) / rate + 0.003
        fake.give(sound[at : at + size], adc=start + at / rate)
    opened._stall_s = 0.01
    try:
        given.extend(blocks)
    except Unavailable as error:
        if error.code != "microphone.silent":
            raise
    return given


@pytest.mark.parametrize("rate", [48_000, 44_100, 32_000, 22_050, 96_000])
def test_a_microphone_with_another_rate_gives_16_khz_at_the_right_time(plugged: Plugged, rate: int) -> None:
    clock, fake = Clock(), plugged(device("USB Mic", 1, float(rate)), rate)
    opened = Microphone("", 1.0, clock)
    blocks = heard(fake, opened, clock, tone(rate, 3.0)[:, None], rate)
    assert opened.rate == rate
    assert {block.rate for block in blocks} == {RATE}
    sound = np.concatenate([block.samples for block in blocks]).astype(float)
    times = np.concatenate([block.t + np.arange(len(block.samples)) / RATE for block in blocks])
    assert len(sound) > 2.8 * RATE
    peak = times[np.abs(sound).argmax()]
    assert peak == pytest.approx(START + CLICK_S, abs=1.0 / RATE)
    wanted = 8000 * np.cos(2 * np.pi * 1000 * (times - START - CLICK_S))
    wanted *= np.exp(-(((times - START - CLICK_S) / 0.002) ** 2))
    assert np.abs(sound - wanted).max() < 8000 * 0.02
    assert not any(block.gap for block in blocks)


def test_a_stereo_microphone_is_heard_in_the_configured_channel(plugged: Plugged) -> None:
    clock, fake = Clock(), plugged(device("I2S card", 2, 48_000.0), 48_000)
    opened = Microphone("", 1.0, clock, ChannelChoice(heard=1))
    sound = np.zeros((48_000, 2), np.int16)
    sound[:, 1] = 500
    blocks = heard(fake, opened, clock, sound, 48_000)
    assert fake.streams[-1].channels == 2
    assert np.median(blocks[-1].samples) == 500
    assert blocks[-1].array is None


def test_a_known_array_hands_its_raw_channels_on(plugged: Plugged) -> None:
    clock = Clock()
    fake = plugged(device("ReSpeaker 4 Mic Array (UAC1.0): USB Audio (hw:2,0)", 6), 16_000)
    opened = Microphone("", 1.0, clock)
    sound = np.tile(np.arange(10, 70, 10, dtype=np.int16), (9_600, 1))
    first = heard(fake, opened, clock, sound, 16_000)[0]
    assert int(first.samples[0]) == 10
    assert first.array is not None
    assert first.array.samples.shape == (len(first.samples), 4)
    assert first.array.samples[0].tolist() == [20, 30, 40, 50]
    assert first.array.radius_m == pytest.approx(0.032)


def test_the_raw_channels_keep_their_time_when_they_are_resampled(plugged: Plugged) -> None:
    clock, fake = Clock(), plugged(device("Some array", 4, 48_000.0), 48_000)
    opened = Microphone("", 1.0, clock, ChannelChoice(0, (3, 2, 1), 0.05))
    sound = np.zeros((96_000, 4), np.int16)
    for channel in range(4):
        sound[:, channel] = np.roll(tone(48_000, 2.0), 3 * channel)
    blocks = heard(fake, opened, clock, sound, 48_000)
    raw = np.concatenate([block.array.samples for block in blocks if block.array is not None])
    peaks = [int(np.abs(raw[:, microphone].astype(int)).argmax()) for microphone in range(3)]
    assert [peaks[0] - peaks[1], peaks[1] - peaks[2]] == [1, 1]
    assert blocks[0].array is not None
    assert blocks[0].array.radius_m == 0.05


def test_the_array_with_firmware_for_one_channel_is_a_plain_microphone(plugged: Plugged) -> None:
    plugged(device("ReSpeaker 4 Mic Array (UAC1.0)", 1), 16_000)
    assert Microphone("", 1.0, Clock()).channels.raw == ()


def test_a_known_array_is_preferred_to_the_default(plugged: Plugged) -> None:
    fake = plugged(device("Webcam"), 16_000)
    fake.devices = [device("Webcam"), device("ReSpeaker 4 Mic Array", 6)]
    Microphone("", 1.0, Clock())
    assert fake.streams[-1].device == 1
    Microphone("webcam", 1.0, Clock())
    assert fake.streams[-1].device == 0


def test_channels_that_the_device_does_not_have_are_named(plugged: Plugged) -> None:
    plugged(device("USB Mic", 2), 16_000)
    with pytest.raises(Unavailable, match="USB Mic has 2 channels and none with number 4"):
        Microphone("", 1.0, Clock(), ChannelChoice(0, (1, 2, 3, 4)))


def test_samples_lost_before_resampling_are_a_gap_and_the_time_is_right_again(plugged: Plugged) -> None:
    clock, fake = Clock(), plugged(device("USB Mic", 1, 48_000.0), 48_000)
    opened = Microphone("", 1.0, clock)
    heard(fake, opened, clock, tone(48_000, 1.2)[:, None], 48_000)
    clock.now = START + 2.063
    fake.give(np.zeros((2_880, 1), np.int16), adc=START + 2.0, overflow=True)
    blocks = heard(fake, opened, clock, tone(48_000, 3.0)[:, None], 48_000, START + 2.06)
    assert [block.gap for block in blocks].count(True) == 1
    assert blocks[0].gap
    sound = np.concatenate([block.samples for block in blocks])
    times = np.concatenate([block.t + np.arange(len(block.samples)) / RATE for block in blocks])
    assert times[np.abs(sound.astype(int)).argmax()] == pytest.approx(START + 2.06 + CLICK_S, abs=1.0 / RATE)


def test_a_device_that_delivers_another_rate_is_noticed_and_taken_at_that_rate(plugged: Plugged) -> None:
    clock, fake, rates = Clock(), plugged(device("USB Mic", 1, 48_000.0), 48_000), dict[int, int]()
    opened = Microphone("", 1.0, clock, None, rates)
    with pytest.raises(OtherRate, match="44100 samples a second instead of 48000"):
        heard(fake, opened, clock, np.zeros((44_100 * 12, 1), np.int16), 44_100)
    again = Microphone("", 1.0, clock, None, rates)
    assert again.rate == 44_100
    blocks = heard(fake, again, clock, tone(44_100, 12.0)[:, None], 44_100, clock.now)
    assert sum(len(block.samples) for block in blocks) == pytest.approx(12.0 * RATE, rel=0.01)


def test_samples_lost_once_are_not_taken_for_another_rate(plugged: Plugged) -> None:
    clock, fake, rates = Clock(), plugged(device("USB Mic", 1, 48_000.0), 48_000), dict[int, int]()
    opened = Microphone("", 1.0, clock, None, rates)
    silence = np.zeros((48_000 * 6, 1), np.int16)
    heard(fake, opened, clock, silence, 48_000)
    heard(fake, opened, clock, silence, 48_000, START + 6.5)
    heard(fake, opened, clock, silence, 48_000, START + 12.5)
    assert rates == {}


def test_no_rate_that_is_offered(plugged: Plugged) -> None:
    plugged(device("Telephone", 1, 8_000.0), 8_000)
    with pytest.raises(Unavailable, match="Invalid sample rate"):
        Microphone("", 1.0, Clock())
