"""The Nasty 7: who picks up the pile, and buttons that have nothing to accuse."""

from typing import Any

from companion.core.observations import Press, Removal, Sighting, Utterance
from companion.core.weighing import WeighedCall

Bench = Any
PICKED_UP = "The pile was picked up, and I do not know why. Who takes it?"


def begin(bench: Bench, **settings: Any) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30, **settings)
    bench.up("camera", "microphone")


def right_round(bench: Bench) -> None:
    """Three cards with right calls: seven seconds."""
    for start, word in ((5.0, "one"), (6.0, "two"), (7.0, "three")):
        bench.at(start).lands("racketeer", "pile")
        bench.at(start + 0.4).says(word, length=0.3)
    assert bench.verdicts == ["correct"] * 3


def picked_up(bench: Bench, count: int) -> None:
    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    seen = [
        Removal(bench.now, "pile", Sighting("racketeer", 0.9, corners), "picture-2") for _ in range(count)
    ]
    bench.put(*seen)
    bench.passed()


def test_a_pile_that_is_picked_up_without_a_mistake_is_asked_about(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.5)
    picked_up(bench, 3)
    (question,) = bench.questions
    assert (question["text"], question["picture"]) == (PICKED_UP, "/photo/picture-2.jpg")
    assert [option["label"] for option in question["options"]] == ["Ida", "Jo", "Kai", "None of these"]
    assert bench.given.count(PICKED_UP) == 1
    assert bench.do("answer", question=question["id"], option="Kai")["ok"]
    assert bench.shown["state"]["stack"] == {"Ida": 9, "Jo": 9, "Kai": 12}
    assert (bench.shown["turn"], bench.shown["state"]["pile"], bench.shown["state"]["round"]) == ("Kai", 0, 2)
    bench.at(20.0).lands("racketeer", "pile")
    bench.at(20.5).says("one")
    assert bench.verdicts == ["correct"] * 4, "the count begins again and nobody was too late"
    assert bench.rejected == []


def test_the_clock_stands_still_while_the_table_talks_about_the_pile(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.5)
    picked_up(bench, 3)
    assert bench.shown["paused"] == "resumed"
    bench.at(12.0).says("three", confidence=0.5)
    bench.at(20.0).passed()
    assert bench.verdicts == ["correct"] * 3
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="none")["ok"]
    bench.at(30.0).lands("racketeer", "pile")
    bench.at(30.4).says("four")
    assert bench.verdicts == ["correct"] * 4, "the pile was put back and nobody was too late"


def test_answers_fit_the_pile_as_it_is_when_they_are_given(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.5)
    picked_up(bench, 3)
    bench.event("card_played", player="Ida", card="gun")
    (question,) = bench.questions
    assert bench.do("answer", question=question["id"], option="Jo")["ok"]
    assert bench.shown["state"]["stack"] == {"Ida": 8, "Jo": 13, "Kai": 9}


