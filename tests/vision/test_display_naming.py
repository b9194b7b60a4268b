"""The columns of a display are named together: no two of one monster, no card twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.vision.display.columns import FoundColumn
from companion.vision.display.naming import (
    ComparedColumn,
    ComparedPart,
    Start,
    assigned,
    name_columns,
    settled,
)
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
    return ComparedColumn(FoundColumn(tuple(one.part for one in made), (), divided=False), made, ())


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


def start(at: float, left: float, *, certain: bool = True) -> Start:
    """A place along a column where a card may begin, and what the likeliest card leaves unexplained there."""
    part = CardPart(QUAD, 1.0 if at > 0.9 else 0.3, at)
    return Start(ComparedPart(part, {"red 1": StripComparison(0, QUAD, left)}), certain)


def starts_of(parts: Sequence[ComparedPart]) -> list[float]:
    return [one.part.start for one in parts]


@pytest.mark.parametrize(
    ("middle", "counted", "asked"),
    [
        (start(0.3, 0.1), [0.6, 0.3, 0.0], []),
        (start(0.3, 0.1, certain=False), [0.6, 0.3, 0.0], []),
        (start(0.3, 0.9, certain=False), [0.6, 0.0], []),
        (start(0.3, 0.9), [0.6, 0.3, 0.0], [0.3]),
        (start(0.45, 0.3, certain=False), [0.6, 0.0], []),
        (start(0.45, 0.1), [0.6, 0.0], [0.45]),
        (start(0.4, 0.6, certain=False), [0.6, 0.0], [0.4]),
    ],
)
def test_a_card_begins_where_one_is_explained_a_step_from_the_next(
    middle: Start, counted: list[float], asked: list[float]
) -> None:
    column = [start(0.6, 0.1), middle, start(0.0, 0.2)]
    parts, doubts = settled(column, 0.3, divided=False)
    assert (starts_of(parts), starts_of(doubts)) == (counted, asked)


@pytest.mark.parametrize(("left", "asked"), [(0.1, []), (0.5, [0.3])])
def test_an_open_card_with_an_edge_across_it_is_checked(left: float, asked: list[float]) -> None:
    _, doubts = settled([start(0.3, left), start(0.0, 0.1)], 0.3, divided=True)
    assert starts_of(doubts) == asked


def test_a_doubtful_place_is_asked_about_only_where_a_card_would_be_missing() -> None:
    """A drawing on a card may look like the end of another one; without it the steps are regular."""
    _, doubts = settled(
        [start(0.4, 0.1), start(0.2, 0.6, certain=False), start(0.0, 0.1)], 0.3, divided=False
    )
    assert doubts == []
    _, doubts = settled(
        [start(0.7, 0.1), start(0.4, 0.6, certain=False), start(0.0, 0.1)], 0.3, divided=False
    )
    assert starts_of(doubts) == [0.4]
