"""The columns of a display are named together: no two of one monster, no card twice."""

from __future__ import annotations

import numpy as np

from companion.vision.display.naming import ComparedColumn, ComparedPart, assigned, name_columns
from companion.vision.display.straight import CardPart
from companion.vision.match.strip_match import StripComparison

QUAD = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
GROUPS = {"red": ["red 1", "red 2"], "pink": ["pink 1", "pink 2"]}


def compared(*parts: dict[str, float]) -> ComparedColumn:
    """A column whose parts leave that much unexplained by each card."""
    made = tuple(
        ComparedPart(
            CardPart(QUAD, 1.0), {name: StripComparison(0, QUAD, left) for name, left in part.items()}
        )
        for part in parts
    )
    return ComparedColumn(made, ())


def test_two_columns_are_of_two_monsters() -> None:
    columns = [
        compared({"red 1": 0.10, "pink 1": 0.12}),
        compared({"red 2": 0.10, "pink 2": 0.30}),
    ]
    assert [one.monster for one in name_columns(columns, GROUPS, "joker")] == ["pink", "red"]


def test_a_card_of_a_monster_is_in_a_column_once_and_jokers_as_often_as_they_like() -> None:
    column = compared(
        {"red 1": 0.1, "red 2": 0.2}, {"red 1": 0.15, "red 2": 0.3}, {"joker": 0.1}, {"joker": 0.1}
    )
    (named,) = name_columns([column], GROUPS, "joker")
    assert [part.name for part in named.parts] == ["red 1", "red 2", "joker", "joker"]


def test_more_columns_than_monsters_share_them() -> None:
    assert assigned(np.array([[0.1, 0.5], [0.2, 0.9], [0.4, 0.1]], np.float32)) == [0, 0, 1]
