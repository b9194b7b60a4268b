"""Tracks the cards on the table: every card keeps its name until its place changes.

A card that was recognised when it lay free is remembered when another one covers it. Readings of a changed
place are compared with what lay there: the same card at the same place is nothing new, a pushed card has
moved, a card from below was uncovered (companion.vision.tracking.matching), and only what is none of these
has landed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.picture import Array, Floats
from companion.vision.tracking.matching import COVERED_SHARE, INEXACT_POSE, CardMatching, is_near
from companion.vision.tracking.place import OUTLINE_MARGIN, ChangedPlace
from companion.vision.tracking.tracked_card import (
    LitImage,
    QuadMasks,
    TrackedCard,
    card_height,
    corners_of,
    covered_share,
    is_unchanged,
    moved_card,
    nudged,
    push_between,
    renew,
    tracked_card,
)

SAME_POSE_HIDDEN = 0.06
"""Mean distance of the corners, in heights of a card: a card that was out of sight lies just where it lay.
Another copy may be laid upon a pile that hides the first, not far beside it."""
MOST_HIDDEN = 12
"""So many cards out of sight are remembered."""
CHANGED_SHARE = 0.25
"""Share of a card that must differ from the background before it can have landed."""
CALM_SHARE = 0.05
"""Share of a card's place that may differ from the background if the card is not there."""
FREE_SHARE = 0.8
"""Share of a card that no other covers from which its pose is used."""


class PlaceState(Enum):
    """What is, or was, over a place that is read, and whether the place lies still."""

    HELD = auto()
    """A hand is over it: cards may have come, none has gone."""
    OPEN = auto()
    """Nothing is over it, but it has not settled: cards may have come or were pushed, none has gone."""
    SETTLED = auto()
    """It lies still since an arm was there."""
    UNTOUCHED = auto()
    """It lies still, and no arm was there: a card that lies near an equal one is that one."""
    EDGE = auto()
    """It lies still and reaches out of the picture: it may be an arm after all that was taken for something
    that went. Cards that are gone are remembered; seen again just where they lay, they have not landed."""


@dataclass(frozen=True, eq=False)
class PlaceChange:
    """What a reading of a changed place means: the cards that landed, lowest first, those that were taken
    away, and the outlines of all cards that were seen there or have gone."""

    landed: tuple[Sighting, ...]
    removed: tuple[Sighting, ...]
    outlines: tuple[Floats, ...]


@dataclass
class _Seen:
    """What is seen at a place: known cards and how they were pushed, cards that were not known and came
    (`fresh`), and cards that were not known where nothing has changed (`quiet`)."""

    known: list[TrackedCard] = field(default_factory=list)
    pushes: list[Floats] = field(default_factory=list)
    fresh: list[Sighting] = field(default_factory=list)
    quiet: list[Sighting] = field(default_factory=list)

    @property
    def new(self) -> list[Floats]:
        """The outlines of the cards that were not known."""
        return [corners_of(sighting) for sighting in (*self.fresh, *self.quiet)]


