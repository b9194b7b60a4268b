"""Tracks the cards on the table: every card keeps its name until its place changes.

A card that was recognised when it lay free is remembered when another one covers it. Readings of a changed
place are compared with what lay there: the same card at the same place is nothing new, a pushed card has
moved, a card from below was uncovered (companion.vision.tracking.matching), and only what is none of these
has landed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.picture import Floats
from companion.vision.tracking.limits import distances, shares
from companion.vision.tracking.matching import CardMatching, is_near
from companion.vision.tracking.place import ChangedPlace
from companion.vision.tracking.tracked_card import (
    LitImage,
    TrackedCard,
    corners_of,
    covered_share,
    push_between,
    share_in,
    turned,
)


class PlaceState(Enum):
    """What is, or was, over a place that is read, and whether the place lies still."""

    HELD = auto()
    """A hand is over it: cards may have come, none has gone."""
    OPEN = auto()
    """Nothing is over it, but it has not settled, or it reaches out of the picture and may be an arm after
    all: cards may have come or were pushed, none has gone."""
    SETTLED = auto()
    """It lies still."""


@dataclass(frozen=True, eq=False)
class PlaceChange:
    """The result of a reading of a changed place: the cards that landed, lowest first, the cards that were
    taken away, and the outlines of all cards that were seen there or have gone."""

    landed: tuple[Sighting, ...]
    removed: tuple[Sighting, ...]
    outlines: tuple[Floats, ...]


@dataclass
class _Seen:
    """The cards that are seen at a place: known ones and how they were pushed, unknown ones that came
    (`fresh`), and unknown ones where nothing has changed (`quiet`)."""

    known: list[TrackedCard] = field(default_factory=list)
    pushes: list[Floats] = field(default_factory=list)
    fresh: list[Sighting] = field(default_factory=list)
    quiet: list[Sighting] = field(default_factory=list)

    @property
    def new(self) -> list[Floats]:
        """The outlines of the unknown cards."""
        return [corners_of(sighting) for sighting in (*self.fresh, *self.quiet)]


class CardTracker:
    """The cards on the table, lowest first."""

    def __init__(self) -> None:
        self.cards: list[TrackedCard] = []

    def move(self, motion: Floats) -> None:
        """The camera was bumped: everything is elsewhere in the picture, by `motion` (2 x 3, in pixels)."""
        self.cards = [card.moved(motion) for card in self.cards]

    def learn(self, seen: Sequence[Sighting], picture: LitImage) -> None:
        """Cards that lay there all the time, uppermost first; those known already are passed over."""
        new = [one for one in seen if not any(is_near(card, [one]) for card in self.cards)]
        self.cards = [*(TrackedCard.of(one, picture) for one in reversed(new)), *self.cards]

    def may_know(self, card: TrackedCard, upper: Sequence[Floats], picture: LitImage) -> bool:
        """Whether a card that an earlier picture shows, and that lies below the quads `upper` now, may be a
        known card: an equal one is known to lie near, and the picture does not show it where it lay."""
        shown = [card.sighting, turned(card.sighting)]
        for index, known in enumerate(self.cards):
            if not is_near(known, shown):
                continue
            over = [card.quad, *upper, *(one.quad for one in self.cards[index + 1 :])]
            if is_near(known, shown, distances().inexact) or not known.is_unchanged(over, picture):
                return True
        return False

    def slip_under(self, card: TrackedCard, upper: Sequence[Sighting]) -> None:
        """Remembers a card just below the lowest of some known cards, which were laid on it."""
        lowest = next(at for at, one in enumerate(self.cards) if one.sighting in upper)
        self.cards.insert(lowest, card)

    def put_in_order(self, seen: Sequence[Sighting]) -> None:
        """Remembers that some of the known cards lie in this order, lowest first."""
        at = [index for index, card in enumerate(self.cards) if card.sighting in seen]
        cards = sorted((self.cards[index] for index in at), key=lambda card: seen.index(card.sighting))
        for index, card in zip(at, cards, strict=True):
            self.cards[index] = card

    def touching(self, place: ChangedPlace) -> list[TrackedCard]:
        """The cards that lie at least partly in the place."""
        return [card for card in self.cards if (place.mask([card.quad]) & place.region).any()]

    # --- a reading ----------------------------------------------------------------------------------------

    def update(self, seen: Sequence[Sighting], place: ChangedPlace, state: PlaceState) -> PlaceChange:
        """Compares the cards `seen` at a place with the known ones: some have landed, some have gone."""
        held = state is PlaceState.HELD
        seen = [self._turned_as_known(sighting, seen, place.picture) for sighting in seen]
        found = self._compared(seen, place, state)
        gone = self._find_unseen(found, place) if state is PlaceState.SETTLED else []
        landed = tuple(reversed(found.fresh))
        self.cards = [card for card in self.cards if card not in gone]
        below = [TrackedCard.of(sighting, place.picture, held) for sighting in found.quiet]
        above = [TrackedCard.of(sighting, place.picture, held) for sighting in reversed(found.fresh)]
        self.cards = [*below, *self.cards, *above]
        removed = tuple(card.sighting for card in gone)
        outlines = (*(corners_of(one) for one in seen), *(card.quad for card in gone))
        return PlaceChange(landed, removed, outlines)

    def _turned_as_known(self, sighting: Sighting, seen: Sequence[Sighting], picture: LitImage) -> Sighting:
        """The sighting, turned by half if an equal card is known to lie there the other way up: a card whose
        print is nearly point symmetric may be read upside down under a hand or under another card."""
        over = [corners_of(other) for other in seen if other is not sighting]
        near = (card for card in self.cards if is_near(card, [turned(sighting)], distances().inexact))
        same = any(card.held or card.is_unchanged(over, picture) for card in near)
        return turned(sighting) if same else sighting

    def _compared(self, seen: Sequence[Sighting], place: ChangedPlace, state: PlaceState) -> _Seen:
        """Tells the known cards among the cards that are seen from new ones. A known card that lies free is
        remembered from now on as it lies now."""
        found = _Seen()
        matching = CardMatching(self.cards, seen, place.picture)
        over = np.zeros(place.differs.shape, bool)
        hidden = {one: matching.hidden_by(one) for one in seen}
        for sighting in sorted(seen, key=lambda one: (hidden[one], -matching.level(one), -one.confidence)):
            quad = corners_of(sighting)
            whole = place.mask([quad])
            own = whole & ~over
            over |= place.mask([quad], distances().outline)
            free = own.sum() > (1.0 - shares().telling) * whole.sum()
            calm = share_in(place.differs, own) < shares().telling
            old = matching.shown_by(sighting, found.known, calm, free)
            if old is None:
                (found.quiet if calm else found.fresh).append(sighting)
                continue
            found.known.append(old)
            if free and state is not PlaceState.HELD:
                found.pushes.append(push_between(old.quad, quad))
                old.renew(sighting, place.picture)
        return found

    def _find_unseen(self, found: _Seen, place: ChangedPlace) -> list[TrackedCard]:
        """Looks for the known cards whose place has changed and that were not seen again. A card that was
        pushed along is remembered where it lies now; cards of which nothing is left are returned."""
        gone: list[TrackedCard] = []
        for index in reversed(range(len(self.cards))):
            card = self.cards[index]
            if card in found.known or share_in(place.region, place.mask([card.quad])) < 0.5:
                continue
            above = [one for one in self.cards[index + 1 :] if one not in gone]
            now = _where_now(card, above, found, place.picture)
            if now is None:
                gone.append(card)
            else:
                self.cards[index] = now
        return [card for card in reversed(gone) if not self._is_held_down(card, gone, found)]

    def _is_held_down(self, card: TrackedCard, gone: Sequence[TrackedCard], found: _Seen) -> bool:
        """Whether a card that seems to have gone lies between one that is still there and one that came: then
        it is only out of sight, under a hand that looks like the table."""
        lower = [one.quad for one in self.cards[: self.cards.index(card)] if one not in gone]
        came = [corners_of(one) for one in found.fresh]
        return all(covered_share(card.quad, quads) > shares().telling for quads in (lower, came))


def _where_now(
    card: TrackedCard, above: Sequence[TrackedCard], found: _Seen, picture: LitImage
) -> TrackedCard | None:
    """A known card that was not seen again, as it lies now below the cards `above` it that are still there;
    None if nothing of it is left.

    A card under one that was pushed may have been pushed with it: then it looks as before, at its new place.
    A card under one that is still there cannot have gone.
    """
    upper = [one.quad for one in above]
    over = [*found.new, *upper]
    if covered_share(card.quad, upper) > shares().telling or card.is_unchanged(over, picture) is not False:
        return card
    pushed = (card.moved(push) for push in found.pushes)
    return next((one for one in pushed if one.is_unchanged(over, picture)), None) or card.nudged(
        over, picture
    )
