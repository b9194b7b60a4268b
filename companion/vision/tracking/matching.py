"""Which known card a sighting shows: one that lies where it lay, was pushed, or came to light.

A card laid on an equal card (a pile) differs from a pushed card by what the first one leaves: on a pile its
visible slivers look as before; where a card was pushed the table shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.core.observations import Sighting
from companion.vision.image.picture import Floats
from companion.vision.tracking.limits import distances, shares
from companion.vision.tracking.tracked_card import (
    LitImage,
    TrackedCard,
    corner_distance,
    corners_of,
    covered_share,
)


@dataclass(frozen=True, eq=False)
class CardMatching:
    """The known `cards`, lowest first, against all that is `seen` at a place in one picture."""

    cards: Sequence[TrackedCard]
    seen: Sequence[Sighting]
    picture: LitImage

    def shown_by(
        self, sighting: Sighting, taken: Sequence[TrackedCard], calm: bool, free: bool
    ) -> TrackedCard | None:
        """The card on the table that the sighting, one of those `seen`, shows: where it lay, or pushed a
        little. `taken`: the known cards that other sightings show. `calm`: the sighting's own place has not
        changed. `free`: no other sighting covers it; otherwise its pose is inexact."""
        quad = corners_of(sighting)
        equal = [corners_of(other) for other in self.seen if other.label == sighting.label]
        near = [card for card in self.cards if card.sighting.label == sighting.label and card not in taken]
        far = {card: corner_distance(quad, card.quad) for card in near}
        # an equal card that is nearer to where a card lay shows that one
        near = [one for one in near if far[one] <= min(corner_distance(other, one.quad) for other in equal)]
        near = [card for card in near if far[card] < distances().push]
        near.sort(key=lambda card: far[card])
        return next((card for card in near if self._is_at(card, sighting, far[card], calm, free)), None)

    def _is_at(self, card: TrackedCard, sighting: Sighting, distance: float, calm: bool, free: bool) -> bool:
        """Whether a sighting at this distance from an equal known card shows that card."""
        quad = corners_of(sighting)
        if calm or not free:
            return distance < distances().uncertain and (calm or not self._is_buried(card, sighting))
        covers = self._covers(card)
        if covers:
            return distance < distances().inexact and self._came_to_light(card, covers, sighting)
        if card.held:
            return distance < distances().uncertain
        return bool(
            (distance < distances().inexact and card.fits_better_where_it_was(quad, self.picture))
            or not card.is_unchanged([quad], self.picture)
        )

    def _is_buried(self, card: TrackedCard, sighting: Sighting) -> bool:
        """Whether a known card is still covered while the rest of it, which was to be seen, has changed: then
        the equal card that is seen was laid on the cover."""
        covers, others = self._covers(card), [one for one in self.seen if one is not sighting]
        over = [corners_of(one) for one in self.seen]
        if not any(cover.is_unchanged(over, self.picture) for cover in covers):
            return False
        hidden = [*(cover.quad for cover in covers), *(corners_of(one) for one in others)]
        return card.is_unchanged(hidden, self.picture) is False

    def _covers(self, card: TrackedCard) -> list[TrackedCard]:
        """The known cards that cover much of a known card."""
        above = self.cards[self.cards.index(card) + 1 :]
        return [other for other in above if covered_share(card.quad, [other.quad]) > shares().telling]

    def _came_to_light(self, card: TrackedCard, covers: Sequence[TrackedCard], sighting: Sighting) -> bool:
        """Whether each of the cards that covered the one which a sighting may show was taken away, or was
        pushed so that the card looks as before beside it. Otherwise it has not come to light."""
        over, pushed = [corners_of(sighting)], list[Floats]()
        for cover in covers:
            now = [corners_of(one) for one in self.seen if one is not sighting and is_near(cover, [one])]
            if any(cover.fits_better_where_it_was(quad, self.picture) for quad in now):
                return False
            if not now and (
                cover.is_unchanged(over, self.picture) is not False or cover.nudged(over, self.picture)
            ):
                return False
            pushed += now
        return not pushed or card.is_unchanged(pushed, self.picture) is True

    def level(self, sighting: Sighting) -> int:
        """The place in the pile of the uppermost known card that a sighting may show; above all if none."""
        shown = [at for at, card in enumerate(self.cards) if is_near(card, [sighting])]
        return max(shown, default=len(self.cards))

    def hidden_by(self, sighting: Sighting) -> int:
        """How many of the others that are seen are known to lie on the card that a sighting may show."""
        known = [card for card in self.cards if is_near(card, [sighting])]
        others = [corners_of(one) for one in self.seen if one is not sighting]
        if not known:
            return 0
        quad, picture = corners_of(sighting), self.picture
        return sum(all(card.lies_under(quad, other, picture) for card in known) for other in others)


def is_near(card: TrackedCard, seen: Iterable[Sighting], within: float | None = None) -> bool:
    """Whether an equal card is among the sightings at less than this distance; None: that of a sighting whose
    pose is not certain."""
    within = distances().uncertain if within is None else within
    equal = [corners_of(one) for one in seen if one.label == card.sighting.label]
    return any(corner_distance(quad, card.quad) < within for quad in equal)
