"""Thrown dice are told once they lie still in their zone, and only while a throw is expected."""

from __future__ import annotations

import functools
import math

import cv2
import numpy as np
import pytest

from bench.dice.scenes import GAP, field_photo
from companion import art
from companion.art.dice import STYLES, DiceCamera, as_photographed, draw_die, table_top
from companion.core.observations import Landing
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.dice.read import DiceReading, read_dice
from companion.vision.dice.view import Optics
from companion.vision.image.picture import Array, Image
from companion.vision.tracking import dice_watch
from companion.vision.tracking.background import Background
from companion.vision.tracking.dice_watch import DiceWatcher, GridAndDiceWatcher

SIZE = (420, 560)
PLACES = [(-2.6, -1.8), (0.2, -2.0), (2.7, -1.2), (-1.4, 1.1), (1.5, 1.4)]
RIGHT = [(0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0)]
THROW = frozenset({"dice"})


@functools.cache
def table(values: tuple[int, ...]) -> Image:
    """A table whose right half shows these dice."""
    rng = np.random.default_rng(4)
    ground = table_top(SIZE, "cloth", rng)
    camera = DiceCamera.at(13.0, math.radians(14), 0.2, SIZE)
    for n, (value, place) in enumerate(zip(values, PLACES, strict=False)):
        draw_die(ground, camera, STYLES["white"], value, place, 0.7 * n + 0.3)
    dice = as_photographed(ground, 0.4, 2.0, (0.95, 1.0, 1.0), rng)
    return np.asarray(np.hstack([np.full_like(dice, 90), dice]), np.uint8)


class WatchedDice(DiceWatcher):
    """Dice on a table on which nothing else is watched."""

    def __init__(self, zone: list[tuple[float, float]]) -> None:
        self.table = Background()
        super().__init__(zone, self.table)

    def feed(self, image: Image, t: float) -> list[Landing]:
        return self.see(image, self.table.feed(image, t))


def fed(watcher: WatchedDice, image: Image, begin: float, seconds: float = 1.0) -> list[Landing]:
    """Five pictures a second."""
    return [seen for k in range(round(5 * seconds)) for seen in watcher.feed(image, begin + 0.2 * k)]


def labels(landings: list[Landing]) -> list[str]:
    return [one.sighting.label for one in landings if one.sighting is not None]


def test_a_throw_is_told_once_and_the_next_one_again() -> None:
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    assert fed(watcher, table(()), 0.0) == []
    first = fed(watcher, table((4, 4, 1, 2, 6)), 1.0, 2.0)
    assert [sorted(label[5:].split()) for label in labels(first)] == [["1", "2", "4", "4", "6"]]
    assert first[0].zone == "dice"
    assert 1.0 <= first[0].t <= 1.4
    assert first[0].sighting is not None
    assert first[0].sighting.corners[0][0] > SIZE[1]
    assert fed(watcher, table((4, 4, 1, 2)), 3.0, 2.0) == []
    again = fed(watcher, table((4, 4, 1, 2, 3)), 5.0, 1.0)
    (label,) = labels(again)
    thrown, kept = label[5:].split(" kept ")
    assert (thrown, sorted(kept.split())) == ("3", ["1", "2", "4", "4"])


def test_dice_that_are_left_while_the_others_are_taken_up_are_no_throw() -> None:
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0)
    assert len(fed(watcher, table((4, 4, 1, 2, 6)), 1.0, 2.0)) == 1
    assert fed(watcher, table((4, 4)), 3.0, 6.0) == []


def test_a_doubtful_die_is_looked_at_again_in_a_later_picture() -> None:
    """A lamp is mirrored in a die for a moment: nothing is asked."""
    shining = table((4, 4, 1, 2, 3)).copy()
    (die,) = [one for one in read_dice(shining[:, SIZE[1] :], 5).dice if one.value == 2]
    x, y = round(die.centre[0]) + SIZE[1], round(die.centre[1])
    cv2.circle(shining, (x, y), 9, (255, 255, 255), -1)
    assert read_dice(np.ascontiguousarray(shining[:, SIZE[1] :]), 5).unsure
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0)
    assert fed(watcher, shining, 1.0, 0.8) == []
    (told,) = fed(watcher, table((4, 4, 1, 2, 3)), 1.8, 2.0)
    assert told.sighting is not None
    assert sorted(told.sighting.label[5:].split()) == ["1", "2", "3", "4", "4"]
    assert told.sighting.confidence > 0.7


def test_dice_that_lay_there_before_are_no_throw() -> None:
    watcher = WatchedDice(RIGHT)
    fed(watcher, table(()), 0.0, 0.4)
    assert fed(watcher, table((4, 4, 1, 2, 6)), 0.4) == []
    watcher.expect(THROW)
    assert fed(watcher, table((4, 4, 1, 2, 6)), 2.0) == []


