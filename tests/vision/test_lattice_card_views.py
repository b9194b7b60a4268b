"""What is seen at a place and what a look shows stand at the same points of one array."""

import numpy as np

from companion.vision.lattice.card_views import (
    CELLS,
    LOOK_PLANES,
    SEEN_PLANES,
    look_planes,
    seen_planes,
    view_points,
)
from companion.vision.lattice.colours import Illuminant, templates_of
from companion.vision.triangles.appearance import WHITE, log_colours, sample_points

LAMP = Illuminant(np.zeros(2, np.float32), 0.0)
WHITES = np.full(3, WHITE, np.float32)
CORNERS = np.array([[50, 0], [100, 87], [0, 87]], np.float32)


def levels_at(shares: np.ndarray) -> np.ndarray:
    """A colour for each point (n, 3) that says where it is."""
    return np.asarray(40 + 150 * np.clip(shares, 0, 1), np.float32)


def test_the_points_reach_beyond_all_sides_and_contain_those_of_a_card() -> None:
    shares = view_points()
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-5)
    assert (shares.min(axis=0) < -0.1).all()
    seen = {tuple(np.round(one * 36).astype(int)) for one in shares}
    assert {tuple(np.round(one * 36).astype(int)) for one in sample_points()} <= seen


def test_a_card_that_is_its_look_has_the_same_planes_within_its_sides() -> None:
    looks = templates_of(("a",), np.array([0]), log_colours(levels_at(sample_points())[None], WHITE))
    shown = look_planes(looks, WHITE, WHITES, LAMP)
    colours = levels_at(view_points())[None]
    seen = seen_planes(colours, np.zeros(colours.shape[:2], bool), WHITE, WHITES, LAMP)
    assert shown.shape == (3, LOOK_PLANES, CELLS, CELLS)
    assert seen.shape == (1, SEEN_PLANES, CELLS, CELLS)
    inside = shown[0, -2:] > 0
    assert int(inside.sum()) == len(sample_points())
    for quantity in range(6):
        own, other = seen[0, 2 * quantity : 2 * quantity + 2], shown[0, 2 * quantity : 2 * quantity + 2]
        assert np.allclose(own[inside], other[inside], atol=0.02)


def test_the_lamp_is_taken_off_what_is_seen_and_put_on_the_levels_of_a_look() -> None:
    looks = templates_of(("a",), np.array([0]), log_colours(levels_at(sample_points())[None], WHITE))
    red = Illuminant(np.array([0.3, 0.0], np.float32), 0.0)
    plain, lit = (look_planes(looks, WHITE, WHITES, lamp) for lamp in (LAMP, red))
    assert np.array_equal(plain[:, :6], lit[:, :6])
    assert (lit[:, 10:12] >= plain[:, 10:12]).all()
    colours = levels_at(view_points())[None]
    covered = np.zeros(colours.shape[:2], bool)
    one, other = (seen_planes(colours, covered, WHITE, WHITES, lamp) for lamp in (LAMP, red))
    there = one[0, -2:] > 0
    assert np.allclose((one - other)[0, 2:4][there], 0.3, atol=1e-5)


def test_what_a_neighbour_covers_is_marked() -> None:
    colours = levels_at(view_points())[None]
    covered = np.zeros(colours.shape[:2], bool)
    covered[0, :7] = True
    seen = seen_planes(colours, covered, WHITE, WHITES, LAMP)
    assert float(seen[0, 12:14].sum()) == 7.0
