"""Which known card a sighting shows: one that lies where it lay, was pushed, or came to light.

A card laid on an equal card (a pile) differs from a pushed card by what the first one leaves: on a pile its
visible slivers look as before; where a card was pushed the table shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.core.observations import Sighting
from companion.vision.image.picture import Floats
from companion.vision.tracking.tracked_card import (
    LitImage,
    TrackedCard,
    corner_distance,
    corners_of,
    covered_share,
    fits_better_where_it_was,
    is_unchanged,
    lies_under,
    nudged,
)

SAME_POSE = 0.018
"""Mean distance of the corners, in heights of a card, below which a card has not moved."""
LARGEST_PUSH = 1.0
"""In heights of a card: a card that was pushed farther counts as laid anew."""
UNCERTAIN_POSE = 0.5
"""The same for a card whose pose is not certain: seen under a hand or another card, or nothing changed."""
UNCOVERED_POSE = 0.12
"""The same for a card that came to light because what lay on it has gone: that may have dragged it along."""
INEXACT_POSE = 0.1
"""The same up to which the corners of a card that has not moved may be read otherwise in bad light. An equal
card farther off is another one, however much what lies where the first one lay looks like it."""
COVERED_SHARE = 0.3
"""Share of a card under others above which it counts as covered."""


@dataclass(frozen=True, eq=False)
class CardMatching:
    """The known `cards`, lowest first, against all that is `seen` at a place in one picture."""

    cards: Sequence[TrackedCard]
    seen: Sequence[Sighting]
    picture: LitImage

    def shown_by(
        self, sighting: Sighting, taken: Sequence[TrackedCard], vague: bool, free: bool
    ) -> TrackedCard | None:
        """The card on the table that the sighting shows: where it lay, or pushed a little.

        Args:
            sighting: one of those that are seen.
            taken: other sightings show these.
            vague: its own place has not changed, or no other card can have come.
            free: no other sighting covers it; otherwise its pose is inexact.
        """
        quad = corners_of(sighting)
        equal = [corners_of(other) for other in self.seen if other.label == sighting.label]
        near = [card for card in self.cards if card.sighting.label == sighting.label and card not in taken]
        far = {card: corner_distance(quad, card.quad) for card in near}
        # an equal card that is nearer to where a card lay shows that one
        near = [one for one in near if far[one] <= min(corner_distance(other, one.quad) for other in equal)]
        near = [card for card in near if far[card] < LARGEST_PUSH]
        near.sort(key=lambda card: far[card])
        return next((card for card in near if self._is_at(card, sighting, far[card], vague, free)), None)

    def _is_at(self, card: TrackedCard, sighting: Sighting, distance: float, vague: bool, free: bool) -> bool:
        """Whether what is seen, so far from where an equal card lay, is that card."""
        quad = corners_of(sighting)
        if vague or not free:
            return distance < UNCERTAIN_POSE and (vague or not self._is_buried(card, sighting))
        covers = self._covers(card)
        if covers:
            # It came to light only if what lay on it has gone; without a trace of that, it has not.
            return distance < _dragged(card) and all(self._has_gone(cover, quad) for cover in covers)
        if card.held:
            return distance < UNCERTAIN_POSE
        return bool(
            distance < SAME_POSE
            or (distance < INEXACT_POSE and fits_better_where_it_was(card, quad, self.picture))
            or not is_unchanged(card, [quad], self.picture)
        )

    def _is_buried(self, card: TrackedCard, sighting: Sighting) -> bool:
        """Whether what lay on a card still lies there, while what it left to be seen of the card has changed:
        then an equal card, which is seen, was laid on both."""
        covers, others = self._covers(card), [one for one in self.seen if one is not sighting]
        over = [corners_of(one) for one in self.seen]
        if not any(is_unchanged(cover, over, self.picture) for cover in covers):
            return False
        hidden = [*(cover.quad for cover in covers), *(corners_of(one) for one in others)]
        return is_unchanged(card, hidden, self.picture) is False

    def _covers(self, card: TrackedCard) -> list[TrackedCard]:
        """The cards that lie on much of this one."""
        above = self.cards[self.cards.index(card) + 1 :]
        return [other for other in above if covered_share(card.quad, [other.quad]) > COVERED_SHARE]

    def _has_gone(self, cover: TrackedCard, quad: Floats) -> bool:
        """Whether a card that lay on another one, which is seen at `quad`, can be seen nowhere."""
        return (
            not is_near(cover, self.seen)
            and is_unchanged(cover, [quad], self.picture) is False
            and nudged(cover, [quad], self.picture) is None
        )

    def hidden_by(self, sighting: Sighting) -> int:
        """How many of the others that are seen lie on the card that a sighting may show, as far as the looks
        of that card are known."""
        known = [card for card in self.cards if is_near(card, [sighting])]
        others = [corners_of(one) for one in self.seen if one is not sighting]
        if not known:
            return 0
        quad, picture = corners_of(sighting), self.picture
        return sum(all(lies_under(card, quad, other, picture) for card in known) for other in others)

    def bared(self) -> dict[Sighting, TrackedCard]:
        """The covered cards that came to light, at least in part, because what lay on them was pushed."""
        found: dict[Sighting, TrackedCard] = {}
        for sighting in self.seen:
            others = [one for one in self.seen if one is not sighting]
            for card in [one for one in self.cards if one not in found.values()]:
                if is_near(card, [sighting], _dragged(card)) and self._was_bared(card, others):
                    found[sighting] = card
        return found

    def _was_bared(self, card: TrackedCard, others: Sequence[Sighting]) -> bool:
        """Whether something lay on a card and all of it was pushed, and the card looks as before where it
        lay."""
        pushed: list[Floats] = []
        for cover in self._covers(card):
            now = [corners_of(one) for one in others if is_near(cover, [one])]
            if not now or min(corner_distance(quad, cover.quad) for quad in now) < SAME_POSE:
                return False
            pushed += now
        return bool(pushed and is_unchanged(card, pushed, self.picture))


def is_near(card: TrackedCard, seen: Iterable[Sighting], within: float = UNCERTAIN_POSE) -> bool:
    """Whether the card is seen where it lay, or pushed a little: `within` so many heights of a card."""
    equal = [corners_of(one) for one in seen if one.label == card.sighting.label]
    return any(corner_distance(quad, card.quad) < within for quad in equal)


def _dragged(card: TrackedCard) -> float:
    """How far from its place, in heights of a card, a covered card may come to light."""
    return UNCERTAIN_POSE if card.held else UNCOVERED_POSE
