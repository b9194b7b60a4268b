"""Columns are found in the maps of the card finder: how many cards each has, and where that is unsure."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.display.arrangement import arrange, backward, missing_cuts, usual_step
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


def counts(found: FoundColumns | None) -> list[int]:
    """Cards of each column from left to right."""
    assert found is not None
    ordered = sorted(found.columns, key=lambda one: float(one.parts[-1].quad[:, 0].mean()))
    return [len(one.parts) for one in ordered]


@pytest.mark.parametrize("skew", [0.0, 0.12, -0.12])
def test_each_column_has_its_cards_also_when_seen_at_an_angle(skew: float) -> None:
    cards = [*column(30, 3), *column(60, 1), *column(90, 5), *column(120, 2)]
    found = find_columns(maps_of(cards, skew), CARD / WIDE)
    assert counts(found) == [3, 1, 5, 2]
    assert found is not None
    assert not found.leftover
    assert not any(one.doubts for one in found.columns)


def test_columns_that_touch_are_still_two() -> None:
    assert counts(find_columns(maps_of([*column(30, 3), *column(51, 2)]), CARD / WIDE)) == [3, 2]


def test_the_parts_of_a_column_lie_where_the_cards_are() -> None:
    cards = column(60, 3)
    found = find_columns(maps_of([*cards, *column(100, 1)]), CARD / WIDE)
    assert found is not None
    parts = next(one.parts for one in found.columns if len(one.parts) == 3)
    for part, truth in zip(parts, cards, strict=True):
        away = np.linalg.norm((part.quad + 0.5) / 2 - truth, axis=1)
        assert (
            min(away.max(), np.linalg.norm((part.quad[[2, 3, 0, 1]] + 0.5) / 2 - truth, axis=1).max()) < 2.0
        )
    assert [part.is_open for part in parts] == [False, False, True]


def test_a_column_longer_than_a_card_without_an_edge_must_be_checked() -> None:
    found = find_columns(maps_of([*column(30, 2), *column(70, 1)], edges=False), CARD / WIDE)
    assert counts(found) == [2, 1]
    assert found is not None
    assert max(found.columns, key=lambda one: len(one.parts)).divided


def test_what_looks_like_a_card_and_is_in_no_column_is_left_over() -> None:
    half = maps_of([*column(30, 2), *column(70, 2)])
    half.card[100:110, 150:172] = 0.9
    found = find_columns(half, CARD / WIDE)
    assert counts(found) == [2, 2]
    assert found is not None
    assert len(found.leftover) == 1


def test_an_empty_table_has_no_columns() -> None:
    assert find_columns(maps_of([]), CARD / WIDE) is None


def test_a_slanted_card_has_the_lengths_of_its_sides() -> None:
    y, x = np.mgrid[0:60, 0:40].astype(np.float32)
    slanted = np.stack([x + 0.2 * y, y], axis=2).reshape(-1, 2)
    region = Region.of(slanted)
    assert region.short == pytest.approx(40, abs=1.5)
    assert region.long == pytest.approx(60 * np.hypot(1, 0.2), abs=1.5)
    assert region.filling > 0.9


def test_an_open_card_begins_a_card_before_the_end() -> None:
    made = arrange([(8.0, 0.9), (16.0, 0.9)], 44.0, 28.0)
    assert made is not None
    assert (made.sure, made.doubtful, made.divided) == ((8.0, 16.0), (), False)
    turned = arrange(backward([(8.0, 0.9), (16.0, 0.9)], 44.0), 44.0, 28.0)
    assert turned is not None
    assert turned.cost > made.cost + 0.5


def test_a_weak_edge_is_a_doubt_and_a_long_step_another() -> None:
    made = arrange([(8.0, 0.3), (16.0, 0.9)], 44.0, 28.0)
    assert made is not None
    assert (made.sure, made.doubtful) == ((16.0,), (8.0,))
    long = arrange([(16.0, 0.9), (24.0, 0.9)], 52.0, 28.0)
    assert long is not None
    assert missing_cuts(long, 8.0) == [8.0]
    assert usual_step([made, long]) == pytest.approx(16.0)