def test_a_pile_that_belongs_to_somebody_is_not_asked_about(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two")
    assert bench.verdicts == ["wrong_number"]
    bench.at(7.0)
    picked_up(bench, 1)
    assert bench.questions == []
    bench.at(9.0).lands("racketeer", "pile")
    bench.at(9.5).says("one")
    assert [text for text in bench.given if "pile" in text] == []


def test_a_mistake_that_is_found_later_withdraws_the_question(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.5)
    picked_up(bench, 3)
    assert len(bench.questions) == 1
    assert bench.event("accused", by=["Ida"], player="Kai")["ok"]
    assert bench.questions == []
    assert bench.verdicts[-1] == "false_accusation"


def test_whoever_picks_up_the_pile_agrees_with_a_wrong_call_that_was_not_sure(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.at(8.4).says("five", confidence=0.7)
    assert [one["code"] for one in bench.questions] == ["unsure_call"]
    bench.at(9.5)
    picked_up(bench, 4)
    assert bench.questions == []
    assert bench.verdicts == [*["correct"] * 3, "wrong_number"]
    assert bench.shown["state"]["stack"] == {"Ida": 12, "Jo": 9, "Kai": 9}


def test_a_throat_sound_where_a_number_is_due_is_a_wrong_call_once_the_pile_is_picked_up(
    bench: Bench,
) -> None:
    """By itself it may have been a cough."""
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.weigh = lambda utterance, due: WeighedCall((), 0.13)
    bench.at(8.4).says("hmmrrr")
    assert bench.verdicts == ["correct"] * 3
    assert bench.questions == []
    bench.at(9.5)
    picked_up(bench, 4)
    assert bench.questions == []
    assert bench.verdicts == [*["correct"] * 3, "wrong_sound"]


def test_a_throat_sound_was_the_wrong_call_rather_than_words_that_hardly_were_one(bench: Bench) -> None:
    """Its end, and music behind it, are taken for numbers."""
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.weigh = lambda utterance, due: WeighedCall((), 0.13)
    bench.at(8.4).says("hmmrrr")
    bench.weigh = lambda utterance, due: WeighedCall(utterance.words, 0.0, 0.1)
    bench.at(9.2).says("two", length=0.15)
    assert (bench.verdicts, bench.questions) == (["correct"] * 3, [])
    bench.at(9.8)
    picked_up(bench, 4)
    assert bench.verdicts == [*["correct"] * 3, "wrong_sound"]


def test_whoever_picks_up_the_pile_while_the_table_asks_for_the_call_agrees_that_there_was_none(
    bench: Bench,
) -> None:
    """Nobody called in time; the players talk about it while the table asks what was said."""
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.at(8.4).put(Utterance((), bench.now, bench.now + 0.4, 0.15))
    bench.at(11.6).passed()
    assert [one["code"] for one in bench.questions] == ["not_made_out"]
    bench.at(11.8).says("five", confidence=0.5)
    bench.at(13.0)
    picked_up(bench, 4)
    assert "five" not in [word for one in bench.log for word in one["event"].get("words", ())]
    assert bench.verdicts == [*["correct"] * 3, "too_late"]
    assert bench.questions == []
    assert bench.shown["state"]["stack"] == {"Ida": 12, "Jo": 9, "Kai": 9}


def test_whoever_picks_up_the_pile_after_a_call_that_was_accepted_late_agrees_that_there_was_none(
    bench: Bench,
) -> None:
    """Talk from afar that might have been the call; most calls are made in time, so it counted as one."""
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.weigh = lambda utterance, due: WeighedCall(utterance.words, 0.3)
    bench.at(8.6).says("four")
    assert bench.verdicts == ["correct"] * 3
    bench.at(11.6).passed()
    assert bench.verdicts == ["correct"] * 4
    bench.at(12.5)
    picked_up(bench, 4)
    assert bench.questions == []
    assert bench.verdicts == [*["correct"] * 3, "too_late"]
    assert bench.shown["state"]["stack"] == {"Ida": 12, "Jo": 9, "Kai": 9}


def test_a_pile_that_is_picked_up_makes_no_call_wrong_that_probably_was_right(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.0).lands("racketeer", "pile")
    bench.at(8.4).put(Utterance((), bench.now, bench.now + 0.4, 0.4))
    bench.at(9.5)
    picked_up(bench, 4)
    assert [one["code"] for one in bench.questions] == ["who_takes_pile"]
    assert bench.verdicts == ["correct"] * 3


def test_one_card_of_a_large_pile_may_be_straightened(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(8.5)
    picked_up(bench, 1)
    assert bench.questions == []


def test_a_pile_that_was_not_taken_is_named_with_who_takes_it(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two")
    bench.at(7.0)
    picked_up(bench, 1)
    bench.at(9.0).lands("racketeer", "pile")
    bench.at(9.5).says("three")
    bench.at(12.0).lands("racketeer", "pile")
    assert bench.given[-1] == "Ida takes the pile of the last round: 1 card."


def test_a_camera_that_never_saw_a_pile_taken_says_nothing_of_it(bench: Bench) -> None:
    begin(bench)
    for start in (5.0, 9.0):
        bench.at(start).lands("racketeer", "pile")
        bench.at(start + 0.5).says("two")
    bench.at(12.0).lands("racketeer", "pile")
    assert [text for text in bench.given if "pile" in text] == []


def test_a_press_without_a_call_is_answered(bench: Bench) -> None:
    begin(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.2).put(Press(bench.now, "seat 3"))
    bench.at(6.0).passed()
    assert bench.given[-1] == "There is no finished call to doubt."
    assert len(bench.log) == 1


def test_the_callers_own_button_says_nothing(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    before = list(bench.given)
    bench.at(8.0).put(Press(bench.now, "seat 3"))
    bench.at(8.6).passed()
    assert bench.given == before
    assert bench.verdicts == ["correct"] * 3


def test_a_card_that_falls_after_its_time_had_run_out_is_taken_with_the_pile(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(11.0).passed()
    assert bench.verdicts == ["correct"] * 3 + ["too_late"]
    bench.at(11.6).lands("gun", "pile")
    state = bench.shown["state"]
    assert (state["round"], state["pile"], state["stack"]) == (2, 0, {"Ida": 12, "Jo": 9, "Kai": 9})
    assert bench.given[-1] == "Ida takes this card too, with the pile."
    bench.at(13.0)
    picked_up(bench, 4)
    assert bench.questions == []
    bench.at(13.5).lands("racketeer", "pile")
    assert bench.shown["state"]["pile"] == 1, "the pile was taken, so this card begins the round"


def test_a_card_long_after_the_time_had_run_out_begins_the_next_round(bench: Bench) -> None:
    begin(bench)
    right_round(bench)
    bench.at(11.0).passed()
    bench.at(14.0).lands("racketeer", "pile")
    assert bench.shown["state"]["pile"] == 1
