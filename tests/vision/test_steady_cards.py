"""Where nothing has changed the last reading of a table of triangles stands."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.observations import LatticeCard, View
from companion.vision.lattice import fit
from companion.vision.lattice.fit import Place
from companion.vision.lattice.read import LatticeReading
from companion.vision.tracking.steady_cards import steadied

MATRIX = np.array([[70.0, 8, 300], [-6, 66, 220], [0.0002, 0.0004, 1]])
VIEW: View = (70.0, 8.0, 300.0, -6.0, 66.0, 220.0, 0.0002, 0.0004, 1.0)


def card(at: Place, name: str, confidence: float = 0.95, off: float = 0.0) -> LatticeCard:
    a, b, c = ((float(x) + off, float(y)) for x, y in fit.projected(MATRIX, fit.corners_of(at)))
    return LatticeCard(at, name, confidence, (a, b, c))


def reading(*cards: LatticeCard, unsure: tuple[LatticeCard, ...] = ()) -> LatticeReading:
    return LatticeReading(cards, unsure, VIEW)


def by_place(seen: LatticeReading) -> dict[Place, str]:
    return {one.at: one.card for one in seen.cards}


LAST = reading(card((0, 0), "red"), card((0, 1), "blue"), card((1, 0), "pink"))


def nothing(_: LatticeCard) -> float:
    return 0.0


def everything(_: LatticeCard) -> float:
    return 1.0


def test_a_card_in_doubt_stays_what_it_was_while_nothing_changes_there() -> None:
    now = reading(card((0, 0), "red"), card((1, 0), "pink"), unsure=(card((0, 1), "blue", 0.4),))
    found = steadied(now, LAST, nothing)
    assert by_place(found) == {(0, 0): "red", (0, 1): "blue", (1, 0): "pink"}
    assert found.unsure == ()


def test_a_card_that_has_changed_is_what_it_is_seen_to_be() -> None:
    now = reading(card((0, 0), "red"), unsure=(card((0, 1), "blue", 0.4),))
    assert steadied(now, LAST, everything) == now


def test_a_card_that_is_surely_another_one_is_told() -> None:
    now = reading(card((0, 0), "red"), card((0, 1), "green"), card((1, 0), "pink"))
    assert by_place(steadied(now, LAST, nothing)) == {(0, 0): "red", (0, 1): "green", (1, 0): "pink"}


def test_a_card_seen_between_two_places_does_not_become_two() -> None:
    crooked = card((0, 1), "blue", off=25.0)
    last = reading(card((0, 0), "red"), crooked)
    beside = replace(card((0, 2), "blue", 0.4), corners=card((0, 1), "blue", off=32.0).corners)
    found = steadied(reading(card((0, 0), "red"), unsure=(beside,)), last, nothing)
    assert by_place(found) == {(0, 0): "red", (0, 1): "blue"}
    assert found.unsure == ()


def test_a_new_card_that_is_sure_is_told_even_if_little_has_changed() -> None:
    now = reading(*LAST.cards, card((0, 2), "green"))
    assert by_place(steadied(now, LAST, nothing))[0, 2] == "green"


def test_a_new_doubt_where_nothing_has_changed_is_none() -> None:
    now = reading(*LAST.cards, unsure=(card((0, 2), "green", 0.3),))
    assert steadied(now, LAST, nothing).unsure == ()
    assert steadied(now, LAST, everything).unsure == now.unsure


def test_a_doubt_that_was_told_before_stays_one() -> None:
    doubt = card((0, 2), "green", 0.3)
    last = reading(*LAST.cards, unsure=(doubt,))
    assert steadied(reading(*LAST.cards, unsure=(doubt,)), last, nothing).unsure == (doubt,)


def test_a_table_of_which_nothing_is_seen_any_more_is_counted_as_before() -> None:
    assert steadied(LatticeReading(()), LAST, nothing) == replace_known(LAST)


def replace_known(last: LatticeReading) -> LatticeReading:
    return LatticeReading(last.cards, (), last.view)


@pytest.mark.parametrize("shown", [("red", "pink"), ("pink",)])
@pytest.mark.parametrize("sixths", range(6))
def test_a_card_that_stays_is_counted_as_the_new_reading_counts(sixths: int, shown: tuple[str, ...]) -> None:
    def turned(at: Place) -> Place:
        row, column = fit.rotated(at, sixths)
        return row - 1, column + 3

    seen = [one for one in LAST.cards if one.card in shown]
    now = tuple(replace(one, at=turned(one.at)) for one in seen)
    places = [one.at for one in LAST.cards]
    corners = {turned(at): fit.projected(MATRIX, fit.corners_of(at)) for at in places}
    turns = {at: np.asarray(np.roll(seen_at, -sixths, axis=0), np.float32) for at, seen_at in corners.items()}
    a, b, c, d, e, f, g, h, i = (float(value) for value in fit.fit_view(turns).ravel())
    found = steadied(LatticeReading(now, (), (a, b, c, d, e, f, g, h, i)), LAST, nothing)
    assert by_place(found) == {turned(one.at): one.card for one in LAST.cards}
