"""The pictures that the networks are trained on."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image.card_frame import CardFrame
from companion.vision.image.picture import Image
from companion.vision.namer.network import FRAME, GRID, SIDE
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
    assert all(one.picture.shape == (FRAME.height, FRAME.width, 3) for one in views)
    assert all(0.0 <= one.visible <= 1.0 for one in views)
    assert any(one.visible < 0.7 for one in views)
    assert 0.005 < float(np.mean([np.abs(one.corners).mean() for one in views])) < 0.12


def test_a_view_is_the_same_again() -> None:
    first, second = (view(card(1), np.random.default_rng(7), GROUNDS, []) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert np.array_equal(first.corners, second.corners)


def test_a_card_in_a_column_is_a_strip_and_most_of_its_cover_is_known() -> None:
    cards = [card(seed) for seed in range(3)]
    frame = CardFrame(96, 144, 8)
    views = [
        view(cards[0], np.random.default_rng(seed), GROUNDS, cards, frame=frame, in_columns=1.0)
        for seed in range(30)
    ]
    assert all(one.picture.shape == (144, 96, 3) for one in views)
    assert 0.1 < float(np.median([one.visible for one in views])) < 0.5
    assert float(np.median([one.hidden.mean() + one.visible for one in views])) > 0.7


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
