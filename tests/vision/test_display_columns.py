"""Columns are found in the maps of the card finder."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.display.columns import FoundColumns, find_columns
from companion.vision.display.finder import PartMaps
from companion.vision.display.regions import Region
from companion.vision.image.picture import Floats

WIDE, TALL, STEP = 20.0, 28.0, 8.0
CARD = 28.0


def quad(x: float, y: float, degrees: float = 0.0) -> Floats:
    """A card in the maps with its centre there."""
    turn = np.deg2rad(degrees)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDE, TALL) / 2
    return np.asarray(half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y))


def maps_of(quads: Sequence[Floats], skew: float = 0.0, *, edges: bool = True) -> PartMaps:
    """The maps that a finder without a fault makes of these cards, the last on top."""
    ids = np.zeros((4 * 140, 4 * 220), np.uint8)
    for number, corners in enumerate(quads, start=1):
        slanted = corners + np.stack([np.zeros(4), corners[:, 0] * skew], axis=1)
        cv2.fillConvexPoly(ids, np.round(slanted * 4).astype(np.int32), number)
    edge = np.zeros(ids.shape, np.uint8)
    edge[:, 1:] |= (ids[:, :-1] != ids[:, 1:]) & (edges | (ids[:, :-1] == 0) | (ids[:, 1:] == 0))
    edge[1:] |= (ids[:-1] != ids[1:]) & (edges | (ids[:-1] == 0) | (ids[1:] == 0))
    wide = cv2.dilate(edge, np.ones((5, 5), np.uint8)).astype(np.float32)
    size = (220, 140)
    seen = cv2.resize((ids > 0).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return PartMaps(seen, cv2.resize(wide, size, interpolation=cv2.INTER_AREA), 0.5)


def column(x: float, cards: int, y: float = 30.0) -> list[Floats]:
    """A column of cards, the open one nearest to the reader."""
    return [quad(x, y + STEP * row, 1.5 * (row % 2)) for row in range(cards)]


def widest(found: Sequence[FoundColumns]) -> FoundColumns:
    """The way to separate the cards that has most columns."""
    return max(found, key=lambda one: len(one.columns))


def lengths(found: Sequence[FoundColumns]) -> list[int]:
    """Lengths of the columns from left to right, in steps beyond one card."""
    ordered = sorted(widest(found).columns, key=lambda one: float(one.quad[:, 0].mean()))
    return [round((one.lengths - 1.0) * TALL / STEP) for one in ordered]


@pytest.mark.parametrize("skew", [0.0, 0.12, -0.12])
def test_each_column_is_found_also_when_seen_at_an_angle(skew: float) -> None:
    cards = [*column(30, 3), *column(60, 1), *column(90, 5), *column(120, 2)]
    found = find_columns(maps_of(cards, skew), CARD / WIDE)
    assert lengths(found) == [2, 0, 4, 1]
    assert not widest(found).leftover


def test_columns_that_touch_are_still_two() -> None:
    assert lengths(find_columns(maps_of([*column(30, 3), *column(51, 2)]), CARD / WIDE)) == [2, 1]


def test_ways_to_separate_that_give_the_same_columns_are_one() -> None:
    found = find_columns(maps_of([*column(30, 1), *column(70, 1)]), CARD / WIDE)
    assert [len(one.columns) for one in found] == [2]


def test_a_column_lies_where_its_cards_are() -> None:
    cards = column(60, 3)
    found = widest(find_columns(maps_of([*cards, *column(100, 1)]), CARD / WIDE))
    quad = max(found.columns, key=lambda one: one.lengths).quad
    truth = np.stack([cards[0][0], cards[0][1], cards[-1][2], cards[-1][3]])
    away = [np.linalg.norm((one + 0.5) / 2 - truth, axis=1).max() for one in (quad, quad[[2, 3, 0, 1]])]
    assert min(away) < 2.0


def test_what_looks_like_a_card_and_is_in_no_column_is_left_over() -> None:
    half = maps_of([*column(30, 2), *column(70, 2)])
    half.card[100:110, 150:172] = 0.9
    found = find_columns(half, CARD / WIDE)
    assert lengths(found) == [1, 1]
    assert len(widest(found).leftover) == 1


def test_an_empty_table_has_no_columns() -> None:
    assert find_columns(maps_of([]), CARD / WIDE) == []


def test_a_slanted_card_has_the_lengths_of_its_sides() -> None:
    y, x = np.mgrid[0:60, 0:40].astype(np.float32)
    slanted = np.stack([x + 0.2 * y, y], axis=2).reshape(-1, 2)
    region = Region.of(slanted)
    assert region.short == pytest.approx(40, abs=1.5)
    assert region.long == pytest.approx(60 * np.hypot(1, 0.2), abs=1.5)
    assert region.filling > 0.9