def test_fewer_dice_that_go_on_lying_are_told_with_what_can_be_read() -> None:
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0, 0.4)
    assert fed(watcher, table((4, 4, 1, 2)), 1.0, 2.0) == []
    (told,) = fed(watcher, table((4, 4, 1, 2)), 3.0, 2.0)
    assert told.sighting is not None
    assert sorted(told.sighting.label[5:].split()) == ["1", "2", "4", "4"]
    assert told.sighting.confidence <= 0.5


def test_the_noise_of_a_camera_is_no_motion() -> None:
    """The zone is narrower than the picture: as many pixels are averaged as in the whole of it."""
    rng = np.random.default_rng(8)
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    told: list[Landing] = []
    for k in range(9):
        still = table(()) if k < 3 else table((4, 4, 1, 2, 6))
        noisy = np.clip(still + rng.normal(0, 6.0, still.shape), 0, 255).astype(np.uint8)
        told += watcher.feed(noisy, 0.2 * k)
    assert len(told) == 1


def test_dice_beside_a_field_are_read_as_the_camera_looks_at_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size = (720, 1280)
    image, _ = field_photo({}, set(GAP), {}, np.random.default_rng(11), tilt=20.0, size=size, lay=3)
    faces = [art.draw_card("thirteen_monsters", "1 top left", 280)]
    deck = enrol_pictures("13", ["1 top left"], faces).deck
    asked: list[Optics] = []

    def reading(_: DiceWatcher, _part: Image, _begin: Array, optics: Optics, _t: float) -> list[Landing]:
        asked.append(optics)
        return []

    monkeypatch.setattr(DiceWatcher, "_read", reading)
    watcher = GridAndDiceWatcher(deck, [(0.0, 0.0), (0.15, 0.0), (0.15, 1.0), (0.0, 1.0)])
    watcher.expect(THROW)
    for k in range(5):
        watcher.feed(image, 0.2 * k)
    thrown = image.copy()
    cv2.circle(thrown, (90, 360), 30, (255, 255, 255), -1)
    for k in range(8):
        watcher.feed(thrown, 1.0 + 0.2 * k)
    assert asked
    assert asked[-1].table is not None
    assert math.degrees(math.acos(-asked[-1].table[2])) == pytest.approx(20.0, abs=1.5)
    assert asked[-1].middle == (639.5, 359.5)


def test_a_die_that_was_taken_up_is_thrown_even_if_it_lies_again_where_it_lay() -> None:
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0)
    assert len(fed(watcher, table((4, 4, 1, 2, 6)), 1.0, 2.0)) == 1
    assert fed(watcher, table((4, 4)), 3.0, 1.0) == []
    (label,) = labels(fed(watcher, table((4, 4, 5, 3, 6)), 4.0, 1.0))
    assert [sorted(part.split()) for part in label[5:].split(" kept ")] == [["3", "5", "6"], ["4", "4"]]


def test_dice_missed_in_one_picture_are_looked_for_in_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    read, asked = dice_watch.read_dice, list[Image]()

    def missing_one_at_first(part: Image, count: int, optics: Optics, *area: int) -> DiceReading:
        asked.append(part)
        return read(table((4, 4, 1, 2))[:, SIZE[1] :] if len(asked) < 3 else part, count, optics, *area)

    monkeypatch.setattr(dice_watch, "read_dice", missing_one_at_first)
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0)
    (told,) = fed(watcher, table((4, 4, 1, 2, 6)), 1.0, 4.0)
    assert told.sighting is not None
    assert sorted(told.sighting.label[5:].split()) == ["1", "2", "4", "4", "6"]
    assert told.sighting.confidence > 0.7


def test_the_picture_is_not_painted_over_beside_a_zone_as_wide_as_it() -> None:
    """What watches the field of 13 Monsters reads the same picture."""
    watcher = WatchedDice([(0.0, 0.2), (1.0, 0.0), (1.0, 0.8), (0.0, 1.0)])
    watcher.expect(THROW)
    image = table((4, 4, 1, 2, 6)).copy()
    seen = image.copy()
    fed(watcher, image, 0.0)
    assert np.array_equal(image, seen)


def test_the_place_of_a_throw_holds_all_its_dice() -> None:
    watcher = WatchedDice(RIGHT)
    watcher.expect(THROW)
    fed(watcher, table(()), 0.0)
    (landing,) = fed(watcher, table((4, 4, 1, 2, 6)), 1.0)
    assert landing.sighting is not None
    place = np.array(landing.sighting.corners)
    for die in read_dice(table((4, 4, 1, 2, 6)), 5).dice:
        assert (np.array(die.outline) >= place.min(axis=0) - 2.0).all()
        assert (np.array(die.outline) <= place.max(axis=0) + 2.0).all()
