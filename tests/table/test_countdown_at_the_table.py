"""The companion's own countdown of Bugs & Co: planned, without drift, cancelled by an undo (BUGS-R4)."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.announce.announcement import Announcement
from companion.announce.outputs import Cue

Bench = Any
START = 1000.0


class Buzzer:
    """What an output of the announcer was told, at which moment."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.cues: list[tuple[float, str]] = []

    def withdraw(self, about: object = None) -> None:
        """Nothing waits here."""

    def put(self, announcement: Announcement) -> None:
        self.given.append(announcement.code)

    def plan(self, cues: Sequence[Cue]) -> None:
        self.cues = [(round(cue.at - START, 3), words(cue.announcement)) for cue in cues]


def words(announcement: Announcement) -> str:
    number = announcement.params.get("number")
    return announcement.code if number is None else str(number)


@pytest.fixture
def buzzer(bench: Bench) -> Buzzer:
    """A game of two in which the last trophy is taken after five seconds."""
    buzzer = Buzzer()
    bench.table._announcer.connect(buzzer)
    bench.begin("bugs_and_co", "Ida", "Jo", countdown="companion")
    bench.event("game_started", t=0.0)
    trophies = bench.shown["state"]["trophies"]
    players = iter(("Ida", "Jo"))
    for value in trophies:
        bench.at(5.0).event("trophy_taken", player=next(players), value=value, t=5.0)
    assert bench.shown["phase"] == "countdown", bench.shown["state"]
    return buzzer


def test_the_whole_countdown_is_planned_from_its_start(bench: Bench, buzzer: Buzzer) -> None:
    ticks = [(6.0 + i, str(9 - i)) for i in range(9)]
    assert buzzer.cues == [*ticks, (15.0, "countdown_over")]
    for seconds in (6.05, 6.4, 7.31, 8.07):  # whenever the table turns, the moments stay
        bench.at(seconds).step()
        assert [cue for cue in buzzer.cues if cue[0] > seconds] == [
            cue for cue in [*ticks, (15.0, "countdown_over")] if cue[0] > seconds
        ]
    assert "counted" in buzzer.given, "ten is said when the trophy is taken"
    assert buzzer.given.count("counted") == 1, "the others were given at their moments"
    assert bench.given[-1] == "seven"


def test_stop_is_said_once_and_the_scoring_begins(bench: Bench, buzzer: Buzzer) -> None:
    for tenth in range(50, 160):
        bench.at(tenth / 10).step()
    assert bench.shown["phase"] == "scoring"
    assert bench.given[-1] == "Stop!"
    assert "countdown_over" not in buzzer.given
    assert buzzer.cues == []


def test_a_number_is_not_counted_before_its_moment_and_a_millisecond(bench: Bench, buzzer: Buzzer) -> None:
    """Without a sense that could report late, the clock alone decides; a press has 60 ms."""
    ticks = [entry for entry in bench.log if entry["source"] == "clock"]
    assert ticks == []
    for seconds in (5.9995, 6.0, 6.001, 6.059):
        bench.at(seconds).step()
        assert not [entry for entry in bench.log if entry["source"] == "clock"]
    bench.at(6.0605).step()
    assert [entry["event"]["t"] for entry in bench.log if entry["source"] == "clock"] == [6.001]


def test_without_senses_a_deadline_has_run_out_a_millisecond_after_it(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.do("go_on")
    bench.at(5.0).event("card_played", player="Ida", card="racketeer", t=5.0)
    for seconds in (7.9995, 8.0, 8.001):
        bench.at(seconds).step()
        assert bench.verdicts == []
    bench.at(8.0015).step()
    assert bench.verdicts == ["too_late"]


def test_an_undo_takes_the_trophy_and_its_countdown_back(bench: Bench, buzzer: Buzzer) -> None:
    bench.at(7.5).step()
    trophy = next(entry["n"] for entry in reversed(bench.log) if entry["event"]["event"] == "trophy_taken")
    assert bench.log[-1]["source"] == "clock"
    assert bench.do("undo", n=bench.log[-1]["n"])["code"] == "meanwhile", "a tick is no move"
    said = len(bench.given)
    assert bench.do("undo", n=trophy)["ok"]
    first = bench.log[trophy - 1]["text"].splitlines()[0]
    assert bench.given[said:] == [f"Taken back: {first}"]
    assert bench.shown["phase"] == "play"
    assert bench.log[trophy - 1]["undone"]
    assert buzzer.cues == []
    bench.at(60.0).step()
    assert bench.shown["phase"] == "play"
    bench.restart()
    assert bench.shown["phase"] == "play"


def test_the_referees_button_takes_a_countdown_back_as_well(bench: Bench, buzzer: Buzzer) -> None:
    from companion.core.observations import Press

    bench.at(7.5).step()
    bench.put(Press(START + 7.6, "referee"))
    bench.at(8.0).step()
    assert bench.shown["phase"] == "play"


@pytest.mark.parametrize(("moment", "verdicts"), [(14.999, []), (15.002, ["must_stop"])])
def test_the_kernels_time_of_a_press_decides(
    bench: Bench, buzzer: Buzzer, moment: float, verdicts: list[str]
) -> None:
    """A tile taken in the last millisecond before the end is taken, although the table hears of it after."""
    for tenth in range(50, 151):
        bench.at(tenth / 10).step()
    bench.at(15.04)
    bench.table.step()
    bench.table.submit(press(moment))
    bench.step()
    bench.at(15.2).step()
    bench.step()
    assert bench.shown["phase"] == "scoring"
    assert bench.rejected == []
    assert bench.verdicts == verdicts


def press(moment: float) -> Any:
    from companion.core.observations import Press

    return Press(START + moment, "seat 2")


@pytest.fixture
def counting(bench: Bench) -> Bench:
    """A game of two in which the players count aloud, from five seconds on."""
    bench.begin("bugs_and_co", "Ida", "Jo", countdown="heard")
    bench.up("microphone")
    bench.event("game_started", t=0.0)
    bench.at(5.0).event("trophy_taken", player="Ida", value=3, t=5.0)
    assert bench.shown["phase"] == "countdown", bench.shown["state"]
    return bench


def test_numbers_that_were_not_made_out_do_not_stop_the_countdown(counting: Bench) -> None:
    counting.at(6.0).says("ten")
    counting.at(9.0).says("seven")
    assert counting.shown["state"]["countdown"] == 7
    assert counting.log[-1]["event"]["words"] == ["nine", "eight", "seven"]
    for number, word in enumerate(("six", "five", "four", "three", "two")):
        counting.at(10.0 + number).says(word)
    counting.at(16.0).says("stop")
    assert counting.shown["phase"] == "scoring"


def test_a_number_that_comes_too_early_is_passed_over(counting: Bench) -> None:
    counting.at(6.0).says("ten")
    counting.at(6.6).says("seven")
    assert counting.shown["state"]["countdown"] == 10
    counting.at(7.6).says("nine")
    counting.at(12.0).says("four")
    assert counting.shown["state"]["countdown"] == 9, "four numbers are more than can be missed"
