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
from dataclasses import replace

import numpy as np

from companion.core.observations import Landing, Point, Removal, Sighting, Watched
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Bytes, Floats, Image, validated
from companion.vision.tracking.background import Background
from companion.vision.tracking.camera_view import scaled
from companion.vision.tracking.card_tracker import CardTracker, PlaceChange, PlaceState
from companion.vision.tracking.change import Blob, Change, TableZones
from companion.vision.tracking.limits import seconds, shares
from companion.vision.tracking.look_back import covered_card, last_uncovered, most_kept
from companion.vision.tracking.matching import is_near
from companion.vision.tracking.place import LOOKS, ChangedPlace, Looks
from companion.vision.tracking.place_reader import CardReader, PlaceReader, sure
from companion.vision.tracking.recent_pictures import RecentPictures, SmallPicture, arm_direction, onset_of
from companion.vision.tracking.tracked_card import LitImage, corners_of, covered_share
from companion.vision.tracking.watermark import Watermark


class LandingWatcher:
    """Turns a camera's pictures into landings.

    Args:
        deck: the cards.
        zones: name of a zone -> its corners as shares of the picture's width and height. A card belongs to
            the first zone that contains its centre; cards outside all zones are followed, not reported.
        read: names the cards at a place that has changed.

    The first picture is taken as the table at rest: what lies there has not landed. It is learnt as soon as
    nothing moves. Watched(t) means that everything that landed before t has been reported. A place that is
    being changed delays it, but not for ever: a card on which a hand rests long may be reported late, with
    its true time.
    """

    def __init__(
        self, deck: Deck, zones: Mapping[str, Sequence[Point]], read: CardReader = recognise
    ) -> None:
        self._deck, self._read = deck, read
        self._zones = TableZones(zones)
        self._background = Background()
        self._recent: RecentPictures[Bytes] = RecentPictures(most_kept())
        self._table = CardTracker()
        self._reader = PlaceReader(deck, read, self._table)
        self._open: list[ChangedPlace] = []
        self._looks: Looks
        self._first: tuple[float, LitImage] | None = None
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
        if change.cut:
            self._begin(image, change)
        self._remember(image, change)
        if change.motion is not None:
            self._follow(change.motion)
        if change.camera_moves:
            return [*self._watched(change.blobs, change)]
        picture = LitImage(image, self._background.gain)
        reported: list[Landing | Removal] = []
        for place in self._open:
            reported += self._glimpsed(place) if place.is_covered(change) else []
        waiting: list[ChangedPlace] = []
        for blob in change.blobs:
            place = ChangedPlace(blob, change, picture, self._background.scale)
            seen, done = self._look(place)
            reported += seen
            if not done:
                waiting.append(place)
        self._keep_open(waiting, picture)
        if self._first and not change.blobs and t - self._first[0] > seconds().first_look:
            self._learn(picture)
        reported.sort(key=lambda seen: seen.t)
        return [*reported, *self._watched([place.blob for place in waiting], change)]

    # --- the table as a whole -----------------------------------------------------------------------------

    def _begin(self, image: Image, change: Change) -> None:
        """The first picture of a table."""
        self._table.cards.clear()
        self._recent.clear()
        self._open.clear()
        self._looks = Looks(change.cells(()).shape)
        self._first = change.t, LitImage(image.copy(), np.ones(3, np.float32))

    def _remember(self, image: Image, change: Change) -> None:
        """Keeps what may be needed later of a picture in which something differs."""
        if change.blobs:
            self._recent.add(SmallPicture.of(change, self._background.light))
            self._recent.keep(change.t, image, change.picture, seconds().moment)
        else:
            self._recent.whole.clear()

    def _keep_open(self, waiting: Sequence[ChangedPlace], picture: LitImage) -> None:
        """Keeps the places that lie open but have not settled: a hand may cover them before they have."""
        kept = [one for one in waiting if not one.blob.edge and 0.0 < one.blob.still < seconds().first_look]
        if kept:
            picture = replace(picture, image=picture.image.copy())
        self._open = [replace(one, picture=picture) for one in kept]

    def _follow(self, motion: Floats) -> None:
        """The camera was bumped, or its focus has changed."""
        self._table.move(scaled(motion, 1 / self._background.scale))
        self._recent.move(motion)
        self._open.clear()

    def _learn(self, picture: LitImage) -> None:
        """The cards on the table from the beginning: pushed or uncovered later, they have not landed."""
        self._first = None
        _ = self._deck.feature_matcher  # built when first used, not while a landing waits for its name
        self._table.learn(self._read(picture.image, self._deck, None, None).cards, picture)

    def _learn_first(self) -> None:
        """Something changed before the table was learnt: the first picture shows which cards were there."""
        if self._first is not None:
            self._learn(self._first[1])

    # --- places -------------------------------------------------------------------------------------------

    def _look(self, place: ChangedPlace) -> tuple[list[Landing | Removal], bool]:
        """The landings and removals at a place, if it is time to look, and whether no more are to come."""
        blob, change = place.blob, place.change
        count = self._looks.due(blob, change.t)
        if not count:
            return [], False
        if self._background.is_soft(blob, change):
            self._background.absorb(blob.cells, change)
            return [], True
        self._learn_first()
        last, seen = count == LOOKS, self._reader.cards(place)
        if not blob.edge or (last and self._background.is_ghost(blob, change)):
            return self._settled(place, seen, last)
        if place.explained(corners_of(one) for one in seen) >= shares().explained:
            return self._settled(place, seen, True)
        return [*self._landed_early(place, seen, PlaceState.HELD)], False

    def _settled(
        self, place: ChangedPlace, seen: Sequence[Sighting], last: bool
    ) -> tuple[list[Landing | Removal], bool]:
        """A place that lies still becomes background once its cards explain it, or at the last look."""
        state = PlaceState.OPEN if place.blob.edge else PlaceState.SETTLED
        verdict = self._table.update(seen, place, state)
        done = last or place.explained(verdict.outlines) >= shares().explained
        reported: list[Landing | Removal] = [*self._landed(verdict, place), *self._removed(verdict, place)]
        if done and not verdict.outlines:
            for quad in self._reader.unknown_cards(place):
                reported += self._landing(None, quad, place)
        if done:
            self._background.absorb(place.blob.cells, place.change)
        return reported, done

    def _landed_early(
        self, place: ChangedPlace, seen: Sequence[Sighting], state: PlaceState
    ) -> list[Landing]:
        """The cards that have surely landed at a place that has not settled. They are background from now on:
        if a hand takes one away again, that is a change like any other."""
        verdict = self._table.update(sure(seen), place, state)
        landed = self._landings(verdict.landed, place)
        self._background.absorb(place.cells(corners_of(card) for card in verdict.landed), place.change)
        return landed

    def _glimpsed(self, place: ChangedPlace) -> list[Landing]:
        """The cards that have landed at a place that was covered before it had settled."""
        if self._background.is_soft(place.blob, place.change):
            return []
        self._learn_first()
        place = replace(place, picture=LitImage(place.picture.image, self._background.gain))
        return self._landed_early(place, self._reader.cards(place), PlaceState.OPEN)

    # --- what is reported ---------------------------------------------------------------------------------

    def _landed(self, verdict: PlaceChange, place: ChangedPlace) -> list[Landing]:
        """The landings at a place that lies still, and that of a card that was covered before it was seen."""
        lower: list[Landing] = []
        covered = covered_card(self._recent.whole, verdict, place, self._reader)
        upper = [corners_of(one) for one in verdict.landed]
        if covered is not None and not self._table.may_know(covered[0], upper, place.picture):
            card, until = covered
            self._table.slip_under(card, verdict.landed)
            if not is_near(card, verdict.removed):  # else it lay there, and was pushed before it was covered
                lower = self._landing(card.sighting, card.quad, place, until)
            place = place.later(until)
        return [*lower, *self._landings(verdict.landed, place)]

    def _landings(self, landed: Sequence[Sighting], place: ChangedPlace) -> list[Landing]:
        """The landings of some cards, those of lower ones first."""
        until = {card: last_uncovered(self._recent.whole, card, landed, place) for card in landed}
        cards = sorted(landed, key=lambda card: until[card])  # known of none: as they were told
        self._table.put_in_order(cards)
        found: list[Landing] = []
        for card in cards:
            found += self._landing(card, corners_of(card), place, until[card])
            place = place if until[card] == math.inf else place.later(until[card])
        return found

    def _landing(
        self, sighting: Sighting | None, quad: Floats, place: ChangedPlace, until: float = math.inf
    ) -> list[Landing]:
        """The landing of a card that was last seen at `until`; none if it lies in no zone."""
        zone = self._zones.of(quad, place.size)
        if zone is None:
            return []
        small = geometry.to_resized(quad, place.scale)
        t = onset_of(self._recent.small, small, self._background.grey, place.blob.since, until)
        return [Landing(t, zone, sighting, arm=arm_direction(self._recent.small, small, t))]

    def _removed(self, verdict: PlaceChange, place: ChangedPlace) -> list[Removal]:
        """The cards taken from a zone. What was just covered cannot be seen, and so not said to have gone."""
        over = [corners_of(card) for card in verdict.landed]
        gone = [one for one in verdict.removed if covered_share(corners_of(one), over) < shares().telling]
        zones = [self._zones.of(corners_of(card), place.size) for card in gone]
        return [Removal(place.blob.since, zone, card) for zone, card in zip(zones, gone, strict=True) if zone]

    def _watched(self, waiting: Sequence[Blob], change: Change) -> list[Watched]:
        """The watermark, if it has moved on: places in a zone that have not settled hold it back."""
        zones = self._zones
        begun = [blob.since for blob in waiting if (blob.cells & zones.cells(blob.cells.shape)).any()]
        return self._mark.moved(min([change.t, *begun]), change.t)
