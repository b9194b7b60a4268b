"""The columns of a display are named together: no two of one monster, no card twice."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.display.naming import LEAST_ODDS, ComparedColumn, ComparedPart, assigned, name_columns
from companion.vision.display.straight import CardPart

QUAD = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
GROUPS = {"red": ["red 1", "red 2"], "pink": ["pink 1", "pink 2"]}


def compared(*parts: dict[str, float]) -> ComparedColumn:
    """A column whose parts show each card with these log odds."""
    made = tuple(
        ComparedPart(CardPart(QUAD, 1.0), {name: VerifiedCard(0, QUAD, odds) for name, odds in part.items()})
        for part in parts
    )
    return ComparedColumn(made, ())


def test_two_columns_are_of_two_monsters() -> None:
    columns = [
        compared({"red 1": 5.0, "pink 1": 4.5}),
        compared({"red 2": 5.0, "pink 2": 0.0}),
    ]
    assert [one.monster for one in name_columns(columns, GROUPS, "joker")] == ["pink", "red"]


def test_a_card_of_a_monster_is_in_a_column_once_and_jokers_as_often_as_they_like() -> None:
    column = compared(
        {"red 1": 5.0, "red 2": 4.0}, {"red 1": 4.5, "red 2": 3.0}, {"joker": 5.0}, {"joker": 5.0}
    )
    (named,) = name_columns([column], GROUPS, "joker")
    assert [part.name for part in named.parts] == ["red 1", "red 2", "joker", "joker"]


def test_more_columns_than_monsters_share_them() -> None:
    assert assigned(np.array([[0.1, 0.5], [0.2, 0.9], [0.4, 0.1]], np.float32)) == [0, 0, 1]


def test_a_column_is_of_the_monster_that_makes_all_its_parts_likeliest() -> None:
    column = compared({"red 1": 3.0, "pink 1": 2.0}, {"red 2": -1.0, "pink 2": 4.0})
    (named,) = name_columns([column], GROUPS, "joker")
    assert named.monster == "pink"
    assert named.lead == pytest.approx(6.0 - 2.0)
    assert [part.lead for part in named.parts] == pytest.approx([2.0 - LEAST_ODDS, 4.0 - LEAST_ODDS])


def test_a_part_of_no_card_lies_where_it_was_found() -> None:
    moved = np.asarray(QUAD + 1, np.float32)
    likely, unlikely = (
        ComparedPart(CardPart(QUAD, 1.0), {"red 1": VerifiedCard(0, moved, odds)}) for odds in (2.0, -1.0)
    )
    assert np.array_equal(likely.place, moved)
    assert np.array_equal(unlikely.place, QUAD)
    assert ComparedPart(CardPart(QUAD, 1.0), {}).known == LEAST_ODDS
