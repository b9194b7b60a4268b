"""Under added light a colour stays what it is on its way to white."""

import cv2
import numpy as np
import pytest

from companion.vision.lattice.added_light import AddedLightModel, _path_distance, _single_colour_cost
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import templates_of
from companion.vision.triangles.appearance import log_colours, sample_points

CORNERS = np.array([[60, 10], [110, 97], [10, 97]], np.float32)
WHITE = np.array([230.0, 240.0, 250.0], np.float32)
BLUE, RED = np.array([[180.0, 90.0, 30.0], [30.0, 30.0, 180.0]], np.float32)
OWN = np.array([[20, 110, 210], [15, 180, 215], [60, 130, 40]], np.float32)


def test_added_white_light_leaves_a_colour_what_it_is_and_a_burnt_out_point_says_nothing() -> None:
    share = np.linspace(0, 300, 20, dtype=np.float32)[:, None]
    shone = np.minimum(BLUE + share * (WHITE / WHITE.max()), WHITE)
    assert _path_distance(shone, np.broadcast_to(BLUE, shone.shape), WHITE).max() < 0.05
    other = _path_distance(shone, np.broadcast_to(RED, shone.shape), WHITE)
    assert other[:5].min() > 0.9
    assert other[-1] < 0.05


def test_one_colour_under_a_lamp_is_no_pattern_and_two_are() -> None:
    shone = np.minimum(BLUE + np.linspace(0, 200, 60, dtype=np.float32)[:, None], WHITE)
    assert _single_colour_cost(shone, WHITE) < 0.05
    assert _single_colour_cost(np.concatenate([shone, np.tile(RED, (60, 1))]), WHITE) > 0.2


@pytest.mark.parametrize("light", [0.0, 60.0], ids=["plain light", "a mirrored lamp"])
def test_the_card_that_lies_there_costs_least_and_more_than_one_colour_does(light: float) -> None:
    inner = (sample_points().min(axis=1) > 0.2)[:, None]
    levels = np.where(inner, OWN[:, None] * 0.4, OWN[:, None]).astype(np.float32)
    looks = templates_of(("orange", "yellow", "green"), np.arange(3), log_colours(levels, 230.0))
    picture = np.full((120, 120, 3), 255, np.uint8)
    cv2.fillConvexPoly(picture, np.round(CORNERS).astype(np.int32), OWN[0].tolist())
    middle = CORNERS.mean(axis=0)
    shape = np.round(middle + 0.4 * (CORNERS - middle)).astype(np.int32)
    cv2.fillConvexPoly(picture, shape, (0.4 * OWN[0]).tolist())
    table = LatticePicture(np.clip(picture + light, 0, 255).astype(np.uint8), 100.0, looks)
    found = AddedLightModel(table).fit(CORNERS, ())
    assert int(found.costs.argmin()) == 0
    assert found.costs[0] < 0.2
    assert found.costs[1:].min() > found.costs[0] + 0.1
    assert found.single_colour > found.costs[0]
