"""The dice of 13 Monsters as they are thrown: what they show once they lie still in their zone.

Dice are read only while a throw is expected, and only after something has moved in their zone since then:
dice that have lain there from the last fight are no throw. Fewer than five are taken for dice in a hand and
nothing is reported, unless those that are missing lean or are partly hidden, or they go on lying there.
A die that did not lie in its place in between was thrown, even if it comes to lie there again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.observations import Landing, Point, Removal, Sighting, Watched
from companion.vision.dice.pips import FINE_AREA
from companion.vision.dice.read import DiceReading, Die, read_dice
from companion.vision.dice.view import Optics
from companion.vision.grid.field import CardGrid
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.grid_watch import GridWatcher
from companion.vision.tracking.limits import distances, seconds

ZONE = "dice"
"""The zone's name, and the label by which a throw is expected."""
DICE = 5
"""Dice of a throw."""
MOTION_WIDTH = 192
"""Pixels of the width of the small picture in which motion is looked for."""
_MOTION_LEVELS = 6.0
"""Grey levels by which a spot of the small picture changes when something moves."""
_FEWEST_PIXELS = 6
"""Changed spots from which on they are motion and not noise."""


class DiceWatcher:
    """Tells of throws: a Landing in the zone `dice`, labelled `dice 4 4 1 2 6` from left to right.

    Of a further throw the dice that lie just as they lay are told apart: `dice 3 5 1 kept 4 4`. A label
    with fewer than five values says that the others lean, are hidden or lie outside the zone.
    """

    def __init__(self, zone: Sequence[Point]) -> None:
        self._zone = np.array(zone, np.float64)
        self._expected = False
        self._last: Array | None = None
        self._since: float | None = None
        self._moved = False
        self._waiting: tuple[float, DiceReading, Array] | None = None
        self._told: tuple[Die, ...] = ()
        self._lying: tuple[Die, ...] = ()

    def expect(self, labels: frozenset[str] | None) -> None:
        """Dice are looked at while their label is expected; what moved before does not count."""
        expected = labels is not None and ZONE in labels
        if expected and not self._expected:
            self._moved, self._waiting, self._told, self._lying = False, None, (), ()
        self._expected = expected

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """Another zone from now on."""
        if ZONE in zones:
            self._zone = np.array(zones[ZONE], np.float64)
            self._last = None

    def feed(self, image: Image, t: float, field: CardGrid | None = None) -> list[Landing]:
        """Takes one picture; reports a throw that has come to rest. `field`: that on the same table, if it
        is known; it tells how the camera looks at the table."""
        part, begin = self._part(image)
        if not part.size:
            return []
        # as many pixels are averaged as in the whole picture: a narrow zone keeps as little of the noise
        small = _small_grey(part, MOTION_WIDTH * part.shape[1] // image.shape[1])
        last, self._last = self._last, small
        if last is None or last.shape != small.shape:
            return []
        if _has_motion(last, small):
            if self._waiting is not None:
                self._lying = _still_lying(self._lying, self._waiting[1])
            self._moved, self._since, self._waiting = True, None, None
            return []
        if self._since is None:
            self._since = t
        if not (self._expected and self._moved) or t - self._since < seconds().still:
            return []
        if field is not None:
            return self._read(part, begin, field.optics(image, begin), t)
        x, y = begin.tolist()
        return self._read(part, begin, Optics.of((image.shape[0], image.shape[1]), (x, y)), t)

    def _read(self, part: Image, begin: Array, optics: Optics, t: float) -> list[Landing]:
        """Reads dice that lie still, and again (other noise) while some of them are doubtful or missing."""
        assert self._since is not None
        known = self._waiting
        if known is None or t - known[0] >= seconds().still:
            self._waiting = known = (t, _reading(part, optics), begin)
        _, reading, begin = known
        wait = seconds().too_few if reading.seen < DICE else seconds().doubtful if reading.unsure else 0.0
        if t - self._since < wait:
            return []
        self._moved, self._waiting = False, None
        kept, self._lying = _unmoved(reading.dice, self._lying), reading.dice
        if not reading.dice or _is_same_throw(reading.dice, self._told):
            return []
        if len(kept) == len(reading.dice) == reading.seen:  # the others have been taken up
            return []
        self._told = reading.dice
        return [Landing(self._since, ZONE, _to_sighting(reading, kept, begin))]

    def _part(self, image: Image) -> tuple[Image, Array]:
        """The part of the picture within the zone's bounds, and its left and upper end."""
        size = np.array([image.shape[1], image.shape[0]])
        low = np.clip(np.floor(self._zone.min(axis=0) * size), 0, size).astype(int)
        high = np.clip(np.ceil(self._zone.max(axis=0) * size), 0, size).astype(int)
        cut = image[low[1] : high[1], low[0] : high[0]].copy()  # the picture is others', too
        away = np.round(self._zone * size - low).astype(np.int32)
        inside = np.zeros(cut.shape[:2], np.uint8)
        cv2.fillPoly(inside, [away], 255)
        if cut.size and not inside.all():
            cut[inside == 0] = np.median(cut[inside > 0], axis=0) if inside.any() else 0
        return cut, low.astype(float)


def _reading(part: Image, optics: Optics) -> DiceReading:
    """The dice of the zone; looked at once more, finer, if some are missing or doubtful."""
    reading = read_dice(part, DICE, optics)
    if not reading.dice or not reading.unsure:
        return reading
    finer = read_dice(part, DICE, optics, FINE_AREA)
    return reading if finer.unsure else finer


class GridAndDiceWatcher:
    """The field and the dice of one table in one watcher. The field is found by its cards, wherever it lies,
    and the rules narrow nothing down there: any card may be anywhere."""

    def __init__(self, field: GridWatcher, dice: DiceWatcher) -> None:
        self._field, self._dice = field, dice

    def expect(self, labels: frozenset[str] | None) -> None:
        """As DiceWatcher does."""
        self._dice.expect(labels)

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """As DiceWatcher does."""
        self._dice.set_zones(zones)

    def feed(self, image: Image, t: float) -> list[Landing | Removal | Watched]:
        """Takes one picture; reports what happened on the field and of throws."""
        return [*self._dice.feed(image, t, self._field.field), *self._field.feed(image, t)]


def _is_same_throw(dice: tuple[Die, ...], reported: tuple[Die, ...]) -> bool:
    """Whether these are the dice that were reported, at most nudged."""
    pairs = zip(dice, reported, strict=False)
    return len(dice) == len(reported) and all(_is_same_die(one, other, 1.0) for one, other in pairs)


def _unmoved(dice: tuple[Die, ...], reported: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice that show what they showed, where they lay."""
    return tuple(die for die in dice if any(_is_same_die(die, old, distances().kept_die) for old in reported))


def _is_same_die(die: Die, old: Die, shift: float) -> bool:
    """Whether a die shows what it showed and has moved by less than this part of its edge."""
    return die.value == old.value and math.dist(die.centre, old.centre) < shift * _edge(die)


def _still_lying(dice: tuple[Die, ...], reading: DiceReading) -> tuple[Die, ...]:
    """The dice of which a later reading shows the same die, or a doubt, in their place."""
    doubts = [
        (x, y)
        for doubt in reading.unsure
        if isinstance(x := doubt.params.get("x"), int) and isinstance(y := doubt.params.get("y"), int)
    ]
    return tuple(
        die
        for die in dice
        if _unmoved((die,), reading.dice) or any(math.dist(die.centre, at) < _edge(die) for at in doubts)
    )


def _edge(die: Die) -> float:
    """The side of a die in pixels."""
    return float(np.sqrt(cv2.contourArea(np.array(die.outline, np.float32))))


def _to_sighting(reading: DiceReading, kept: tuple[Die, ...], begin: Array) -> Sighting:
    """The throw as it is reported: the least sure die counts, and doubts that are left halve it."""
    thrown = [str(die.value) for die in reading.dice if die not in kept]
    still = ["kept", *(str(die.value) for die in kept)] if kept else []
    values = " ".join([*thrown, *still])
    points = np.concatenate([die.outline for die in reading.dice])
    low, high = points.min(axis=0) + begin, points.max(axis=0) + begin
    sure = min(die.confidence for die in reading.dice) * (0.5 if reading.unsure else 1.0)
    corners = geometry.corner_points(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))
    return Sighting(f"{ZONE} {values}", round(sure, 4), corners)


def _small_grey(image: Image, width: int) -> Array:
    """A picture as motion is looked for in it: grey, `width` pixels wide, of signed numbers."""
    size = (max(1, width), max(1, round(width * image.shape[0] / image.shape[1])))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.int16)


def _has_motion(one: Array, other: Array) -> bool:
    """Whether something moved between two small pictures, a change of light of the whole apart."""
    change = one - other
    return bool(np.count_nonzero(np.abs(change - np.median(change)) > _MOTION_LEVELS) >= _FEWEST_PIXELS)
