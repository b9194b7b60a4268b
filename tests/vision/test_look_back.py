"""A card that a hand pushed until another one covered it, as an earlier picture shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import pytest

from companion.core.observations import Sighting
from companion.vision.image.picture import Image
from companion.vision.tracking.card_tracker import PlaceChange
from companion.vision.tracking.change import CELL, Blob, Change
from companion.vision.tracking.look_back import covered_card
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.place_reader import PlaceReader
from companion.vision.tracking.recent_pictures import WholePicture
from companion.vision.tracking.tracked_card import LitImage, corners_of

GAIN = np.ones(3, np.float32)


def at(label: str, x: int, y: int) -> Sighting:
    """A card of 60 x 80 pixels with its left top corner there."""
    corners = ((x, y), (x + 60, y), (x + 60, y + 80), (x, y + 80))
    return Sighting(label, 0.95, cast(tuple[tuple[float, float], ...], corners))  # type: ignore[arg-type]


def print_of(seed: int) -> Image:
    """The print of a card."""
    marks = np.random.default_rng(seed).integers(0, 255, (20, 15, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(marks, (60, 80)), np.uint8)


@dataclass
class OneReading:
    """Reads the same card in every earlier picture."""

    card: Sighting

    def earlier_cards(self, _place: ChangedPlace, _image: Image) -> list[Sighting]:
        """The card."""
        return [self.card]


def looked_back(label: str, x: int) -> tuple[float, float] | None:
    """A red 4 lies at (60, 40) now, and a card of this name below it at (x + 4, 56). Of that an earlier
    picture shows the lower half at (x, 56), before a hand pushed it. Returns where it is found."""
    table = np.full((160, 200, 3), 120, np.uint8)
    earlier, image = table.copy(), table.copy()
    earlier[56:136, x : x + 60] = print_of(1)
    earlier[56:88, x : x + 60] = (70, 90, 140)
    image[56:136, x + 4 : x + 64] = print_of(1)
    image[40:120, 60:120] = print_of(2)
    differs = (image != 120).any(axis=2)
    cells = np.asarray(differs.reshape(160 // CELL, CELL, -1, CELL).any(axis=(1, 3)))
    blob = Blob(cells, (slice(0, cells.shape[0]), slice(0, cells.shape[1])), False, 1.0, 0.0)
    now = ChangedPlace(blob, Change(1.0, image, differs, (blob,)), LitImage(image, GAIN), 1.0)
    upper = at("red 4", 60, 40)
    verdict = PlaceChange((upper,), (), (corners_of(upper),))
    reader = cast(PlaceReader, OneReading(at(label, x, 56)))
    found = covered_card([WholePicture(0.5, earlier, earlier)], verdict, now, reader)
    return None if found is None else found[0].sighting.corners[0]


def test_a_card_is_found_where_it_was_pushed_under_another_one() -> None:
    assert looked_back("gun", 72) == pytest.approx((76.0, 56.0), abs=1.0)


@pytest.mark.parametrize(("label", "x"), [("red 4", 72), ("gun", 104)])
def test_a_card_in_the_hand_and_one_that_lies_open_were_not_covered(label: str, x: int) -> None:
    """The first may be the card that lies there now, the second would have been read."""
    assert looked_back(label, x) is None
