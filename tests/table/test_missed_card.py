"""The Nasty 7: a call was heard in time, and its card was not seen."""

from typing import Any

import pytest

from companion.core.observations import (
    EARLY_S,
    HeardWord,
    Landing,
    Listened,
    Press,
    Sighting,
    SoundWeighed,
    Utterance,
    Watched,
)
from companion.core.weighing import by_confidence
from companion.games.nasty_7.top_card import all_that_was_heard
from companion.games.spotter import GameView
from companion.table.game_clock import GameClock

Bench = Any


def begin(bench: Bench, **settings: Any) -> None:
    """A round whose next card is Jo's and would need "two"."""
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30, **settings)
    bench.up("camera", "microphone")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")


def calls_without_a_card(bench: Bench, *words: str) -> dict[str, Any]:
    """The question that follows."""
    bench.at(7.5).says(*words)
    bench.passed()
    assert bench.questions == []
    bench.at(9.5).passed()
    (question,) = bench.questions
    assert bench.verdicts == ["correct"]
    return dict(question)


def presses(bench: Bench, at: float, seat: str = "seat 3") -> None:
    bench.at(at).put(Press(bench.now, seat))
    bench.at(at + 0.8).passed()


def test_the_table_asks_which_card_it_was(bench: Bench) -> None:
    begin(bench)
    question = calls_without_a_card(bench, "two")
    assert question["text"] == "I heard two but saw no card. Which card did Jo play?"
    assert question["options"][0]["id"] == "racketeer"
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct"]
    assert bench.shown["state"]["pile"] == 2
    assert bench.shown["state"]["turn"] == "Kai"
    assert bench.rejected == []


@pytest.mark.parametrize(
    ("words", "card"), [(("two", "three"), "twin_racketeer"), (("hmmrrr", "hmmrrr"), "twin_phone")]
)
def test_the_card_that_needs_the_call_is_the_first_answer(
    bench: Bench, words: tuple[str, ...], card: str
) -> None:
    begin(bench)
    question = calls_without_a_card(bench, *words)
    assert question["options"][0]["id"] == card
    bench.do("answer", question=question["id"], option=card)
    assert bench.verdicts == ["correct", "correct"]


@pytest.mark.parametrize(
    ("said", "card", "verdict"),
    [
        (("two",), "phone", "wrong_sound"),
        (("two", "three"), "racketeer", "wrong_number"),
    ],
)
def test_what_was_said_is_judged_for_the_card_that_was_named(
    bench: Bench, said: tuple[str, ...], card: str, verdict: str
) -> None:
    begin(bench)
    question = calls_without_a_card(bench, *said)
    bench.do("answer", question=question["id"], option=card)
    assert bench.verdicts == ["correct", verdict]


def test_the_first_word_of_a_pair_accuses_nobody_who_played_a_twin(bench: Bench) -> None:
    """The second word was lost: the table is asked about the call when the time for it has run out."""
    begin(bench)
    question = calls_without_a_card(bench, "two")
    bench.do("answer", question=question["id"], option="twin_racketeer")
    assert bench.verdicts == ["correct"]
    bench.at(30.0).passed()
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="three")
    assert bench.verdicts == ["correct", "correct"]


@pytest.mark.parametrize("pressed_at", [9.8, 12.0])
def test_a_press_during_the_question_doubts_that_call(bench: Bench, pressed_at: float) -> None:
    """The time goes on with the answer, however long after the deadline somebody pressed."""
    begin(bench)
    question = calls_without_a_card(bench, "two")
    presses(bench, pressed_at)
    assert bench.verdicts == ["correct"]
    assert [one["id"] for one in bench.questions] == [question["id"]]
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct", "false_accusation"]
    assert bench.shown["state"]["stack"] == {"Ida": 9, "Jo": 9, "Kai": 12}
    assert bench.rejected == []


@pytest.mark.parametrize(
    ("card", "stack"),
    [("racketeer", {"Ida": 9, "Jo": 9, "Kai": 12}), ("none", {"Ida": 9, "Jo": 10, "Kai": 11})],
)
def test_a_press_behind_a_call_without_a_card_asks_for_it(
    bench: Bench, card: str, stack: dict[str, int]
) -> None:
    """The doubt is of that call, and not of the one before, unless there was no such card."""
    begin(bench)
    bench.at(7.5).says("two")
    presses(bench, 8.3)
    (question,) = bench.questions
    assert question["text"] == "I heard two but saw no card. Which card did Jo play?"
    assert bench.verdicts == ["correct"]
    bench.at(20.0).do("answer", question=question["id"], option=card)
    calls = ["correct"] * (1 if card == "none" else 2)
    assert bench.verdicts == [*calls, "false_accusation"]
    assert bench.shown["state"]["stack"] == stack
    assert bench.rejected == []


