"""What counts as right, corrected, asked or missed: games at the table, read back from their journal."""

from collections import Counter
from typing import Any

from companion.core.observations import Press
from companion.store.journal import read_journal
from companion.table.readings import Reading, readings_of

Bench = Any


def read(bench: Bench) -> list[Reading]:
    with read_journal(bench.path) as journal:
        row = journal.games()[-1]
        return readings_of(row, journal.lines(row.id), journal.questions(row.id))


def count(bench: Bench, sense: str) -> dict[str, int]:
    return dict(Counter(one.outcome for one in read(bench) if one.sense == sense))


def callers(bench: Bench) -> list[tuple[str | None, str]]:
    return [(one.player, one.outcome) for one in read(bench) if one.sense == "microphone"]


def nasty(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", deck_size=40)
    bench.up("camera", "microphone")


def tricks(bench: Bench, *labels: str | None) -> None:
    bench.begin("seven_merry_monsters", "Ida", "Jo", "Kai")
    bench.up("camera")
    for label in labels:
        bench.now += 2.0
        bench.lands(label, "trick")


def test_cards_and_calls_without_help_are_right(bench: Bench) -> None:
    nasty(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(7.0).lands("racketeer", "pile")
    bench.at(7.5).says("two")
    assert count(bench, "camera") == {"right": 2}
    assert callers(bench) == [("Ida", "right"), ("Jo", "right")]
    assert [one.card for one in read(bench) if one.sense == "camera"] == ["racketeer", "racketeer"]


def test_a_card_that_was_asked_about_counts_as_the_card_that_it_was(bench: Bench) -> None:
    tricks(bench, "green 4", None)
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="yellow 3")
    assert sorted((one.outcome, one.card) for one in read(bench)) == [("asked", "yellow"), ("right", "green")]


def test_a_corrected_card_counts_as_the_card_that_it_was(bench: Bench) -> None:
    tricks(bench, "green 4", "orange 3")
    card = {"monster": "yellow", "number": 3}
    bench.do("amend", n=2, event={"event": "card_played", "player": "Jo", "card": card})
    assert sorted((one.outcome, one.card) for one in read(bench)) == [
        ("corrected", "yellow"),
        ("right", "green"),
    ]
    bench.do("undo")
    assert count(bench, "camera") == {"right": 2}, "the correction was taken back"


def test_a_card_that_was_none_was_wrong(bench: Bench) -> None:
    tricks(bench, "green 4", "orange 3")
    bench.do("amend", n=2, event=None)
    assert count(bench, "camera") == {"right": 1, "corrected": 1}


def test_a_card_that_is_taken_back_counts_only_if_a_phone_enters_another(bench: Bench) -> None:
    tricks(bench, "green 4", "orange 3")
    bench.do("undo")
    assert count(bench, "camera") == {"right": 1}
    bench.event("card_played", player="Jo", card={"monster": "yellow", "number": 3})
    assert count(bench, "camera") == {"right": 1, "corrected": 1}


def test_a_card_that_the_camera_missed_is_entered_by_phone(bench: Bench) -> None:
    tricks(bench, "green 4")
    bench.event("card_played", player="Jo", card={"monster": "yellow", "number": 3})
    assert count(bench, "camera") == {"right": 1}, "the camera may be out of use from here on"
    bench.now += 2.0
    bench.lands("red 6", "trick")
    assert count(bench, "camera") == {"right": 2, "missed": 1}


def test_a_call_that_was_asked_about_was_not_understood(bench: Bench) -> None:
    nasty(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two", confidence=0.7)
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="one")
    assert callers(bench) == [("Ida", "asked")]


def test_a_question_that_nobody_answered_was_asked_all_the_same(bench: Bench) -> None:
    nasty(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two", confidence=0.7)
    bench.at(7.0).lands("racketeer", "pile")
    assert callers(bench) == [("Ida", "asked")]
    assert count(bench, "camera") == {"right": 2}


def test_an_overruled_call_was_misheard(bench: Bench) -> None:
    nasty(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("two")
    assert bench.verdicts == ["wrong_number"]
    bench.do("overrule", n=2)
    assert callers(bench) == [("Ida", "corrected")]


def test_a_late_call_that_was_overruled_was_not_heard(bench: Bench) -> None:
    nasty(bench)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(9.0).passed()
    assert bench.verdicts == ["too_late"]
    bench.do("overrule", n=bench.log[-1]["n"])
    assert callers(bench) == [("Ida", "missed")]
    assert count(bench, "camera") == {"right": 1}


def test_presses_are_counted(bench: Bench) -> None:
    bench.begin("bugs_and_co", "Ida", "Jo", "Kai", countdown="companion")
    bench.event("game_started", t=0.0)
    for seconds, seat in ((4.0, 1), (6.0, 3)):
        bench.at(seconds).put(Press(bench.now, f"seat {seat}"))
    bench.do("amend", n=3, event={"event": "trophy_taken", "player": "Jo", "value": 2, "t": 6.0})
    assert count(bench, "buttons") == {"right": 1, "corrected": 1}


def test_a_lasting_disagreement_is_no_reading_of_its_own(bench: Bench) -> None:
    """What was wrong is the card of the trick, which the answer corrects."""
    tricks(bench, "green 4", "blue 2", "red 6")
    for label in ("green 4", "red 6", "blue 1"):
        bench.lands(label, "display:Kai")
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="blue 1")
    assert count(bench, "camera") == {"right": 2, "corrected": 1}


def test_an_answered_disagreement_is_not_asked_again_after_a_restart(bench: Bench) -> None:
    tricks(bench, "green 4", "blue 2", "red 6")
    bench.lands("green 4", "display:Jo")
    (question,) = bench.questions
    bench.do("answer", question=question["id"], option="Kai")
    bench.restart()
    bench.up("camera")
    bench.now += 1.0
    bench.lands("green 4", "display:Jo")
    assert bench.questions == []
