"""Bugs & Co by buttons: one a seat, or one a trophy; the kernel's time decides who was first."""

from typing import Any

from companion.core.observations import Press

Bench = Any
START = 1000.0


def begin(bench: Bench, *players: str) -> None:
    bench.begin("bugs_and_co", *players, countdown="companion")
    bench.event("game_started", t=0.0)


def test_whoever_presses_first_gets_the_highest_trophy(bench: Bench) -> None:
    """Two presses reach the table in the wrong order: their own times count (BUGS-16)."""
    begin(bench, "Ida", "Jo", "Kai")
    bench.up("microphone")
    bench.at(9.0).put(Press(START + 8.991, "seat 3"), Press(START + 8.990, "seat 1"))
    bench.at(9.3).passed()
    assert bench.shown["state"]["trophy"] == {"Ida": 3, "Jo": None, "Kai": 2}
    assert bench.shown["phase"] == "countdown"
    assert [entry["event"]["t"] for entry in bench.log[-2:]] == [8.99, 8.991]


def test_with_the_companions_own_countdown_no_press_waits_for_the_ears(bench: Bench) -> None:
    bench.begin("bugs_and_co", "Ida", "Jo", "Kai", countdown="companion")
    bench.up("microphone")
    bench.event("game_started")
    bench.at(9.0).put(Press(START + 8.99, "seat 3"))
    assert bench.shown["state"]["trophy"]["Kai"] is not None


def test_a_second_press_of_somebody_who_has_stopped_changes_nothing(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai")
    for seconds in (4.0, 5.0):
        bench.at(seconds).put(Press(START + seconds, "seat 1"))
    assert bench.shown["state"]["trophy"]["Ida"] == 3
    assert bench.verdicts == []
    assert bench.rejected == []
    assert bench.shown["phase"] == "play"


def test_a_trophys_own_button_asks_who_took_it(bench: Bench) -> None:
    begin(bench, "Ida", "Jo", "Kai")
    bench.at(4.0).put(Press(START + 4.0, "trophy 3"))
    (question,) = bench.questions
    assert question["text"] == "Who took trophy 3?"
    assert [option["label"] for option in question["options"]] == ["Ida", "Jo", "Kai", "None of these"]
    bench.at(6.0).do("answer", question=question["id"], option="Jo")
    assert bench.shown["state"]["trophy"] == {"Ida": None, "Jo": 3, "Kai": None}
    bench.at(8.0).put(Press(START + 8.0, "trophy 1"))
    assert bench.questions == [], "three players have no trophy of that value"


def test_the_last_player_is_not_asked_about(bench: Bench) -> None:
    begin(bench, "Ida", "Jo")
    bench.at(3.0).put(Press(START + 3.0, "seat 2"))
    assert bench.shown["state"]["trophy"] == {"Ida": None, "Jo": 3}
    assert bench.shown["phase"] == "countdown"


def counted(bench: Bench, taken: int) -> None:
    """A game to the end in which Jo's tiles were reported as they were taken; five of them are counted."""
    begin(bench, "Ida", "Jo")
    for _ in range(taken):
        bench.event("tile_taken", player="Jo")
    bench.at(3.0).put(Press(START + 3.0, "seat 2"))
    bench.at(30.0).step()
    assert bench.event("tiles_scored", player="Ida", tiles={"claw": 3})["ok"]
    assert bench.event("tiles_scored", player="Jo", tiles={"spiral": 3, "antenna": 2})["ok"]
    assert bench.shown["phase"] == "over"


def test_tiles_that_were_counted_otherwise_than_taken_may_be_counted_again(bench: Bench) -> None:
    counted(bench, 6)
    (question,) = bench.questions
    assert question["text"] == "Jo's tiles: 5 were counted, 6 were taken. Count them again?"
    assert bench.do("answer", question=question["id"], option="yes")["ok"]
    assert bench.shown["phase"] == "scoring"
    assert bench.event("tiles_scored", player="Jo", tiles={"spiral": 3, "antenna": 3})["ok"]
    assert (bench.questions, bench.shown["scores"]["Jo"]) == ([], 9)


def test_tiles_need_not_be_reported_one_by_one(bench: Bench) -> None:
    counted(bench, 0)
    assert bench.questions == []


def test_tiles_that_agree_raise_no_question(bench: Bench) -> None:
    counted(bench, 5)
    assert bench.questions == []
