"""The sound from one seat at an array, while a television talks elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from array_sounds import RADIUS_M, RATE, as_samples, at_array, voice_like

from companion.core.observations import Utterance
from companion.core.weighing import CallDue
from companion.speech.audio.speaker_sound import SpeakerSound
from companion.speech.audio.wav import read_wav
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.direction.beam import BeamFormer
from companion.speech.direction.seats import SeatDirection, Seats
from companion.speech.direction.witness import SeatWitness
from companion.speech.model.models import find_model
from companion.speech.recognition.kept_sounds import KeptSound
from companion.speech.recognition.recogniser import Listener

FORMER = BeamFormer(4, RADIUS_M, RATE)
BLOCK = 960


def power_db(sound: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(np.square(sound.astype(np.float64))) + 1e-9))


def television(rng: np.random.Generator, seconds: float) -> np.ndarray:
    sound = at_array(voice_like(rng, seconds), 200.0)
    return np.asarray(sound + rng.normal(0, 10, sound.shape))


@pytest.mark.parametrize("seat", [20.0, 95.0, 290.0])
def test_a_television_becomes_softer_and_the_call_stays(seat: float) -> None:
    rng = np.random.default_rng(3)
    noise, call = television(rng, 3.0), at_array(voice_like(rng, 0.7), seat)
    before, during = as_samples(noise[: 2 * RATE]), noise[2 * RATE : 2 * RATE + len(call)]
    of_call = FORMER.sound_from(seat, as_samples(call), before)
    of_noise = FORMER.sound_from(seat, as_samples(during), before)
    assert of_call is not None
    assert of_noise is not None
    assert len(of_call.samples) == len(call)
    assert power_db(of_call.samples) == pytest.approx(power_db(call[:, 0]), abs=1.5)
    softer_db = power_db(during[:, 0]) - power_db(of_noise.samples)
    assert softer_db > 9.0
    assert of_noise.softer_db == pytest.approx(softer_db, abs=3.0)
    likeness = np.correlate(of_call.samples.astype(float), call.mean(axis=1), "same")
    assert abs(int(likeness.argmax()) - len(call) // 2) <= 1, "it is not later and not earlier"


def test_too_little_sound_before_tells_nothing() -> None:
    rng = np.random.default_rng(4)
    sound = as_samples(television(rng, 1.0))
    assert FORMER.sound_from(20.0, sound, sound[: RATE // 5]) is None
    assert FORMER.sound_from(20.0, sound, np.zeros((2 * RATE, 4), np.int16)) is None


def recorder_of(sound: np.ndarray) -> ArrayRecorder:
    recorder = ArrayRecorder()
    for at in range(0, len(sound) - BLOCK + 1, BLOCK):
        recorder.hear(as_samples(sound[at : at + BLOCK]), RADIUS_M, 50.0 + at / RATE, RATE)
    return recorder


def test_the_seat_of_the_caller_is_listened_to(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    noise = television(rng, 5.0)
    noise[4 * RATE : 4 * RATE + RATE // 2] += at_array(voice_like(rng, 0.5), 30.0)
    seats = Seats(tmp_path)
    witness = SeatWitness(recorder_of(noise), seats, ("Ida", "Jo"))
    assert witness.sound_of("Ida", 54.0, 54.6) is None, "the seat is not known"
    seats.keep("Ida", SeatDirection(30.0, 8.0))
    found = witness.sound_of("Ida", 54.0, 54.6)
    assert found is not None
    assert len(found.samples) == pytest.approx(0.6 * RATE, abs=2)
    assert power_db(found.samples[: RATE // 2]) > power_db(found.samples[RATE // 2 :]) + 8.0
    assert SeatWitness(ArrayRecorder(), seats, ("Ida",)).sound_of("Ida", 54.0, 54.6) is None


def test_where_nothing_is_gained_one_microphone_is_as_good(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    seats = Seats(tmp_path)
    seats.keep("Ida", SeatDirection(200.0, 8.0))  # the television's own direction
    assert SeatWitness(recorder_of(television(rng, 5.0)), seats, ("Ida",)).sound_of("Ida", 54.0, 54.6) is None


def test_what_was_muted_stays_silent() -> None:
    samples = np.concatenate([np.zeros(100, np.int16), np.full(100, 7, np.int16)])
    kept = KeptSound(3, samples, RATE, 50.0, -40.0)
    found = kept.filtered(SpeakerSound(np.full(190, 90, np.int16), 6.0))
    assert (found.number, found.start, found.background_db) == (3, 50.0, -46.0)
    assert found.samples.tolist() == [0] * 100 + [90] * 90 + [0] * 10


def test_a_call_is_weighed_by_the_sound_from_the_seat() -> None:
    """The microphone hears noise that covers the call."""
    call = read_wav("models/demo/calls/ada/seven.wav")
    rng = np.random.default_rng(7)
    noisy = np.clip(call + rng.normal(0, 4000, call.size), -32768, 32767).astype(np.int16)

    def from_seat(player: str, begin: float, end: float) -> SpeakerSound | None:
        low, high = (max(0, round((at - 100.0) * RATE)) for at in (begin, end))
        return SpeakerSound(call[low:high], 20.0) if player == "Ida" else None

    found = {}
    for player in ("Ida", "Jo"):
        listener = Listener(find_model("en"), ["five", "six", "seven"], speaker_filter=from_seat)
        heard = [*listener.feed(noisy, 100.0), *listener.flush()]
        sounds = [one for one in heard if isinstance(one, Utterance)]
        latest = Utterance((), 100.0, 100.0 + call.size / RATE, 0.0, sound=-1)
        found[player] = listener.weigh(
            sounds[0] if sounds else latest, CallDue((("seven",),), speaker=player)
        )
    assert found["Ida"].said == ("seven",)
    assert found["Ida"].right > 0.9
    assert found["Jo"].right < found["Ida"].right
