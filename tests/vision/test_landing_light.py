"""What only light does to a table lands nothing and is not read; what lay there at first has not landed."""

from __future__ import annotations

import cv2
import numpy as np
from tabletops import FPS, drawn_deck, scene

from companion.art.scene import Placed
from companion.core.observations import Landing
from companion.vision.cards.recognise import CardReading, recognise
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.landing import LandingWatcher

TABLE = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}
PHONE = Placed("phone", -60, 0, 4)


class Reader:
    """Counts how often it is asked to read."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(
        self, image: Image, deck: Deck, expected: frozenset[str] | None, changed: Array | None
    ) -> CardReading:
        self.asked += 1
        return recognise(image, deck, expected, changed)


def shaded(image: Image, x: float, y: float, depth: float = 0.35) -> Image:
    """The picture with the soft shadow of a head at (x, y), shares of the picture."""
    small = np.ones((34, 60), np.float32)
    cv2.circle(small, (int(60 * x), int(34 * y)), 8, 1.0 - depth, -1)
    shade = cv2.resize(cv2.GaussianBlur(small, (0, 0), 4), (image.shape[1], image.shape[0]))
    return np.asarray(cv2.multiply(image, cv2.merge([shade] * 3), dtype=cv2.CV_8U), np.uint8)


def told(watcher: LandingWatcher, images: list[Image], begun: float = 0.0) -> list[Landing]:
    seen = [one for n, image in enumerate(images) for one in watcher.feed(image, begun + n / FPS)]
    return [one for one in seen if isinstance(one, Landing)]


def test_a_shadow_that_wanders_and_stops_is_not_even_read() -> None:
    reader = Reader()
    watcher = LandingWatcher(drawn_deck("nasty_7"), TABLE, reader)
    lit = scene().render([PHONE]).image
    still = [lit] * int(FPS)
    wandering = [shaded(lit, 0.2 + 0.6 * n / FPS, 0.5) for n in range(int(FPS))]
    assert told(watcher, [*still, *wandering, *[wandering[-1]] * int(3 * FPS)]) == []
    assert [card.label for card in watcher.lying] == ["phone"]
    assert reader.asked == 1


def test_print_that_was_burnt_out_is_no_change_when_the_lamp_goes_down() -> None:
    """A white card with pale print, both brighter than the camera can show, until the light goes down."""
    reader = Reader()
    watcher = LandingWatcher(drawn_deck("nasty_7"), TABLE, reader)
    table = np.full((540, 960, 3), 120, np.float32)
    cv2.rectangle(table, (400, 150), (540, 360), (310, 310, 310), -1)
    print_on_it = cv2.putText(np.zeros((540, 960), np.uint8), "6", (425, 310), 0, 4.5, 255, 24)
    table[print_on_it > 0] = 262
    bright, dim = (np.asarray(np.clip(table * gain, 0, 255), np.uint8) for gain in (1.0, 0.75))
    assert told(watcher, [*[bright] * int(FPS), *[dim] * int(4 * FPS)]) == []
    assert reader.asked == 1


def test_what_lies_in_the_first_picture_has_not_landed_even_if_nothing_was_ever_still() -> None:
    watcher = LandingWatcher(drawn_deck("nasty_7"), TABLE, Reader())
    view = scene()
    first, pushed = (view.render([card]).image for card in (PHONE, Placed("phone", -46, 8, 9)))
    assert told(watcher, [first, *[pushed] * int(2 * FPS)]) == []
    assert [card.label for card in watcher.lying] == ["phone"]
