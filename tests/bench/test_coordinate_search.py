"""Numbers are fitted one after the other, on as few pictures as tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bench.coordinate_search import CoordinateSearch, Numbers

NAMES = ("size", "count")


def near(size: float, count: int) -> Callable[[Numbers, float], float]:
    """A cost that rises with the distance from these numbers; the picture is its weight."""

    def cost(numbers: Numbers, weight: float) -> float:
        return weight * (abs(numbers["size"] - size) / size + abs(numbers["count"] - count))

    return cost


def test_a_moved_start_comes_back_to_where_it_costs_least() -> None:
    said = list[str]()
    search = CoordinateSearch(near(2.0, 5), [1.0, 2.0, 3.0], 0.1, 5.0, said.append)
    fitted = search.fit({"size": 1.28, "count": 2}, 5, NAMES)
    assert fitted.values == {"size": 2.0, "count": 5}
    assert (fitted.cost, fitted.settled) == (0.0, True)
    assert fitted.cost_at_start == pytest.approx(6 * 3.36)
    assert said[0].startswith("size: 1.28 -> 1.6, cost 20.2 -> 19.2")
    assert isinstance(fitted.values["count"], int)


def test_a_step_that_saves_less_than_the_margin_is_not_kept() -> None:
    fitted = CoordinateSearch(near(2.0, 5), [1.0], 0.5, 5.0).fit({"size": 1.6, "count": 5}, 3, NAMES)
    assert fitted.values == {"size": 1.6, "count": 5}
    assert (fitted.passes, fitted.settled) == (1, True)


def test_only_the_numbers_that_are_named_are_moved() -> None:
    fitted = CoordinateSearch(near(2.0, 5), [1.0], 0.1, 5.0).fit({"size": 1.6, "count": 4}, 3, ["count"])
    assert fitted.values == {"size": 1.6, "count": 5}


def test_one_pass_is_not_said_to_have_settled() -> None:
    fitted = CoordinateSearch(near(2.0, 5), [1.0], 0.1, 5.0).fit({"size": 1.6, "count": 4}, 1, NAMES)
    assert (fitted.passes, fitted.settled) == (1, False)


def test_a_step_that_cannot_save_enough_is_given_up_after_the_pictures_that_cost_most() -> None:
    asked = list[int]()

    def cost(numbers: Numbers, picture: int) -> float:
        asked.append(picture)
        return 3.0 if picture == 7 else 0.0

    CoordinateSearch(cost, range(10), 1.0, 5.0).fit({"size": 1.0}, 1, ["size"])
    assert asked == [*range(10), 7, 7]


def test_a_step_that_is_clearly_behind_is_given_up_and_the_neighbours_say_so() -> None:
    asked = list[float]()

    def cost(numbers: Numbers, picture: int) -> float:
        asked.append(numbers["size"])
        return {0.8: 2.0, 1.25: 0.5}.get(numbers["size"], 0.0)

    found = CoordinateSearch(cost, range(8), 1.0, 5.0).neighbours({"size": 1.0}, ["size"])
    below, above = found["size"]
    assert (below.value, below.excess, below.stopped) == (0.8, 6.0, True)
    assert (above.value, above.excess, above.stopped) == (1.25, 4.0, False)
    assert (asked.count(0.8), asked.count(1.25)) == (3, 8)


def test_what_a_picture_costs_with_the_same_numbers_is_asked_once() -> None:
    asked = Counter[tuple[float, int]]()

    def cost(numbers: Numbers, picture: int) -> float:
        asked[numbers["size"], picture] += 1
        return abs(numbers["size"] - 2.0)

    search = CoordinateSearch(cost, range(4), 0.5, 5.0)
    fitted = search.fit({"size": 1.6}, 2, ["size"])
    assert search.neighbours(fitted.values, ["size"])["size"]
    assert set(asked.values()) == {1}
