"""The field of 13 Monsters as it is played on: what came, was turned over or was taken away, and when."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import Landing, Removal, Sighting, Watched
from companion.vision.deck.deck import Deck
from companion.vision.grid.field import CardGrid
from companion.vision.grid.read import (
    GridChange,
    GridPlace,
    GridReading,
    find_changes,
    moved_grid,
    read_grid,
    read_turned_up,
)
from companion.vision.image import geometry
from companion.vision.image.camera_motion import motion_between, scaled
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.tracking.background import WIDTH
from companion.vision.tracking.change import STILL_S

BACK = "back"
"""Label of a card that lies face down."""
MOTION_WIDTH = 192
"""Pixels of the width of the small picture in which motion is looked for."""
_MOTION_LEVELS = 6.0
"""Grey levels by which a spot of the small picture changes when something moves."""
_FEWEST_PIXELS = 6
"""Changed spots from which on they are motion and not noise."""
_MOST_KEPT = 150
"""Small pictures since the last reading that are kept: 10 s of 15 a second."""


class GridWatcher:
    """Reads the field whenever it has come to rest, and reports what has changed since.

    While something still moves, a card face down whose own place has come to rest and looks different is
    looked at: it may be turned back before the table is still.

    A card turned over is a Landing in the zone `grid:<row>,<column>`, at the time of the first still picture
    after it. So is a card that was turned back or laid face down, labelled `back`, and a die laid on a card,
    labelled `die 5`. A card or a die that was taken away is a Removal. What happened first is told first.
    Without a first reading of the whole field nothing is reported. A field that has moved as a whole is
    followed: the camera was bumped.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._last: Array | None = None
        self._known: Array | None = None
        """The small picture of which everything has been reported."""
        self._still_since: float | None = None
        self._reading: GridReading | None = None
        self._shown: Bytes | None = None
        self._since_read: deque[Array] = deque(maxlen=_MOST_KEPT)
        self._looked_at: Array | None = None
        """The small picture of which each card that lies face down has been looked at."""
        self._still_places: dict[tuple[int, int], float] = {}

    @property
    def field(self) -> CardGrid | None:
        """Where the field lies, once it has been read."""
        return None if self._reading is None else self._reading.field

    def feed(self, image: Image, t: float) -> list[Landing | Removal | Watched]:
        """Takes one picture; reports what has changed, and up to when everything has been reported."""
        small = small_grey(image)
        last, self._last = self._last, small
        self._since_read.append(small)
        if last is None:
            return []
        if has_motion(last, small):
            self._still_since = None
            return self._turned_early(image, last, small, t)
        if self._still_since is None:
            self._still_since = t
        if self._known is not None and not has_motion(self._known, small):
            return [Watched(t)]
        if t - self._still_since < STILL_S:
            return self._turned_early(image, last, small, t)
        self._known, self._looked_at = small.copy(), small.copy()
        found = self._turned(image, self._still_since)
        self._since_read.clear()
        return [*found, Watched(t)]

    def _turned_early(
        self, image: Image, last: Array, now: Array, t: float
    ) -> list[Landing | Removal | Watched]:
        """The cards that were turned over in places which have come to rest before the table has; `last` and
        `now` are the small pictures before and of this one."""
        before, known, seen = self._reading, self._known, self._looked_at
        if before is None or known is None or seen is None:
            return []
        scale = MOTION_WIDTH / image.shape[1]
        down = [place for place in before.places if place.state == "down"]
        parts = {place.at: _part_of(now, scale * place.quad) for place in down}
        moving = _changed(last, now)
        still = {at: self._still_places.get(at, t) for at in parts if not moving[parts[at]].any()}
        self._still_places = still
        settled = [
            at for at in still if t - still[at] >= STILL_S and has_motion(seen[parts[at]], now[parts[at]])
        ]
        if not settled:
            return []
        self._reading = read_turned_up(image, self._deck, before, settled)
        changes = sorted(find_changes(before, self._reading), key=lambda change: still[change.at])
        for at in settled:
            seen[parts[at]] = now[parts[at]]
        for change in changes:
            known[parts[change.at]] = now[parts[change.at]]
        return [_reported(change, before, self._reading, still[change.at]) for change in changes]

    def _followed(self, now: Bytes, width: int) -> GridReading | None:
        """The latest reading, where its field is in the picture `now`, taken `width` pixels wide."""
        if self._reading is None or self._shown is None or now.shape != self._shown.shape:
            return self._reading
        motion = motion_between(self._shown, now)
        if motion is None:
            return self._reading
        return moved_grid(self._reading, scaled(motion, width / WIDTH))

    def _turned(self, image: Image, t: float) -> list[Landing | Removal]:
        """What has changed on the field since the latest reading, now that the table has been still since
        `t`; cards that came to light and cannot be read are landings without a name."""
        shown = small_grey(image, WIDTH).astype(np.uint8)
        before = self._followed(shown, image.shape[1])
        try:
            reading = read_grid(image, self._deck, before)
        except Unreadable:
            return []
        self._reading = reading
        self._shown = shown
        if before is None:
            return []
        changes = find_changes(before, reading)
        scale = MOTION_WIDTH / image.shape[1]
        changes.sort(key=lambda change: _first_shown(self._since_read, scale * reading.at(*change.at).quad))
        found = [_reported(change, before, reading, t) for change in changes]
        unread = [
            Landing(t, f"grid:{new.at[0]},{new.at[1]}", None)
            for old, new in zip(before.places, reading.places, strict=True)
            if old.state in ("down", "hidden") and new.state == "unclear"
        ]
        return found + unread


