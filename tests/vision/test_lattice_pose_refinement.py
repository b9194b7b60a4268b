"""A card in doubt is laid anew where it really lies; what is sure or hopeless stays as it was."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import templates_of
from companion.vision.lattice.fit import corners_of, projected
from companion.vision.lattice.limits import lattice_limits
from companion.vision.lattice.place_score import PlaceScore, PlaceScorer
from companion.vision.lattice.pose_refinement import refine_poses
from companion.vision.triangles.appearance import log_colours, sample_points

AT = (0, 0)
VIEW = np.array([[100.0, 0, 80], [0, 100, 80], [0, 0, 1]])
PLACE = projected(VIEW, corners_of(AT))
OWN = np.array([[20, 110, 210], [180, 120, 30], [60, 130, 40]], np.float32)


def turned(degrees: float, right: float = 0.0) -> Floats:
    """The place's card turned and moved (pixels)."""
    middle, angle = PLACE.mean(axis=0), math.radians(degrees)
    spin = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray((PLACE - middle) @ spin + middle + (right, 0), np.float32)


@pytest.fixture
def table() -> LatticePicture:
    """An orange card turned by 15 degrees on ground as orange: only a pale rim and a dark drawing tell them
    apart."""
    inner, rim = (sample_points().min(axis=1) > 0.2)[:, None], (sample_points().min(axis=1) < 0.03)[:, None]
    levels = np.where(inner, OWN[:, None] * 0.4, np.where(rim, 225.0, OWN[:, None])).astype(np.float32)
    looks = templates_of(("orange", "blue", "green"), np.arange(3), log_colours(levels, 230.0))
    picture = np.full((260, 260, 3), OWN[0], np.uint8)
    corners = turned(15.0, 8.0)
    middle = corners.mean(axis=0)
    for part, colour in ((1.0, np.full(3, 225.0)), (0.9, OWN[0]), (0.4, OWN[0] * 0.4)):
        shape = np.round(middle + part * (corners - middle)).astype(np.int32)
        cv2.fillConvexPoly(picture, shape, colour.tolist(), cv2.LINE_AA)
    return LatticePicture(picture, 100.0, looks)


def laid(table: LatticePicture, corners: Floats) -> PlaceScore:
    return scorer(table).first(table.score_pose(AT, corners, VIEW), ())


def scorer(table: LatticePicture) -> PlaceScorer:
    return PlaceScorer(table, lattice_limits())


def test_a_turned_card_on_its_own_colour_is_found_beside_another(table: LatticePicture) -> None:
    beside = np.asarray(PLACE + np.array([100, 0]), np.float32)
    other = replace(laid(table, beside), is_sure=True, probabilities=np.array([0.0, 1.0, 0.0]))
    other = replace(other, cell=replace(other.cell, at=(0, 2)))
    missed = scorer(table).first(table.score_pose(AT, PLACE, VIEW), [other.cell.corners])
    assert not missed.is_sure
    found, kept = refine_poses([missed, other], VIEW, table, scorer(table))
    assert found.card == 0
    assert found.log_odds > missed.log_odds + 2
    assert float(np.abs(found.cell.corners - turned(15.0, 8.0)).max()) < 4.0
    assert kept is other


def test_a_card_that_is_plainly_there_stays_where_it_lies(table: LatticePicture) -> None:
    plain = replace(laid(table, turned(15.0, 8.0)), probabilities=np.array([0.999, 0.0, 0.0]), is_sure=True)
    assert refine_poses([plain], VIEW, table, scorer(table)) == [plain]


def test_a_card_that_is_sure_keeps_its_name(table: LatticePicture) -> None:
    named = replace(laid(table, PLACE), probabilities=np.array([0.0, 0.6, 0.0]), is_sure=True)
    assert refine_poses([named], VIEW, table, scorer(table)) == [named]


def test_a_place_with_nothing_on_it_is_not_searched(table: LatticePicture) -> None:
    bare = laid(table, PLACE + 100)
    assert refine_poses([bare], VIEW, table, scorer(table)) == [bare]
