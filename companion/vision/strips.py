"""Reads covered cards from the strip that still shows.

Flat number cards have too few features to be found once half covered. But whoever knows one card of a column
knows where the card below it must lie: moved along its long side, by a part of its height that is not known.
So every such place is compared with the deck over those blocks only that nothing else explains, and the best
ones are moved onto the card and judged like any other reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.vision import geometry
from companion.vision.deck import Deck
from companion.vision.judge import Guess, Judge, Judged
from companion.vision.picture import Array, Floats
from companion.vision.suppress import Explained, left_over

SHIFTS = tuple(float(step) for step in np.arange(0.12, 1.0, 0.04))
"""How far a covered card may lie from the one on it, in heights."""
FEWEST_FREE = 8
"""Blocks (of 96) that must be free for a place to be looked at."""
PROMISING = 0.62
"""Mean cost over the free blocks below which a place is judged."""
MOST_JUDGED = 5
FEWEST_FRESH = 7
"""Blocks that a reading must explain by itself."""


@dataclass(frozen=True)
class Found:
    """What lies under a card on one side: a reading, or the suspicion that a card lies there."""

    judged: Judged | None
    suspicious: bool
    """Something there looks like a card of the deck, but cannot be told."""


class Strips:
    """Looks for covered cards in one picture."""

    def __init__(self, judge: Judge, deck: Deck, explained: Explained) -> None:
        self._judge = judge
        self._deck = deck
        self._explained = explained

    def beside(self, card: Floats, side: int) -> Found:
        """The card that lies under the one in `card`, sticking out at its top (`side` -1) or bottom (1)."""
        places = sorted(self._places(card, side), key=lambda place: place[0].cost)
        if not places or places[0][0].cost > PROMISING:
            return Found(None, False)
        best: Judged | None = None
        tried: set[tuple[int, int]] = set()
        for guess, shift in places:
            key = (guess.look, round(shift / 0.12))
            if key in tried:
                continue
            tried.add(key)
            judged = self._judge.judge([guess], inliers=1)
            if self._stands(judged) and (best is None or judged.gain > best.gain):
                best = judged
            if len(tried) >= MOST_JUDGED or (best is not None and best.is_certain):
                break
        return Found(best, best is None and places[0][0].cost < 0.4)

    def _places(self, card: Floats, side: int) -> Iterator[tuple[Guess, float]]:
        """For each shift and way up the look that fits its free blocks best."""
        onto = geometry.homography(geometry.UNIT, card)
        for shift in SHIFTS:
            moved = geometry.moved(geometry.UNIT + np.array([0.0, side * shift], np.float32), onto)
            for quad in (moved, geometry.turned(moved)):
                free = self._free(quad)
                if free.sum() < FEWEST_FREE:
                    continue
                costs = self._judge.costs(quad)[:, free].mean(axis=1)
                for look in np.argsort(costs)[:2]:
                    yield Guess(float(costs[look]), int(look), quad), shift

    def _free(self, quad: Floats) -> Array:
        """The blocks of a place that nothing explains yet and that lie in the picture."""
        return np.asarray((self._explained.of(quad) < 0.5) & ~self._judge.outside(quad))

    def _stands(self, judged: Judged) -> bool:
        fresh = left_over(judged, self._explained.of(judged.quad))
        return bool(
            fresh.sum() >= FEWEST_FRESH
            and fresh.sum() >= 0.6 * judged.seen.sum()
            and judged.seen_cost < 0.34
            and judged.margin > 0.12
        )
