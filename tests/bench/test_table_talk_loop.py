"""The simulated players of the closed loop answer truthfully."""

import pytest

from bench.table_talk.loop import TurnResult, _is_accused, _true_option

CARDS = ("racketeer", "twin_racketeer", "phone", "twin_phone")


@pytest.mark.parametrize(
    ("code", "card", "truth", "said", "options", "answer"),
    [
        ("call_on_gun", "gun", "should_be_silent", ("five",), (*CARDS, "no", "none"), "no"),
        ("call_on_gun", "gun", "correct", (), (*CARDS, "no", "none"), "none"),
        ("unsure_call", "racketeer", "correct", ("five",), ("yes", "no"), "yes"),
        ("doubted_call", "racketeer", "wrong_number", ("four",), ("yes", "no"), "no"),
        (
            "not_made_out",
            "twin_racketeer",
            "correct",
            ("four", "five"),
            ("four", "five", "none"),
            "five",
        ),
    ],
)
def test_the_true_answer(
    code: str, card: str, truth: str, said: tuple[str, ...], options: tuple[str, ...], answer: str
) -> None:
    turn = TurnResult(card, "Ida", truth, "", False, 0.0, said)
    assert _true_option(code, options, turn) == answer


@pytest.mark.parametrize("code", ["missed_card_of", "missed_card_not_made_out"])
@pytest.mark.parametrize(("lost", "answer"), [(True, "phone"), (False, "none")])
def test_a_card_is_named_only_if_the_camera_lost_it(code: str, lost: bool, answer: str) -> None:
    turn = TurnResult("phone", "Ida", "correct", "", False, 0.0, ("hmmrrr",), lost=lost)
    assert _true_option(code, (*CARDS, "no", "none"), turn) == answer


@pytest.mark.parametrize(("settled", "accused"), [(0, True), (1, False)])
def test_the_record_is_put_right_once_for_a_wrong_accusation(settled: int, accused: bool) -> None:
    """Else nobody plays on after the next turn either, and its player is too late."""
    wronged = TurnResult("phone", "Ida", "correct", "", False, 0.0, ("hmmrrr",), verdicts=["too_late"])
    right = TurnResult("phone", "Jo", "correct", "", False, 2.0, ("hmmrrr",), verdicts=["correct"])
    assert _is_accused([wronged, right], settled) is accused
