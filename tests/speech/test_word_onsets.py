"""Where a word begins: noise in front of it does not count, a soft consonant does, heard or not. And where it
ends."""

import numpy as np
import pytest

from bench.speech.onsets import HiddenStart, fitted
from companion.speech.audio.levels import (
    EDGE_ABOVE_BACKGROUND_DB,
    EDGE_BELOW_PEAK_DB,
    FRAME_S,
    GAP_FRAMES,
    Levels,
    hidden_db,
    trim,
)

NOISE_DB = -40.0


def word_at(background_db: float, before: list[float]) -> Levels:
    """Levels of a word of 0.3 s that begins at 2.0 s, with these levels of single frames in front of it."""
    levels = np.full(400, background_db, np.float32)
    levels[200 - len(before) : 200] = before
    levels[200:230] = -20.0
    return levels


def found_at(levels: Levels, one_word: bool = True) -> float:
    span = trim(levels, 1.9, 2.3, NOISE_DB, one_word=one_word)
    assert span is not None
    return span[0]


def test_a_burst_of_noise_in_front_of_a_word_is_not_its_beginning() -> None:
    burst = [-30.0] * 4 + [NOISE_DB] * (GAP_FRAMES + 1)
    assert found_at(word_at(NOISE_DB, burst)) == pytest.approx(2.0)
    assert found_at(word_at(NOISE_DB, burst), one_word=False) < 1.9


def test_what_is_close_in_front_of_the_loud_part_belongs_to_the_word() -> None:
    consonant = [-30.0] * 5 + [NOISE_DB] * (GAP_FRAMES - 2)
    begun = 2.0 - len(consonant) * FRAME_S
    assert found_at(word_at(NOISE_DB, consonant)) == pytest.approx(begun)


def test_where_it_is_quiet_a_long_gap_is_part_of_the_word() -> None:
    levels = word_at(-75.0, [-30.0] * 4 + [-75.0] * (GAP_FRAMES + 1))
    span = trim(levels, 1.9, 2.3, -75.0)
    assert span is not None
    assert span[0] < 1.9


def test_noise_hides_as_much_of_a_word_as_it_covers_of_its_levels() -> None:
    levels = word_at(NOISE_DB, [])
    hidden = NOISE_DB + EDGE_ABOVE_BACKGROUND_DB - (-20.0 - EDGE_BELOW_PEAK_DB)
    assert hidden_db(levels, 1.9, 2.3, NOISE_DB) == pytest.approx(hidden)
    span = trim(levels, 1.9, 2.3, NOISE_DB, hidden_s=0.002)
    assert span is not None
    assert span[0] == pytest.approx(2.0 - 0.002 * hidden)


def test_in_a_quiet_room_nothing_of_a_word_is_hidden() -> None:
    levels = word_at(-75.0, [])
    assert hidden_db(levels, 1.9, 2.3, -75.0) == 0.0
    assert trim(levels, 1.9, 2.3, -75.0, hidden_s=0.002) == trim(levels, 1.9, 2.3, -75.0)


def test_a_word_ends_where_vosk_puts_its_end_if_noise_hides_a_soft_consonant() -> None:
    levels = word_at(NOISE_DB, [])
    assert trim(levels, 1.9, 2.5, NOISE_DB) == pytest.approx((2.0, 2.5))
    assert trim(levels, 1.9, 2.5, NOISE_DB, one_word=False) == pytest.approx((2.0, 2.3))


def test_a_word_in_a_quiet_room_ends_where_it_is_no_longer_heard() -> None:
    assert trim(word_at(-75.0, []), 1.9, 2.5, -75.0) == pytest.approx((2.0, 2.3))


def test_a_word_never_begins_before_the_sound() -> None:
    levels = np.full(60, NOISE_DB, np.float32)
    levels[2:40] = -20.0
    span = trim(levels, 0.0, 0.4, NOISE_DB, hidden_s=0.1)
    assert span is not None
    assert span[0] == 0.0


def test_the_fit_finds_how_slowly_each_word_begins() -> None:
    noise = (2.0, 8.0, 15.0)
    starts = [HiddenStart("three", db, 0.0018 * db) for db in noise]
    starts += [HiddenStart("two", db, 0.0) for db in noise]
    assert fitted(starts) == pytest.approx({"three": 0.0018})


@pytest.mark.parametrize(
    ("behind", "end"),
    [
        ([*[-62.0] * 10, *[-48.0] * 20], 2.6),  # the "s" of "six"
        ([-62.0] * 30, 2.3),
        (np.linspace(-47.0, -60.0, 30).tolist(), 2.3),  # an echo
        ([*[-62.0] * 10, *[-59.0] * 20], 2.3),  # below what counts as above the background
    ],
)
def test_where_it_is_quiet_a_word_ends_behind_a_soft_sound_that_rises_again(
    behind: list[float], end: float
) -> None:
    levels = np.full(400, -62.0, np.float32)
    levels[200:230] = -20.0
    levels[230 : 230 + len(behind)] = behind
    span = trim(levels, 1.9, 2.7, -62.0)
    assert span is not None
    assert span[1] == pytest.approx(end)
