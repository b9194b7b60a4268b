"""The columns of a display are named together: no two of one monster, no card twice."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.display.limits import CardModel
from companion.vision.display.naming import (
    ComparedColumn,
    ComparedPart,
    DeckMonsters,
    assigned,
    name_columns,
    posterior,
)
from companion.vision.display.straight import CardPart

QUAD = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
NAMES = ("red 1", "red 2", "joker", "pink 1", "pink 2")
MONSTERS = DeckMonsters.of(NAMES, "joker", CardModel(by_log_odds=1.0, other=0.01))


def part(odds: dict[str, float], quad: np.ndarray = QUAD) -> ComparedPart:
    """A part that shows each card with these log odds; the others were not judged."""
    cards = {name: VerifiedCard(0, quad, one) for name, one in odds.items()}
    return ComparedPart(CardPart(QUAD, 1.0), None, cards)


def compared(*parts: dict[str, float]) -> ComparedColumn:
    return ComparedColumn(QUAD, tuple(map(part, parts)), ())


def test_two_columns_are_of_two_monsters_and_the_one_that_gives_way_says_so() -> None:
    columns = [
        compared({"red 1": 5.0, "pink 1": 4.5}),
        compared({"red 2": 5.0, "pink 2": 0.0}),
    ]
    first, second = name_columns(columns, MONSTERS)
    assert (first.monster, second.monster) == ("pink", "red")
    assert second.same < 0 < first.same
    assert first.probability == pytest.approx(second.probability)
    assert first.probability > 0.97


def test_a_card_of_a_monster_is_in_a_column_once_and_jokers_as_often_as_they_like() -> None:
    column = compared(
        {"red 1": 5.0, "red 2": 1.0}, {"red 1": 4.5, "red 2": 3.0}, {"joker": 5.0}, {"joker": 5.0}
    )
    (named,) = name_columns([column], MONSTERS)
    assert [part.name for part in named.parts] == ["red 1", "red 2", "joker", "joker"]


def test_more_columns_than_monsters_share_them() -> None:
    logs = np.log([[0.5, 0.1], [0.9, 0.2], [0.1, 0.4]])
    assert assigned(posterior(logs)) == [0, 0, 1]
    assert posterior(logs) == pytest.approx(np.array([[5 / 6, 1 / 6], [9 / 11, 2 / 11], [0.2, 0.8]]))


def test_the_posterior_is_that_of_all_assignments() -> None:
    logs = np.random.default_rng(3).normal(0, 2, (3, 4))
    weights = {
        order: math.exp(sum(logs[row, at] for row, at in enumerate(order)))
        for order in permutations(range(4), 3)
    }
    expected = np.zeros((3, 4))
    for order, weight in weights.items():
        expected[range(3), order] += weight / sum(weights.values())
    assert posterior(logs) == pytest.approx(expected, abs=1e-6)
    assert assigned(posterior(logs)) == list(max(weights, key=lambda order: weights[order]))


def test_a_column_is_of_the_monster_that_makes_all_its_parts_likeliest() -> None:
    column = compared({"red 1": 3.0, "pink 1": 2.0}, {"red 2": -1.0, "pink 2": 4.0})
    (named,) = name_columns([column], MONSTERS)
    assert named.monster == "pink"
    assert named.probability > 0.9
    assert [part.name for part in named.parts] == ["pink 1", "pink 2"]


def test_cards_that_were_not_judged_are_unlikely_and_not_impossible() -> None:
    shares = MONSTERS.shares(part({"red 1": 6.0}))
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["red 1"] > 0.99
    assert shares["pink 2"] == pytest.approx(0.01 / len(NAMES))
    assert set(MONSTERS.shares(part({})).values()) == {1 / len(NAMES)}


def test_a_column_is_clear_if_one_monster_is_sure_and_a_card_known() -> None:
    assert MONSTERS.is_clear([part({"red 1": 6.0}), part({"red 2": 6.0})])
    assert not MONSTERS.is_clear([part({"red 1": 6.0, "pink 1": 5.0})])
    assert not MONSTERS.is_clear([part({"red 1": -3.0}), part({"red 2": -3.0})])


def test_a_part_of_no_card_lies_where_it_was_found() -> None:
    moved = np.asarray(QUAD + 1, np.float32)
    assert np.array_equal(part({"red 1": 2.0}, moved).place, moved)
    assert np.array_equal(part({"red 1": -1.0}, moved).place, QUAD)
    assert part({}).known == -math.inf


def test_the_only_card_of_a_monster_is_as_sure_as_the_verifier_is_of_it() -> None:
    alone = DeckMonsters.of(("red 1", "pink 1", "pink 2"), "", CardModel(by_log_odds=1.0, other=0.03))
    (seen,) = name_columns([compared({"red 1": 5.0})], alone)
    assert seen.parts[0].lead == pytest.approx(math.log(0.98 / 0.01))
    (unseen,) = name_columns([compared({})], alone)
    assert unseen.parts[0].lead == pytest.approx(0.0)
