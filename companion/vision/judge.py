"""Which card lies within a quad, how well it fits and how much of it can be seen.

A hypothesis (an outline, or features that agree) is moved onto the card, compared with every look of the
deck both ways up, and measured over the blocks that can be seen: a covering card, a thumb or a patch of glare
takes its blocks out of the reckoning instead of spoiling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from companion.vision import descriptor, geometry
from companion.vision.contest import contest, worth_a_contest
from companion.vision.deck import Deck
from companion.vision.guesses import CLOSE, MOST_TRIED, Guess, close, explained, lowest, way_up
from companion.vision.judged import SEEN, Judged, outside, seen_blocks
from companion.vision.likeness import unlike
from companion.vision.picture import Array, Bytes, Floats, Image
from companion.vision.refine import HOPELESS, refined, slanted
from companion.vision.suppress import same_place

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
WITHIN_REACH = 2.0
"""Times what a card leaves unexplained by which another may differ from it and still be right there: if
that explained more, the two could not be further apart (triangle inequality)."""
NEARLY_AS_MUCH = 0.8
"""Share of what the best guess explains that another one must explain to be tried."""
SLANTED = 20.0
"""Marks that must be seen of a card for its slant to be fitted."""
NOTHING_LIKE = 0.45
"""Share of the pattern below which what the guesses came to is no card. Right readings have 0.67 and more
by then, a cloth's squares and the grain of wood mostly less than 0.4."""
CONTESTANTS, NEARLY = 3, 0.3
"""Cards that are given the place of another one that is hardly likelier; five times as many where that one
fits so well that a card must lie there."""
HARDLY = 5.0
"""Marks below which nothing is asked about their pixels."""
MOST_CONTESTS = 2
"""Contests for one place."""
FEWEST = 6
"""Blocks that must be seen for their costs to say anything."""
_COST = attrgetter("cost")


