"""From where the arm came that laid a card."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.tracking.arms import Arms
from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.recent_pictures import KEPT_S


def nothing(t: float) -> Change:
    """A picture in which nothing differs."""
    return Change(t, np.zeros((16, 16, 3), np.uint8), np.zeros((16, 16), bool), ())


def seen(*changes: Change) -> Arms:
    arms = Arms()
    for one in changes:
        arms.see(one)
    return arms


ROWS, COLUMNS = 90, 160
CARD = np.array([(300, 160), (340, 160), (340, 200), (300, 200)], float)
"""In the middle of the small picture."""
SIDES = {
    "right": ((44, 46), (75, COLUMNS), 0.0),
    "bottom": ((40, ROWS), (79, 81), 90.0),
    "left": ((44, 46), (0, 85), 180.0),
    "top": ((0, 50), (79, 81), 270.0),
}
"""Rows and columns of the cells of an arm over the card, and from where it comes."""


def arm(*sides: str, t: float = 5.0) -> Change:
    """A picture with one part that differs, which reaches the picture's edge on these sides."""
    cells = np.zeros((ROWS, COLUMNS), bool)
    for side in sides:
        rows, columns, _ = SIDES[side]
        cells[slice(*rows), slice(*columns)] = True
    whole = (slice(0, ROWS), slice(0, COLUMNS))
    blob = Blob(cells, whole, True, 0.0, t)
    return Change(t, np.zeros((360, 640, 3), np.uint8), np.zeros((360, 640), bool), (blob,))


@pytest.mark.parametrize("side", SIDES)
def test_an_arm_comes_from_where_it_leaves_the_picture(side: str) -> None:
    direction = seen(*(arm(side, t=5.0 + 0.03 * k) for k in range(-10, 10))).direction(CARD, 5.0)
    assert direction is not None
    assert abs((direction - SIDES[side][2] + 180.0) % 360.0 - 180.0) < 2.0


def test_an_arm_that_is_not_over_the_card_did_not_lay_it() -> None:
    assert seen(arm("right")).direction(CARD - (200.0, 0.0), 5.0) is None


def test_two_arms_that_cannot_be_told_apart_have_no_direction() -> None:
    assert seen(arm("right", "top")).direction(CARD, 5.0) is None, "one part leaves the picture twice"
    one_after_the_other = [arm("right", t=4.9), arm("left", t=5.0)]
    assert seen(*one_after_the_other).direction(CARD, 5.0) is None


def test_an_arm_that_had_gone_before_the_landing_did_not_lay_the_card() -> None:
    arms = seen(arm("left", t=4.5), arm("right", t=5.0))
    direction = arms.direction(CARD, 5.0)
    assert direction is not None
    assert min(direction, 360.0 - direction) < 2.0
    assert arms.direction(CARD, 6.0) is None


def test_two_arms_until_the_card_is_noticed_leave_it_open_whose_it_was() -> None:
    """A hand had moved an equal card just before: the landing was dated then (34023)."""
    arms = seen(*(arm("bottom", t=5.0 + 0.1 * k) for k in range(3)))
    assert arms.direction(CARD, 5.0) is not None
    for k in range(3):
        arms.see(arm("left", t=5.4 + 0.1 * k))
    assert arms.direction(CARD, 5.0) is None


def test_arms_are_forgotten() -> None:
    assert seen(arm("right"), nothing(5.0 + KEPT_S)).direction(CARD, 5.0) is not None
    assert seen(arm("right"), nothing(5.1 + KEPT_S)).direction(CARD, 5.0) is None