class CardTracker:
    """The cards on the table, lowest first."""

    def __init__(self) -> None:
        self.cards: list[TrackedCard] = []
        self._hidden: list[TrackedCard] = []

    def clear(self) -> None:
        """Nothing is known any more."""
        self.cards.clear()
        self._hidden.clear()

    def typical_height(self) -> float | None:
        """How long a card is in the picture, in pixels; None until one was seen."""
        return float(np.median([card_height(card.quad) for card in self.cards])) if self.cards else None

    def move(self, motion: Floats) -> None:
        """The camera was bumped: everything is elsewhere in the picture, by `motion` (2 x 3, in pixels)."""
        self.cards = [moved_card(card, motion) for card in self.cards]
        self._hidden = [moved_card(card, motion) for card in self._hidden]

    def taken_back(self, differs: Array, shares: QuadMasks, t: float, calm_s: float) -> list[TrackedCard]:
        """The cards that landed under a hand which took them away again: their places have looked as before
        for `calm_s`. They are known no longer. `differs`: from the background, at the moment t."""
        gone = []
        for card in [one for one in self.cards if one.unsettled]:
            calm = shares.quad_share(differs, card.quad) < CALM_SHARE
            card.calm_since = min(card.calm_since, t) if calm else math.inf
            if t - card.calm_since >= calm_s:
                gone.append(card)
                self.cards.remove(card)
        return gone

    def learn(self, seen: Sequence[Sighting], picture: LitImage) -> None:
        """Cards that lay there all the time, uppermost first; those known already are passed over."""
        new = [one for one in seen if not any(is_near(card, [one]) for card in self.cards)]
        self.cards = [*(tracked_card(one, picture) for one in reversed(new)), *self.cards]

    def may_know(self, card: TrackedCard, upper: Sequence[Floats], picture: LitImage) -> bool:
        """Whether a card that an earlier picture shows, and that lies below the quads `upper` now, may be a
        known one: an equal card lies near, and is not seen to lie still where it lay."""
        for index, known in enumerate(self.cards):
            if not is_near(known, [card.sighting]):
                continue
            over = [card.quad, *upper, *(one.quad for one in self.cards[index + 1 :])]
            if is_near(known, [card.sighting], INEXACT_POSE) or not is_unchanged(known, over, picture):
                return True
        return False

    def last_open(self, quad: Floats, t: float) -> float:
        """When a card that the quad covers by now was last seen, before the moment t: it did not lie on it
        then. Minus infinity if it covers none that was seen."""
        seen = sorted((card for card in self.cards if card.seen_t < t), key=lambda card: -card.seen_t)
        below = (card for card in seen if covered_share(card.quad, [quad]) > COVERED_SHARE)
        return next((card.seen_t for card in below), -math.inf)

    def slip_under(self, card: TrackedCard, upper: Sequence[Sighting]) -> None:
        """A card lies just below the lowest of some known ones, which were laid on it."""
        lowest = next(at for at, one in enumerate(self.cards) if one.sighting in upper)
        self.cards.insert(lowest, card)

    def put_in_order(self, seen: Sequence[Sighting]) -> None:
        """Some of the known cards lie in this order, lowest first."""
        at = [index for index, card in enumerate(self.cards) if card.sighting in seen]
        cards = sorted((self.cards[index] for index in at), key=lambda card: seen.index(card.sighting))
        for index, card in zip(at, cards, strict=True):
            self.cards[index] = card

    def touching(self, place: ChangedPlace) -> list[TrackedCard]:
        """The cards that lie at least partly in the place."""
        return [card for card in self.cards if (place.shares.mask([card.quad]) & place.region).any()]

    # --- a reading ----------------------------------------------------------------------------------------

    def update(self, seen: Sequence[Sighting], place: ChangedPlace, state: PlaceState) -> PlaceChange:
        """What the cards `seen` at a place mean."""
        held = state is PlaceState.HELD
        seen = [self._turned_as_known(sighting, seen, place.picture) for sighting in seen]
        found = self._compared(seen, place, state)
        self._put_back(found)
        gone = [] if held else self._find_unseen(found, place)
        if state is PlaceState.OPEN:  # what was pushed along has been moved; more is not known yet
            gone = []
        landed = [one for one in reversed(found.fresh) if not _was_uncovered(one, gone, place)]
        self.cards = [card for card in self.cards if card not in gone]
        if state is PlaceState.EDGE:
            self._hidden = [*self._hidden, *gone][-MOST_HIDDEN:]
        below = [tracked_card(sighting, place.picture, held) for sighting in found.quiet]
        above = [tracked_card(sighting, place.picture, held) for sighting in reversed(found.fresh)]
        for card in above if held else self.touching(place):
            card.unsettled = held  # what is not held becomes background now
        for card in above or found.known:
            card.seen_t = place.change.t
        self.cards = [*below, *self.cards, *above]
        self._raise(found.known, above)
        removed = () if state is PlaceState.EDGE else tuple(card.sighting for card in gone)
        outlines = (*(corners_of(one) for one in seen), *(card.quad for card in gone))
        return PlaceChange(tuple(landed), removed, outlines)

    def _turned_as_known(self, sighting: Sighting, seen: Sequence[Sighting], picture: LitImage) -> Sighting:
        """The sighting with the corners of the known card that still lies just there, if one of both was read
        the other way up: under a hand or another card, one whose print is nearly point symmetric can be."""
        a, b, c, d = sighting.corners
        turned = Sighting(sighting.label, sighting.confidence, (c, d, a, b))
        over = [corners_of(other) for other in seen if other is not sighting]
        near = (card for card in self.cards if is_near(card, [turned], INEXACT_POSE))
        same = any(card.held or is_unchanged(card, over, picture) for card in near)
        return turned if same else sighting

    def _compared(self, seen: Sequence[Sighting], place: ChangedPlace, state: PlaceState) -> _Seen:
        """Tells the known cards from others; those that lie free are known where they lie now."""
        found = _Seen()
        matching = CardMatching(self.cards, seen, place.picture)
        bared = matching.bared()
        over = np.zeros(place.differs.shape, bool)
        hidden = {one: matching.hidden_by(one) for one in seen}
        for sighting in sorted(seen, key=lambda one: (one in bared, hidden[one], -one.confidence)):
            quad = corners_of(sighting)
            whole = place.shares.mask([quad])
            own = whole & ~over
            over |= place.shares.mask([quad], 0.04)
            free = own.sum() > FREE_SHARE * whole.sum()
            calm = place.shares.share(place.differs, own) < CHANGED_SHARE
            vague = calm or state is PlaceState.UNTOUCHED
            old = bared.get(sighting) or matching.shown_by(sighting, found.known, vague, free)
            if old is None:
                (found.quiet if calm else found.fresh).append(sighting)
                continue
            found.known.append(old)
            if free and state is not PlaceState.HELD:
                found.pushes.append(push_between(old.quad, quad))
                renew(old, sighting, place.picture)
        return found

    def _put_back(self, found: _Seen) -> None:
        """Cards that only were out of sight have not come."""
        for sighting in list(found.fresh):
            hidden = [card for card in self._hidden if is_near(card, [sighting], SAME_POSE_HIDDEN)]
            if hidden:
                self._hidden.remove(hidden[0])
                found.fresh.remove(sighting)
                found.quiet.append(sighting)

    def _find_unseen(self, found: _Seen, place: ChangedPlace) -> list[TrackedCard]:
        """Finds the cards whose place has changed and that were not seen again: those that were pushed along
        are known where they lie now; those of which nothing is left are returned."""
        gone: list[TrackedCard] = []
        for index in reversed(range(len(self.cards))):
            card = self.cards[index]
            if card in found.known or place.shares.quad_share(place.region, card.quad) < 0.5:
                continue
            above = [one for one in self.cards[index + 1 :] if one not in gone]
            now = _where_now(card, above, found, place.picture)
            if now is None:
                gone.append(card)
            else:
                self.cards[index] = now
        return [card for card in reversed(gone) if not self._is_held_down(card, gone, found)]

    def _is_held_down(self, card: TrackedCard, gone: Sequence[TrackedCard], found: _Seen) -> bool:
        """Whether one that seems to have gone lies between a card that is still there and one that came: it
        is out of sight, under a hand that looks like the table."""
        lower = [one.quad for one in self.cards[: self.cards.index(card)] if one not in gone]
        came = [corners_of(one) for one in found.fresh]
        return all(covered_share(card.quad, quads) > COVERED_SHARE for quads in (lower, came))

    def _raise(self, known: Sequence[TrackedCard], above: Sequence[TrackedCard]) -> None:
        """Cards that were seen again lie above those that were not and that they cover."""
        for card in known:
            below = [one for one in self.cards if one not in known and one not in above]
            hidden = [one for one in below if covered_share(one.quad, [card.quad]) > COVERED_SHARE]
            if hidden and self.cards.index(card) < max(self.cards.index(one) for one in hidden):
                self.cards.remove(card)
                self.cards.append(card)


