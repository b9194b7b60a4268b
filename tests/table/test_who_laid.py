"""The Nasty 7: a card laid by the player who should have skipped, known by the arm that laid it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.observations import Removal, Sighting
from companion.games.contract.number_words import number_word
from companion.games.nasty_7.calls import number_of
from companion.games.nasty_7.who_laid import WhoLaid

Bench = Any
ARMS = {"Ida": 90.0, "Jo": 210.0, "Kai": 330.0}
ASKED = "I am not sure: who laid this card, Kai or Jo?"


def word(racketeer: int) -> str:
    """What is said for the racketeer of this number on the pile; guns count as one."""
    return number_word(number_of(racketeer), "en")


def rounds(bench: Bench, count: int) -> float:
    """So many rounds in which everybody lays one card in turn, and a twin by Ida: Jo skips, Kai is next.
    Returns the time."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=60)
    bench.up("camera", "microphone")
    t = 5.0
    for _ in range(count):
        for player in ARMS:
            bench.at(t).lands("gun", "pile", arm=ARMS[player])
            t += 2.0
    bench.at(t).lands("twin_racketeer", "pile", arm=ARMS["Ida"])
    bench.at(t + 0.4).says(word(3 * count + 1), word(3 * count + 2))
    assert bench.verdicts[-1] == "correct"
    return t + 2.0


def test_a_card_from_the_side_of_the_skipped_player_is_that_players(bench: Bench) -> None:
    t = rounds(bench, 6)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"] + 5.0)
    assert bench.verdicts[-1] == "should_have_skipped"
    assert bench.shown["turn"] == "Jo"
    assert bench.questions == []


@pytest.mark.parametrize("arm", [ARMS["Kai"] - 8.0, None])
def test_a_card_from_the_side_of_the_next_player_is_in_turn(bench: Bench, arm: float | None) -> None:
    t = rounds(bench, 6)
    bench.at(t).lands("racketeer", "pile", arm=arm)
    bench.at(t + 0.4).says(word(21))
    assert bench.verdicts[-1] == "correct"
    assert bench.questions == []


@pytest.mark.parametrize(("answer", "verdict"), [("Jo", "should_have_skipped"), ("Kai", "correct")])
def test_while_little_is_known_of_the_sides_the_table_is_asked(
    bench: Bench, answer: str, verdict: str
) -> None:
    t = rounds(bench, 2)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"])
    (question,) = bench.questions
    assert (question["text"], question["picture"]) == (ASKED, "/photo/picture-1.jpg")
    assert [option["label"] for option in question["options"]] == ["Kai", "Jo", "None of these"]
    assert bench.do("answer", question=question["id"], option=answer)["ok"]
    bench.at(t + 0.5).says(word(9))
    assert bench.verdicts[-1] == verdict


def test_a_table_that_plays_on_agrees_that_the_card_was_laid_in_turn(bench: Bench) -> None:
    t = rounds(bench, 2)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"])
    bench.at(t + 0.4).says(word(9))
    assert len(bench.questions) == 1
    assert bench.verdicts.count("correct") == 7
    bench.at(t + 2.0).lands("racketeer", "pile", arm=ARMS["Ida"])
    bench.at(t + 2.4).says(word(10))
    assert bench.questions == []
    assert bench.verdicts.count("correct") == 9
    assert [one["event"]["player"] for one in bench.log if one["event"]["event"] == "card_played"][-2:] == [
        "Kai",
        "Ida",
    ]


def test_from_the_first_card_nobody_is_accused(bench: Bench) -> None:
    t = rounds(bench, 0)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"])
    bench.at(t + 0.4).says("three")
    assert bench.verdicts[-1] == "correct"


def picked_up(bench: Bench, count: int) -> None:
    """The pile is picked up: so many of its cards."""
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    bench.put(*(Removal(bench.now, "pile", Sighting("gun", 0.9, corners)) for _ in range(count)))
    bench.passed()


def test_whoever_picks_up_the_pile_while_the_table_asks_who_laid_a_card_should_have_skipped(
    bench: Bench,
) -> None:
    t = rounds(bench, 2)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"])
    assert len(bench.questions) == 1
    bench.at(t + 1.5)
    picked_up(bench, 8)
    assert bench.verdicts[-1] == "should_have_skipped"
    assert bench.questions == []
    assert bench.shown["state"]["stack"] == {"Ida": 17, "Jo": 25, "Kai": 18}


def test_a_card_that_hardly_was_laid_out_of_turn_was_if_its_pile_is_picked_up_at_once(bench: Bench) -> None:
    """Kai has laid no card yet: by the arm alone Jo would not be asked about."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=60)
    bench.up("camera", "microphone")
    bench.at(5.0).lands("gun", "pile", arm=ARMS["Ida"])
    bench.at(7.0).lands("twin_racketeer", "pile", arm=ARMS["Jo"])
    bench.at(7.4).says("two", "three")
    bench.at(9.0).lands("gun", "pile", arm=ARMS["Ida"])
    bench.at(11.0).lands("twin_racketeer", "pile", arm=ARMS["Jo"])
    bench.at(11.4).says("five", "six")
    bench.at(13.0).lands("twin_racketeer", "pile", arm=ARMS["Ida"])
    bench.at(13.4).says("seven", "six")
    bench.at(15.0).lands("racketeer", "pile", arm=ARMS["Jo"])
    assert (bench.questions, bench.verdicts[-1]) == ([], "correct")
    bench.at(16.5)
    picked_up(bench, 6)
    assert (bench.questions, bench.verdicts[-1]) == ([], "should_have_skipped")
    assert bench.given[-2] == "Jo played. It was a twin: Jo skips."
    assert bench.shown["state"]["stack"] == {"Ida": 17, "Jo": 23, "Kai": 20}


@pytest.mark.parametrize(("answer", "verdicts"), [("Jo", ["should_have_skipped"]), ("Kai", [])])
def test_if_nothing_is_known_of_the_sides_the_table_is_asked_who_takes_the_pile(
    bench: Bench, answer: str, verdicts: list[str]
) -> None:
    t = rounds(bench, 0)
    bench.at(t).lands("racketeer", "pile", arm=ARMS["Jo"])
    bench.at(t + 1.5)
    picked_up(bench, 2)
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option=answer)["ok"]
    assert bench.verdicts == ["correct", *verdicts]
    assert bench.shown["state"]["stack"][answer] == 21
    assert (bench.shown["turn"], bench.shown["state"]["pile"]) == (answer, 0)


def test_a_player_who_is_corrected_is_learnt_anew() -> None:
    who = WhoLaid()
    played = [{"event": "card_played", "player": "Jo", "t": float(t)} for t in range(6)]
    for event in played:
        who.saw(event["t"], 210.0)
    corrected = [{**event, "player": "Kai"} for event in played]
    assert who.out_of_turn(210.0, "Kai", "Jo", played) > 0.3
    assert who.out_of_turn(210.0, "Kai", "Jo", corrected) < 0.01


def test_directions_on_both_sides_of_zero_are_near() -> None:
    who = WhoLaid()
    for t in range(6):
        who.saw(float(t), 355.0)
    played = [{"event": "card_played", "player": "Jo", "t": float(t)} for t in range(6)]
    assert who.out_of_turn(3.0, "Kai", "Jo", played) > 10 * who.out_of_turn(60.0, "Kai", "Jo", played)
