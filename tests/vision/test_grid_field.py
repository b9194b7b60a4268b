"""Where the field of 13 Monsters is thought to lie: on the backs of its cards."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from bench.dice.scenes import GAP, field_photo
from companion.vision.grid.field import SIDE, card_quads, find_grid, laid_on_back, quad_at
from companion.vision.grid.read import SEARCH_SIDE
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.image.quads import find_quads


@functools.cache
def laid_out() -> tuple[Image, list[Floats]]:
    """A field and the outlines of its cards."""
    image, _ = field_photo({}, set(GAP), {}, np.random.default_rng(11), size=(720, 1280), lay=3)
    return image, card_quads(find_quads(image, SEARCH_SIDE))


def test_outlines_that_are_off_on_one_side_of_the_table_move_the_field_less() -> None:
    """As those of shadows, or of prints whose margin looks like the cloth."""
    image, quads = laid_out()
    middle = image.shape[1] / 2
    off = [10.0 * max(0.0, float(quad[:, 0].mean()) / middle - 1.0) for quad in quads]
    moved = [np.asarray(quad - (by, 0.0), np.float32) for quad, by in zip(quads, off, strict=True)]
    field, other = find_grid(image, quads), find_grid(image, moved)
    away = [
        quad_at(field, at).mean(axis=0) - quad_at(other, at).mean(axis=0) for at in np.ndindex(SIDE, SIDE)
    ]
    assert np.hypot(*np.transpose(away)).max() < 3.2


@pytest.mark.parametrize("at", [(0, 0), (2, 7), (8, 3)])
def test_a_card_that_lies_the_other_way_round_is_laid_on_the_back_as_exactly(at: tuple[int, int]) -> None:
    image, quads = laid_out()
    field = find_grid(image, quads)
    quad = quad_at(field, at)
    last = np.array([image.shape[1], image.shape[0]], np.float32) - 1
    turned = geometry.rotated_half_turn(np.asarray(last - quad, np.float32))
    upright = laid_on_back(image, quad, field.back).mean(axis=0)
    over = laid_on_back(np.ascontiguousarray(image[::-1, ::-1]), turned, field.back).mean(axis=0)
    assert (last - over).tolist() == pytest.approx(upright.tolist(), abs=0.3)
