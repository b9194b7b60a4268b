"""What accepted cards explain of a picture, and whether two quads are one card's."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import SelectionLimits
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import (
    ExplainedMap,
    by_strength,
    same_place,
    unexplained_blocks,
)

COLUMNS, ROWS, BLOCKS = descriptor.COLUMNS, descriptor.ROWS, descriptor.BLOCKS


def quad(x: float, y: float, width: float = 80.0) -> Floats:
    """A card that lies straight, its upper left corner there."""
    corners = np.array([[0, 0], [1, 0], [1, 1.5], [0, 1.5]]) * width
    return np.asarray(corners + np.array([x, y]), np.float32)


def match(place: Floats, seen: object = None, gain: float = 10.0, distinct: int = 0) -> CardMatch:
    return CardMatch(
        quad=place, look=0, label="a", descriptor=np.zeros(0, np.uint8), costs=np.zeros(BLOCKS, np.float32),
        seen=np.ones(BLOCKS, bool) if seen is None else np.asarray(seen), cost=0.1, seen_cost=0.1, margin=0.5,
        support=30.0, weights=np.ones(BLOCKS, np.float32), gain=gain, inliers=0, distinct=distinct,
    )  # fmt: skip


@pytest.mark.parametrize("scale", [1.0, 2.0, 4.0])
def test_the_blocks_seen_of_a_card_are_explained_in_small_and_large_pictures(scale: float) -> None:
    explained = ExplainedMap((round(300 * scale), round(400 * scale), 3))
    seen = np.zeros((ROWS, COLUMNS), bool)
    seen[:, : COLUMNS // 2] = True
    place = quad(100 * scale, 60 * scale, 80 * scale)
    assert not explained.explained_share(place).any()
    explained.add(match(place, seen.ravel()))
    share = explained.explained_share(place).reshape(ROWS, COLUMNS)
    assert share[:, : COLUMNS // 2 - 1].min() > 0.9
    assert share[:, COLUMNS // 2 + 1 :].max() < 0.1
    assert share[:, COLUMNS // 2 - 1].min() > 0.7, "the edge between the blocks is where it belongs"
    assert share[:, COLUMNS // 2].max() < 0.3
    beside = explained.explained_share(quad(184 * scale, 60 * scale, 80 * scale))
    assert not beside.any()


def test_two_cards_are_explained_together() -> None:
    explained = ExplainedMap((300, 400))
    first, second = quad(20, 20), quad(200, 20)
    explained.add(match(first))
    explained.add(match(second))
    assert explained.explained_share(first).min() > 0.8
    assert explained.explained_share(second).min() > 0.8


def test_a_card_that_nothing_covers_explains_its_whole_place() -> None:
    explained = ExplainedMap((300, 400))
    explained.add_whole(quad(100, 60))
    assert explained.explained_share(quad(100, 60)).min() > 0.9
    assert explained.explained_share(quad(10, 60)).max() < 0.05


def test_a_large_map_is_made_small_and_a_small_one_stays() -> None:
    for shape, size in (((480, 640), (480, 640)), ((1280, 720), (640, 360)), ((3, 2000), (1, 640))):
        assert ExplainedMap(shape)._map.shape == size


def test_what_lies_beyond_the_picture_counts_as_is_asked() -> None:
    explained = ExplainedMap((300, 400))
    half = explained.explained_pixels(quad(-40, 60), beyond=255)
    assert half[:, :23].min() > 0.99
    assert half[:, 26:].max() < 0.01
    assert explained.explained_pixels(quad(-40, 60)).max() == 0.0


def test_pixels_beside_a_cover_count_less_and_covered_ones_not_at_all() -> None:
    explained = ExplainedMap((600, 800))
    cover = np.array([[100, 60], [220, 60], [220, 420], [100, 420]], np.float32)
    explained.add_whole(cover)
    place = quad(100, 60, 240)
    weights = explained.visible_weights(place, rows=30)
    assert weights.shape == (30, descriptor.WIDTH)
    middle = weights[15]
    assert not middle[:23].any()
    assert middle[36:].min() > 0.99
    away = np.arange(24, 36) + 0.5 - 24
    expected = [2.0 * NormalDist(sigma=2.0).cdf(pixels) - 1.0 for pixels in away]
    assert middle[24:36] == pytest.approx(expected, abs=0.04)


@pytest.mark.parametrize(("share", "free"), [(0.3, True), (0.5, False)])
def test_a_pixel_counts_if_less_than_two_fifths_of_it_are_explained(share: float, free: bool) -> None:
    explained = ExplainedMap((300, 400))
    explained._map[:] = round(255 * share)
    assert bool(explained.visible_weights(quad(100, 60), 20).all()) is free
    assert bool(explained.visible_weights(quad(100, 60), 20).any()) is free


@pytest.mark.parametrize(
    ("away", "same"), [(0.0, True), (10.0, True), (12.7, True), (12.9, False), (40.0, False)]
)
def test_quads_of_one_card_lie_within_a_sixth_of_its_width(away: float, same: bool) -> None:
    first = quad(100, 60)
    for step in ((away, 0.0), (0.0, away), (-away, 0.0)):
        moved = np.asarray(first + np.array(step), np.float32)
        assert same_place(first, moved) is same
        assert same_place(first, np.roll(moved, 2, axis=0)) is same, "the other way up"
    assert not same_place(first, np.roll(first, 1, axis=0)), "a quarter turn is another place"


def test_corners_that_move_apart_are_another_place_though_the_middle_stays() -> None:
    first = quad(100, 60)
    grown = np.asarray((first - first.mean(axis=0)) * 1.4 + first.mean(axis=0), np.float32)
    assert not same_place(first, grown)
    assert same_place(first, grown, 0.4)


def test_the_width_is_the_mean_of_upper_and_lower_edge() -> None:
    """Edges of 100 and 60 pixels: 80 x 0.16 is 12.8."""
    first = np.array([[0, 0], [100, 0], [80, 120], [20, 120]], np.float32)
    assert same_place(first, first + np.float32(12.7) * np.array([0, 1], np.float32))
    assert not same_place(first, first + np.float32(12.9) * np.array([0, 1], np.float32))


def test_blocks_that_are_half_explained_are_explained() -> None:
    seen = np.arange(BLOCKS) < 4
    explained = np.array([0.0, 0.49, 0.5, 0.9] + [0.0] * (BLOCKS - 4), np.float32)
    left = unexplained_blocks(match(quad(0, 0), seen), explained)
    assert np.flatnonzero(left).tolist() == [0, 1]


def test_the_strongest_come_first_and_a_feature_of_no_other_card_is_a_quarter_of_a_mark() -> None:
    base = match(quad(0, 0))
    found = [replace(base, gain=gain, distinct=n) for gain, n in ((10.0, 0), (9.0, 5), (9.0, 3), (12.0, 0))]
    order = [
        (one.gain, one.distinct) for one in by_strength(found, SelectionLimits(feature_worth=0.25, fresh=0.6))
    ]
    assert order == [(12.0, 0), (9.0, 5), (10.0, 0), (9.0, 3)]
