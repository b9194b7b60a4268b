"""Columns are found in the maps of the card finder."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.display.columns import find_columns, left_over, wrong_area
from companion.vision.display.regions import Region
from companion.vision.display.straight import StraightColumn
from companion.vision.display.table_view import TableMaps, TableView
from companion.vision.image.picture import Floats

WIDE, TALL, STEP = 20.0, 28.0, 8.0
CARD = 28.0


def quad(x: float, y: float, degrees: float = 0.0) -> Floats:
    """A card in the maps with its centre there."""
    turn = np.deg2rad(degrees)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDE, TALL) / 2
    return np.asarray(half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y))


def maps_of(quads: Sequence[Floats], skew: float = 0.0, *, edges: bool = True) -> TableMaps:
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
    shown = np.asarray(cv2.resize(wide, size, interpolation=cv2.INTER_AREA), np.float32)
    return TableMaps(np.asarray(seen, np.float32), shown, TableView.of_camera((280, 440), 0.5))


def column(x: float, cards: int, y: float = 30.0) -> list[Floats]:
    """A column of cards, the open one nearest to the reader."""
    return [quad(x, y + STEP * row, 1.5 * (row % 2)) for row in range(cards)]


def whole(cards: Sequence[Floats]) -> Floats:
    """The corners of a column in pixels of the picture."""
    corners = np.stack([cards[0][0], cards[0][1], cards[-1][2], cards[-1][3]])
    return np.asarray((corners + 0.5) * 2 - 0.5, np.float32)


def is_found(found: Sequence[StraightColumn], cards: Sequence[Floats], within: float = 5.0) -> bool:
    """Whether a column lies where these cards do."""
    truth = whole(cards)
    return any(
        float(np.linalg.norm(quad - truth, axis=1).max()) < within
        for one in found
        for quad in (one.quad, one.turned().quad)
    )


@pytest.mark.parametrize("skew", [0.0, 0.12, -0.12])
def test_each_column_is_found_also_when_seen_at_an_angle(skew: float) -> None:
    columns = [column(30, 3), column(60, 1), column(90, 5), column(120, 2)]
    found = find_columns(maps_of([card for cards in columns for card in cards], skew), CARD / WIDE)
    for cards in columns:
        slanted = [one + np.stack([np.zeros(4), one[:, 0] * skew], axis=1) for one in cards]
        assert is_found(found, slanted, 8.0)


def test_columns_that_touch_are_still_two() -> None:
    columns = [column(30, 3), column(51, 2)]
    found = find_columns(maps_of([*columns[0], *columns[1]]), CARD / WIDE)
    assert all(is_found(found, cards) for cards in columns)


def test_however_they_are_separated_all_columns_have_cards_of_one_size() -> None:
    broad = [quad(60 + aside, 30 + STEP * row) for row in range(5) for aside in (0, 9)]
    found = find_columns(maps_of([*column(20, 2), *broad, *column(110, 3)]), CARD / WIDE)
    assert len(found) > 2
    (width,) = {one.size.width for one in found}
    assert width == pytest.approx(WIDE, abs=1.5)


def test_a_column_is_offered_once() -> None:
    found = find_columns(maps_of([*column(30, 1), *column(70, 1)]), CARD / WIDE)
    assert len(found) == 2


def test_a_column_says_how_many_cards_long_it_is_and_what_lies_beyond() -> None:
    cards = column(60, 3)
    found = find_columns(maps_of([*cards, *column(100, 1)]), CARD / WIDE)
    one = max(found, key=lambda column: column.lengths)
    assert one.lengths == pytest.approx(1 + 2 * STEP / CARD, abs=0.06)
    assert one.card_seen(0.1, 0.4) > 0.9 > 0.2 > one.card_seen(-0.3, -0.1)
    half = one.between(one.lengths / 2, one.lengths)
    assert half.lengths == pytest.approx(one.lengths / 2)


def test_what_looks_like_a_card_and_is_in_no_column_is_left_over() -> None:
    half = maps_of([*column(30, 2), *column(70, 2)])
    half.card[100:110, 150:172] = 0.9
    columns = find_columns(half, CARD / WIDE)[:2]
    (place,) = left_over(half, [one.quad for one in columns], WIDE * CARD)
    assert place.area == pytest.approx(220 / (WIDE * CARD), abs=0.02)
    assert place.quad.mean(axis=0) == pytest.approx([322, 210], abs=3)
    assert 0.3 < wrong_area(columns) < 0.8


def test_a_covered_card_that_was_not_found_is_left_over() -> None:
    maps = maps_of(column(60, 3))
    whole = find_columns(maps, CARD / WIDE)[0]
    assert left_over(maps, [whole.quad], WIDE * CARD) == []
    without = whole.between(STEP / CARD, whole.lengths)
    (place,) = left_over(maps, [without.quad], WIDE * CARD)
    assert 0.1 < place.area < STEP / CARD


def test_an_empty_table_has_no_columns() -> None:
    assert find_columns(maps_of([]), CARD / WIDE) == []


def test_a_slanted_card_has_the_lengths_of_its_sides() -> None:
    y, x = np.mgrid[0:60, 0:40].astype(np.float32)
    slanted = np.stack([x + 0.2 * y, y], axis=2).reshape(-1, 2)
    region = Region.of(slanted)
    assert region.short == pytest.approx(40, abs=1.5)
    assert region.long == pytest.approx(60 * np.hypot(1, 0.2), abs=1.5)
    assert region.filling > 0.9