class Judge:
    """Judges hypotheses in one picture against one deck."""

    def __init__(
        self, image: Image, deck: Deck, expected: frozenset[str] | None = None, *, soft: bool = False
    ) -> None:
        """`expected` are the cards that may lie there; another one must fit clearly better. In a `soft`
        picture, a webcam's, cards that cannot be told apart are compared once more, with care."""
        self.scene = descriptor.Scene(image)
        self._deck = deck
        self._weights = deck.weights
        self._soft = soft
        self._contests: list[Floats] = []
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
        best = lowest(ranks.ravel(), 2 * MOST_TRIED)
        for way, pose in enumerate((quad, geometry.turned(quad))):
            chosen = best[best // ranks.shape[1] == way] % ranks.shape[1]
            if len(chosen):
                totals = self._deck.gallery.costs(cards[way], chosen).mean(axis=1) + self._handicap[chosen]
                guesses.extend(Guess(float(c), int(i), pose) for c, i in zip(totals, chosen, strict=True))
        return close(guesses)

    def surmise(self, quad: Floats, looks: Sequence[int], *, told: bool = False) -> list[Guess]:
        """The likeliest cards where features proposed some looks: those of them, and of all that fit the part
        seen, that explain most; best first. `told`: features tell that it is the first of the looks."""
        if told:
            return [Guess(0.0, looks[0], quad)]
        card = descriptor.describe(self.scene.quick(quad))
        proposed = np.asarray(looks)
        costs = self._deck.gallery.costs(card, proposed)
        seen = seen_blocks(costs[int(explained(costs, self._weights[proposed]).argmax())])
        if seen.sum() >= FEWEST:
            chosen = np.union1d(proposed, self._shortlist(card, seen, MOST_TRIED))
            costs = self._deck.gallery.costs(card, chosen)
        else:
            chosen = proposed
        gains = explained(costs, self._weights[chosen])
        order = np.argsort(-gains)[:MOST_TRIED]
        return [
            Guess(float(costs[i].mean() + self._handicap[chosen[i]]), int(chosen[i]), quad)
            for i in order
            if gains[i] >= NEARLY_AS_MUCH * gains[order[0]]
        ]

    def _shortlist(self, card: Bytes, seen: Array, size: int = SHORTLIST) -> Array:
        """The looks that are worth comparing exactly with those blocks of a card."""
        ranks = self._deck.gallery.ranked(card[None], seen[None])[0] + RANK_OF_COST * self._handicap
        return lowest(ranks, size)

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
        alone: bool = False,
        bare: Array | None = None,
        freedom: int | None = None,
    ) -> Judged | None:
        """Move the quad onto the card and decide which one it is, trying the guesses in turn.

        A quad settled on the wrong one of two like cards hides the right one, so each guess starts afresh,
        and what looks better on the way is tried as well. `bare` (BLOCKS,) tells which blocks of the first
        guess can be seen at all, where that is known; its card is then not tried the other way up. `distinct`
        features tell that it is the first guess; `alone` if hardly any other card has such. `freedom` is as
        in companion.vision.refine. None for an outline that shows nothing like a card.
        """
        if distinct:
            return replace(self._told(self._as_told(guesses[0], inliers, distinct)), is_alone=alone)
        best = self._moved(guesses, inliers, bare, freedom)
        if best is None:
            return None
        told = best if best.fit else self._told(best)
        if bare is not None or not self._soft or not worth_a_contest(told):
            return told
        return self._after_contest(told, guesses[0].quad)

    def _after_contest(self, judged: Judged, start: Floats) -> Judged:
        """The reading after every likely card was given the place for itself, from there and from `start`."""
        if sum(same_place(judged.quad, place, 0.25) for place in self._contests) >= MOST_CONTESTS:
            return judged
        self._contests.append(judged.quad)
        won = contest(self.scene, self._deck, judged.quad, [start])
        if won is None:
            return judged
        card = descriptor.describe(self.scene.rectified(won.quad))
        named = self._named(won.quad, card, ~self.outside(won.quad), judged.inliers, won.look)
        return replace(named, fit=won.fit, lead=won.lead, is_contested=True)

    def _told(self, judged: Judged) -> Judged:
        """The reading with what its pixels tell."""
        if judged.support < HARDLY:
            return judged
        among = np.union1d(self._shortlist(judged.described, judged.seen), [judged.look])
        told = self._deck.teller.tell(self.scene.rectified(judged.quad), judged.seen, among, judged.look)
        return replace(judged, fit=told.fit, lead=told.lead)

    def _moved(
        self, guesses: Sequence[Guess], inliers: int, bare: Array | None, freedom: int | None
    ) -> Judged | None:
        """The best reading of all that the guesses come to."""
        freedom = freedom or (8 if inliers == 0 or inliers >= 15 else 6)
        best: Judged | None = None
        tried: set[tuple[int, int]] = set()
        waiting = list(guesses)
        most = MOST_TRIED if inliers == 0 else MOST_TRIED_BY_FEATURES
        while waiting and len(tried) < most:
            guess = waiting.pop(0)
            if (guess.look, way_up(guess.quad)) in tried:
                continue
            tried.add((guess.look, way_up(guess.quad)))
            free = bare if bare is None or way_up(guess.quad) == way_up(guesses[0].quad) else bare[::-1]
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
            best = better if best is None else min(best, better, key=_COST)
            if best.is_clear or best.is_hopeless:
                break
        if best is None:
            return None
        if best.support > HARDLY and (fit := self._fit(best)) < NOTHING_LIKE:
            return replace(best, fit=fit)
        if freedom < 8 and bare is None and best.support > SLANTED:
            best = self._slanted(best)
        if bare is None and not best.is_clear and best.cost < UNSETTLED:
            best = min(best, self._reconsidered(best, freedom), key=_COST)
        if bare is None and best.margin < CLOSE and best.support > SLANTED:
            best = self._contested(best)
        return best

    def _fit(self, judged: Judged) -> float:
        """The share of the pattern seen that the card explains, pixel by pixel."""
        card = self.scene.rectified(judged.quad)
        left = self._deck.teller.compared(card, judged.seen, np.array([judged.look])).left
        return 1.0 - float(left[0])

    def rivals(self, judged: Judged) -> list[Judged]:
        """The readings after cards that may be right instead were given the place of one that would stand.

        How far a card is ahead is measured where that card fits best, and there it is ahead of the right one
        too: a 5 stretched over a 6 explains nine tenths of it. But it leaves more than a card in its place
        does, and the right one, moved there, leaves less.
        """
        if judged.distinct or judged.is_contested or judged.is_settled:
            return []
        found = self._given_to_others(judged, WITHIN_REACH * judged.seen_cost)
        return [self._told(rival) for rival in found]

    def shows_another(self, judged: Judged) -> bool:
        """Whether a card that is not enrolled lies where its like would stand (see likeness); not where
        features of no other card tell which it is: other cards may lie on that one."""
        if judged.distinct:
            return False
        card, shown = self.scene.rectified(judged.quad), ~self.outside(judged.quad)
        return unlike(card, self._deck.looks[judged.look], judged.seen, shown).is_another(self._soft)

    def _slanted(self, judged: Judged) -> Judged:
        """The reading after the quad was moved as a slanted card: as what it was taken for, or another."""
        best, look = judged, judged.look
        for _ in range(2):
            leant = slanted(self.scene, judged.quad, self._deck.template(look))
            moved, _ = refined(self.scene, leant, self._deck.template(look), freedom=8)
            found = self._measured(moved, judged.inliers)
            best = min(best, found, key=_COST)
            if found.look == look:
                break
            look = found.look
        return best

    def _contested(self, judged: Judged) -> Judged:
        """The best reading after its closest rivals were given the place for a moment."""
        return min([judged, *self._given_to_others(judged)], key=_COST)

    def _given_to_others(self, judged: Judged, within: float = 1.0) -> list[Judged]:
        """The readings after the closest rivals, those that differ by no more than `within`, were moved onto
        the place, up to one that is clear: a quad that lies on the wrong one of two like cards hides the
        right one."""
        rivals: list[tuple[float, int, bool]] = []
        for over in (False, True):
            card = descriptor.turned(judged.described) if over else judged.described
            seen = judged.seen[::-1] if over else judged.seen
            chosen = self._shortlist(card, seen)
            apart = self._deck.apart(judged.look, chosen, over)[:, seen].mean(axis=1)
            chosen = chosen[apart <= within]
            costs = self._deck.gallery.costs(card, chosen)[:, seen].mean(axis=1) + self._handicap[chosen]
            rivals.extend((float(c), int(i), over) for c, i in zip(costs, chosen, strict=True))
        cards, found = self._deck.cards, []
        others: dict[int, tuple[int, bool]] = {}
        for _, look, over in sorted(rivals):
            if cards[look] != cards[judged.look]:
                others.setdefault(int(cards[look]), (look, over))
        most = CONTESTANTS if judged.cost > NEARLY else 5 * CONTESTANTS
        for look, over in list(others.values())[:most]:
            quad = geometry.turned(judged.quad) if over else judged.quad
            moved, _ = refined(self.scene, quad, self._deck.template(look), freedom=8)
            found.append(self._measured(moved, judged.inliers))
            if found[-1].is_clear and found[-1].cost < judged.cost:
                break
        return found

    def _as_told(self, guess: Guess, inliers: int, distinct: int) -> Judged:
        """The guess moved onto its card and measured as that card."""
        freedom = 8 if inliers >= 15 else 6
        moved, _ = refined(self.scene, guess.quad, self._deck.template(guess.look), freedom=freedom)
        found = []
        for quad in (moved, guess.quad):
            card = descriptor.describe(self.scene.rectified(quad))
            found.append(self._named(quad, card, ~self.outside(quad), inliers, guess.look))
        best = min(found, key=_COST)
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
        shared = np.asarray(self._deck.apart(judged.look, rivals).mean(axis=0) < SHARED)
        if float(judged.weights[shared].sum()) < 12.0:
            return judged
        look = self._deck.template(judged.look)
        moved, _ = refined(self.scene, judged.quad, look, freedom=freedom, bare=shared)
        other = self._measured(moved, judged.inliers)
        if other.look == judged.look:
            return other
        again, _ = refined(self.scene, other.quad, self._deck.template(other.look), freedom=freedom)
        return min(other, self._measured(again, judged.inliers), key=_COST)

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
        return min(found, key=_COST)

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
        weights = self._deck.apart(look, chosen[rivals]) ** 2 * seen
        margin = 1.0
        for rival, weight in zip(rivals, weights, strict=True):
            total = float(weight.sum())
            if total < 0.02:
                return 0.0
            worse = float((weight * (costs[rival] - costs[at])).sum()) / total
            margin = min(margin, worse + float(self._handicap[chosen[rival]] - self._handicap[look]))
        return margin
