"""Which card lies within a quad, how well it fits and how much of it can be seen.

A hypothesis (an outline, or features that agree) is moved onto the card, compared with every look of the
deck both ways up, and measured over the blocks that can be seen: a covering card, a thumb or a patch of glare
takes its blocks out of the reckoning instead of spoiling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import descriptor, geometry
from companion.vision.deck import Deck
from companion.vision.picture import Array, Bytes, Floats, Image
from companion.vision.refine import refined

GRID = (descriptor.ROWS, descriptor.COLUMNS)
MIDDLES = np.stack(
    np.meshgrid(
        (np.arange(descriptor.COLUMNS) + 0.5) / descriptor.COLUMNS,
        (np.arange(descriptor.ROWS) + 0.5) / descriptor.ROWS,
    ),
    axis=2,
).reshape(-1, 2)
"""The middles of the blocks on the unit card (BLOCKS, 2)."""
SEEN = 0.5
"""Cost below which a block, taken with its neighbours, counts as seen."""
MOST_TRIED = 4
RIVALS = 6
SHARED = 0.3
"""Difference up to which a block counts as shared by a card and its rivals."""
UNSETTLED = 0.5
CLOSE = 0.12
"""Lead of one guess over another that is too small to dismiss the other untried."""
FEWEST = 6
"""Blocks that must be seen for their costs to say anything."""


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
    """How much worse the closest rivals fit, over the blocks seen in which they differ from this card."""
    support: float
    """Marks seen that fit: blocks seen, weighted by how much there is to see in them."""
    weights: Floats
    """How much there is to see in each block of the card (BLOCKS,), 0 to 1."""
    gain: float
    """Marks explained less marks contradicted: what competing readings are ranked by."""
    inliers: int
    """Features that agree on the pose; 0 for an outline."""

    def gain_of(self, blocks: Array) -> float:
        """What some of the blocks seen (BLOCKS,), bool, add to `gain`."""
        return float((self.weights * (SEEN - self.costs))[blocks & self.seen].sum())

    @property
    def is_certain(self) -> bool:
        """True for a fit so close that no other reading of the place can be right."""
        return self.seen_cost < 0.13 and self.margin > 0.3 and self.support > 15

    @property
    def is_hopeless(self) -> bool:
        """True if no other card needs to be tried: an outline of something else, features at odds."""
        return self.cost > 0.6 and self.support < 20 if self.inliers == 0 else self.support < 8


@dataclass(frozen=True)
class Guess:
    """A look that a quad might show, and what it costs before the quad is moved onto it."""

    cost: float
    look: int
    quad: Floats


class Judge:
    """Judges hypotheses in one picture against one deck."""

    def __init__(self, image: Image, deck: Deck, expected: frozenset[str] | None = None) -> None:
        """`expected` are the cards that may lie there; another one must fit clearly better to be named."""
        self.scene = descriptor.Scene(image)
        self._deck = deck
        self._weights = block_weights(deck.looks)
        self._handicap = np.zeros(len(deck.labels), np.float32)
        if expected is not None:
            unexpected = [label not in expected for label in deck.labels]
            self._handicap[unexpected] = 0.06

    def glance(self, quad: Floats) -> list[Guess]:
        """The likeliest cards of an outline, both ways up and before any refinement; best first."""
        guesses: list[Guess] = []
        for way in (quad, geometry.turned(quad)):
            totals = self.costs(way).mean(axis=1) + self._handicap
            guesses.extend(Guess(float(totals[i]), int(i), way) for i in np.argsort(totals)[:MOST_TRIED])
        return _close(guesses)

    def surmise(self, quad: Floats, look: int) -> list[Guess]:
        """The likeliest cards where features proposed `look`: that one, then those that fit what is seen."""
        costs = self.costs(quad)
        seen = seen_blocks(costs[look])
        if seen.sum() < FEWEST:
            return [Guess(float(costs[look].mean()), look, quad)]
        totals = costs[:, seen].mean(axis=1) + self._handicap
        guesses = [Guess(float(totals[i]), int(i), quad) for i in np.argsort(totals)[:MOST_TRIED]]
        return [Guess(float(totals[look]), look, quad), *(g for g in _close(guesses) if g.look != look)]

    def costs(self, quad: Floats) -> Floats:
        """Cost of every block of the card in `quad` against every look (n, BLOCKS)."""
        return self._deck.gallery.costs(self._describe(quad))

    def _describe(self, quad: Floats) -> Bytes:
        return descriptor.describe(self.scene.rectified(quad))

    def judge(
        self,
        guesses: Sequence[Guess],
        inliers: int = 0,
        *,
        bare: Array | None = None,
        freedom: int | None = None,
    ) -> Judged:
        """Move the quad onto the card and decide which one it is, trying the guesses in turn.

        A quad settled on the wrong one of two like cards hides the right one, so each guess starts afresh,
        and what looks better on the way is tried as well. `bare` (BLOCKS,) tells which blocks of the first
        guess can be seen at all, where that is known; its card is then not tried the other way up. `freedom`
        is that of companion.vision.refine.
        """
        if freedom is None:
            freedom = 8 if inliers == 0 or inliers >= 15 else 6
        best: Judged | None = None
        tried: set[tuple[int, int]] = set()
        waiting = list(guesses)
        while waiting and len(tried) < MOST_TRIED:
            guess = waiting.pop(0)
            if (guess.look, _way(guess.quad)) in tried:
                continue
            tried.add((guess.look, _way(guess.quad)))
            free = bare if bare is None or _way(guess.quad) == _way(guesses[0].quad) else bare[::-1]
            moved = refined(self.scene, guess.quad, self._deck.looks[guess.look], freedom=freedom, bare=free)
            if free is None:
                found = [self._measured(q, inliers) for q in (moved, geometry.turned(moved))]
                better = min(found, key=_order)
            else:
                better = self._measured(moved, inliers, free)
            if better.look != guess.look:
                waiting.insert(0, Guess(better.cost, better.look, better.quad))
            best = better if best is None else min(best, better, key=_order)
            if best.is_certain or best.is_hopeless:
                break
        assert best is not None
        if bare is None and not best.is_certain and best.cost < UNSETTLED:
            best = min(best, self._reconsidered(best, freedom), key=_order)
        return best

    def _reconsidered(self, judged: Judged, freedom: int) -> Judged:
        """The reading after the quad was moved by what the card shares with its rivals alone.

        Moving a quad onto one card bends it to that card's own marks, and spoils it for the right one.
        """
        costs = self.costs(judged.quad)
        order = np.argsort(costs.mean(axis=1) + self._handicap)
        cards = self._deck.cards
        rivals = [int(i) for i in order if cards[i] != cards[judged.look]][:RIVALS]
        shared = np.asarray(self._deck.differences(judged.look)[rivals].mean(axis=0) < SHARED)
        if float(judged.weights[shared].sum()) < 12.0:
            return judged
        look = self._deck.looks[judged.look]
        moved = refined(self.scene, judged.quad, look, freedom=freedom, bare=shared)
        found = [self._measured(q, judged.inliers) for q in (moved, geometry.turned(moved))]
        other = min(found, key=_order)
        if other.look == judged.look:
            return other
        again = refined(self.scene, other.quad, self._deck.looks[other.look], freedom=freedom)
        return min(other, self._measured(again, judged.inliers), key=_order)

    def outside(self, quad: Floats) -> Array:
        """The blocks whose middle lies outside the picture (BLOCKS,), bool."""
        return outside(quad, self.scene.image.shape)

    def _measured(self, quad: Floats, inliers: int, bare: Array | None = None) -> Judged:
        costs = self.costs(quad)
        costs[:, outside(quad, self.scene.image.shape)] = 1.0
        if bare is not None:
            costs[:, ~bare] = 1.0
        totals = costs.mean(axis=1) + self._handicap
        look = int(totals.argmin())
        seen = seen_blocks(costs[look])
        if FEWEST <= seen.sum() < descriptor.BLOCKS:
            look = int((costs[:, seen].mean(axis=1) + self._handicap).argmin())
            seen = seen_blocks(costs[look])
        weights = self._weights[look] * seen
        support = float((weights * (1.0 - costs[look])).sum())
        gain = float((weights * (SEEN - costs[look])).sum())
        if seen.any():
            partial = costs[:, seen].mean(axis=1) + self._handicap
            margin = self._margin(costs, partial, seen, look)
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
            weights=self._weights[look],
            gain=gain,
            inliers=inliers,
        )

    def _margin(self, costs: Floats, partial: Floats, seen: Array, look: int) -> float:
        """By how much the closest rivals fit worse in those blocks seen in which they differ from `look`."""
        apart = self._deck.differences(look)
        margin = 1.0
        rivals = [i for i in np.argsort(partial) if self._deck.cards[i] != self._deck.cards[look]]
        for rival in rivals[:MOST_TRIED]:
            weight = apart[rival] ** 2 * seen
            total = float(weight.sum())
            if total < 0.02:
                return 0.0
            worse = float((weight * (costs[rival] - costs[look])).sum()) / total
            margin = min(margin, worse + float(self._handicap[rival] - self._handicap[look]))
        return margin


def outside(quad: Floats, shape: tuple[int, ...]) -> Array:
    """The blocks of a card in `quad` whose middle lies outside a picture of that shape (BLOCKS,), bool."""
    x, y = geometry.moved(MIDDLES, geometry.homography(geometry.UNIT, quad)).T
    return np.asarray((x < 0) | (y < 0) | (x > shape[1] - 1) | (y > shape[0] - 1))


def _close(guesses: list[Guess]) -> list[Guess]:
    """The guesses that may still turn out best, best first."""
    guesses.sort(key=lambda g: g.cost)
    return [g for g in guesses[:MOST_TRIED] if g.cost < guesses[0].cost + CLOSE]


def _way(quad: Floats) -> int:
    """Which of two ways up a quad lies."""
    down = quad[2:].sum(axis=0) - quad[:2].sum(axis=0)
    return int(down[1] > 0 if abs(down[1]) > abs(down[0]) else down[0] > 0)


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
