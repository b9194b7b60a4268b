"""A card is named where its drawing, its place and both looks speak for it, and asked about otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.lattice.cells import Cell
from companion.vision.lattice.place_score import POSSIBLE, PlaceScore

CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)


def place(costs: tuple[float, ...] = (0.2, 0.5, 0.6), like: float = 0.7, off: float = 0.05) -> PlaceScore:
    seen = np.array(costs, np.float32)
    cell = Cell((0, 0), CORNERS, seen, 0.95, like, off)
    return PlaceScore(cell, seen, True, like, np.array([0.9, 0.95, 1.0], np.float32))


def test_a_plain_card_in_its_place_is_sure() -> None:
    one = place()
    assert one.is_sure
    assert one.card == 0
    assert one.confidence > 0.95


@pytest.mark.parametrize(
    "doubtful",
    [
        place(costs=(0.2, 0.22, 0.6)),
        place(off=0.6),
        place(costs=(0.42, 0.55, 0.6), like=0.2),
        replace(place(costs=(0.2, 0.26, 0.6)), agreed=False),
    ],
    ids=["two cards alike", "far from its place", "a figure of the table", "both looks disagree"],
)
def test_what_may_be_another_card_or_none_is_not_named(doubtful: PlaceScore) -> None:
    assert not doubtful.is_sure


def test_bare_table_is_not_even_asked_about() -> None:
    bare = replace(place(costs=(0.5, 0.55, 0.6), like=0.0), sides=np.zeros(3, np.float32))
    assert bare.log_odds < POSSIBLE


def test_a_card_in_which_a_lamp_is_mirrored_needs_the_look_under_the_veil_alone() -> None:
    seen = replace(place(like=0.0), glare_similarity=0.6, agreed=False, has_glare=True)
    assert seen.is_sure
    assert not replace(seen, costs=np.array([0.2, 0.26, 0.6], np.float32)).is_sure


def test_a_card_whose_whole_outline_is_seen_needs_less_of_its_drawing() -> None:
    pale = replace(place(costs=(0.42, 0.52, 0.6), like=0.0), glare_similarity=0.5, agreed=False)
    outlined = replace(pale, sides=np.ones(3, np.float32))
    assert outlined.is_sure
    assert not replace(outlined, sides=np.array([0.85, 1.0, 1.0], np.float32)).is_sure
    assert not replace(outlined, costs=np.array([0.42, 0.48, 0.6], np.float32)).is_sure
