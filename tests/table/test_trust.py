"""Figures of the senses, and the fewest readings that advice needs."""

import pytest

from companion.table.readings import Outcome, Reading
from companion.table.trust import figures


def cards(card: str, right: int, wrong: int) -> list[Reading]:
    return readings("camera", right, wrong, card=card)


def calls(player: str, right: int, wrong: int) -> list[Reading]:
    return readings("microphone", right, wrong, player=player)


def readings(
    sense: str, right: int, wrong: int, player: str | None = None, card: str = "", how: Outcome = "corrected"
) -> list[Reading]:
    outcomes: list[Outcome] = ["right"] * right + [how] * wrong
    return [Reading(sense, outcome, player, card) for outcome in outcomes]


def advice(found: list[Reading]) -> list[str]:
    return [str(one) for one in figures(found, 3).advice]


def test_figures_add_up() -> None:
    found = [*cards("green", 5, 1), *calls("Ben", 3, 1), *readings("camera", 0, 2, how="asked")]
    known = figures(found, 2)
    camera, microphone = known.senses
    assert (camera.sense, camera.right, camera.total, camera.asked, camera.corrected) == (
        "camera",
        5,
        8,
        2,
        1,
    )
    assert (microphone.right, microphone.total) == (3, 4)
    assert [(one.player, one.right, one.total) for one in known.calls] == [("Ben", 3, 4)]
    assert known.games == 2


def test_nothing_is_said_of_senses_that_were_not_used() -> None:
    known = figures([], 0)
    assert (known.senses, known.calls, known.advice) == ((), (), ())


@pytest.mark.parametrize(
    ("right", "wrong", "given"), [(8, 4, True), (7, 4, False), (9, 3, False), (13, 4, False)]
)
def test_a_colour_needs_twelve_cards_four_wrong_ones_and_less_than_three_quarters_right(
    right: int, wrong: int, given: bool
) -> None:
    found = [*cards("yellow", right, wrong), *cards("green", 60, 0)]
    sentence = (
        f"yellow: {wrong} of {right + wrong} cards were misread; dim the lamp or turn it away, or enrol"
    )
    assert any(one.startswith(sentence) for one in advice(found)) == given


def test_a_colour_is_not_named_where_all_are_poor() -> None:
    found = [*cards("yellow", 30, 20), *cards("green", 31, 19)]
    (one,) = advice(found)
    assert one.startswith("many cards were misread:")


@pytest.mark.parametrize(
    ("right", "wrong", "given"), [(20, 20, True), (35, 4, False), (36, 4, False), (35, 5, True)]
)
def test_the_camera_needs_forty_cards_and_less_than_nine_tenths_right(
    right: int, wrong: int, given: bool
) -> None:
    assert bool(advice(readings("camera", right, wrong))) == given


def test_a_player_whom_the_microphone_understands_worse_than_the_others_is_far_from_it() -> None:
    found = [*calls("Ben", 8, 6), *calls("Ada", 20, 1), *calls("Cleo", 11, 1)]
    assert advice(found) == [
        "the microphone is far from Ben: 8 of 14 calls understood; move it, or train the voice"
    ]


@pytest.mark.parametrize(
    ("ben", "others"),
    [((6, 5), (31, 2)), ((8, 6), (9, 1)), ((11, 2), (31, 2)), ((8, 6), (21, 12))],
    ids=["too few calls", "too few of the others", "understood", "all are understood badly"],
)
def test_a_player_is_not_named_without_enough_calls_or_a_difference(
    ben: tuple[int, int], others: tuple[int, int]
) -> None:
    assert not any("Ben" in one for one in advice([*calls("Ben", *ben), *calls("Ada", *others)]))


@pytest.mark.parametrize(("right", "wrong", "given"), [(15, 5, True), (15, 4, False), (16, 4, False)])
def test_the_microphone_needs_twenty_calls_and_less_than_four_fifths_understood(
    right: int, wrong: int, given: bool
) -> None:
    assert bool(advice(readings("microphone", right, wrong))) == given


@pytest.mark.parametrize(("right", "wrong", "given"), [(7, 3, True), (6, 3, False), (8, 2, False)])
def test_the_buttons_need_ten_presses(right: int, wrong: int, given: bool) -> None:
    assert bool(advice(readings("buttons", right, wrong))) == given
