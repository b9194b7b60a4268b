"""The tilt of the camera is estimated from cards, and the table is seen from straight above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.art.scene.camera import View, apply, homography
from companion.vision.display.table_view import MeasuredCards, TableMaps, TableView, likeliest_tilt
from companion.vision.image import geometry
from companion.vision.image.picture import Array

WIDTH, LENGTH = 63.0, 88.0
SHAPE = (1200, 1600, 3)


def cards(tilt: float) -> Array:
    """Corners (n, 4, 2) of cards all over a table, as a tilted camera sees them."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH, LENGTH) / 2
    middles = [(x, y) for x in (-220.0, -70.0, 70.0, 220.0) for y in (-140.0, 0.0, 140.0)]
    matrix = homography(View(SHAPE[1], SHAPE[0], 0.0, 0.0, 640.0, tilt))
    return np.stack([apply(matrix, half + middle) for middle in middles])


def measured(quads: Array) -> MeasuredCards:
    middles = np.stack([quads[:, [0, 1]].mean(axis=1), quads[:, [2, 3]].mean(axis=1)], axis=1)
    across = np.stack([quads[:, [0, 3]].mean(axis=1), quads[:, [1, 2]].mean(axis=1)], axis=1)
    return MeasuredCards(across, middles, np.ones(len(quads)), np.ones(len(quads)))


@pytest.mark.parametrize("tilt", [0.0, 12.0, 27.0])
def test_from_straight_above_all_cards_are_of_one_size(tilt: float) -> None:
    quads = cards(tilt)
    view = TableView.from_above(SHAPE, measured(quads), LENGTH / WIDTH)
    seen = [geometry.sides(geometry.transform(quad, view.onto)) for quad in quads]
    assert np.array(seen)[:, [0, 2]] == pytest.approx(38.0, rel=0.03)
    assert np.array(seen)[:, [1, 3]] == pytest.approx(38.0 * LENGTH / WIDTH, rel=0.04)


def test_the_tilt_is_found_although_some_measures_are_of_no_card() -> None:
    exact = measured(cards(25.0))
    wrong = exact.across.copy()
    wrong[::4, 1] += 60.0
    tilt = likeliest_tilt(SHAPE, replace(exact, across=wrong), LENGTH / WIDTH)
    assert tilt == pytest.approx([np.radians(25.0), 0.0], abs=0.06)


def test_a_view_shows_the_whole_picture_and_leads_back_to_it() -> None:
    view = TableView.from_above(SHAPE, measured(cards(20.0)), LENGTH / WIDTH)
    corners = np.array([[0, 0], [1599, 0], [1599, 1199], [0, 1199]], np.float32)
    seen = geometry.transform(corners, view.onto)
    assert (seen > -1).all()
    assert (seen < np.array(view.size)).all()
    assert view.to_picture(seen) == pytest.approx(corners, abs=0.05)
    own = TableView.of_camera(SHAPE, 0.25)
    assert own.size == (400, 300)
    assert own.to_picture(np.array([[10.0, 20.0]])) == pytest.approx(np.array([[41.5, 81.5]]))


def test_nothing_is_a_card_outside_of_the_picture() -> None:
    image = np.full(SHAPE, 120, np.uint8)
    view = TableView.from_above(SHAPE, measured(cards(27.0)), LENGTH / WIDTH)
    maps = TableMaps.of(image, view, 1.0)
    assert maps.card.shape == view.size[::-1]
    outside = maps.view.to_picture(np.array([[2.0, view.size[1] - 2.0]], np.float32))[0]
    assert not (0 <= outside[0] < SHAPE[1] and 0 <= outside[1] < SHAPE[0])
    assert maps.card[-2, 2] == 0.0
