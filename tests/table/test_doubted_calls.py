"""Seat buttons of The Nasty 7 while it is not known what was called."""

from typing import Any

import pytest

from companion.core.observations import Press, Utterance

Bench = Any


def begin(bench: Bench, **settings: Any) -> None:
    """A round whose second card, Jo's, needs "two"."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30, **settings)
    bench.up("camera", "microphone")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(7.0).lands("racketeer", "pile")


def calls_unclearly(bench: Bench) -> None:
    bench.at(7.5).says("three", confidence=0.89)
    (question,) = bench.questions
    assert question["text"] == "I am not sure: was that three?"


def presses(bench: Bench, *seats: int) -> None:
    bench.put(*(Press(bench.now + 0.1 * place, f"seat {seat}") for place, seat in enumerate(seats)))
    bench.at(bench.now - 1000.0 + 0.8).passed()


def accusations(bench: Bench) -> list[dict[str, Any]]:
    return [one["event"] for one in bench.log if one["event"]["event"] == "accused"]


def test_a_press_during_the_question_takes_its_place(bench: Bench) -> None:
    begin(bench)
    calls_unclearly(bench)
    presses(bench.at(8.0), 3)
    (question,) = bench.questions
    assert question["text"] == "Kai doubted the call of Jo. Was it two?"
    assert [option["label"] for option in question["options"]] == ["Yes", "No"]
    assert bench.given[-1] == question["text"]
    assert bench.verdicts == ["correct"]
    assert bench.rejected == []


def test_a_doubt_of_what_was_right_costs_the_pile(bench: Bench) -> None:
    begin(bench)
    calls_unclearly(bench)
    presses(bench.at(8.0), 3, 1)
    bench.do("answer", question=bench.questions[0]["id"], option="yes")
    assert accusations(bench) == [{"event": "accused", "by": ["Kai", "Ida"], "t": 8.0}]
    assert bench.verdicts == ["correct", "correct", "false_accusation", "false_accusation"]
    assert bench.shown["state"]["stack"] == {"Ida": 10, "Jo": 9, "Kai": 11}


@pytest.mark.parametrize("enforcement", ["automatic", "on_accusation"])
def test_a_doubt_of_what_was_wrong_is_upheld(bench: Bench, enforcement: str) -> None:
    begin(bench, enforcement=enforcement)
    calls_unclearly(bench)
    presses(bench.at(8.0), 3)
    bench.do("answer", question=bench.questions[0]["id"], option="no")
    assert bench.verdicts[-1] == "wrong_number"
    assert bench.given[-1] == "Jo said three. It was two."
    assert bench.shown["state"]["stack"] == {"Ida": 9, "Jo": 11, "Kai": 10}
    assert bench.rejected == []
    assert len(accusations(bench)) == (enforcement == "on_accusation")


def test_a_doubt_before_the_table_asks_makes_it_ask(bench: Bench) -> None:
    """A sound that was hardly a call is asked about when the time runs out, or when somebody doubts it."""
    begin(bench)
    bench.at(8.2).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.1))
    bench.passed()
    assert bench.questions == []
    presses(bench.at(8.4), 1)
    bench.at(30.0).passed()
    (question,) = bench.questions
    assert question["text"] == "Ida doubted the call of Jo. Was it two?"
    bench.do("answer", question=question["id"], option="no")
    assert bench.verdicts == ["correct", "wrong_word"]
    assert bench.given[-1] == "Jo said something else. That was another word than the one wanted."


def test_the_next_card_waits_for_the_answer(bench: Bench) -> None:
    begin(bench)
    calls_unclearly(bench)
    presses(bench.at(8.0), 1)
    bench.at(9.5).lands("racketeer", "pile")
    assert len(bench.questions) == 1
    bench.do("answer", question=bench.questions[0]["id"], option="yes")
    assert bench.verdicts == ["correct", "correct", "false_accusation"]
    assert bench.shown["state"]["pile"] == 1, "the card that waited begins the next round"


def test_the_answer_of_the_question_at_the_deadline_may_be_doubted(bench: Bench) -> None:
    begin(bench)
    bench.at(8.2).put(Utterance((), bench.now - 0.6, bench.now - 0.3, 0.1))
    bench.passed()
    bench.at(11.0).passed()
    (question,) = bench.questions
    assert question["text"] == "I could not make out what Jo said. Was it right?"
    presses(bench.at(11.5), 3)
    (question,) = bench.questions
    assert question["text"] == "Kai doubted the call of Jo. Was it two?"


def test_a_doubt_before_anything_was_said_is_refused(bench: Bench) -> None:
    begin(bench)
    presses(bench.at(7.3), 3)
    assert bench.questions == []
    assert bench.given[-1] == "There is no finished call to doubt."
    bench.at(8.6).says("two")
    assert bench.verdicts == ["correct", "correct"]
    assert accusations(bench) == []


def test_the_caller_cannot_doubt_the_own_call(bench: Bench) -> None:
    begin(bench)
    calls_unclearly(bench)
    presses(bench.at(8.0), 2)
    (question,) = bench.questions
    assert question["text"] == "I am not sure: was that three?"


def test_a_correction_drops_the_doubt(bench: Bench) -> None:
    begin(bench)
    calls_unclearly(bench)
    presses(bench.at(8.0), 3)
    bench.do("undo")
    assert bench.questions == []
    bench.at(12.0).lands("racketeer", "pile")
    bench.at(12.5).says("two")
    assert accusations(bench) == []


def begin_with_a_twin(bench: Bench) -> None:
    """Jo's card needs "two three", of which the first word was heard."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.up("camera", "microphone")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(7.0).lands("twin_racketeer", "pile")
    bench.at(7.5).says("two")


def test_a_press_in_the_middle_of_a_call_waits_for_its_end(bench: Bench) -> None:
    begin_with_a_twin(bench)
    presses(bench.at(8.0), 3)
    assert bench.questions == []
    bench.at(8.9).says("three")
    assert bench.verdicts == ["correct", "correct", "false_accusation"]
    assert bench.questions == []


def test_a_press_in_the_middle_of_a_call_does_not_make_its_end_right(bench: Bench) -> None:
    begin_with_a_twin(bench)
    presses(bench.at(8.0), 3)
    bench.at(8.9).says("six")
    assert bench.verdicts == ["correct", "wrong_number"]
    assert accusations(bench) == []


def test_a_doubted_call_whose_end_was_not_heard_is_asked_about_as_a_whole(bench: Bench) -> None:
    begin_with_a_twin(bench)
    presses(bench.at(8.0), 3)
    bench.at(30.0).passed()
    (question,) = bench.questions
    assert question["text"] == "Kai doubted the call of Jo. Was it two three?"
    bench.do("answer", question=question["id"], option="yes")
    assert bench.verdicts == ["correct", "correct", "false_accusation"]
    assert bench.rejected == []
