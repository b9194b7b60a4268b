"""The hiss under what is recognised, and words too soft to be part of the call."""

import json

import numpy as np

from companion.speech.audio.dither import LEVEL, dithered
from companion.speech.audio.levels import MIN_SNR_DB
from companion.speech.recognition.word_filter import MAX_DROP_DB, heard_words


def test_the_hiss_is_quiet_and_the_same_however_a_recording_is_cut() -> None:
    silence = np.zeros(100_000, np.int16)
    whole = dithered(silence)
    cut = [dithered(silence[at : at + 960], at) for at in range(0, silence.size, 960)]
    assert np.array_equal(whole, np.concatenate(cut))
    assert 0.9 * LEVEL < whole.std() < 1.1 * LEVEL


def test_the_loudest_samples_stay_within_range() -> None:
    for peak in (-32768, 32767):
        heard = dithered(np.full(5000, peak, np.int16)).astype(int)
        assert np.abs(heard - peak).max() < 8 * LEVEL


def test_a_word_much_softer_than_the_loudest_is_not_reported() -> None:
    result = json.dumps(
        {
            "result": [
                {"word": "seven", "start": 0.5, "end": 0.9, "conf": 1.0},
                {"word": "five", "start": 1.5, "end": 1.9, "conf": 1.0},
            ]
        }
    )
    for below, expected in ((MAX_DROP_DB + 3, ["five"]), (MAX_DROP_DB - 3, ["seven", "five"])):
        levels = np.full(250, -70.0, np.float32)
        levels[50:90], levels[150:190] = -20.0 - below, -20.0
        assert [word.word for word in heard_words(result, frozenset(), 0.0, levels)] == expected


def test_a_word_that_does_not_stand_out_of_the_babble_about_it_is_not_reported() -> None:
    result = json.dumps(
        {
            "result": [
                {"word": "seven", "start": 0.5, "end": 0.9, "conf": 1.0},
                {"word": "five", "start": 2.0, "end": 2.4, "conf": 1.0},
            ]
        }
    )
    babble = -45.0 + 5.0 * np.sin(np.arange(300) / 4.0)
    for above, expected in ((MIN_SNR_DB - 5.0, ["seven"]), (MIN_SNR_DB + 8.0, ["seven", "five"])):
        levels = babble.astype(np.float32)
        levels[50:90], levels[200:240] = -25.0, -45.0 + above
        assert [word.word for word in heard_words(result, frozenset(), 0.0, levels)][
            : len(expected)
        ] == expected
        assert len(heard_words(result, frozenset(), 0.0, levels)) == len(expected)
