"""Which column of a display a joker joins, by where the cards lie."""

from __future__ import annotations

import math

import pytest

from companion.core.observations import Sighting
from companion.games.seven_merry_monsters.column_places import ColumnPlaces

WIDTH, HEIGHT, STEP, STRIP = 60.0, 90.0, 66.0, 30.0


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return x * c - y * s, x * s + y * c


def joker(x: float, y: float, degrees: float = 0.0) -> Sighting:
    corners = [(x + sx * WIDTH / 2, y + sy * HEIGHT / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    a, b, c, d = (turned(*corner, degrees) for corner in corners)
    return Sighting("joker", 0.9, (a, b, c, d))


def display(lengths: dict[str, int], degrees: float = 0.0) -> ColumnPlaces:
    """Columns side by side, of so many cards each."""
    places = ColumnPlaces()
    for number, (column, length) in enumerate(lengths.items()):
        for row in range(length):
            places.remember(column, turned(number * STEP, row * STRIP, degrees))
    return places


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, -30.0])
def test_a_joker_at_the_end_of_a_short_column_is_not_of_the_long_one_beside_it(degrees: float) -> None:
    places = display({"red": 6, "green": 1, "blue": 5}, degrees)
    for row in range(1, 6):
        assert places.nearest(joker(STEP + 4.0, row * STRIP, degrees), ["red", "green", "blue"]) == "green"


def test_columns_of_one_card_run_as_the_joker_stands() -> None:
    places = display({"red": 1, "green": 1})
    assert places.nearest(joker(3.0, STRIP), ["red", "green"]) == "red"


def test_cards_put_aside_on_one_heap_tell_no_direction() -> None:
    places = display({"red": 1, "green": 1})
    for x in (300.0, 305.0):
        places.remember("joker", (x, 0.0))
    assert places.nearest(joker(STEP - 2.0, STRIP), ["red", "green"]) == "green"


@pytest.mark.parametrize("x", [STEP / 2, -STEP, 2 * STEP])
def test_a_joker_between_or_beside_the_columns_is_of_none(x: float) -> None:
    assert display({"red": 3, "green": 3}).nearest(joker(x, STRIP), ["red", "green"]) is None


def test_a_column_that_was_not_seen_may_be_the_one() -> None:
    assert display({"red": 3}).nearest(joker(0.0, STRIP), ["red", "green"]) is None