def _where_now(
    card: TrackedCard, above: Sequence[TrackedCard], found: _Seen, picture: LitImage
) -> TrackedCard | None:
    """A card that was not seen again as it lies now, below others that are still there; None if nothing of it
    is left.

    What lay under a card that was pushed may have been pushed with it: then it looks as before, there. What
    lies under a card that is still there cannot have gone.
    """
    over = [*found.new, *(one.quad for one in above)]
    left = is_unchanged(card, over, picture)
    seen = [*found.new, *(one.quad for one in above if one in found.known)]
    if left is True or (left is None and covered_share(card.quad, seen) >= 0.6):
        return card
    if covered_share(card.quad, [one.quad for one in above]) > COVERED_SHARE:
        return card
    pushed = (moved_card(card, push) for push in found.pushes)
    along = next((one for one in pushed if is_unchanged(one, over, picture)), None)
    return along or nudged(card, over, picture)


def _was_uncovered(sighting: Sighting, gone: Sequence[TrackedCard], place: ChangedPlace) -> bool:
    """Whether the card had lain below one that was taken away: what stuck out of it has not changed."""
    quad = corners_of(sighting)
    over = [card.quad for card in gone if covered_share(quad, [card.quad]) > 0.1]
    if not over:
        return False
    whole = place.shares.mask([quad], -OUTLINE_MARGIN)
    outside = whole & ~place.shares.mask(over, OUTLINE_MARGIN)
    if outside.sum() < 0.08 * whole.sum():
        return False
    return place.shares.share(place.differs, outside) < 0.3
