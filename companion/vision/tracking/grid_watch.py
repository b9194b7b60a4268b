"""The field of 13 Monsters as it is played on: which card was turned over or frozen by a die, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.core.observations import Landing, Sighting, Watched
from companion.vision.deck.deck import Deck
from companion.vision.grid.read import GridChange, GridReading, find_changes, read_grid
from companion.vision.image.picture import Array, Image

STILL_S = 0.4
"""Seconds without motion after which the field is read."""
MOTION_WIDTH = 192
"""Pixels."""
_MOTION_LEVELS = 6.0
"""Grey levels by which a spot of the small picture changes when something moves."""
_FEWEST_PIXELS = 6
"""So many changed spots are motion and not noise."""


class GridWatcher:
    """Reads the field whenever it has come to rest, and reports what was turned over since.

    A card turned over is a Landing in the zone `grid:<row>,<column>`, at the time of the first still picture
    after it; so is a die laid on a card, labelled `die 5`. Without a first reading of the whole field nothing
    is reported.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._last: Array | None = None
        self._read: Array | None = None
        self._still_since: float | None = None
        self._reading: GridReading | None = None

    def expect(self, labels: frozenset[str] | None) -> None:
        """The rules narrow nothing down here: any card may be anywhere."""

    def set_zones(self, zones: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """The field is found by its cards, wherever it lies."""

    def feed(self, image: Image, t: float) -> list[Landing | Watched]:
        """Takes one picture; reports what has been turned over and up to when everything has been
        reported."""
        small = small_grey(image)
        moved = self._last is None or has_motion(self._last, small)
        self._last = small
        if moved:
            self._still_since = None
            return []
        if self._still_since is None:
            self._still_since = t
        if self._read is not None and not has_motion(self._read, small):
            return [Watched(t)]
        if t - self._still_since < STILL_S:
            return []
        self._read = small
        return [*self._turned(image, self._still_since), Watched(t)]

    def _turned(self, image: Image, t: float) -> list[Landing]:
        before = self._reading
        try:
            reading = read_grid(image, self._deck, before)
        except Unreadable:
            return []
        self._reading = reading
        if before is None:
            return []
        found = [
            Landing(t, f"grid:{change.at[0]},{change.at[1]}", _to_sighting(change, reading))
            for change in find_changes(before, reading)
            if change.kind in ("turned_up", "frozen")
        ]
        unread = [
            Landing(t, f"grid:{new.at[0]},{new.at[1]}", None)
            for old, new in zip(before.places, reading.places, strict=True)
            if old.state == "down" and new.state == "unclear"
        ]
        return found + unread


def _to_sighting(change: GridChange, reading: GridReading) -> Sighting | None:
    """The card turned over, or the die on a card face down: `die 5`, `die 0` if its value cannot be read."""
    if change.kind != "frozen":
        return change.card
    a, b, c, d = ((float(x), float(y)) for x, y in reading.at(*change.at).quad)
    return Sighting(f"die {change.die}", 1.0, (a, b, c, d))


def small_grey(image: Image) -> Array:
    """A picture as motion is looked for in it: grey, MOTION_WIDTH pixels wide, of signed numbers."""
    height = max(1, round(MOTION_WIDTH * image.shape[0] / image.shape[1]))
    grey = cv2.cvtColor(
        cv2.resize(image, (MOTION_WIDTH, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    return np.asarray(grey, np.int16)


def has_motion(one: Array, other: Array) -> bool:
    """Whether something moved between two small pictures, a change of light of the whole apart."""
    change = one - other
    change = np.abs(change - np.median(change))
    return int((change > _MOTION_LEVELS).sum()) >= _FEWEST_PIXELS
