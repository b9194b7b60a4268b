"""The table of Trio Monsters as it is played on: what lies there each time it has come to rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import msgspec
import numpy as np

from companion.core.observations import CoveredLattice, LatticeCard, LatticeSeen, Point, Watched
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Image, validated
from companion.vision.lattice.changed import ChangedTable
from companion.vision.lattice.known_table import NOTHING_KNOWN, KnownTable
from companion.vision.lattice.read import LatticeReading, read_lattice
from companion.vision.tracking.background import Background
from companion.vision.tracking.camera_view import scaled
from companion.vision.tracking.card_surface import CardSurface
from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.limits import distances, seconds
from companion.vision.tracking.recent_pictures import (
    MOST_READ,
    RecentPictures,
    SmallPicture,
    onset_of,
)
from companion.vision.tracking.steady_cards import same_place, steadied
from companion.vision.tracking.watermark import Watermark

LatticeReader = Callable[[Image, Deck, ChangedTable | None, KnownTable], LatticeReading]
"""Reads (picture, deck, where cards may lie, what earlier readings know of the table)."""

FEWEST_TAKEN = 2
"""Cards that must have gone at once for a card that nobody has seen to have caught them."""


class LatticeWatcher:
    """Reads the table whenever it has come to rest after a change.

    Args:
        deck: a deck of triangular cards.
        zones: name of a zone -> its corners as shares of the picture's width and height; what lies outside
            the first of them is left out. None: the whole picture.
        read: names the cards in a picture.

    The first picture is read everywhere. Later ones are read where cards were found then, and where something
    has changed since: checks of a cloth are no cards. What is reported is the whole table, and only if it is
    another one than the last that was reported. While anything moves near the cards, or an arm rests over
    them, nothing is read. What rests there long enough is an object: cards that it covers are
    reported as before. Watched(t) follows every picture."""

    def __init__(
        self,
        deck: Deck,
        zones: Mapping[str, Sequence[Point]] | None = None,
        read: LatticeReader = read_lattice,
    ) -> None:
        self._deck = deck
        self._reader = read
        self._background = Background()
        self.set_zones(zones or {})
        self._mark = Watermark()
        self._recent: RecentPictures[ChangedTable | None] = RecentPictures(MOST_READ)
        self._rest = -np.inf
        self._told: LatticeReading | None = None
        self._known = NOTHING_KNOWN
        self._surface = CardSurface(self._background)

    def expect(self, labels: frozenset[str] | None) -> None:
        """The rules narrow nothing down here: any card may be anywhere."""

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """Another zone from now on; the table is read anew."""
        self._steady = False
        """Whether the picture has not moved since the last reading."""
        self._zone, shape = next(iter(zones.items()), ("", geometry.UNIT))
        self._shape = np.array(shape, np.float32)
        self._changed: float | None = -np.inf
        """When the picture changed as a whole, until it is read."""

    def feed(self, image: Image, t: float) -> list[LatticeSeen | Watched]:
        """Takes the picture (BGR, uint8) of the moment `t`; reports what lies on the table, if that has
        changed, and up to when everything has been reported.

        Raises:
            Unreadable: it is no picture.
        """
        image = validated(image)
        if self._background.is_late(t):
            return []
        change = self._background.feed(image, t)
        if change.blobs:
            self._recent.add(SmallPicture.of(change, self._background.light))
        if change.cut:
            self._surface.forget()
            self._known = NOTHING_KNOWN
        if change.motion is not None:
            self._surface.move(change.motion)
            self._known = self._known.moved(scaled(change.motion, 1 / self._background.scale))
        if change.cut or change.motion is not None:
            self._recent.clear()
            self._steady = False
            self._changed = t
        if change.camera_moves:
            return [*self._mark.moved(min((blob.since for blob in change.blobs), default=t), t)]
        settled = [blob for blob in change.blobs if self._is_part_of_table(blob, change)]
        moving = [blob for blob in change.blobs if self._disturbs(blob, settled, change)]
        if moving:
            self._keep_covered(image, change, moving)
            return [*self._mark.moved(min(blob.since for blob in moving), t)]
        if not settled and (self._changed is None or t - self._changed < seconds().still):
            return [*self._mark.moved(t, t)]
        reports = self._read(image, change, settled, t)
        for blob in settled:
            self._background.absorb(blob.cells, change)
        self._recent.whole.clear()
        self._changed = None
        return [*reports, *self._mark.moved(t, t)]

    # --- rest ---------------------------------------------------------------------------------------------

    def _disturbs(self, blob: Blob, settled: Sequence[Blob], change: Change) -> bool:
        """Whether something moves there, or an arm is there, even at rest, that concerns the cards."""
        if not blob.edge:
            return blob.still < seconds().still
        concerned = self._concerned(blob.cells.shape, change.differs.shape)
        return blob not in settled and bool((blob.cells & concerned).any())

    def _is_part_of_table(self, blob: Blob, change: Change) -> bool:
        """Whether what has changed there is no arm."""
        if not blob.edge or blob.still >= seconds().object:
            return True
        return blob.still >= seconds().last_look and self._background.is_ghost(blob, change)

    def _concerned(self, cells: tuple[int, ...], small: tuple[int, ...]) -> Array:
        """The cells round the cards, all of the zone before any has been seen."""
        drawn = np.zeros(cells, np.uint8)
        part = np.array([cells[1] / small[1], cells[0] / small[0]], np.float32)
        cards = [] if self._told is None else [*self._told.cards, *self._told.unsure]
        if cards:
            corners = np.array([card.corners for card in cards], np.float32).reshape(-1, 2)
            hull = cv2.convexHull(corners * self._background.scale * part).reshape(-1, 2)
            shape = geometry.grown(hull, distances().table)
        else:
            shape = self._shape * np.array(cells[::-1], np.float32)
        cv2.fillPoly(drawn, [np.round(shape).astype(np.int32)], 1)
        return drawn > 0

    # --- hands that rest ----------------------------------------------------------------------------------

    def _keep_covered(self, image: Image, change: Change, moving: Sequence[Blob]) -> None:
        """Keeps one picture of every rest of a hand on the table, and where cards may lie in it.

        Who catches cards often takes them with the other hand before the first has left the card that caught
        them: the table never lies open with that card on it. But a hand that has laid a card rests for a
        moment and covers only part of it."""
        still = min(blob.still for blob in moving)
        if self._told is not None and still >= seconds().moment and change.t - still > self._rest:
            self._rest = change.t
            hands = change.pixels(moving)
            self._recent.keep(change.t, image, self._surface.changed(change.picture, hands))

    def _covered(self, told: LatticeReading | None, reading: LatticeReading) -> tuple[CoveredLattice, ...]:
        """The cards that were seen under hands that rested on the table, if several have gone since then."""
        seen = (*reading.cards, *reading.unsure)
        gone = [card for card in told.cards if not any(same_place(card, one) for one in seen)] if told else []
        if len(gone) < FEWEST_TAKEN:
            return ()
        found = (
            self._within(self._reader(one.image, self._deck, one.shown, self._known), one.image)
            for one in self._recent.whole
        )
        return tuple(CoveredLattice(one.cards, one.view) for one in found if one.cards)

    # --- reading ------------------------------------------------------------------------------------------

    def _read(self, image: Image, change: Change, settled: Sequence[Blob], t: float) -> list[LatticeSeen]:
        """The table, if it is another one than that reported last."""
        for blob in settled:
            self._surface.touch(change.pixels([blob]))
        changed = self._surface.changed(change.picture)
        reading = self._within(self._reader(image, self._deck, changed, self._known), image)
        if self._told is not None:
            reading = steadied(reading, self._told, self._changed_by(settled, change))
        self._steady = True
        self._known = reading.known.on_which_lie(reading.cards)
        if not self._surface.known:
            # without one card that is sure, figures of a cloth are likelier than cards
            reading = reading if reading.cards else LatticeReading(())
            seen = self._drawn((*reading.cards, *reading.unsure), change.differs.shape)
            self._surface.begin(change.picture, seen)
        if self._told is not None and _same_reading(reading, self._told):
            return []
        if self._told is None and not (reading.cards or reading.unsure):
            return []
        known, self._told = self._told, reading
        begun, cards = max([t - blob.still for blob in settled], default=t), reading.cards
        if known is not None and settled:
            cards = tuple(
                card
                if any(_same_card(card, old) for old in known.cards)
                else msgspec.structs.replace(card, since=self._onset(card, settled))
                for card in cards
            )
            begun = min([card.since for card in cards if card.since is not None], default=begun)
        covered = self._covered(known, reading)
        return [LatticeSeen(begun, self._zone, cards, reading.unsure, reading.view, covered=covered)]

    def _changed_by(self, settled: Sequence[Blob], change: Change) -> Callable[[LatticeCard], float]:
        """Tells how much of a card's surface has changed since the last reading; of one that an object hides,
        nothing. Once the picture has moved all others may have changed."""
        objects = [blob for blob in settled if blob.edge and not self._background.is_ghost(blob, change)]
        hidden, pixels, steady = change.pixels(objects), change.pixels(settled), self._steady

        def changed(card: LatticeCard) -> float:
            drawn = self._drawn([card], pixels.shape)
            if drawn.any() and hidden[drawn].mean() > 0.5:
                return 0.0
            return float(pixels[drawn].mean()) if steady and drawn.any() else 1.0

        return changed

    def _drawn(self, cards: Sequence[LatticeCard], shape: tuple[int, ...]) -> Array:
        """The pixels of the small picture on which cards lie."""
        corners = (np.array(card.corners, np.float32) * self._background.scale for card in cards)
        return masks.drawn(corners, shape)

    def _onset(self, card: LatticeCard, settled: Sequence[Blob]) -> float:
        """When the card came to rest: a hand may have stayed on it long after, while another turn began."""
        a, b, c = np.array(card.corners, np.float32)
        small = geometry.to_resized(np.array([a, b, c, a + c - b]), self._background.scale)
        since = min(blob.since for blob in settled)
        return onset_of(self._recent.small, small, self._background.grey, since)

    def _within(self, reading: LatticeReading, image: Image) -> LatticeReading:
        """The part of a reading that lies in the zone."""
        outline = self._shape * (image.shape[1], image.shape[0])

        def inside(card: LatticeCard) -> bool:
            return geometry.contains(outline, card.centre)

        cards, unsure = (tuple(filter(inside, group)) for group in (reading.cards, reading.unsure))
        return LatticeReading(cards, unsure, reading.view, reading.known)


def _same_reading(one: LatticeReading, other: LatticeReading) -> bool:
    """Whether two readings show the same cards at the same spots of the picture."""
    return all(
        len(a) == len(b) and all(any(_same_card(card, seen) for seen in b) for card in a)
        for a, b in ((one.cards, other.cards), (one.unsure, other.unsure))
    )


def _same_card(card: LatticeCard, seen: LatticeCard) -> bool:
    return card.card == seen.card and same_place(card, seen)
