"""What a reading of dice costs, and the pictures that the limits are fitted on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.dice import development
from bench.dice.development import DicePicture
from bench.dice.fit import DiceCost, cost_of, figures, moved
from bench.fitted_limits import limits_of, numbers_of
from companion.core.message import message
from companion.vision.dice.limits import FILE, DiceLimits, dice_limits
from companion.vision.dice.read import DiceReading, Die, read_dice
from companion.vision.dice.view import Optics
from companion.vision.models import FOLDER

ASKED = (message("dice.none"),)


def reading(*values: int, asked: bool = False) -> DiceReading:
    """Dice of these values, the first one at 10, 10, the next one at 20, 20."""
    dice = (Die(value, (10.0 * n, 10.0 * n), 0.9, ()) for n, value in enumerate(values, 1))
    return DiceReading(tuple(dice), ASKED if asked else ())


@pytest.mark.parametrize(
    ("read", "flat", "leaning"),
    [
        (reading(3, 5), 0.0, 10.0),
        (reading(3, 5, asked=True), 1.0, 0.0),
        (reading(3), 10.0, 10.0),
        (reading(3, asked=True), 1.1, 0.1),
        (reading(3, 6), 10.0, 10.0),
        (reading(3, 6, asked=True), 2.0, 2.0),
        (reading(3, 5, 1), 10.0, 2.0),
    ],
)
def test_a_wrong_score_costs_most(read: DiceReading, flat: float, leaning: float) -> None:
    truth = ((3, 10.0, 10.0, 4.0), (5, 20.0, 20.0, 4.0))
    for leans, cost in ((False, flat), (True, leaning)):
        picture = DicePicture("", np.zeros((9, 9, 3), np.uint8), truth, None, Optics.of((9, 9)), leans)
        assert cost_of(picture, read) == pytest.approx(cost)


def test_limits_are_numbers_by_name_and_back() -> None:
    numbers = numbers_of(dice_limits())
    assert numbers["faces.pip_worth"] == dice_limits().faces.pip_worth
    assert limits_of(numbers, DiceLimits) == dice_limits()
    other = moved(numbers, 3)
    assert other != numbers
    assert all(0.84 < other[name] / value < 1.19 for name, value in numbers.items())


@pytest.mark.parametrize("kind", ["_photographs", "_leaning", "_zones"])
def test_the_first_pictures_of_each_kind_show_what_is_said_of_them(kind: str) -> None:
    pictures = getattr(development, kind)()
    picture = next(pictures)
    cost = DiceCost()
    numbers = numbers_of(dice_limits())
    assert cost(numbers, picture) <= 2.0
    again = cost.reading(picture, dice_limits())
    optics = picture.cameras[0] if len(picture.cameras) == 1 else None
    assert [die.value for die in again.dice] == [
        die.value for die in read_dice(picture.image, picture.count, optics).dice
    ]
    found = figures([picture], numbers, cost)
    assert found["pictures"] == 1
    assert found["dice_right"] + found["dice_not_read"] == len(picture.truth)


def test_the_shipped_limits_say_what_they_were_fitted_on() -> None:
    about = json.loads((FOLDER / FILE).read_text())["fit"]
    assert set(about["neighbours"]) == set(numbers_of(dice_limits()))
    assert about["pictures"] > 200
    assert about["cost"] <= about["cost_at_start"]
