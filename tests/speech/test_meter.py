"""The level meter: silence, a loud room, clipping and a speaker too far away are told apart."""

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.speech.audio.meter import Meter

RATE = 16000


def room(rms: float) -> NDArray[np.float64]:
    return np.random.default_rng(2).normal(0, rms, 3 * RATE)


def spoken(rms: float, peak: float) -> NDArray[np.float64]:
    sound = room(rms)
    sound[RATE : 2 * RATE] += peak * np.sin(2 * np.pi * 220 * np.arange(RATE) / RATE)
    return sound


@pytest.mark.parametrize(
    ("sound", "finding"),
    [
        (np.zeros(3 * RATE), "silent"),
        (spoken(15, 6000), ""),
        (spoken(15, 60000), "clipping"),
        (room(900), "noisy"),
        (spoken(4, 200), "too_quiet"),
        (room(15), ""),
    ],
    ids=["switched off", "good", "too loud", "loud room", "too far away", "nobody speaks"],
)
def test_what_is_wrong_with_the_microphone_is_found(sound: NDArray[np.float64], finding: str) -> None:
    meter = Meter(RATE)
    assert meter.level() is None
    samples = np.clip(sound, -32768, 32767).astype(np.int16)
    for at in range(0, samples.size, 317):
        meter.feed(samples[at : at + 317])
    level = meter.level()
    assert level is not None
    assert level.finding == finding
    assert level.background <= level.loudest


def test_a_full_scale_tone_is_near_zero_and_the_room_is_forgotten_after_seconds() -> None:
    meter = Meter(RATE)
    tone = (30000 * np.sin(2 * np.pi * 300 * np.arange(RATE) / RATE)).astype(np.int16)
    meter.feed(tone)
    level = meter.level()
    assert level is not None
    assert level.now == pytest.approx(-3.8, abs=0.5)
    meter.feed(np.zeros(5 * RATE, np.int16))
    level = meter.level()
    assert level is not None
    assert level.finding == "silent"
