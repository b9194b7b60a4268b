"""Evidence of a call: loud in its room, surely found, as loud as the caller; and what may be a slip."""

import numpy as np
import pytest

from companion.speech.audio.wav import RATE
from companion.speech.recognition import other_speech
from companion.speech.recognition.kept_sounds import MIN_ROOM_S, KeptSounds
from companion.speech.recognition.other_speech import CallEvidence, Found, evidence, probability
from companion.speech.recognition.slips import is_slip
from companion.speech.recognition.weigher import WeighingReasons

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven")


def test_a_sound_is_measured_by_the_room_and_by_the_callers_calls() -> None:
    found = evidence("other", -20.0, -32.0, -10.0, 50.0, 3.0)
    assert (found.above_room_db, found.softer_db, found.log_ratio) == (
        12.0,
        10.0,
        other_speech.MAX_LOG_RATIO,
    )
    assert evidence("other", -20.0, -10.0, -30.0).above_room_db == 0.0
    assert evidence("other", -20.0, -70.0, -30.0).above_room_db == other_speech.MAX_ABOVE_ROOM_DB
    assert evidence("other", -20.0, -70.0, None).softer_db == 0.0


def test_each_piece_of_evidence_counts_in_its_direction() -> None:
    best = probability(CallEvidence("other", 20.0, 0.0, 20.0, 4.0))
    worse = [
        CallEvidence("other", 5.0, 0.0, 20.0, 4.0),
        CallEvidence("other", 20.0, 15.0, 20.0, 4.0),
        CallEvidence("other", 20.0, 0.0, 0.0, 4.0),
        CallEvidence("other", 20.0, 0.0, 20.0, -4.0),
    ]
    assert all(probability(one) < best for one in worse)
    assert best > 0.95


@pytest.mark.parametrize("found", ["other", "on gun"])
def test_talk_as_loud_as_the_room_accuses_nobody(found: Found) -> None:
    assert probability(CallEvidence(found, 2.0, 0.0, 6.0, 0.0)) < 0.5


def test_doubtful_words_stay_below_an_accusation() -> None:
    clear = CallEvidence("other", 20.0, 0.0, 20.0, 4.0)
    assert WeighingReasons(0.01, clear, False).weighed(()).wrong > 0.9
    assert WeighingReasons(0.01, clear, True).weighed(()).wrong == 0.5
    found = WeighingReasons(0.9, CallEvidence("right", 20.0, 0.0), False).weighed(())
    assert found.right > 0.8
    assert found.right + found.wrong < 1.0


def test_who_miscounts_is_near_the_right_number() -> None:
    assert is_slip(["four"], [("five",)], NUMBERS)
    assert is_slip(["five", "six"], [("four", "five")], NUMBERS)
    assert is_slip(["seven"], [("four",), ("six",)], NUMBERS), "one of several right calls is near"
    assert not is_slip(["four"], [("two",)], NUMBERS)
    assert not is_slip(["three"], [("six",)], NUMBERS), "misheard"
    assert not is_slip(["seven", "three"], [("seven", "six")], NUMBERS)
    assert not is_slip(["four", "five"], [("four",)], NUMBERS), "the right call, and another voice perhaps"
    assert is_slip(["four", "five"], [("five", "six")], NUMBERS)
    assert is_slip(["three"], [("hmmrrr",)], NUMBERS), "no number is due"
    assert is_slip(["three"], [], NUMBERS), "nothing may be said"


def hiss(seconds: float, amplitude: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=round(seconds * RATE)) * amplitude).astype(np.int16)


def test_the_room_is_what_is_heard_between_the_calls() -> None:
    sounds = KeptSounds()
    assert sounds.room_level(5.0, []) is None
    parts = [hiss(1.0, 3000 if place in (4, 6) else 30, place) for place in range(10)]
    for place, part in enumerate(parts):
        sounds.hear(part, RATE, 100.0 + place)
    calls = [(104.0, 105.0), (106.0, 107.0)]
    quiet = sounds.room_level(109.5, calls)
    talk = sounds.room_level(109.5, calls[:1])
    assert quiet is not None
    assert talk is not None
    assert quiet == pytest.approx(20 * np.log10(30 / 32768), abs=2.0)
    assert talk > quiet + 30.0, "what nobody called counts"
    assert sounds.room_level(100.0 + MIN_ROOM_S / 2, []) is None
