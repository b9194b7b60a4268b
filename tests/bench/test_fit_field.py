"""The drawn fields on which the limits of the field of 13 Monsters are fitted, and what a reading costs."""

from __future__ import annotations

import json

import pytest

from bench.dice.fit_field import SIZE, FieldPictures, deck, places
from bench.fitted_limits import limits_of, numbers_of
from companion import art
from companion.core.errors import Unreadable
from companion.vision.grid.limits import FILE, GridLimits, grid_limits
from companion.vision.grid.read import read_grid
from companion.vision.models import FOLDER, limits_in_use

LABELS = art.card_labels("thirteen_monsters")


def test_a_field_is_two_pictures_of_one_table() -> None:
    (first, laid), (second, later) = FieldPictures(5201).pictures(LABELS)
    assert first.shape == second.shape == (*SIZE, 3)
    assert laid.empty < later.empty
    assert not set(laid.up) & set(later.up)
    assert len(laid.dice) == len(later.dice) == 3
    assert (first == next(FieldPictures(5201).pictures(LABELS))[0]).all()


def test_limits_in_use_are_those_by_which_a_field_is_read() -> None:
    image, laid = next(FieldPictures(5201).pictures(LABELS))
    found = places(read_grid(image, deck()), laid)
    assert found["right"] > 75
    numbers = {**numbers_of(grid_limits()), "places.back": 0.999}
    with limits_in_use(FILE, limits_of(numbers, GridLimits)), pytest.raises(Unreadable):
        read_grid(image, deck())


def test_the_shipped_limits_of_the_field_say_what_they_were_fitted_on() -> None:
    about = json.loads((FOLDER / FILE).read_text())["fit"]
    assert set(about["neighbours"]) <= set(numbers_of(grid_limits()))
    assert about["fields"] > 1
    assert about["cost"] <= about["cost_at_start"]
