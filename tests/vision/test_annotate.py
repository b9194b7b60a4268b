"""What was read, drawn onto the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.annotate import draw_cards

TOP_FIRST = ((100.0, 50.0), (200.0, 50.0), (200.0, 200.0), (100.0, 200.0))
BOTTOM_FIRST = ((200.0, 200.0), (100.0, 200.0), (100.0, 50.0), (200.0, 50.0))


@dataclass(frozen=True)
class Cards:
    cards: tuple[Sighting, ...] = (Sighting("red 5", 0.9, TOP_FIRST),)


@dataclass(frozen=True)
class Column(Cards):
    monsters: tuple[str, ...] = ("red",)
    visible: tuple[object, ...] = (BOTTOM_FIRST,)


def labelled_end(reading: Cards) -> str:
    """At which end of the card the dark ground of the label is drawn; outlines have dark lines at both."""
    picture = np.full((300, 300, 3), 200, np.uint8)
    drawn = cv2.imdecode(np.frombuffer(draw_cards(picture, reading), np.uint8), cv2.IMREAD_COLOR)
    dark = (drawn[:, 140:160] < 60).all(axis=2).any(axis=1)
    return "upper" if dark[:125].sum() > dark[125:].sum() + 4 else "lower"


def test_a_card_is_named_at_its_upper_end_and_in_a_column_where_it_sticks_out() -> None:
    assert labelled_end(Cards()) == "upper"
    assert labelled_end(Column()) == "lower"
