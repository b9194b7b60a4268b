"""The field of 13 Monsters as it is played on: what came, was turned over or was taken away, and when."""

from __future__ import annotations

import math
from collections.abc import Iterable

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
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.background import Background
from companion.vision.tracking.camera_view import scaled
from companion.vision.tracking.change import CELL, Change
from companion.vision.tracking.limits import seconds
from companion.vision.tracking.recent_pictures import RecentPictures, SmallPicture, onset_of

BACK = "back"
"""Label of a card that lies face down."""


class GridWatcher:
    """Reads the field whenever it has come to rest, and reports what has changed since.

    While something still moves, a card face down whose own place has come to rest and looks different is
    looked at: it may be turned back before the table is still.

    A card turned over is a Landing in the zone `grid:<row>,<column>`, at the time of the first picture that
    shows it. So is a card that was turned back or laid face down, labelled `back`, and a die laid on a card,
    labelled `die 5`. A card or a die that was taken away is a Removal. What happened first is told first.
    Without a first reading of the whole field nothing is reported. A field that has moved as a whole is
    followed: the camera was bumped.
    """

    def __init__(self, deck: Deck, background: Background) -> None:
        """`background`: that of the pictures that are seen."""
        self._deck = deck
        self._background = background
        self._recent: RecentPictures[None] = RecentPictures(0)
        self._reading: GridReading | None = None
        self._unread_since: float | None = None
        """Since when the picture as a whole is another one, until it is read."""
        self._looked: dict[tuple[int, int], float] = {}
        """When places were looked at while something moved."""

    @property
    def field(self) -> CardGrid | None:
        """Where the field lies, once it has been read."""
        return None if self._reading is None else self._reading.field

    def see(self, image: Image, change: Change) -> list[Landing | Removal | Watched]:
        """Takes one picture and what it shows against the background; reports what has changed, and up to
        when everything has been reported."""
        t = change.t
        if change.blobs:
            self._recent.add(SmallPicture.of(change, self._background.light))
        if change.motion is not None:
            self._recent.move(change.motion)
            if self._reading is not None:
                self._reading = moved_grid(self._reading, scaled(change.motion, 1 / self._background.scale))
        if change.cut or change.motion is not None:
            self._unread_since = t
        if change.camera_moves:
            return []
        if any(blob.still < seconds().still for blob in change.blobs):
            return self._turned_early(image, change)
        if not change.blobs:
            if self._unread_since is None:
                return [Watched(t)]
            if t - self._unread_since < seconds().still:
                return []
        return [*self._turned(image, change), Watched(t)]

    def _turned_early(self, image: Image, change: Change) -> list[Landing | Removal | Watched]:
        """The cards that were turned over in places which have come to rest before the table has."""
        before = self._reading
        if before is None:
            return []
        differs, settled = change.cells(change.blobs), []
        for place in before.places:
            if place.state != "down":
                continue
            cells = self._cells([place], differs)
            moved = self._background.moved_at(cells)
            due = change.t - moved >= seconds().still and moved > self._looked.get(place.at, -math.inf)
            if due and (cells & differs).any():
                settled.append(place.at)
        if not settled:
            return []
        self._looked.update(dict.fromkeys(settled, change.t))
        self._reading = read_turned_up(image, self._deck, before, settled)
        found = find_changes(before, self._reading)
        self._background.absorb(self._cells([before.at(*one.at) for one in found], differs), change)
        return self._reported(found, before, change)

    def _turned(self, image: Image, change: Change) -> list[Landing | Removal | Watched]:
        """What has changed on the field since the latest reading, now that the table is still; cards that
        came to light and cannot be read are landings without a name."""
        before = self._reading
        self._unread_since = None
        found: list[Landing | Removal | Watched] = []
        try:
            self._reading = read_grid(image, self._deck, before)
        except Unreadable:
            before = None
        if before is not None and self._reading is not None:
            found += self._reported(find_changes(before, self._reading), before, change)
            found += [
                Landing(self._rested(new, change), _zone(new.at), None)
                for old, new in zip(before.places, self._reading.places, strict=True)
                if old.state in ("down", "hidden") and new.state == "unclear"
            ]
        self._background.absorb(change.cells(change.blobs), change)
        return found

    def _cells(self, places: Iterable[GridPlace], like: Array) -> Array:
        """The cells of the small picture, of a grid `like` this, in which places lie."""
        corners = (geometry.to_resized(place.quad, self._background.scale) / CELL for place in places)
        return masks.drawn(corners, like.shape)

    def _rested(self, place: GridPlace, change: Change) -> float:
        """When a place came to rest."""
        return self._background.moved_at(self._cells([place], change.cells(())))

    def _reported(
        self, changes: Iterable[GridChange], before: GridReading, change: Change
    ) -> list[Landing | Removal | Watched]:
        """Changes of the field as they are reported, in the order in which they happened."""
        assert self._reading is not None
        since = min((blob.since for blob in change.blobs), default=change.t)
        found: list[Landing | Removal] = []
        for one in changes:
            place, was = self._reading.at(*one.at), before.at(*one.at)
            small = geometry.to_resized(place.quad, self._background.scale)
            begun = self._rested(place, change)
            t = onset_of(self._recent.small, small, self._background.grey, since) if change.blobs else begun
            found.append(_as_reported(one, was, place, min(t, begun)))
        return [*sorted(found, key=lambda one: one.t)]


def _zone(at: tuple[int, int]) -> str:
    return f"grid:{at[0]},{at[1]}"


def _as_reported(change: GridChange, was: GridPlace, now: GridPlace, t: float) -> Landing | Removal:
    """A change of the field at the moment `t` as it is reported."""
    zone = _zone(change.at)
    match change.kind:
        case "turned_up":
            return Landing(t, zone, change.card)
        case "frozen":
            return Landing(t, zone, _sighting(f"die {change.die}", now))
        case "turned_down" | "laid":
            return Landing(t, zone, _sighting(BACK, now))
        case "removed":
            return Removal(t, zone, was.card or _sighting(BACK, was))
        case "thawed":
            return Removal(t, zone, _sighting(f"die {was.die}", was))


def _sighting(label: str, place: GridPlace) -> Sighting:
    """A back or a die at a place: `die 5`, `die 0` if its value cannot be read."""
    return Sighting(label, 1.0, geometry.corner_points(place.quad))
