"""Cards that stay unsure are named only where added light explains them alone, and where one lies."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.lattice_cells import Cell
from companion.vision.lattice_lit import Lit, _flat, _unlike
from companion.vision.lattice_proven import is_there, is_told
from companion.vision.lattice_weighed import Weighed

CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)
WHITE = np.array([230.0, 240.0, 250.0], np.float32)
BLUE, RED = np.array([[180.0, 90.0, 30.0], [30.0, 30.0, 180.0]], np.float32)


def lit(costs: tuple[float, ...] = (0.05, 0.3, 0.6), flat: float = 0.12) -> Lit:
    cell = Cell((0, 0), CORNERS, np.array(costs, np.float32), 0.9, 0.0, 0.05)
    return Lit(cell, flat, 0.95, (0.9, 0.95), 20, np.zeros(9, np.float32))


def weighed(costs: tuple[float, ...] = (0.4, 0.42, 0.6), agreed: bool = False) -> Weighed:
    seen = np.array(costs, np.float32)
    return Weighed(
        Cell((0, 0), CORNERS, seen, 0.9, 0.1, 0.05), seen, agreed, 0.1, np.full(3, 0.9, np.float32)
    )


def test_added_white_light_leaves_a_colour_what_it_is_and_a_burnt_out_point_says_nothing() -> None:
    share = np.linspace(0, 300, 20, dtype=np.float32)[:, None]
    shone = np.minimum(BLUE + share * (WHITE / WHITE.max()), WHITE)
    assert _unlike(shone, np.broadcast_to(BLUE, shone.shape), WHITE).max() < 0.05
    other = _unlike(shone, np.broadcast_to(RED, shone.shape), WHITE)
    assert other[:5].min() > 0.9
    assert other[-1] < 0.05


def test_one_colour_under_a_lamp_is_no_drawing_and_two_are() -> None:
    shone = np.minimum(BLUE + np.linspace(0, 200, 60, dtype=np.float32)[:, None], WHITE)
    assert _flat(shone, WHITE) < 0.05
    assert _flat(np.concatenate([shone, np.tile(RED, (60, 1))]), WHITE) > 0.2


def test_a_card_is_told_if_every_other_is_clearly_farther() -> None:
    assert is_told(lit(), weighed())
    assert not is_told(lit(costs=(0.05, 0.08, 0.6)), weighed())
    assert not is_told(lit(costs=(0.5, 0.9, 0.9)), weighed())


def test_a_card_is_not_told_if_both_other_looks_plainly_favour_another() -> None:
    assert not is_told(lit(), weighed(costs=(0.3, 0.15, 0.6), agreed=True))
    assert is_told(lit(), weighed(costs=(0.3, 0.28, 0.6), agreed=True))


def test_less_is_asked_of_a_card_that_the_other_looks_favour() -> None:
    near = lit(costs=(0.05, 0.08, 0.6))
    assert is_told(near, weighed(costs=(0.2, 0.3, 0.6), agreed=True))
    assert not is_told(lit(costs=(0.05, 0.06, 0.6)), weighed(costs=(0.2, 0.3, 0.6), agreed=True))


@pytest.mark.parametrize(
    ("change", "there"),
    [
        ({}, True),
        ({"outline": (0.4, 0.95)}, False),
        ({"outline": (0.95,)}, False),
        ({"flat": 0.055}, False),
        ({"open": 0.3}, False),
        ({"told_of": 8}, False),
    ],
    ids=["outlined", "a side not seen", "one side left", "one colour", "mostly covered", "mostly burnt out"],
)
def test_that_a_card_lies_there_needs_its_outline_and_a_drawing(
    change: dict[str, object], there: bool
) -> None:
    assert is_there(replace(lit(), **change), odds=0.0) is there  # type: ignore[arg-type]


def test_what_a_third_look_proves_is_sure_and_what_it_does_not_confirm_is_not() -> None:
    one = weighed(costs=(0.05, 0.3, 0.6))
    assert replace(one, proven=True).is_sure
    plain = replace(weighed(costs=(0.1, 0.6, 0.7), agreed=True), veiled_like=0.9)
    assert plain.is_sure
    assert not replace(plain, doubted=True).is_sure
    assert replace(plain, doubted=True).confidence < 0.5
