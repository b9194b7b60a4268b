"""What the choices of an offer allow, and what they only seem to."""

from typing import Any

import pytest

from companion.games.contract.choices import (
    AnyPlace,
    Collection,
    Dice,
    Monsters,
    Number,
    Objects,
    Parts,
    Text,
    Tiles,
)
from companion.games.contract.offers import Choice

TOP = {"monster": 1, "part": "top"}
EYES = {"monster": 2, "part": "eyes"}


@pytest.mark.parametrize(
    ("choice", "good", "bad"),
    [
        (Number(), [0, 0.5, 10**9], [-1, True, "1", None, float("nan"), float("inf")]),
        (Number(low=2.0, before=3.0), [2, 2.999], [1.999, 3, 3.0]),
        (Text(), ["red"], ["", 1, None, ["red"]]),
        (Text(("red",)), ["blue"], ["red"]),
        (AnyPlace(), [[0, 0], [-5, 7]], [[0], [0, 0.0], [0, True], (0, 0), "00", [0, 10**7]]),
        (
            AnyPlace(),
            [[10**6, -(10**6)]],
            [[10**6 + 1, 0], [0, 10**6 + 1], [-(10**6) - 1, 0], [0, -(10**6) - 1]],
        ),
        (Objects((TOP,)), [TOP, {**TOP, "side": "left"}], [EYES, {"monster": 1}, {**TOP, "monster": 1.0}, 1]),
        (Collection((TOP, EYES)), [[], [TOP], [EYES, {**TOP, "side": "left"}]], [[TOP, TOP], [1], TOP, None]),
        (Collection((TOP, EYES), 1), [[TOP]], [[]]),
        (Dice(2), [[1, 6]], [[1], [1, 7], [0, 1], [1, True], [1, 1.0], "11"]),
        (Parts((1, 2), (3,), (4,)), [[2, 3, 4]], [[3, 3, 4], [1, 3], [True, 3, 4], [1, 3, 4, 4], "134"]),
        (
            Monsters((1, 2), (3, 4), (5,)),
            [[[1, 4, 5]]],
            [[], [[1, 3, 5], [2, 4, 5]], [[1, 1, 5]], [[1, 3]], [1, 3, 5], [[1, 3, True]]],
        ),
        (
            Monsters((1, 2), (3, 4), (5, 6)),
            [[[1, 4, 5], [2, 3, 6]]],
            [[[1, 4, 5], [1, 3, 6]], [[1, 4, 5]], "no"],
        ),
        (
            Tiles({"a": 2}, symbols=1, tiles=4),
            [{}, {"a": 1}, {"b": 3, "a": 1}, {"b": 1, "c": 0}],
            [
                {"a": 2},
                {"b": 4},
                {"b": 1, "c": 1},
                {"b": 3, "a": 1, "c": 1},
                {"b": -1},
                {"b": True},
                {"b": 1.0},
                [],
                3,
            ],
        ),
        (Tiles({}, symbols=9, tiles=2), [{"a": 2}], [{"a": 3}, {"a": 1, "b": 2}]),
    ],
)
def test_what_is_allowed(choice: Choice, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not choice.allows(value)] == []
    assert [value for value in bad if choice.allows(value)] == []
