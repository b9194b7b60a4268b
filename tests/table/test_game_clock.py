"""The time of a game stands still while nobody can act."""

import pytest

from companion.table.game_clock import GameClock


def test_time_counts_from_the_start_in_milliseconds() -> None:
    clock = GameClock(100.0)
    assert clock.time(103.00049) == 3.0
    assert clock.time(99.0) == 0.0
    assert clock.moment(3.0) == 103.0


def test_a_pause_takes_time_out() -> None:
    clock = GameClock(100.0, elapsed=7.5)
    clock.pause(100.0, "resumed")
    assert clock.time(400.0) == 7.5
    clock.go_on(400.0, "resumed")
    assert clock.time(400.0) == 7.5
    assert clock.time(401.25) == 8.75
    assert clock.paused is None


def test_time_runs_again_when_no_reason_is_left() -> None:
    clock = GameClock(0.0)
    clock.pause(10.0, "question")
    clock.pause(12.0, "microphone")
    clock.go_on(15.0, "question")
    assert clock.paused == "microphone"
    assert clock.time(15.0) == 10.0
    clock.go_on(20.0, "microphone")
    assert clock.time(21.0) == 11.0


def test_a_reason_that_was_none_changes_nothing() -> None:
    clock = GameClock(0.0)
    clock.go_on(5.0, "question")
    assert clock.time(6.0) == 6.0


def test_what_happens_during_a_question_keeps_its_time() -> None:
    clock = GameClock(0.0)
    clock.ask(5.0)
    assert clock.paused == "question"
    assert clock.time(5.5) == 5.5
    clock.ask(5.9)
    clock.answered(30.0)
    assert clock.paused is None
    assert clock.time(30.0) == 5.9
    assert clock.time(31.0) == 6.9


def test_a_pause_inside_a_question_is_taken_out_once() -> None:
    clock = GameClock(0.0)
    clock.ask(5.0)
    clock.pause(10.0, "microphone")
    clock.go_on(20.0, "microphone")
    clock.answered(30.0)
    assert clock.time(30.0) == 5.0


def test_a_question_answered_inside_a_pause() -> None:
    clock = GameClock(0.0)
    clock.ask(5.0)
    clock.pause(10.0, "microphone")
    clock.answered(20.0)
    assert clock.paused == "microphone"
    clock.go_on(30.0, "microphone")
    assert clock.time(30.0) == 5.0


def test_what_happened_before_a_pause_keeps_its_time() -> None:
    clock = GameClock(0.0)
    clock.pause(10.0, "question")
    assert clock.time(9.5) == pytest.approx(9.5)


def test_a_game_is_set_back_and_never_forward() -> None:
    clock = GameClock(0.0)
    clock.rewind(10.0, 4.0, "resumed")
    assert clock.paused == "resumed"
    assert clock.time(10.0) == 4.0
    clock.go_on(12.0, "resumed")
    assert clock.time(13.0) == 5.0
    clock.rewind(13.0, 99.0, "resumed")
    assert clock.time(13.0) == 5.0


def test_a_clock_that_goes_back_takes_nothing_out() -> None:
    clock = GameClock(0.0)
    clock.pause(10.0, "microphone")
    clock.go_on(9.0, "microphone")
    assert clock.time(11.0) == 11.0
    clock.ask(12.0)
    clock.answered(11.0)
    assert clock.time(13.0) == 13.0


def test_the_first_reason_by_the_alphabet_is_named() -> None:
    clock = GameClock(0.0)
    clock.pause(1.0, "resumed")
    clock.pause(2.0, "microphone")
    clock.ask(3.0)
    assert clock.paused == "microphone"


def test_something_that_happens_in_a_pause_is_asked_about_without_taking_the_pause_out_twice() -> None:
    clock = GameClock(0.0)
    clock.pause(5.0, "microphone")
    clock.ask(8.0)
    clock.go_on(10.0, "microphone")
    clock.answered(14.0)
    assert clock.time(14.0) == 5.0, "five seconds of pause and four of the question are taken out"


def test_what_happened_before_a_question_was_answered_keeps_its_time_and_order() -> None:
    clock = GameClock(0.0)
    clock.ask(5.0)
    clock.answered(8.0)
    clock.ask(9.0)
    clock.answered(9.5)
    moments = (4.0, 5.0, 6.5, 8.0, 9.0, 9.5, 10.0)
    assert [clock.time(moment) for moment in moments] == [4.0, 5.0, 5.0, 5.0, 6.0, 6.0, 6.5]
    assert clock.moment(6.5) == 10.0


def test_the_oldest_pauses_of_a_long_evening_are_forgotten() -> None:
    clock = GameClock(0.0)
    for start in range(0, 2000, 10):
        clock.pause(start, "resumed")
        clock.go_on(start + 4, "resumed")
    assert clock.time(2000.0) == 1200.0
    assert clock.moment(1200.0) == 2000.0
