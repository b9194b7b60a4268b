"""What the verifier learns: made-up states of a stream."""

import numpy as np

from models.speech.train.targets import CENTRED, STRIDE, WORDS, spoken, targets
from models.speech.train.words import SILENCE, UNKNOWN, pdf_table

STREAM = 133
"""Labels of a stream of four seconds, one each 30 ms."""


def states(*said: tuple[str, int, int]) -> np.ndarray:
    """(word, first label, labels) rows in silence, each word's states one after the other."""
    result = np.full(STREAM, SILENCE, np.int16)
    for word, first, count in said:
        own = np.array(pdf_table()[word])
        result[first : first + count] = own[np.arange(count) * own.size // count]
    return result


def test_words_are_found_with_their_frames() -> None:
    found = spoken(states(("two", 20, 12), ("two", 32, 12), (UNKNOWN, 60, 20), ("seven", 90, 18)))
    two, seven = WORDS.index("two"), WORDS.index("seven")
    assert found == [(60, 96, two), (96, 132, two), (270, 324, seven)]


def test_an_output_is_asked_for_the_word_in_its_middle() -> None:
    wanted = targets(states(("five", 40, 16)), 41)
    middles = np.arange(41) * STRIDE + 37.5
    away = np.abs(middles - (40 + 8) * 3)
    assert set(np.flatnonzero(wanted > 0)) == set(np.flatnonzero(away <= CENTRED))
    assert set(wanted[wanted > 0]) == {WORDS.index("five") + 1}
    assert (wanted[(away > CENTRED) & (away <= 15)] == -1).all()
    assert (wanted[away > 15] == 0).all()


def test_a_word_that_the_stream_cuts_off_is_not_asked_for() -> None:
    wanted = targets(states(("three", 0, 30), ("six", STREAM - 30, 30)), 41)
    assert not (wanted > 0).any()
    assert (wanted == -1).any()


def test_other_speech_and_silence_are_no_words() -> None:
    assert (targets(states((UNKNOWN, 30, 40)), 41) == 0).all()


def test_neighbours_do_not_hide_each_other() -> None:
    """Two words without a pause: each has outputs of its own."""
    wanted = targets(states(("one", 40, 12), ("six", 52, 12)), 41)
    one, six = WORDS.index("one") + 1, WORDS.index("six") + 1
    first, last = np.flatnonzero(wanted == one), np.flatnonzero(wanted == six)
    assert first.size >= 1
    assert last.size >= 1
    assert first.max() < last.min()