def _first_shown(pictures: Sequence[Array], quad: Floats) -> int:
    """The number of the first of some small pictures in which a place (4, 2) looks as in the last."""
    last = pictures[-1]
    place = _part_of(last, quad)
    for number, picture in enumerate(pictures):
        change = picture[place] - last[place]
        if float(np.abs(change - np.median(picture - last)).mean()) < _MOTION_LEVELS:
            return number
    return len(pictures)


def _part_of(picture: Array, quad: Floats) -> tuple[slice, slice]:
    """Where a place (4, 2) lies in a small picture."""
    size = np.array([picture.shape[1], picture.shape[0]])
    left, top = np.clip(np.floor(quad.min(axis=0)), 0, size - 1).astype(int)
    right, bottom = np.clip(np.ceil(quad.max(axis=0)), 1, size).astype(int)
    return slice(top, bottom), slice(left, right)


def _reported(change: GridChange, before: GridReading, after: GridReading, t: float) -> Landing | Removal:
    """A change of the field as it is reported."""
    zone, was = f"grid:{change.at[0]},{change.at[1]}", before.at(*change.at)
    match change.kind:
        case "turned_up":
            return Landing(t, zone, change.card)
        case "frozen":
            return Landing(t, zone, _sighting(f"die {change.die}", after.at(*change.at)))
        case "turned_down" | "laid":
            return Landing(t, zone, _sighting(BACK, after.at(*change.at)))
        case "removed":
            return Removal(t, zone, was.card or _sighting(BACK, was))
        case "thawed":
            return Removal(t, zone, _sighting(f"die {was.die}", was))


def _sighting(label: str, place: GridPlace) -> Sighting:
    """A back or a die at a place: `die 5`, `die 0` if its value cannot be read."""
    return Sighting(label, 1.0, geometry.corner_points(place.quad))


def small_grey(image: Image, width: int = MOTION_WIDTH) -> Array:
    """A picture as motion is looked for in it: grey, `width` pixels wide, of signed numbers."""
    size = (max(1, width), max(1, round(width * image.shape[0] / image.shape[1])))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.int16)


def has_motion(one: Array, other: Array) -> bool:
    """Whether something moved between two small pictures, a change of light of the whole apart."""
    return int(_changed(one, other).sum()) >= _FEWEST_PIXELS


def _changed(one: Array, other: Array) -> Array:
    """The spots in which two small pictures differ, a change of light of the whole apart."""
    change = one - other
    return np.asarray(np.abs(change - np.median(change)) > _MOTION_LEVELS)
