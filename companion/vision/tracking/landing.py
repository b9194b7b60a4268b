"""When a card came down or was taken away, and which: watches the pictures of a camera above the table.

    watcher = LandingWatcher(deck, {"trick": [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]})
    for image, t in camera:
        for seen in watcher.feed(image, t):
            ...                         # Landing or Watched

Every picture is compared with the table at rest on a small stream (companion.vision.tracking.background).
Only a place that has changed and then lain still is looked at in full, and what is recognised there is
compared with what lay there (companion.vision.tracking.card_tracker). Landings carry the time of the first
picture in which the card lay (companion.vision.tracking.recent_pictures).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.observations import Landing, Point, Removal, Sighting, Watched
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.camera_motion import scaled
from companion.vision.image.picture import Array, Bytes, Floats, Image, validated
from companion.vision.tracking.arms import Arms
from companion.vision.tracking.background import GHOST_S, Background
from companion.vision.tracking.card_tracker import CardTracker, PlaceChange, PlaceState
from companion.vision.tracking.change import Blob, Change
from companion.vision.tracking.initial_cards import InitialCards
from companion.vision.tracking.look_back import (
    EVERY_S,
    MOST_KEPT,
    MOST_READ,
    covered_card,
    first_seen,
    last_uncovered,
)
from companion.vision.tracking.matching import COVERED_SHARE, is_near
from companion.vision.tracking.place import ChangedPlace, Looks
from companion.vision.tracking.place_reader import CardReader, PlaceReader, sure
from companion.vision.tracking.recent_pictures import RecentPictures, onset_of
from companion.vision.tracking.tracked_card import LitImage, QuadMasks, corners_of, covered_share
from companion.vision.tracking.watermark import Watermark

SETTLED_S = (0.28, 0.63, 0.98)
"""A place has been still so long before it is looked at: the first time, and again if its cards do not
explain what differs. After the last look it is taken for what it is."""
RESTING_S = (0.5, GHOST_S, 1.5)
"""The same where a hand rests. Players lay the next card before the hand has left the last one, so the first
look is early; at the second one the place may be the ghost of a hand that has gone; the third one sees cards
that the first one was not certain of."""
EXPLAINED_SHARE = 0.5
"""Share of what differs that the cards must explain for a place to be understood."""


@dataclass(frozen=True)
class PlaceReport:
    """What is reported of a place, and whether nothing is left to be reported of it."""

    seen: Sequence[Landing | Removal] = ()
    done: bool = False


class TableZones:
    """Named parts of the picture.

    Args:
        corners: of each zone by its name, as shares of the picture's width and height.
    """

    def __init__(self, corners: Mapping[str, Sequence[Point]]) -> None:
        self._shapes = {name: np.array(shape, np.float32) for name, shape in corners.items()}
        self._cells: Array | None = None

    def of(self, quad: Floats, size: tuple[float, float]) -> str | None:
        """The first zone that the middle of a card (4, 2) lies in, in a picture of that width and height."""
        middle = (geometry.diagonal_crossing(quad) + 0.5) / np.array(size)
        return next((name for name, shape in self._shapes.items() if geometry.contains(shape, middle)), None)

    def cells(self, shape: tuple[int, ...]) -> Array:
        """Which cells of a grid (rows, columns) over the picture lie in a zone."""
        if self._cells is None or self._cells.shape != shape:
            drawn = np.zeros(shape, np.uint8)
            for corners in self._shapes.values():
                cv2.fillPoly(drawn, [np.round(corners * (shape[1], shape[0])).astype(np.int32)], 1)
            self._cells = drawn > 0
        return self._cells


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
        self._deck, self._read = deck, read
        self._zones = TableZones(zones)
        self._background = Background()
        self._recent: RecentPictures[Bytes] = RecentPictures(MOST_KEPT)
        self._table = CardTracker()
        self._reader = PlaceReader(deck, read, self._table)
        self._open: list[ChangedPlace] = []
        self._arms = Arms()
        self._looks: Looks
        self._beginning: InitialCards
        self._unlearnt_since = math.inf
        self._first: LitImage | None = None
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
        self._reader.expected = labels

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
        if self._background.is_late(t):
            return []
        change = self._background.feed(image, t)
        self._arms.see(change)
        if change.cut:
            self._begin(image, t)
        self._remember(image, change)
        if change.motion is not None:
            self._follow(change.motion, change)
        if change.camera_moves:
            return [*self._watched(change.blobs, change)]
        picture = LitImage(image, self._background.gain)
        reported: list[Landing | Removal] = []
        for place in self._open:
            reported += self._glimpsed(place) if place.is_covered(change) else []
        waiting: list[ChangedPlace] = []
        for blob in change.blobs:
            place = ChangedPlace(blob, change, picture, self._background.scale)
            report = self._look(place)
            reported += report.seen
            if not report.done:
                waiting.append(place)
        self._keep_open(waiting, picture)
        reported += self._taken_back(change)
        if not change.blobs and t - self._unlearnt_since > SETTLED_S[0]:
            self._unlearnt_since = math.inf
            self._learn(picture)
        reported.sort(key=lambda seen: seen.t)
        return [*reported, *self._watched([place.blob for place in waiting], change)]

    # --- the table as a whole -----------------------------------------------------------------------------

    def _begin(self, image: Image, t: float) -> None:
        """The first picture of a table."""
        self._table.clear()
        self._recent.clear()
        self._open.clear()
        self._looks = Looks()
        self._beginning = InitialCards(self._deck, self._read)
        self._unlearnt_since = t
        self._first = LitImage(image.copy(), np.ones(3, np.float32))

    def _remember(self, image: Image, change: Change) -> None:
        """Keeps what may be needed later of a picture in which something differs."""
        if change.blobs:
            self._recent.add(change.t, change.grey, self._background.light)
            self._recent.keep(change.t, image, change.picture, EVERY_S)
        else:
            self._recent.whole.clear()

    def _keep_open(self, waiting: Sequence[ChangedPlace], picture: LitImage) -> None:
        """Keeps the places that lie open but have not settled: a hand may cover them before they have."""
        kept = [one for one in waiting if not one.blob.edge and 0.0 < one.blob.still < SETTLED_S[0]]
        if kept:
            picture = replace(picture, image=picture.image.copy())
        self._open = [replace(one, picture=picture) for one in kept]

    def _follow(self, motion: Floats, change: Change) -> None:
        """The camera was bumped, or its focus has changed."""
        self._background.follow(motion, change)
        self._table.move(scaled(motion, 1 / self._background.scale))
        self._recent.move(motion)
        self._open.clear()

    def _learn(self, picture: LitImage) -> None:
        """The cards on the table from the beginning: pushed or uncovered later, they have not landed."""
        self._first = None
        _ = self._deck.feature_matcher  # built when first used, not while a landing waits for its name
        self._table.learn(self._beginning.learn(picture.image), picture)

    def _learn_first(self) -> None:
        """Something changed before the table was learnt: the first picture shows which cards were there."""
        if self._first is not None:
            self._learn(self._first)

    # --- places -------------------------------------------------------------------------------------------

    def _look(self, place: ChangedPlace) -> PlaceReport:
        """What a place shows, if it is time to look."""
        blob, change = place.blob, place.change
        waits = RESTING_S if blob.edge else SETTLED_S
        count = self._looks.due(blob, change.t, waits)
        if not count:
            return PlaceReport()
        if self._background.is_soft(blob, change):
            self._background.absorb(blob, change)
            return PlaceReport(done=True)
        line = self._background.shadow_line(blob, change) if blob.edge else None
        if line is not None:
            self._background.absorb(line, change)
            place = replace(place, blob=blob.without(line))
            if not place.blob.edge:  # no arm, but joined to the edge by a shadow: it is looked at as such
                return PlaceReport()
        self._learn_first()
        if not blob.edge:
            return self._settled(place, count == len(waits))
        if waits[count - 1] != GHOST_S:
            return self._resting(place)
        if self._background.is_ghost(place.blob, change):
            return self._settled(place, True)
        return PlaceReport()

    def _settled(self, place: ChangedPlace, last: bool) -> PlaceReport:
        """A place that lies still: its cards are named and it becomes background."""
        state = PlaceState.SETTLED if self._arms.came(place.blob.since) else PlaceState.UNTOUCHED
        seen = self._reader.cards(place)
        verdict = self._table.update(seen, place, PlaceState.EDGE if place.blob.edge else state)
        done = last or place.explained(verdict.outlines) >= EXPLAINED_SHARE
        reported: list[Landing | Removal] = [*self._landed(verdict, place), *self._removed(verdict, place)]
        if done and not verdict.outlines:
            for quad in self._reader.unknown_cards(place, self._background.was()):
                reported += self._landing(None, quad, place)
        if done:
            self._background.absorb(place.blob, place.change)
        return PlaceReport(reported, done)

    def _resting(self, place: ChangedPlace) -> PlaceReport:
        """A hand that does not go away: cards that can be seen under it have landed."""
        seen = self._reader.cards(place)
        if place.explained(corners_of(one) for one in seen) > 0.7:
            return self._settled(place, True)
        verdict = self._table.update(sure(seen), place, PlaceState.HELD)
        return PlaceReport(self._landings(verdict.landed, place))

    def _glimpsed(self, place: ChangedPlace) -> list[Landing]:
        """The cards that have landed at a place that was covered before it had settled. If they explain it,
        what comes next is compared with them."""
        if self._background.is_soft(place.blob, place.change):
            return []
        self._learn_first()
        place = replace(place, picture=LitImage(place.picture.image, self._background.gain))
        seen = self._reader.cards(place)
        verdict = self._table.update(sure(seen), place, PlaceState.OPEN)
        landed = self._landings(verdict.landed, place)
        if place.explained(corners_of(one.sighting) for one in landed if one.sighting) >= EXPLAINED_SHARE:
            self._background.absorb(place.blob, place.change)
        return landed

    # --- what is reported ---------------------------------------------------------------------------------

    def _landed(self, verdict: PlaceChange, place: ChangedPlace) -> list[Landing]:
        """The landings at a place that lies still, and that of a card that was covered before it was seen."""
        covered = covered_card(self._recent.whole, verdict, place, self._reader)
        if covered is None:
            return self._landings(verdict.landed, place)
        card, until = covered.card, covered.until
        if self._table.may_know(card, [corners_of(one) for one in verdict.landed], place.picture):
            return self._landings(verdict.landed, place)
        self._table.slip_under(card, verdict.landed)
        pushed = is_near(card, verdict.removed)  # it lay there, and was pushed before it was covered
        lower = [] if pushed else self._landing(card.sighting, card.quad, place, until, True)
        return [*lower, *self._landings(verdict.landed, place.later(until))]

    def _landings(self, cards: Sequence[Sighting], place: ChangedPlace) -> list[Landing]:
        """The landings of cards that have not lain there from the beginning, those of lower ones first."""
        fresh = [card for card in cards if not self._beginning.was_there(card, place)]
        until = {card: last_uncovered(self._recent.whole, card, fresh, place) for card in fresh}
        fresh.sort(key=lambda card: until[card])  # known of none: as they were told
        self._table.put_in_order(fresh)
        found: list[Landing] = []
        for number, card in enumerate(fresh, 1):
            quad, upper = corners_of(card), [corners_of(one) for one in fresh[number:]]
            lower = covered_share(quad, upper) > COVERED_SHARE
            found += self._landing(card, quad, place, until[card], lower)
            place = place if until[card] == math.inf else place.later(until[card])
        return found

    def _landing(
        self,
        sighting: Sighting | None,
        quad: Floats,
        place: ChangedPlace,
        until: float = math.inf,
        lower: bool = False,
    ) -> list[Landing]:
        """The landing with its time and zone, if it is in one. `until`: it was last seen then.
        `lower`: others lie on it."""
        zone = self._zones.of(quad, place.shares.size)
        if zone is None:
            return []
        small = geometry.to_resized(quad, place.scale)
        place = place.later(self._table.last_open(quad, place.change.t))
        t = onset_of(self._recent.small, small, self._background.was(), place.blob.since, until)
        if sighting is not None and lower and t - place.blob.since > MOST_READ * EVERY_S:
            known = [card for card in self._table.cards if card.sighting is not sighting]
            t = min(t, first_seen(self._recent.whole, sighting, known, place, self._reader))
        return [Landing(t, zone, sighting, arm=self._arms.direction(small, t))]

    def _removed(self, verdict: PlaceChange, place: ChangedPlace) -> list[Removal]:
        """The cards that were taken away. What has just been covered cannot be seen, so it cannot be said to
        have gone."""
        shares, since = place.shares, place.blob.since
        over = shares.mask(corners_of(card) for card in verdict.landed)
        gone = [one for one in verdict.removed if shares.quad_share(over, corners_of(one)) < COVERED_SHARE]
        return [removal for card in gone for removal in self._removal(card, since, shares)]

    def _taken_back(self, change: Change) -> list[Removal]:
        """The cards that came under a hand and left with it: nothing differs where they lay."""
        shares = QuadMasks(change.differs.shape, self._background.scale)
        gone = self._table.taken_back(change.differs, shares, change.t, SETTLED_S[0])
        return [one for card in gone for one in self._removal(card.sighting, card.calm_since, shares)]

    def _removal(self, card: Sighting, t: float, shares: QuadMasks) -> list[Removal]:
        """The removal of a card, if it lay in a zone."""
        zone = self._zones.of(corners_of(card), shares.size)
        return [] if zone is None else [Removal(t, zone, card)]

    def _watched(self, waiting: Sequence[Blob], change: Change) -> list[Watched]:
        """The watermark, if it has moved on: places in a zone that have not settled hold it back."""
        zones = self._zones
        begun = [blob.since for blob in waiting if (blob.cells & zones.cells(blob.cells.shape)).any()]
        return self._mark.moved(min([change.t, *begun]), change.t)
