"""The simulated players of the closed loop answer truthfully."""

import pytest

from bench.table_talk.loop import TurnResult, _true_option

CARDS = ("racketeer", "twin_racketeer", "phone", "twin_phone")


@pytest.mark.parametrize(
    ("card", "truth", "said", "options", "answer"),
    [
        ("phone", "correct", ("hmmrrr",), (*CARDS, "no", "none"), "phone"),
        ("gun", "should_be_silent", ("five",), (*CARDS, "no", "none"), "no"),
        ("gun", "correct", (), (*CARDS, "no", "none"), "none"),
        ("racketeer", "correct", ("five",), ("yes", "no"), "yes"),
        ("racketeer", "wrong_number", ("four",), ("yes", "no"), "no"),
        ("twin_racketeer", "correct", ("four", "five"), ("four", "five", "none"), "five"),
    ],
)
def test_the_true_answer(
    card: str, truth: str, said: tuple[str, ...], options: tuple[str, ...], answer: str
) -> None:
    turn = TurnResult(card, "Ida", truth, "", False, 0.0, said)
    assert _true_option(options, turn) == answer
