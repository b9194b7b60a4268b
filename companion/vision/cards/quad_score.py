"""Scores what is in a quad against the looks of a deck, and finds how much of it is visible.

The likeliest looks are compared in both orientations, over the blocks that fit together with their
neighbours.
"""

from __future__ import annotations

from operator import attrgetter

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.score import (
    VISIBLE_COST,
    CardMatch,
    blocks_outside,
    support_of,
    visible_blocks,
)

MOST_TRIED = 4
"""Looks that are tried at a place, and rivals that a match is compared with."""
SHORTLIST = 16
"""Looks that are compared exactly, after a rough comparison with all of them."""
RANK_OF_COST = 60.0
"""What a cost of 1 amounts to in the rough comparison."""
COST = attrgetter("cost")
"""The cost of a match or a candidate, to choose the least."""


class QuadScorer:
    """Measures what is in quads of one picture against one deck."""

    def __init__(self, scene: PicturePyramid, deck: Deck, handicap: Floats) -> None:
        """`handicap` (looks,): added to the cost of each look."""
        self._scene, self._deck, self._handicap = scene, deck, handicap

    def ranks(self, cards: Bytes, seen: Array) -> Floats:
        """Rough differences (m, looks) from cards (m, VALUES), by the blocks `seen` (m, BLOCKS)."""
        return self._deck.gallery.ranked(cards, seen) + RANK_OF_COST * self._handicap

    def shortlist(self, card: Bytes, seen: Array) -> Array:
        """The looks that are worth comparing exactly with the blocks `seen` of a card."""
        return lowest(self.ranks(card[None], seen[None])[0], SHORTLIST)

    def score(self, quad: Floats, inliers: int) -> CardMatch:
        """The best match for the card in `quad` in either orientation."""
        card = self._scene.card_at(quad).descriptor
        shown = ~blocks_outside(quad, self._scene.image.shape)
        both, seen = np.stack([card, descriptor.rotated_half_turn(card)]), np.stack([shown, shown[::-1]])
        ranks = self.ranks(both, seen)
        found = (
            self._score(pose, both[way], seen[way], inliers, lowest(ranks[way], SHORTLIST))
            for way, pose in enumerate((quad, geometry.rotated_half_turn(quad)))
        )
        return min(found, key=COST)

    def score_as(self, quad: Floats, inliers: int, look: int) -> CardMatch:
        """The match of one look for the card in `quad`."""
        card = self._scene.card_at(quad).descriptor
        shown = ~blocks_outside(quad, self._scene.image.shape)
        chosen = np.union1d(self.shortlist(card, shown), [look])
        return self._score(quad, card, shown, inliers, chosen, look)

    def _score(
        self,
        quad: Floats,
        card: Bytes,
        shown: Array,
        inliers: int,
        chosen: Array,
        fixed_look: int | None = None,
    ) -> CardMatch:
        """The best match among the looks `chosen` for a card of which the blocks `shown` (BLOCKS,) may be
        visible, or the match of `fixed_look`, which must be one of them."""
        costs, at = self._costs(card, shown, chosen, slice(None), fixed_look)
        seen = visible_blocks(costs[at])
        if seen.any() and not seen.all():
            chosen = np.union1d(chosen[at], self.shortlist(card, seen))
            costs, at = self._costs(card, shown, chosen, seen, fixed_look)
            seen = visible_blocks(costs[at])
        own, look = costs[at], int(chosen[at])
        weights = self._deck.weights[look] * seen
        margin, seen_cost = 0.0, 1.0
        if seen.any():
            partial = costs[:, seen].mean(axis=1) + self._handicap[chosen]
            margin = self._margin(costs, partial, seen, chosen, at)
            seen_cost = float(own[seen].mean())
        return CardMatch(
            quad=quad,
            look=look,
            label=self._deck.labels[look],
            descriptor=card,
            costs=own,
            seen=seen,
            cost=float(own.mean()),
            seen_cost=seen_cost,
            margin=margin,
            support=support_of(weights, own),
            weights=self._deck.weights[look],
            gain=float((weights * (VISIBLE_COST - own)).sum()),
            inliers=inliers,
        )

    def _costs(
        self, card: Bytes, shown: Array, chosen: Array, over: Array | slice, fixed_look: int | None
    ) -> tuple[Floats, int]:
        """The costs (n, BLOCKS) of the looks `chosen` (n,) for a card, 1 in blocks that are not `shown`; and
        the index of `fixed_look` among these looks, or of the one that costs least in the blocks `over`."""
        costs = self._deck.gallery.costs(card, chosen)
        costs[:, ~shown] = 1.0
        if fixed_look is not None:
            return costs, int(np.flatnonzero(chosen == fixed_look)[0])
        return costs, int((costs[:, over].mean(axis=1) + self._handicap[chosen]).argmin())

    def _margin(self, costs: Floats, partial: Floats, seen: Array, chosen: Array, at: int) -> float:
        """By how much the closest rivals fit worse in those blocks seen in which they differ from the card
        `chosen[at]`; `costs` are those of the looks `chosen`, `partial` their means over what is seen."""
        look, cards = int(chosen[at]), self._deck.cards
        rivals = [i for i in np.argsort(partial) if cards[chosen[i]] != cards[look]][:MOST_TRIED]
        if not rivals:
            return 1.0
        weights = self._deck.block_differences(look, chosen[rivals]) ** 2 * seen
        margin = 1.0
        for rival, weight in zip(rivals, weights, strict=True):
            total = float(weight.sum())
            if total < 0.02:
                return 0.0
            worse = float((weight * (costs[rival] - costs[at])).sum()) / total
            margin = min(margin, worse + float(self._handicap[chosen[rival]] - self._handicap[look]))
        return margin


def lowest(values: Floats, count: int) -> Array:
    """The indices of the `count` lowest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]