def test_the_table_that_plays_on_settles_a_doubt_from_before_the_question(bench: Bench) -> None:
    """Whoever plays on agrees with the card; the doubt was of its call."""
    begin(bench)
    bench.at(7.5).says("two")
    presses(bench, 8.3)
    bench.at(9.0).lands("racketeer", "pile")
    assert bench.verdicts == ["correct", "correct", "false_accusation"]
    assert bench.shown["state"]["pile"] == 1, "the card begins the next round"


def test_a_press_while_a_call_begins_doubts_the_one_before(bench: Bench) -> None:
    """Its card may still come, and nobody hears so soon that it is wrong."""
    begin(bench)
    bench.at(7.5).says("two")
    presses(bench, 7.9)
    assert bench.verdicts == ["correct", "false_accusation"]
    assert bench.questions == []


def test_presses_at_the_same_moment_wait_for_the_weighing_together(bench: Bench) -> None:
    begin(bench)
    bench.at(7.5).says("two")
    bench.weigh = lambda utterance, due: None
    bench.at(8.3).put(Press(bench.now, "seat 3"), Press(bench.now + 0.1, "seat 1"))
    bench.at(9.2).passed()
    assert bench.verdicts == ["correct"]
    bench.weigh = by_confidence
    bench.put(SoundWeighed(bench.now))
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct", "false_accusation", "false_accusation"]


def test_a_press_does_not_use_up_the_time_of_the_next_player(bench: Bench) -> None:
    begin(bench)
    question = calls_without_a_card(bench, "two")
    presses(bench, 14.0, "seat 2")  # Jo's, who called
    bench.at(15.0).do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct"], "nobody can doubt the own call"
    bench.at(15.5).lands("racketeer", "pile")
    bench.at(16.0).says("three")
    assert bench.verdicts == ["correct"] * 3


def test_a_doubt_of_a_wrong_call_for_the_card_is_upheld(bench: Bench) -> None:
    begin(bench, enforcement="on_accusation")
    bench.at(7.5).says("two")
    bench.at(9.5).passed()
    (question,) = bench.questions
    presses(bench, 9.8)
    bench.do("answer", question=question["id"], option="phone")
    assert bench.verdicts == ["wrong_sound"]
    assert bench.shown["state"]["turn"] == "Jo"


def test_the_table_that_plays_on_settles_the_doubt_first(bench: Bench) -> None:
    begin(bench)
    calls_without_a_card(bench, "two")
    presses(bench, 9.8)
    bench.at(11.0).lands("racketeer", "pile")
    bench.passed()
    assert bench.verdicts == ["correct", "correct", "false_accusation"]


def test_a_doubt_without_a_card_is_dropped_with_the_time(bench: Bench) -> None:
    begin(bench)
    question = calls_without_a_card(bench, "two")
    presses(bench, 9.8)
    bench.do("answer", question=question["id"], option="none")
    bench.at(30.0).passed()
    assert bench.verdicts == ["correct", "too_late"]
    assert bench.rejected == []
    assert "accused" not in [one["event"]["event"] for one in bench.log]


def test_the_time_of_the_next_card_begins_with_the_answer(bench: Bench) -> None:
    """Nobody could play on before: all seconds that are left count from then on."""
    begin(bench)
    question = calls_without_a_card(bench, "two")
    bench.at(20.0).do("answer", question=question["id"], option="racketeer")
    bench.at(22.8).lands("racketeer", "pile")
    bench.at(23.2).says("three")
    assert bench.verdicts == ["correct"] * 3
    assert bench.questions == []


def test_if_no_card_was_played_the_time_has_run_out(bench: Bench) -> None:
    begin(bench)
    question = calls_without_a_card(bench, "two")
    bench.do("answer", question=question["id"], option="none")
    bench.at(30.0).passed()
    assert bench.verdicts == ["correct", "too_late"]


def test_the_table_that_plays_on_agrees_with_the_call(bench: Bench) -> None:
    begin(bench)
    calls_without_a_card(bench, "two")
    bench.at(10.0).lands("racketeer", "pile")
    bench.at(10.5).says("three")
    bench.passed()
    assert bench.questions == []
    assert bench.verdicts == ["correct", "correct", "correct"]
    assert bench.rejected == []


def asked(bench: Bench, utterance: Utterance) -> dict[str, Any]:
    """The question at the deadline about a sound between the cards."""
    bench.put(utterance)
    bench.at(9.5).passed()
    (question,) = bench.questions
    assert bench.verdicts == ["correct"]
    return dict(question)


