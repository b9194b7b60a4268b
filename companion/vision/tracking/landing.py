"""When a card came down or was taken away, and which: watches the pictures of a camera above the table.

    watcher = LandingWatcher(deck, {"trick": [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]})
    for image, t in camera:
        for seen in watcher.feed(image, t):
            ...                         # Landing or Watched

Every picture is compared with the table at rest on a small stream (companion.vision.tracking.background).
Only a place that has changed and then lain still is looked at in full, and what is recognised there is
compared with what lay there (companion.vision.tracking.card_tracker). Landings carry the time of the first
picture in which the card lay (companion.vision.tracking.onset).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.core.observations import Landing, Point, Removal, Sighting, Watched
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image.camera_motion import scaled
from companion.vision.image.picture import Array, Floats, Image, validated
from companion.vision.tracking.arms import Arms
from companion.vision.tracking.background import GHOST_S, Background
from companion.vision.tracking.card_tracker import CardTracker, PlaceChange, is_near
from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.glimpse import Glimpse, Glimpses
from companion.vision.tracking.initial_cards import CardReader, InitialCards, crop_region, padded_slice
from companion.vision.tracking.look_back import LatestPictures
from companion.vision.tracking.looks import Looks
from companion.vision.tracking.onset import RecentPictures
from companion.vision.tracking.tracked_card import QuadMasks, corners_of
from companion.vision.tracking.unknown_cards import BeforeAndNow, unknown_cards
from companion.vision.tracking.watermark import Watermark
from companion.vision.tracking.zones import TableZones

SETTLED_S = (0.28, 0.63, 0.98)
"""A place has been still so long before it is looked at: the first time, and again if its cards do not
explain what differs. After the last look it is taken for what it is."""
RESTING_S = (0.5, GHOST_S, 1.5)
"""The same where a hand rests. Players lay the next card before the hand has left the last one, so the first
look is early; at the second one the place may be the ghost of a hand that has gone; the third one sees cards
that the first one was not certain of."""
SURE_CONFIDENCE = 0.8
"""Confidence of a card under a resting hand that counts."""
EXPLAINED_SHARE = 0.5
"""Share of what differs that the cards must explain for a place to be understood."""
WINDOW_MARGIN = 0.12
"""Heights of a card that are looked at round a place."""
BURIED_SHARE = 0.3
"""Share of a card under one that has just landed from which on it is not reported as taken away."""


class LandingWatcher:
    """Turns a camera's pictures into landings.

    Args:
        deck: the cards.
        zones: name of a zone -> its corners as shares of the picture's width and height. A card belongs to
            the first zone that contains its centre; cards outside all zones are followed, not reported.
        read: names the cards at a place that has changed.

    The first picture is taken as the table at rest: what lies there has not landed. It is learnt as soon as
    nothing moves. Watched(t) means that everything that landed before t has been reported. A place that is
    being changed delays it, but never by more than HOLD_S: a card on which a hand rests longer may be
    reported late, with its true time.
    """

    def __init__(
        self, deck: Deck, zones: Mapping[str, Sequence[Point]], read: CardReader = recognise
    ) -> None:
        self._deck = deck
        self._zones = TableZones(zones)
        self._reader = read
        self._expected: frozenset[str] | None = None
        self._beginning = InitialCards(deck, read)
        self._background = Background()
        self._recent = RecentPictures()
        self._table = CardTracker()
        self._looks = Looks()
        self._glimpses = Glimpses()
        self._latest = LatestPictures()
        self._arms = Arms()
        self._begun = -np.inf
        self._learnt = False
        self._first: Image | None = None
        self._mark = Watermark()

    @property
    def lying(self) -> tuple[Sighting, ...]:
        """The cards known to lie on the table, lowest first."""
        return tuple(card.sighting for card in self._table.cards)

    def set_zones(self, zones: Mapping[str, Sequence[Point]]) -> None:
        """Other zones from now on; what lies on the table stays known."""
        self._zones = TableZones(zones)

    def expect(self, labels: frozenset[str] | None) -> None:
        """The cards that may come next (None: any); others are named only if they fit clearly better."""
        self._expected = labels

    def feed(self, image: Image, t: float) -> list[Landing | Removal | Watched]:
        """Takes one picture and reports what has landed or was taken away, in order of time.

        A picture that comes late is skipped. If time has jumped back, or the size of the pictures has
        changed, the table is learnt anew: the cards there have not landed.

        Args:
            image: BGR, uint8.
            t: time of its exposure, in seconds.

        Returns:
            The landings and removals, and Watched(t) if everything before t has been reported.

        Raises:
            Unreadable: it is no picture.
        """
        image = validated(image)
        order = self._background.order(t)
        if order == "late":
            return []
        if order == "anew":
            self._mark.restart()
        change = self._background.feed(image, t)
        self._arms.see(change)
        if change.cut:
            self._table.clear()
            self._recent.clear()
            self._looks.clear()
            self._glimpses.clear()
            self._latest.clear()
            self._begun, self._learnt, self._first = t, False, image.copy()
            self._beginning.clear()
        if change.blobs:
            self._recent.add(t, change.grey, self._background.light)
            self._latest.add(t, image, change.picture)
        else:
            self._latest.clear()
        if change.motion is not None:
            self._follow(change.motion, change)
        if change.refocusing:
            return [*self._watched(change.blobs, change)]
        reported: list[Landing | Removal] = []
        for glimpse in self._glimpses.covered(change):
            reported += self._glimpsed(glimpse)
        waiting: list[Blob] = []
        for blob in change.blobs:
            landed, done = self._look(blob, change, image)
            reported += landed
            if not done:
                waiting.append(blob)
                if blob.still < SETTLED_S[0]:
                    self._glimpses.keep(blob, change, image)
        reported += self._taken_back(change)
        if not self._learnt and not change.blobs and t - self._begun > SETTLED_S[0]:
            self._learn(image)
        reported.sort(key=lambda seen: seen.t)
        return [*reported, *self._watched(waiting, change)]

    def _learn(self, image: Image) -> None:
        """The cards on the table from the beginning: pushed or uncovered later, they have not landed."""
        self._learnt, self._first = True, None
        self._learn_from(image, self._background.gain)

    def _learn_first(self) -> None:
        """Something changed before the table was learnt: the first picture shows which cards were there."""
        if self._first is not None:
            self._learn_from(self._first, np.ones(3, np.float32))
            self._first = None

    def _learn_from(self, image: Image, gain: Floats) -> None:
        _ = (
            self._deck.feature_matcher
        )  # built when first used, which must not be while a landing waits for its name
        self._table.learn(self._beginning.learn(image), image, gain)

    def _follow(self, motion: Floats, change: Change) -> None:
        """The camera was bumped, or its focus has changed."""
        self._background.follow(motion, change)
        self._table.move(scaled(motion, 1 / self._background.scale))
        self._recent.move(motion)
        self._glimpses.clear()
        self._latest.clear()

    # --- places -------------------------------------------------------------------------------------------

    def _look(self, blob: Blob, change: Change, image: Image) -> tuple[list[Landing | Removal], bool]:
        """What a place shows, if it is time to look; and whether nothing is left to be reported of it."""
        waits = RESTING_S if blob.edge else SETTLED_S
        count = self._looks.due(blob, change.t, waits)
        if not count:
            return [], False
        if self._background.is_soft(blob, change):
            self._background.absorb(blob, change)
            return [], True
        line = self._background.shadow_line(blob, change) if blob.edge else None
        if line is not None:
            self._background.absorb(line, change)
            blob = blob.without(line)
            if not blob.edge:  # no arm, but a place joined to the edge by a shadow: it is looked at as such
                return [], False
        self._learn_first()
        if not blob.edge:
            return self._settled(blob, change, image, count == len(waits))
        if waits[count - 1] != GHOST_S:
            return self._resting(blob, change, image)
        if self._background.is_ghost(blob, change):
            return self._settled(blob, change, image, True)
        return [], False

    def _settled(
        self, blob: Blob, change: Change, image: Image, last: bool
    ) -> tuple[list[Landing | Removal], bool]:
        """A place that lies still: its cards are named and it becomes background."""
        region, shares = self._region(blob, change)
        seen, window = self._read(region, region & change.differs, shares, image)
        gain = self._background.gain
        came = self._arms.came(blob.since)
        verdict = self._table.update(
            seen, region, change.differs, shares, image, gain, hidden=blob.edge, brought=came
        )
        done = (
            last
            or shares.share(shares.mask(verdict.outlines, 0.06).astype(bool), region & change.differs)
            >= EXPLAINED_SHARE
        )
        at = Glimpse(blob, change, image)
        covered, until = self._covered_since(verdict, at, region, shares)
        later = replace(blob, since=max(blob.since, until))
        landed = [covered, *self._landings(verdict.landed, change, later, shares)]
        over = shares.mask([corners_of(card) for card in verdict.landed]).astype(bool)
        landed += [
            self._removal(card, change, blob)
            for card in verdict.removed
            # what has just been covered cannot be seen, so it cannot be said to have gone
            if shares.share(over, shares.mask([corners_of(card)])) < BURIED_SHARE
        ]
        if done and not verdict.outlines:
            pictures = BeforeAndNow(self._background.was(), change.grey, image)
            size = None if (tall := self._table.typical_height()) is None else tall**2 / self._deck.aspect
            unknown = unknown_cards(region & change.differs, shares, pictures, window, size)
            landed += [self._landing(None, quad, change, blob) for quad in unknown]
        if done:
            self._background.absorb(blob, change)
        return [one for one in landed if one is not None], done

    def _covered_since(
        self, verdict: PlaceChange, at: Glimpse, region: Array, shares: QuadMasks
    ) -> tuple[Landing | None, float]:
        """The card that came since the place last lay at rest and was covered by those that have just landed,
        if there is one, and until when it was seen."""
        slivers = region & _without_specks(at.change.differs, 1)
        slivers &= ~shares.mask(verdict.outlines, 0.06).astype(bool)
        found = self._latest.covered_card(
            [corners_of(card) for card in verdict.landed],
            slivers,
            at,
            self._background.gain,
            shares,
            lambda image: _sure(self._read(region, region, shares, image)[0]),
        )
        if found is None or self._table.is_known(found.card.sighting):
            return None, -np.inf
        card = found.card
        self._table.slip_under(card, verdict.landed)
        if is_near(card, verdict.removed):  # it lay there, and was pushed before it was covered
            return None, found.until
        return self._landing(card.sighting, card.quad, at.change, at.blob, found.until), found.until

    def _resting(self, blob: Blob, change: Change, image: Image) -> tuple[list[Landing | Removal], bool]:
        """A hand that does not go away: cards that can be seen under it have landed."""
        region, shares = self._region(blob, change)
        seen, _ = self._read(region, region & change.differs, shares, image)
        explained = shares.mask([corners_of(s) for s in seen], 0.06).astype(bool)
        if shares.share(explained, region & change.differs) > 0.7:
            return self._settled(blob, change, image, True)
        return self._come(seen, region, shares, Glimpse(blob, change, image), held=True), False

    def _glimpsed(self, glimpse: Glimpse) -> list[Landing | Removal]:
        """The cards that have landed at a place that was covered before it had settled. If they explain it,
        what comes next is compared with them."""
        if self._background.is_soft(glimpse.blob, glimpse.change):
            return []
        self._learn_first()
        region, shares = self._region(glimpse.blob, glimpse.change)
        differs = region & glimpse.change.differs
        seen, _ = self._read(region, differs, shares, glimpse.image)
        landed = self._come(seen, region, shares, glimpse, held=False)
        explained = shares.mask([corners_of(one.sighting) for one in landed if one.sighting], 0.06)
        if shares.share(explained.astype(bool), differs) >= EXPLAINED_SHARE:
            self._background.absorb(glimpse.blob, glimpse.change)
        return landed

    def _come(
        self, seen: Sequence[Sighting], region: Array, shares: QuadMasks, at: Glimpse, held: bool
    ) -> list[Landing | Removal]:
        """The cards that are surely seen and have landed, perhaps with a hand on them. None has gone: the
        place is not at rest."""
        gain = self._background.gain
        verdict = self._table.update(
            _sure(seen), region, at.change.differs, shares, at.image, gain, held=held, settled=False
        )
        landed = self._landings(verdict.landed, at.change, at.blob, shares)
        return [one for one in landed if one is not None]

    def _taken_back(self, change: Change) -> list[Landing | Removal]:
        """The cards that came under a hand and left with it: nothing differs where they lay."""
        shares = QuadMasks(change.differs.shape, self._background.scale)
        gone = self._table.taken_back(change.differs, shares, change.t, SETTLED_S[0])
        zones = [(card, self._zones.of(card.quad, self._size(change))) for card in gone]
        return [
            Removal(change.t if card.calm_since is None else card.calm_since, zone, card.sighting)
            for card, zone in zones
            if zone is not None
        ]

    def _region(self, blob: Blob, change: Change) -> tuple[Array, QuadMasks]:
        """The place in pixels of the small picture."""
        grown = cv2.dilate(blob.cells.astype(np.uint8), np.ones((3, 3), np.uint8))
        size = (change.differs.shape[1], change.differs.shape[0])
        region = cv2.resize(grown, size, interpolation=cv2.INTER_NEAREST) > 0
        return region, QuadMasks(change.differs.shape, self._background.scale)

    def _read(
        self, region: Array, differs: Array, shares: QuadMasks, image: Image
    ) -> tuple[list[Sighting], tuple[slice, slice]]:
        """The cards at the place, and the window of the picture that was looked at."""
        scale = self._background.scale
        rows, columns = np.nonzero(region.any(axis=1))[0], np.nonzero(region.any(axis=0))[0]
        low = np.array([columns[0], rows[0]], float) / scale
        high = np.array([columns[-1] + 1, rows[-1] + 1], float) / scale
        for card in self._table.touching(region, shares):
            low, high = np.minimum(low, card.quad.min(axis=0)), np.maximum(high, card.quad.max(axis=0))
        margin = WINDOW_MARGIN * (self._table.typical_height() or float((high - low).max()))
        window = (
            padded_slice(low[1] - margin, high[1] + margin, image.shape[0]),
            padded_slice(low[0] - margin, high[0] + margin, image.shape[1]),
        )
        crop = np.ascontiguousarray(image[window])
        reading = self._reader(
            crop, self._deck, self._expected, crop_region(_without_specks(differs), window, scale)
        )
        return [_shifted(card, window[1].start, window[0].start) for card in reading.cards], window

    # --- what is reported ---------------------------------------------------------------------------------

    def _landings(
        self, cards: Sequence[Sighting], change: Change, blob: Blob, shares: QuadMasks
    ) -> list[Landing | Removal | None]:
        """The landings of cards that have not lain there from the beginning."""
        fresh = [
            card
            for card in cards
            if not self._beginning.was_there(card, change.differs, shares, self._background.scale)
        ]
        return [self._landing(card, corners_of(card), change, blob) for card in fresh]

    def _landing(
        self, sighting: Sighting | None, quad: Floats, change: Change, blob: Blob, until: float = math.inf
    ) -> Landing | None:
        """The landing with its time and zone; None outside all zones. `until`: it was last seen then."""
        zone = self._zones.of(quad, self._size(change))
        if zone is None:
            return None
        scale = self._background.scale
        small = np.asarray((quad + 0.5) * scale - 0.5, np.float32)
        t = self._recent.onset_of(small, self._background.was(), blob.since, until)
        return Landing(t, zone, sighting, arm=self._arms.direction(small, t))

    def _removal(self, sighting: Sighting, change: Change, blob: Blob) -> Removal | None:
        """The removal with its zone; None outside all zones."""
        zone = self._zones.of(corners_of(sighting), self._size(change))
        return None if zone is None else Removal(blob.since, zone, sighting)

    def _size(self, change: Change) -> tuple[float, float]:
        """Width and height of the camera's picture."""
        rows, columns = change.differs.shape
        return columns / self._background.scale, rows / self._background.scale

    def _watched(self, waiting: Sequence[Blob], change: Change) -> list[Watched]:
        """The watermark, if it has moved on: places in a zone that have not settled hold it back."""
        zones = self._zones
        begun = [blob.since for blob in waiting if (blob.cells & zones.cells(blob.cells.shape)).any()]
        return self._mark.moved(min([change.t, *begun]), change.t)


def _without_specks(differs: Array, margin: int = 5) -> Array:
    """What differs, without specks and grown by a square of so many pixels."""
    solid = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.dilate(solid, np.ones((margin, margin), np.uint8)) > 0


def _sure(cards: Sequence[Sighting]) -> list[Sighting]:
    """Those that are surely seen."""
    return [card for card in cards if card.confidence >= SURE_CONFIDENCE]


def _shifted(card: Sighting, left: int, top: int) -> Sighting:
    """The sighting in a window as one in the whole picture."""
    a, b, c, d = ((x + left, y + top) for x, y in card.corners)
    return Sighting(card.label, card.confidence, (a, b, c, d))
