"""The pictures that the networks are trained on, and the fit of their limits."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.vision.fit_held import FittedPicture, FittedPlace, fit_limits_of, least_probability, outcomes
from companion.vision.image.picture import Image
from companion.vision.namer.network import GRID, HEIGHT, SIDE, WIDTH
from companion.vision.verifier.limits import PlaceLimits
from models.vision.namer.data import distinct
from models.vision.namer.scenes import STEP, scene
from models.vision.namer.views import view


def card(seed: int) -> Image:
    """A card of coarse colours."""
    colours = np.random.default_rng(seed).integers(0, 256, (6, 4, 3), np.uint8)
    return np.asarray(cv2.resize(colours, (80, 120), interpolation=cv2.INTER_NEAREST), np.uint8)


GROUNDS = [np.full((200, 240, 3), level, np.uint8) for level in (60, 140)]


def test_a_view_shows_the_card_near_its_frame_and_says_how_much_of_it() -> None:
    cards = [card(seed) for seed in range(3)]
    views = [view(cards[0], np.random.default_rng(seed), GROUNDS, cards) for seed in range(40)]
    assert all(one.picture.shape == (HEIGHT, WIDTH, 3) for one in views)
    assert all(0.0 <= one.visible <= 1.0 for one in views)
    assert any(one.visible < 0.7 for one in views)
    assert 0.005 < float(np.mean([np.abs(one.corners).mean() for one in views])) < 0.12


def test_a_view_is_the_same_again() -> None:
    first, second = (view(card(1), np.random.default_rng(7), GROUNDS, []) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert np.array_equal(first.corners, second.corners)


def test_cells_of_a_scene_that_show_a_card_lie_within_its_corners() -> None:
    shown = 0
    for seed in range(12):
        made = scene([card(1), card(2)], np.random.default_rng(seed), GROUNDS)
        assert made.picture.shape == (SIDE, SIDE, 3)
        for row, column in np.argwhere((made.visible > 0.9) & made.inside):
            middle = np.array([column, row], np.float32) * STEP + STEP / 2 - 0.5
            quad = made.quads[row, column].reshape(4, 2) * SIDE + middle
            inside = cv2.pointPolygonTest(quad.astype(np.float32)[:, None], middle.tolist(), measureDist=True)
            assert inside > -STEP
            shown += 1
    assert made.inside.shape == (GRID, GRID)
    assert shown > 50


def test_cards_that_look_the_same_are_one() -> None:
    nearly = np.clip(card(1).astype(int) + 2, 0, 255).astype(np.uint8)
    assert len(distinct([card(1), nearly, card(2)])) == 2


def picture(first: float, second: float, right: int) -> FittedPicture:
    """A picture with one place and two candidates of these log odds."""
    place = FittedPlace(np.array([first, second], np.float32), right)
    return FittedPicture((place,), known=right < 2)


def test_the_fit_trusts_log_odds_where_they_are_right_and_names_no_card_that_is_not_enrolled() -> None:
    rng = np.random.default_rng(3)
    known = [picture(float(rng.uniform(2, 9)), float(rng.uniform(-6, 1)), 0) for _ in range(80)]
    others = [picture(float(rng.uniform(-8, 0)), float(rng.uniform(-8, 0)), 2) for _ in range(40)]
    found = outcomes([*known, *others], fit_limits_of([*known, *others]))
    least = least_probability(found, 0)
    assert not any(chance > least and not right for chance, right in found)
    assert sum(chance > least and right for chance, right in found) > 70


def test_two_cards_that_are_as_likely_halve_the_probability() -> None:
    limits = PlaceLimits(1.0, 0.0, 0.0)
    alone, contested = (outcomes([picture(5.0, other, 0)], limits)[0][0] for other in (-9.0, 5.0))
    assert alone > 0.98
    assert contested < 0.51


@pytest.mark.parametrize(("most", "least"), [(0, 0.902), (1, 0.702)])
def test_the_least_probability_lets_so_many_false_names_pass(most: int, least: float) -> None:
    found = [(0.95, True), (0.9, False), (0.8, True), (0.7, False)]
    assert least_probability(found, most) == pytest.approx(least)
