"""Cameras that misbehave: broken pictures, another size, a picture that stands still, a clock that jumps."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from tabletops import WHOLE, drawn_deck

from companion.core.errors import Unreadable
from companion.core.observations import Landing, Watched
from companion.vision.cards.recognise import CardReading
from companion.vision.image.picture import Image, validated
from companion.vision.tracking.landing import LandingWatcher

FPS = 10.0
CARD = (200, 90)
"""Left top corner of the first card."""


class Stream:
    """A watcher that knows no card by name, the time, and what was told."""

    def __init__(self) -> None:
        self.watcher = LandingWatcher(drawn_deck("nasty_7"), WHOLE, lambda *_: CardReading((), 0))
        self.rng = np.random.default_rng(4)
        self.t = 50.0
        self.told: list[Landing] = []
        self.marks: list[float] = []

    def table(self, cards: Sequence[tuple[int, int]] = (), factor: int = 1) -> Image:
        """A grey table with blank cards; `factor` times as large."""
        image = np.full((360, 640, 3), (90, 100, 95), np.uint8)
        for left, top in cards:
            cv2.rectangle(image, (left, top), (left + 90, top + 126), (235, 240, 240), -1)
            cv2.rectangle(image, (left + 12, top + 12), (left + 78, top + 114), (60, 40, 150), -1)
        large = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_NEAREST)
        noise = self.rng.integers(-3, 4, large.shape)
        return np.asarray(np.clip(large.astype(int) + noise, 0, 255), np.uint8)

    def show(self, image: Image, t: float | None = None) -> None:
        """Shows one picture, by default a tenth of a second after the last one."""
        self.t = self.t + 1.0 / FPS if t is None else t
        for seen in self.watcher.feed(image, self.t):
            if isinstance(seen, Watched):
                self.marks.append(seen.t)
            else:
                self.told.append(seen)

    def rest(self, cards: Sequence[tuple[int, int]] = (), count: int = 14, factor: int = 1) -> None:
        """Shows a table on which nothing moves."""
        for _ in range(count):
            self.show(self.table(cards, factor))


def test_a_card_appears_and_lands_at_its_first_picture() -> None:
    stream = Stream()
    stream.rest()
    begun = stream.t + 1.0 / FPS
    stream.rest([CARD])
    assert [one.t for one in stream.told] == [pytest.approx(begun)]


@pytest.mark.parametrize(
    "broken", [np.zeros((0, 0, 3), np.uint8), np.zeros((360, 640, 3), np.float32), np.zeros((4,), np.uint8)]
)
def test_a_broken_picture_is_refused_and_the_next_one_watched_as_before(broken: Image) -> None:
    stream = Stream()
    stream.rest()
    with pytest.raises(Unreadable):
        stream.show(broken)
    stream.rest([CARD])
    assert len(stream.told) == 1


def test_half_a_picture_and_a_flash_land_nothing() -> None:
    stream = Stream()
    stream.rest([CARD])
    for damaged in (128, 255, 0):
        image = stream.table([CARD])
        image[150:] = damaged
        stream.show(image)
        stream.rest([CARD], 2)
        stream.show(np.full_like(image, damaged))
        stream.rest([CARD], 6)
    assert stream.told == []
    assert stream.marks[-1] == stream.t


@pytest.mark.parametrize(("radius", "looks"), [(6, 1), (20, 4)])
def test_a_crumb_lands_nothing(radius: int, looks: int) -> None:
    """One that is smaller than any card is not read: the first look is at the whole table."""
    looked_at: list[tuple[int, ...]] = []

    def read(image: Image, *_: object) -> CardReading:
        looked_at.append(validated(image).shape)
        return CardReading((), 0)

    stream = Stream()
    stream.watcher = LandingWatcher(drawn_deck("nasty_7"), WHOLE, read)
    for at in ((300, 200), (632, 352), (1, 1)):
        stream.rest()
        for _ in range(14):
            image = stream.table()
            cv2.circle(image, at, radius, (20, 20, 200), -1)
            stream.show(image)
    assert stream.told == []
    assert len(looked_at) >= looks


def test_with_another_size_the_table_is_learnt_anew() -> None:
    stream = Stream()
    stream.rest([CARD])
    stream.rest([CARD], factor=2)
    assert stream.told == []
    stream.rest([CARD, (400, 150)], factor=2)
    assert len(stream.told) == 1
    assert stream.marks[-1] == stream.t


def test_what_came_while_the_picture_stood_still_lands_when_it_moves_again() -> None:
    stream = Stream()
    stream.rest()
    frozen = stream.table()
    for _ in range(40):
        stream.show(frozen)
    begun = stream.t + 1.0 / FPS
    stream.rest([CARD])
    assert [one.t for one in stream.told] == [pytest.approx(begun)]


def test_what_came_during_a_gap_lands_with_the_first_picture_after_it() -> None:
    stream = Stream()
    stream.rest()
    stream.t += 3600.0
    begun = stream.t + 1.0 / FPS
    stream.rest([CARD])
    assert [one.t for one in stream.told] == [pytest.approx(begun)]


def test_a_late_picture_is_passed_over() -> None:
    stream = Stream()
    stream.rest()
    latest = stream.t
    stream.show(stream.table([CARD]), latest - 0.05)
    stream.show(stream.table([CARD]), latest)
    stream.t = latest
    stream.rest()
    assert stream.told == []
    assert stream.marks == sorted(stream.marks)


def test_a_clock_that_jumps_back_starts_anew() -> None:
    stream = Stream()
    stream.rest([CARD])
    stream.t = 10.0
    stream.rest([CARD])
    assert stream.told == []
    begun = stream.t + 1.0 / FPS
    stream.rest([CARD, (400, 150)])
    assert [one.t for one in stream.told] == [pytest.approx(begun)]
    assert stream.marks[-1] == stream.t


def test_a_lamp_over_a_burnt_out_table_lands_nothing_and_the_next_card_lands() -> None:
    stream = Stream()
    table = [np.where(stream.table([CARD]) < 120, 255, stream.table([CARD])) for _ in range(3)]
    for level in (1.0, 0.7, 1.0):
        for index in range(12):
            stream.show(np.asarray(table[index % 3] * level, np.uint8))
    assert stream.told == []
    assert stream.marks[-1] == stream.t
    both = stream.table([CARD, (400, 150)])
    for _ in range(14):
        burnt = np.where((both < 120) & (stream.table() < 120), 255, both)
        stream.show(np.asarray(burnt, np.uint8))
    assert len(stream.told) == 1
