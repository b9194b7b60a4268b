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
from companion.vision.deck.deck import Deck
from companion.vision.dice.pips import FINE_AREA
from companion.vision.dice.read import DiceReading, Die, read_dice
from companion.vision.dice.view import Optics
from companion.vision.grid.field import CardGrid
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.background import Background
from companion.vision.tracking.change import Change, TableZones
from companion.vision.tracking.grid_watch import GridWatcher
from companion.vision.tracking.limits import distances, seconds

ZONE = "dice"
"""The zone's name, and the label by which a throw is expected."""
DICE = 5
"""Dice of a throw."""


class DiceWatcher:
    """Tells of throws: a Landing in the zone `dice`, labelled `dice 4 4 1 2 6` from left to right.

    Of a further throw the dice that lie just as they lay are told apart: `dice 3 5 1 kept 4 4`. A label
    with fewer than five values says that the others lean, are hidden or lie outside the zone.
    """

    def __init__(self, zone: Sequence[Point], background: Background) -> None:
        """`zone`: its corners as shares of the picture. `background`: that of the pictures that are seen."""
        self._zone, self._background = zone, background
        self._expected = False
        self._latest = self._done = self._since = -math.inf
        self._waiting: tuple[float, DiceReading, Array] | None = None
        self._told: tuple[Die, ...] = ()
        self._lying: tuple[Die, ...] = ()

    def expect(self, labels: frozenset[str] | None) -> None:
        """Dice are looked at while their label is expected; what moved before does not count."""
        expected = labels is not None and ZONE in labels
        if expected and not self._expected:
            self._done, self._waiting, self._told, self._lying = self._latest, None, (), ()
        self._expected = expected

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """Another zone from now on."""
        self._zone = zones.get(ZONE, self._zone)

    def see(self, image: Image, change: Change, field: CardGrid | None = None) -> list[Landing]:
        """Takes one picture and what it shows against the background; reports a throw that has come to rest.
        `field`: that on the same table, if it is known; it tells how the camera looks at the table."""
        part, begin = self._part(image)
        if not part.size:
            return []
        cells = TableZones({ZONE: self._zone}).cells(change.cells(()).shape)
        since, self._latest = self._background.moved_at(cells), change.t
        if change.cut:
            self._done = self._since = since
        if since != self._since:
            if self._waiting is not None:
                self._lying = _still_lying(self._lying, self._waiting[1])
            self._since, self._waiting = since, None
        if not self._expected or since <= self._done or change.t - since < seconds().still:
            return []
        if field is not None:
            return self._read(part, begin, field.optics(image, begin), change.t)
        x, y = begin.tolist()
        return self._read(part, begin, Optics.of((image.shape[0], image.shape[1]), (x, y)), change.t)

    def _read(self, part: Image, begin: Array, optics: Optics, t: float) -> list[Landing]:
        """Reads dice that lie still, and again (other noise) while some of them are doubtful or missing."""
        known = self._waiting
        if known is None or t - known[0] >= seconds().still:
            self._waiting = known = (t, _reading(part, optics), begin)
        _, reading, begin = known
        wait = seconds().too_few if reading.seen < DICE else seconds().doubtful if reading.unsure else 0.0
        if t - self._since < wait:
            return []
        self._done, self._waiting = t, None
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
        corners = np.array(self._zone, np.float64) * size
        low = np.clip(np.floor(corners.min(axis=0)), 0, size).astype(int)
        high = np.clip(np.ceil(corners.max(axis=0)), 0, size).astype(int)
        cut = image[low[1] : high[1], low[0] : high[0]].copy()  # the picture is others', too
        away = np.round(corners - low).astype(np.int32)
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

    def __init__(self, deck: Deck, zone: Sequence[Point]) -> None:
        """`zone`: that of the dice."""
        self._background = Background()
        self._field, self._dice = GridWatcher(deck, self._background), DiceWatcher(zone, self._background)

    def expect(self, labels: frozenset[str] | None) -> None:
        """As DiceWatcher does."""
        self._dice.expect(labels)

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """As DiceWatcher does."""
        self._dice.set_zones(zones)

    def feed(self, image: Image, t: float) -> list[Landing | Removal | Watched]:
        """Takes the picture of the moment `t`; reports what happened on the field and of throws."""
        if self._background.is_late(t):
            return []
        change = self._background.feed(image, t)
        return [*self._dice.see(image, change, self._field.field), *self._field.see(image, change)]


def _is_same_throw(dice: tuple[Die, ...], reported: tuple[Die, ...]) -> bool:
    """Whether these are the dice that were reported, at most nudged."""
    pairs = zip(dice, reported, strict=False)
    return len(dice) == len(reported) and all(_is_same_die(one, other, 1.0) for one, other in pairs)


def _unmoved(dice: tuple[Die, ...], reported: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice that show what they showed, where they lay."""
    return tuple(die for die in dice if any(_is_same_die(die, old, distances().beside) for old in reported))


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
