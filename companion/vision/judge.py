"""Which card lies within a quad, how well it fits and how much of it can be seen.

A hypothesis (an outline, or features that agree) is moved onto the card, compared with every look of the deck
both ways up, and measured over the blocks that can be seen: a covering card, a thumb or a patch of glare takes
its blocks out of the reckoning instead of spoiling it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import descriptor, geometry
from companion.vision.deck import Deck
from companion.vision.picture import Array, Bytes, Floats, Image
from companion.vision.refine import refined

GRID = (descriptor.ROWS, descriptor.COLUMNS)
SEEN = 0.5
"""Cost below which a block, taken with its neighbours, counts as seen."""
MOST_TRIED = 4
CLOSE = 0.14
"""Lead of the best look over another that is too small to dismiss the other untried."""


@dataclass(frozen=True)
class Judged:
    """A hypothesis after judgement. Costs run from 0 (same) to 1 (nothing in common)."""

    quad: Floats
    look: int
    label: str
    costs: Floats
    """Cost of every block (BLOCKS,)."""
    seen: Array
    """Which blocks can be seen (BLOCKS,), bool."""
    cost: float
    """Mean cost over the whole card."""
    seen_cost: float
    """Mean cost over the blocks seen."""
    margin: float
    """How much worse, over the blocks seen, the next best card of the deck fits."""
    support: float
    """Marks seen that fit: blocks seen, weighted by how much there is to see in them."""
    gain: float
    """Marks explained less marks contradicted, over the whole card: what competing readings are ranked by."""
    inliers: int
    """Features that agree on the pose; 0 for an outline."""
    totals: Floats
    """Mean cost of every look of the deck at this quad."""


class Judge:
    """Judges hypotheses in one picture against one deck."""

    def __init__(self, image: Image, deck: Deck, expected: frozenset[str] | None = None) -> None:
        """`expected` are the cards that may lie there; another one must fit clearly better to be named."""
        self._image = image
        self._deck = deck
        self._weights = block_weights(deck.looks)
        self._handicap = np.zeros(len(deck.labels), np.float32)
        if expected is not None:
            unexpected = [label not in expected for label in deck.labels]
            self._handicap[unexpected] = 0.06

    def glance(self, quad: Floats) -> tuple[float, int, Floats]:
        """Cheapest look at an outline: cost, look and quad the right way up, before any refinement."""
        return min((self._best(q) for q in (quad, geometry.turned(quad))), key=lambda item: item[0])

    def _best(self, quad: Floats) -> tuple[float, int, Floats]:
        costs = self._costs(quad).mean(axis=1) + self._handicap
        look = int(costs.argmin())
        return float(costs[look]), look, quad

    def _costs(self, quad: Floats) -> Floats:
        return self._deck.gallery.costs(self._describe(quad))

    def _describe(self, quad: Floats) -> Bytes:
        return descriptor.describe(descriptor.rectified(self._image, quad))

    def judge(self, quad: Floats, look: int, inliers: int = 0) -> Judged:
        """Move the quad onto the card and decide which one it is; the first guess is `look`.

        A quad settled on the wrong one of two like cards hides the right one, so every close rival may pull the
        quad its own way before it is dismissed.
        """
        freedom = 8 if inliers == 0 or inliers >= 15 else 6
        tried: set[int] = set()
        best: Judged | None = None
        while len(tried) < MOST_TRIED:
            tried.add(look)
            moved = refined(self._image, quad, self._deck.looks[look], freedom=freedom)
            found = [self._measured(q, inliers) for q in (moved, geometry.turned(moved))]
            best = min(found if best is None else [best, *found], key=_order)
            rival = self._untried(best, tried)
            if rival is None:
                break
            quad, look = best.quad, rival
        assert best is not None
        return best

    def _untried(self, best: Judged, tried: set[int]) -> int | None:
        """The look to try next: the best one itself, then a rival close behind it."""
        if best.look not in tried:
            return best.look
        for look in (int(i) for i in np.argsort(best.totals)[:MOST_TRIED]):
            if look not in tried and best.totals[look] < best.cost + CLOSE:
                return look
        return None

    def _measured(self, quad: Floats, inliers: int) -> Judged:
        costs = self._costs(quad)
        totals = costs.mean(axis=1) + self._handicap
        look = int(totals.argmin())
        seen = seen_blocks(costs[look])
        weights = self._weights[look] * seen
        support = float((weights * (1.0 - costs[look])).sum())
        gain = float((weights * (SEEN - costs[look])).sum())
        if seen.any():
            partial = costs[:, seen].mean(axis=1) + self._handicap
            others = self._deck.cards != self._deck.cards[look]
            margin = float(partial[others].min() - partial[look]) if others.any() else 1.0
            seen_cost = float(costs[look][seen].mean())
        else:
            margin, seen_cost = 0.0, 1.0
        return Judged(
            quad=quad,
            look=look,
            label=self._deck.labels[look],
            costs=costs[look],
            seen=seen,
            cost=float(costs[look].mean()),
            seen_cost=seen_cost,
            margin=margin,
            support=support,
            gain=gain,
            inliers=inliers,
            totals=totals,
        )


def _order(judged: Judged) -> float:
    return judged.cost


def seen_blocks(costs: Floats) -> Array:
    """Which blocks belong to the visible part: those that fit together with their neighbours (BLOCKS,)."""
    grid = np.ascontiguousarray(costs.reshape(GRID))
    near = cv2.blur(grid, (3, 3), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(((near < SEEN) | (grid < 0.6 * SEEN) & (near < 0.7)).ravel())


def block_weights(looks: Bytes) -> Floats:
    """How much there is to see in each block of each look (n, BLOCKS): from 0.1 (plain white) to 1."""
    values = np.abs(looks.reshape(len(looks), descriptor.BLOCKS, -1).astype(np.float32) / 127.5 - 1.0)
    light = values[..., : descriptor.LIGHT].mean(axis=2)
    colour = values[..., descriptor.LIGHT :].mean(axis=2)
    return np.asarray(0.1 + 0.9 * np.minimum(1.0, light / 0.25 + 0.4 * colour / 0.25), np.float32)
