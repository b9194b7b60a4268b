"""From where the arm came that laid a card."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.recent_pictures import SmallPicture, arm_direction


def seen(*changes: Change) -> list[SmallPicture]:
    return [SmallPicture.of(one, 1.0) for one in changes]


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
    direction = arm_direction(seen(*(arm(side, t=5.0 + 0.03 * k) for k in range(-10, 10))), CARD, 5.0)
    assert direction is not None
    assert abs((direction - SIDES[side][2] + 180.0) % 360.0 - 180.0) < 2.0


def test_an_arm_that_is_not_over_the_card_did_not_lay_it() -> None:
    assert arm_direction(seen(arm("right")), CARD - (200.0, 0.0), 5.0) is None


def test_two_arms_that_cannot_be_told_apart_have_no_direction() -> None:
    assert arm_direction(seen(arm("right", "top")), CARD, 5.0) is None, "one part leaves the picture twice"
    one_after_the_other = [arm("right", t=4.9), arm("left", t=5.0)]
    assert arm_direction(seen(*one_after_the_other), CARD, 5.0) is None


def test_an_arm_that_had_gone_before_the_landing_did_not_lay_the_card() -> None:
    arms = seen(arm("left", t=4.5), arm("right", t=5.0))
    direction = arm_direction(arms, CARD, 5.0)
    assert direction is not None
    assert min(direction, 360.0 - direction) < 2.0
    assert arm_direction(arms, CARD, 6.0) is None


def test_two_arms_until_the_card_is_noticed_leave_it_open_whose_it_was() -> None:
    """A hand had moved an equal card just before: the landing was dated then (34023)."""
    arms = seen(*(arm("bottom", t=5.0 + 0.1 * k) for k in range(3)))
    assert arm_direction(arms, CARD, 5.0) is not None
    for k in range(3):
        arms += seen(arm("left", t=5.4 + 0.1 * k))
    assert arm_direction(arms, CARD, 5.0) is None