@pytest.mark.parametrize(
    ("card", "verdicts"),
    [
        ("racketeer", ["wrong_number"]),
        ("phone", ["wrong_sound"]),
        ("gun", ["should_be_silent"]),
        ("none", ["too_late"]),
    ],
)
def test_words_that_no_next_card_needs_are_asked_about_all_the_same(
    bench: Bench, card: str, verdicts: list[str]
) -> None:
    """They may be a wrong call, or misheard; who called was not too late."""
    begin(bench)
    bench.at(7.5).says("five", confidence=0.95)
    bench.at(9.5).passed()
    (question,) = bench.questions
    assert question["text"] == "I heard five but saw no card. Which card did Jo play?"
    assert bench.verdicts == ["correct"]
    bench.do("answer", question=question["id"], option=card)
    bench.at(30.0).passed()
    assert bench.verdicts == ["correct", *verdicts]


def test_a_sound_that_may_have_been_the_call_is_asked_about_without_words(bench: Bench) -> None:
    begin(bench)
    question = asked(bench, Utterance((), bench.at(7.5).now, bench.now + 0.4, 0.15))
    assert question["text"] == "I could not make out what Jo said, and saw no card. Which card was it?"
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct"]
    assert bench.shown["state"]["pile"] == 2
    assert bench.rejected == []


def test_what_hardly_was_a_call_asks_for_no_card(bench: Bench) -> None:
    begin(bench)
    bench.put(Utterance((), bench.at(7.5).now, bench.now + 0.4, 0.05))
    bench.at(9.5).passed()
    assert bench.questions == []
    assert bench.verdicts == ["correct", "too_late"]


def test_the_table_that_plays_on_saw_no_card_of_an_unsure_call(bench: Bench) -> None:
    """The card that it plays is the one that was waited for."""
    begin(bench)
    asked(bench, Utterance((), bench.at(7.5).now, bench.now + 0.4, 0.15))
    bench.at(10.0).lands("racketeer", "pile")
    bench.at(10.5).says("two")
    assert bench.verdicts == ["correct", "correct"]
    assert bench.shown["state"]["turn"] == "Kai"
    assert bench.questions == []


def test_a_card_may_be_in_time_whose_call_is_not(bench: Bench) -> None:
    """The time for the card ends at 8.9 s; its call has three seconds more."""
    begin(bench)
    bench.at(7.5).up("camera")
    bench.at(8.95).says("two")
    bench.at(9.8).passed()
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct"]
    assert bench.rejected == []


@pytest.mark.parametrize(("begins", "codes"), [(9.0, ["missed_card_of"]), (10.0, [])])
def test_a_call_that_begins_right_after_the_time_for_its_card_is_waited_for(
    bench: Bench, begins: float, codes: list[str]
) -> None:
    """The camera has reported everything up to the deadline, but not yet up to the end of the call."""
    begin(bench)
    start = bench.at(begins).now
    call = Utterance((HeardWord("two", start, start + 0.4, 0.99),), start, start + 0.4, 0.99)
    bench.at(begins + 0.5).put(call, Watched(start + 0.2), Listened(bench.now))
    bench.at(begins + 0.8).passed()
    assert [one["code"] for one in bench.questions] == codes
    assert bench.verdicts == ["correct", *(() if codes else ["too_late"])]


def test_the_call_of_the_next_card_does_not_put_off_the_question_about_the_one_before(bench: Bench) -> None:
    """Kai's card lands after Jo's time, and its call begins within the second in which Jo's may begin."""
    begin(bench)
    bench.at(7.5).says("two")
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    landing = Landing(bench.at(9.3).now, "pile", Sighting("racketeer", 0.9, corners))
    start = bench.at(9.6).now
    call = Utterance((HeardWord("three", start, start + 0.4, 0.99),), start, start + 0.4, 0.99)
    bench.at(10.2).put(landing, call)
    bench.passed()
    assert bench.verdicts == ["correct"] * 3
    assert bench.shown["state"]["pile"] == 3


def test_a_card_beside_the_question_about_a_call_after_the_deadline_counts(bench: Bench) -> None:
    """It lay there before the answer came. The time stood still behind the call that was asked about."""
    begin(bench)
    bench.at(8.95).says("two")
    bench.at(10.0).passed()
    (question,) = bench.questions
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    landing = Landing(bench.at(11.0).now, "pile", Sighting("racketeer", 0.9, corners))
    bench.at(11.1).do("answer", question=question["id"], option="racketeer")
    bench.put(landing)
    bench.passed()
    assert bench.rejected == []
    bench.at(11.5).says("three")
    assert bench.verdicts == ["correct"] * 3


def test_talk_before_the_last_call_was_over_is_no_later_call(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=20)
    bench.up("camera", "microphone")
    bench.at(3.0).says("two")
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(9.5).passed()
    assert bench.questions == []
    assert bench.verdicts == ["correct", "too_late"]


