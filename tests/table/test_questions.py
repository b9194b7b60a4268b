"""Which events and phases close an open question."""

import pytest

from companion.core.observations import Press
from companion.games.spotter import Option, Question
from companion.table.questions import OpenQuestions

PRESS = Press(1.0, "seat 1")
PLAYED = {"event": "card_played", "player": "Ida", "card": "gun"}


def asked(*, phase: str | None = None, blocks: bool = True) -> OpenQuestions:
    questions = OpenQuestions()
    options = (Option("a", (PLAYED,)), Option("none"))
    questions.ask(Question("which_card", {}, options, "camera", phase=phase, blocks=blocks), PRESS)
    return questions


@pytest.mark.parametrize(
    ("event", "phase", "question_phase", "open_after"),
    [
        ({"event": "card_played", "player": "Ida", "card": "racketeer"}, "play", None, 0),
        ({"event": "card_played", "player": "Jo", "card": "gun"}, "play", None, 1),
        ({"event": "turn_ended", "player": "Ida"}, "play", None, 1),
        ({"event": "turn_ended", "player": "Ida"}, "play", "play", 1),
        ({"event": "turn_ended", "player": "Ida"}, "over", "play", 0),
        ({"event": "card_played", "player": "Ida", "card": "gun"}, "play", "play", 0),
    ],
)
def test_the_same_act_or_another_phase_closes_a_question(
    event: dict[str, str], phase: str, question_phase: str | None, open_after: int
) -> None:
    questions = asked(phase=question_phase)
    questions.close_answered(event, phase)
    assert len(questions) == open_after


def test_observations_wait_for_a_blocking_question_and_come_back_in_order() -> None:
    questions = asked()
    questions.defer(PRESS)
    later = Press(2.0, "seat 2")
    questions.defer(later)
    assert questions.next_deferred() is None
    assert not questions.settled
    questions.close_answered(PLAYED, "play")
    assert (questions.next_deferred(), questions.next_deferred(), questions.next_deferred()) == (
        PRESS,
        later,
        None,
    )
    assert questions.settled


def test_a_question_that_does_not_block_holds_nothing_back() -> None:
    questions = asked(blocks=False)
    questions.defer(PRESS)
    assert questions.next_deferred() == PRESS
    assert not questions.settled


def test_a_corrected_game_drops_questions_and_what_waits() -> None:
    questions = asked()
    questions.defer(PRESS)
    questions.clear()
    assert questions.settled
    assert questions.next_deferred() is None


def lasting(about: str, *ids: str) -> Question:
    options = tuple(Option(one, (PLAYED,)) for one in ids)
    return Question("card_is_other", {}, options, "camera", about=about, stays=True)


def ids(questions: OpenQuestions) -> list[list[str]]:
    return [[option.id for option in one.question.options] for one in questions]


def test_a_lasting_question_holds_nothing_up_and_is_asked_once() -> None:
    questions = OpenQuestions()
    first = questions.ask(lasting("place 1,2", "red"), PRESS)
    assert first is not None
    assert first.about == "place 1,2"
    assert (questions.block, questions.settled) == (False, True)
    assert questions.ask(lasting("place 1,2", "red", "blue"), PRESS) is None
    assert ids(questions) == [["red", "blue"]], "the answers are those of the game as it is now"
    assert questions.ask(lasting("place 3,4", "pink"), PRESS) is not None
    assert len(questions) == 2


def test_what_was_answered_is_asked_again_only_after_it_was_resolved() -> None:
    questions = OpenQuestions()
    questions.ask(lasting("place 1,2", "red"), None)
    (one,) = questions
    questions.close(one)
    assert questions.ask(lasting("place 1,2", "red"), None) is None
    assert len(questions) == 0
    assert questions.resolve("place 1,2") == []
    assert questions.ask(lasting("place 1,2", "red"), None) is not None
    assert [one.question.about for one in questions.resolve("place 1,2")] == ["place 1,2"]
    assert len(questions) == 0


def test_a_correction_drops_lasting_questions_and_lets_them_be_asked_again() -> None:
    questions = OpenQuestions()
    questions.ask(lasting("place 1,2", "red"), None)
    assert len(questions.clear()) == 1
    assert questions.ask(lasting("place 1,2", "red"), None) is not None


def test_another_game_forgets_what_was_answered() -> None:
    questions = OpenQuestions()
    questions.settle("place 1,2")
    questions.begin()
    assert questions.ask(lasting("place 1,2", "red"), None) is not None
