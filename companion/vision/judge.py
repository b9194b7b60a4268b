"""Which card lies within a quad, how well it fits and how much of it can be seen.

A hypothesis (an outline, or features that agree) is moved onto the card, compared with every look of the
deck both ways up, and measured over the blocks that can be seen: a covering card, a thumb or a patch of glare
takes its blocks out of the reckoning instead of spoiling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision import descriptor, geometry
from companion.vision.deck import Deck
from companion.vision.picture import Array, Bytes, Floats, Image
from companion.vision.refine import HOPELESS, refined

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
MOST_TRIED_BY_FEATURES = 2
SHORTLIST = 16
"""Looks that are compared exactly, after a rough comparison with all of them."""
RANK_OF_COST = 60.0
"""What a cost of 1 amounts to in the rough comparison."""
RIVALS = 6
SHARED = 0.3
"""Difference up to which a block counts as shared by a card and its rivals."""
TELLING = 10
"""Features of no other card that tell by themselves which card it is."""
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
    described: Bytes
    """Its descriptor as seen (VALUES,)."""
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
    distinct: int = 0
    """Those of them that no other card has."""
    is_strip: bool = False
    """Read from what sticks out from under another card: `seen_cost` is the share of it left unexplained."""

    def gain_of(self, blocks: Array) -> float:
        """What some of the blocks seen (BLOCKS,), bool, add to `gain`."""
        return float((self.weights * (SEEN - self.costs))[blocks & self.seen].sum())

    @property
    def is_certain(self) -> bool:
        """True for a fit so close that no other reading of the place can be right."""
        return self.seen_cost < 0.13 and self.margin > 0.3 and self.support > 15

    @property
    def is_clear(self) -> bool:
        """True for a fit after which no other card needs to be tried in this quad."""
        return self.is_certain or (self.cost < 0.2 and self.margin > 0.5)

    @property
    def is_settled(self) -> bool:
        """True for a card wholly seen that fits so well that other readings of its place need no trial."""
        return self.is_certain or (self.cost < 0.2 and self.margin > 0.4 and float(self.seen.mean()) > 0.9)

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
        self._weights = deck.weights
        self._handicap = np.zeros(len(deck.labels), np.float32)
        if expected is not None:
            unexpected = [label not in expected for label in deck.labels]
            self._handicap[unexpected] = 0.06

    def glances(self, quads: Sequence[Floats]) -> list[list[Guess]]:
        """For each outline the likeliest cards, both ways up and before any refinement; best first."""
        if not quads:
            return []
        looks = descriptor.describe(np.stack([self.scene.quick(quad) for quad in quads]))
        both = np.stack([looks, descriptor.turned(looks)], axis=1)
        ranks = self._deck.gallery.ranked(both.reshape(2 * len(quads), -1)).reshape(len(quads), 2, -1)
        ranks = ranks + RANK_OF_COST * self._handicap
        return [
            self._glance(quad, *of) for quad, of in zip(quads, zip(both, ranks, strict=True), strict=True)
        ]

    def _glance(self, quad: Floats, cards: Bytes, ranks: Floats) -> list[Guess]:
        guesses: list[Guess] = []
        best = _lowest(ranks.ravel(), 2 * MOST_TRIED)
        for way, pose in enumerate((quad, geometry.turned(quad))):
            chosen = best[best // ranks.shape[1] == way] % ranks.shape[1]
            if len(chosen):
                totals = self._deck.gallery.costs(cards[way], chosen).mean(axis=1) + self._handicap[chosen]
                guesses.extend(Guess(float(c), int(i), pose) for c, i in zip(totals, chosen, strict=True))
        return _close(guesses)

    def surmise(self, quad: Floats, look: int) -> list[Guess]:
        """The likeliest cards where features proposed `look`: that one, then those that fit what is seen."""
        card = descriptor.describe(self.scene.quick(quad))
        own = self._deck.gallery.costs(card, np.array([look]))[0]
        seen = seen_blocks(own)
        if seen.sum() < FEWEST:
            return [Guess(float(own.mean()), look, quad)]
        chosen = self._shortlist(card, seen, MOST_TRIED)
        totals = self._deck.gallery.costs(card, chosen)[:, seen].mean(axis=1) + self._handicap[chosen]
        first = Guess(float(own[seen].mean() + self._handicap[look]), look, quad)
        guesses = [Guess(float(c), int(i), quad) for c, i in zip(totals, chosen, strict=True) if i != look]
        return [first, *(g for g in _close([first, *guesses]) if g.look != look)]

    def _shortlist(self, card: Bytes, seen: Array, size: int = SHORTLIST) -> Array:
        """The looks that are worth comparing exactly with those blocks of a card."""
        ranks = self._deck.gallery.ranked(card[None], seen[None])[0] + RANK_OF_COST * self._handicap
        return _lowest(ranks, size)

    def cost_of(self, quad: Floats, look: int) -> Floats:
        """Cost of every block of the card in `quad` against one look (BLOCKS,)."""
        card = descriptor.describe(self.scene.rectified(quad))
        return np.asarray(self._deck.gallery.costs(card, np.array([look]))[0])

    def judge(
        self,
        guesses: Sequence[Guess],
        inliers: int = 0,
        *,
        distinct: int = 0,
        bare: Array | None = None,
        freedom: int | None = None,
    ) -> Judged | None:
        """Move the quad onto the card and decide which one it is, trying the guesses in turn.

        A quad settled on the wrong one of two like cards hides the right one, so each guess starts afresh,
        and what looks better on the way is tried as well. `bare` (BLOCKS,) tells which blocks of the first
        guess can be seen at all, where that is known; its card is then not tried the other way up. `freedom`
        is that of companion.vision.refine. None for an outline that shows nothing like a card of the deck.
        """
        if distinct >= TELLING:
            return self._as_told(guesses[0], inliers, distinct)
        if freedom is None:
            freedom = 8 if inliers == 0 or inliers >= 15 else 6
        best: Judged | None = None
        tried: set[tuple[int, int]] = set()
        waiting = list(guesses)
        most = MOST_TRIED if inliers == 0 else MOST_TRIED_BY_FEATURES
        while waiting and len(tried) < most:
            guess = waiting.pop(0)
            if (guess.look, _way(guess.quad)) in tried:
                continue
            tried.add((guess.look, _way(guess.quad)))
            free = bare if bare is None or _way(guess.quad) == _way(guesses[0].quad) else bare[::-1]
            moved, cost = refined(
                self.scene,
                guess.quad,
                self._deck.template(guess.look),
                freedom=freedom,
                bare=free,
                marks=self._deck.marks[guess.look] if inliers == 0 else None,
            )
            if inliers == 0 and cost > HOPELESS:
                break
            better = self._measured(moved, inliers, free)
            if better.look != guess.look:
                waiting.insert(0, Guess(better.cost, better.look, better.quad))
            best = better if best is None else min(best, better, key=_order)
            if best.is_clear or best.is_hopeless:
                break
        if best is None:
            return None
        if bare is None and not best.is_clear and best.cost < UNSETTLED:
            best = min(best, self._reconsidered(best, freedom), key=_order)
        return best

    def _as_told(self, guess: Guess, inliers: int, distinct: int) -> Judged:
        """The guess moved onto its card and measured as that card."""
        freedom = 8 if inliers >= 15 else 6
        moved, _ = refined(self.scene, guess.quad, self._deck.template(guess.look), freedom=freedom)
        found = []
        for quad in (moved, guess.quad):
            card = descriptor.describe(self.scene.rectified(quad))
            found.append(self._named(quad, card, ~self.outside(quad), inliers, guess.look))
        best = min(found, key=_order)
        return replace(best, distinct=distinct)

    def _reconsidered(self, judged: Judged, freedom: int) -> Judged:
        """The reading after the quad was moved by what the card shares with its rivals alone.

        Moving a quad onto one card bends it to that card's own marks, and spoils it for the right one.
        """
        cards = self._deck.cards
        order = self._shortlist(judged.described, np.ones(descriptor.BLOCKS, bool))
        rivals = [int(i) for i in order if cards[i] != cards[judged.look]][:RIVALS]
        if not rivals:
            return judged
        shared = np.asarray(self._apart(judged.look, np.array(rivals)).mean(axis=0) < SHARED)
        if float(judged.weights[shared].sum()) < 12.0:
            return judged
        look = self._deck.template(judged.look)
        moved, _ = refined(self.scene, judged.quad, look, freedom=freedom, bare=shared)
        other = self._measured(moved, judged.inliers)
        if other.look == judged.look:
            return other
        again, _ = refined(self.scene, other.quad, self._deck.template(other.look), freedom=freedom)
        return min(other, self._measured(again, judged.inliers), key=_order)

    def outside(self, quad: Floats) -> Array:
        """The blocks whose middle lies outside the picture (BLOCKS,), bool."""
        return outside(quad, self.scene.image.shape)

    def _measured(self, quad: Floats, inliers: int, bare: Array | None = None) -> Judged:
        """What the card in `quad` is, either way up; only as it lies if `bare` blocks are given."""
        card = descriptor.describe(self.scene.rectified(quad))
        shown = ~outside(quad, self.scene.image.shape)
        if bare is not None:
            return self._named(quad, card, shown & bare, inliers)
        found = (
            self._named(quad, card, shown, inliers),
            self._named(geometry.turned(quad), descriptor.turned(card), shown[::-1], inliers),
        )
        return min(found, key=_order)

    def _named(
        self, quad: Floats, card: Bytes, shown: Array, inliers: int, told: int | None = None
    ) -> Judged:
        """What a card is of which the blocks `shown` may be seen; how well it fits if its look is `told`."""
        gallery = self._deck.gallery
        chosen = self._shortlist(card, shown)
        if told is not None:
            chosen = np.union1d(chosen, [told])
        costs = gallery.costs(card, chosen)
        costs[:, ~shown] = 1.0
        at = int((costs.mean(axis=1) + self._handicap[chosen]).argmin())
        if told is not None:
            at = int(np.flatnonzero(chosen == told)[0])
        seen = seen_blocks(costs[at])
        if FEWEST <= seen.sum() < descriptor.BLOCKS:
            chosen = np.union1d(chosen[at], self._shortlist(card, seen))
            costs = gallery.costs(card, chosen)
            costs[:, ~shown] = 1.0
            at = int((costs[:, seen].mean(axis=1) + self._handicap[chosen]).argmin())
            if told is not None:
                at = int(np.flatnonzero(chosen == told)[0])
            seen = seen_blocks(costs[at])
        own, look = costs[at], int(chosen[at])
        weights = self._weights[look] * seen
        margin, seen_cost = 0.0, 1.0
        if seen.any():
            partial = costs[:, seen].mean(axis=1) + self._handicap[chosen]
            margin = self._margin(costs, partial, seen, chosen, at)
            seen_cost = float(own[seen].mean())
        return Judged(
            quad=quad,
            look=look,
            label=self._deck.labels[look],
            described=card,
            costs=own,
            seen=seen,
            cost=float(own.mean()),
            seen_cost=seen_cost,
            margin=margin,
            support=float((weights * (1.0 - own)).sum()),
            weights=self._weights[look],
            gain=float((weights * (SEEN - own)).sum()),
            inliers=inliers,
        )

    def _margin(self, costs: Floats, partial: Floats, seen: Array, chosen: Array, at: int) -> float:
        """By how much the closest rivals fit worse in those blocks seen in which they differ from the card
        `chosen[at]`; `costs` are those of the looks `chosen`, `partial` their means over what is seen."""
        look, cards = int(chosen[at]), self._deck.cards
        rivals = [i for i in np.argsort(partial) if cards[chosen[i]] != cards[look]][:MOST_TRIED]
        if not rivals:
            return 1.0
        weights = self._apart(look, chosen[rivals]) ** 2 * seen
        margin = 1.0
        for rival, weight in zip(rivals, weights, strict=True):
            total = float(weight.sum())
            if total < 0.02:
                return 0.0
            worse = float((weight * (costs[rival] - costs[at])).sum()) / total
            margin = min(margin, worse + float(self._handicap[chosen[rival]] - self._handicap[look]))
        return margin

    def _apart(self, look: int, others: Array) -> Floats:
        """How much other looks differ from one in each of its blocks (n, BLOCKS)."""
        return self._deck.gallery.costs(self._deck.looks[look], others)


def _lowest(values: Floats, count: int) -> Array:
    """The indices of the `count` lowest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]


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
