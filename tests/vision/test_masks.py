"""Masks: drawn, grown, without gaps or specks, in another size."""

from __future__ import annotations

import numpy as np

from companion.vision.image import masks
from companion.vision.image.picture import Array

SQUARE = np.array([(2, 3), (5, 3), (5, 6), (2, 6)], np.float32)


def ones(rows: slice, columns: slice) -> Array:
    """A mask (24, 24) of a rectangle."""
    mask = np.zeros((24, 24), bool)
    mask[rows, columns] = True
    return mask


def test_outlines_are_drawn_together() -> None:
    both = masks.drawn([SQUARE, SQUARE + 5], (24, 24))
    assert (both == ones(slice(3, 7), slice(2, 6)) | ones(slice(8, 12), slice(7, 11))).all()
    assert not masks.drawn([], (24, 24)).any()


def test_a_mask_grows_by_so_many_pixels_all_round() -> None:
    square = ones(slice(4, 6), slice(4, 6))
    assert (masks.grown(square) == ones(slice(3, 7), slice(3, 7))).all()
    assert (masks.grown(square, 2) == ones(slice(2, 8), slice(2, 8))).all()


def test_narrow_gaps_are_closed_and_wide_ones_are_not() -> None:
    halves = ones(slice(3, 9), slice(8, 11)) | ones(slice(3, 9), slice(13, 16))
    assert (masks.without_gaps(halves) == ones(slice(3, 9), slice(8, 16))).all()
    wider = ones(slice(3, 9), slice(8, 11)) | ones(slice(3, 9), slice(14, 16))
    assert (masks.without_gaps(wider) == wider).all()
    assert (masks.without_gaps(wider, 2) == ones(slice(3, 9), slice(8, 16))).all()


def test_specks_are_what_has_not_so_many_pixels_round_a_pixel() -> None:
    square = ones(slice(3, 6), slice(3, 6))
    speck = ones(slice(9, 11), slice(9, 11))
    assert (masks.without_specks(square | speck) == square).all()
    assert not masks.without_specks(square, 2).any()


def test_a_mask_of_cells_is_one_of_pixels() -> None:
    cells = np.array([[True, False, False], [False, False, True]])
    pixels = masks.resized(cells, (8, 12))
    assert (pixels == np.kron(cells, np.ones((4, 4), bool))).all()
    assert (masks.resized(pixels, (2, 3)) == cells).all()