def test_an_agreed_position_closes_the_question(bench: Bench) -> None:
    """The answer would be about what was before it, and let the time of the next card run from then on."""
    begin(bench)
    calls_without_a_card(bench, "two")
    reply = bench.event("position", state=bench.shown["state"])
    assert reply["ok"], reply
    assert bench.questions == []


def test_what_was_said_while_the_clock_stood_still_is_not_about_the_card_after_it() -> None:
    """The card came while a question was open: until the answer the table talked about that."""
    clock = GameClock(100.0)
    clock.ask(105.0)
    clock.answered(108.0)
    game = GameView(
        players=("Ida",),
        settings=None,
        view={"pile": 1},
        offers=(),
        time=clock.time,
        moment=clock.moment,
        past=({"event": "card_played", "player": "Ida", "card": "racketeer", "t": 5.0},),
    )
    sound, _ = all_that_was_heard(game, 3.0)
    assert sound.start == pytest.approx(108.0 - EARLY_S, abs=0.01)
    assert sound.end == pytest.approx(111.0)


def plays_two_cards_of_which_one_is_seen(bench: Bench) -> dict[str, Any]:
    """Jo's card is not seen, its call "two" is heard; Kai's card is seen, its call is "three"."""
    begin(bench)
    bench.at(6.6).says("two")
    bench.at(7.6).lands("racketeer", "pile")
    bench.at(8.1).says("three")
    (question,) = bench.questions
    assert bench.verdicts == ["correct"]
    return dict(question)


def test_the_call_behind_the_next_card_tells_that_one_was_missed(bench: Bench) -> None:
    question = plays_two_cards_of_which_one_is_seen(bench)
    assert question["text"] == "I heard three. Did I miss a card of Jo before it?"
    assert [option["id"] for option in question["options"]] == ["racketeer", "phone", "no", "none"]
    bench.do("answer", question=question["id"], option="racketeer")
    assert bench.verdicts == ["correct", "correct", "correct"]
    assert (bench.shown["state"]["pile"], bench.shown["state"]["turn"]) == (3, "Ida")
    bench.at(60.0).lands("racketeer", "pile")
    bench.at(60.4).says("four")
    assert bench.verdicts == ["correct"] * 4
    assert bench.rejected == []


def test_the_table_that_plays_on_agrees_that_a_card_was_missed(bench: Bench) -> None:
    plays_two_cards_of_which_one_is_seen(bench)
    bench.at(9.0).lands("racketeer", "pile")
    bench.at(9.4).says("four")
    assert bench.verdicts == ["correct"] * 4
    assert bench.shown["state"]["stack"] == {"Ida": 8, "Jo": 9, "Kai": 9}


def test_if_no_card_was_missed_the_call_was_wrong(bench: Bench) -> None:
    question = plays_two_cards_of_which_one_is_seen(bench)
    bench.do("answer", question=question["id"], option="no")
    assert bench.verdicts == ["correct", "wrong_number"]


@pytest.mark.parametrize(
    ("first", "card", "second", "there"),
    [
        (("two", "three"), "racketeer", ("four",), "twin_racketeer"),
        (("hmmrrr",), "twin_racketeer", ("three", "four"), "phone"),
    ],
)
def test_the_card_that_was_missed_is_the_one_that_needs_both_calls(
    bench: Bench, first: tuple[str, ...], card: str, second: tuple[str, ...], there: str
) -> None:
    begin(bench)
    bench.at(6.2).says(*first)
    bench.at(7.6).lands(card, "pile")
    bench.at(8.1).says(*second)
    (question,) = bench.questions
    assert question["options"][0]["id"] == there
    bench.do("answer", question=question["id"], option=there)
    assert bench.verdicts == ["correct"] * 3


def test_what_was_said_during_the_call_before_is_no_call_of_a_missed_card(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.up("camera", "microphone")
    bench.at(5.0).lands("racketeer", "pile")
    begun = bench.at(5.5).now
    bench.says("one", length=0.8)
    word = HeardWord("two", begun + 0.1, begun + 0.5, 0.99)
    bench.put(Utterance((word,), word.start, word.end, 0.99))
    bench.passed()
    bench.at(7.6).lands("racketeer", "pile")
    bench.at(8.1).says("three")
    assert bench.questions == []
    assert bench.verdicts == ["correct", "wrong_number"]


def test_a_wrong_call_behind_talk_is_a_wrong_call(bench: Bench) -> None:
    begin(bench)
    bench.at(6.6).says("five")
    bench.at(7.6).lands("racketeer", "pile")
    bench.at(8.1).says("three")
    assert bench.questions == []
    assert bench.verdicts == ["correct", "wrong_number"]
