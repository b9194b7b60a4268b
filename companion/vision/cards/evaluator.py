"""Evaluates card hypotheses: which card is within a quad, how well it fits, how much of it is visible.

A hypothesis is an outline, or a pose on which local features agree. Its quad is refined onto the look,
compared with every look of the deck in both orientations, and scored over the visible blocks only: a covering
card, a finger or glare removes its blocks from the comparison instead of spoiling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from companion.vision.cards.candidates import (
    MOST_TRIED,
    Candidate,
    explained_marks,
    lowest,
    orientation,
    plausible,
)
from companion.vision.cards.quad_score import FEWEST_BLOCKS, RANK_OF_COST, QuadScorer
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.refine import GIVE_UP_COST, refine_quad
from companion.vision.match.score import CardMatch, visible_blocks
from companion.vision.match.suppression import same_place

MOST_TRIED_BY_FEATURES = 2
"""Most looks that are tried for a pose from features."""
CANDIDATE_GAIN = 0.8
"""Share of what the best candidate explains that another one must explain to be tried."""
LEAST_FIT = 0.45
"""Least fit of a card after refinement. Right cards have 0.67 and more, squares of a cloth and wood grain
mostly below 0.4."""
LEAST_FIRST_FIT = 0.4
"""The same for the first candidate; below it no other is tried. The 55 matches that stood had 0.52 and up."""
SAME_PLACE, SAME_COST = 0.03, 0.01
"""Card widths and costs within which a match equals an earlier one of the same look, which is used again."""
RIVALS, RIVALS_SUPPORT = 15, 20.0
"""Other cards that are fitted to a place whose match is not clear; the support from which they are."""
LEAST_SUPPORT = 5.0
"""Support below which pixels are not compared."""
_COST = attrgetter("cost")


class Evaluator:
    """Evaluates hypotheses in one picture against one deck; remembers what was evaluated before."""

    def __init__(
        self,
        image: Image,
        deck: Deck,
        expected: frozenset[str] | None = None,
        *,
        soft: bool = False,
    ) -> None:
        """`expected`: labels of the cards that may be there; another one must fit clearly better. `soft`: the
        picture is a webcam's, whose cards the verifier names."""
        self.scene = descriptor.PicturePyramid(image)
        self._deck = deck
        self._weights = deck.weights
        self._soft = soft
        self._earlier: list[tuple[CardMatch, CardMatch]] = []
        self._handicap = np.zeros(len(deck.labels), np.float32)
        if expected is not None:
            unexpected = [label not in expected for label in deck.labels]
            self._handicap[unexpected] = 0.06
        self._scorer = QuadScorer(self.scene, deck, self._handicap)

    def rank_outlines(self, quads: Sequence[Floats]) -> list[list[Candidate]]:
        """For each outline the likeliest cards in both orientations, before any refinement; best first."""
        if not quads:
            return []
        looks = descriptor.describe(np.stack([self.scene.rectified_fast(quad) for quad in quads]))
        both = np.stack([looks, descriptor.rotated_half_turn(looks)], axis=1)
        ranks = self._deck.gallery.ranked(both.reshape(2 * len(quads), -1)).reshape(len(quads), 2, -1)
        ranks = ranks + RANK_OF_COST * self._handicap
        best = np.stack([lowest(row, 2 * MOST_TRIED) for row in ranks.reshape(len(quads), -1)])
        ways, chosen = np.divmod(best, ranks.shape[2])
        cards = both[np.arange(len(quads))[:, None], ways]
        costs = self._deck.gallery.costs_of(cards.reshape(best.size, -1), chosen.ravel())
        totals = costs.mean(axis=1).reshape(best.shape) + self._handicap[chosen]
        return [
            self._candidates_of(*of) for of in zip(quads, totals.tolist(), chosen.tolist(), ways, strict=True)
        ]

    def _candidates_of(
        self, quad: Floats, costs: list[float], looks: list[int], ways: Array
    ) -> list[Candidate]:
        """The candidates for one outline: each look with its cost and the quad in its orientation."""
        poses = (quad, geometry.rotated_half_turn(quad))
        return plausible([Candidate(c, i, poses[way]) for c, i, way in zip(costs, looks, ways, strict=True)])

    def rank_proposals(
        self, quad: Floats, looks: Sequence[int], *, identified: bool = False
    ) -> list[Candidate]:
        """The likeliest cards where features proposed `looks`: those of them, and of all looks that fit the
        visible part, that explain most; best first. `identified`: features identify the first of the looks,
        so it is the only candidate."""
        if identified:
            return [Candidate(0.0, looks[0], quad)]
        card = descriptor.describe(self.scene.rectified_fast(quad))
        proposed = np.asarray(looks)
        costs = self._deck.gallery.costs(card, proposed)
        seen = visible_blocks(costs[int(explained_marks(costs, self._weights[proposed]).argmax())])
        if seen.sum() >= FEWEST_BLOCKS:
            chosen = np.union1d(proposed, self._scorer.shortlist(card, seen, MOST_TRIED))
            costs = self._deck.gallery.costs(card, chosen)
        else:
            chosen = proposed
        gains = explained_marks(costs, self._weights[chosen])
        order = np.argsort(-gains)[:MOST_TRIED]
        return [
            Candidate(float(costs[i].mean() + self._handicap[chosen[i]]), int(chosen[i]), quad)
            for i in order
            if gains[i] >= CANDIDATE_GAIN * gains[order[0]]
        ]

    def evaluate(
        self,
        candidates: Sequence[Candidate],
        inliers: int = 0,
        *,
        distinct: int = 0,
    ) -> CardMatch | None:
        """Refines the quad onto the card and decides which card it is, trying the candidates in turn.

        A quad refined onto the wrong one of two similar cards hides the right one, so each candidate starts
        from its own quad, and a look that fits better after a refinement is tried as well.

        Args:
            candidates: best first.
            inliers: features that agree on the pose; 0 for an outline.
            distinct: those of them that no other card has: they identify the first candidate.

        Returns: The match; None for an outline that shows nothing like a card.
        """
        if distinct:
            return self._with_pixel_match(self._evaluate_known(candidates[0], inliers, distinct))
        first, best = self._evaluate_in_turn(candidates, inliers)
        if first is None or best is None:
            return None
        result = best if best.fit else self._with_pixel_match(best)
        if not self._soft:
            self._earlier.append((first, result))
        return result

    def _known_result(self, first: CardMatch, fit: float, inliers: int) -> CardMatch | None:
        """The result for the first match at a place, if it is known without trying anything else: it does not
        look like a card, or was evaluated before. None otherwise."""
        if fit < LEAST_FIRST_FIT:
            return replace(first, fit=fit)
        for earlier in self._earlier:
            for known in earlier:
                same = known.look == first.look and same_place(known.quad, first.quad, SAME_PLACE)
                if same and first.cost > known.cost - SAME_COST:
                    return replace(earlier[1], inliers=max(inliers, earlier[1].inliers))
        return None

    def _with_pixel_match(self, match: CardMatch) -> CardMatch:
        """The match with its pixel fit and lead."""
        if match.support < LEAST_SUPPORT:
            return match
        among = np.union1d(self._scorer.shortlist(match.descriptor, match.seen), [match.look])
        compared = self._deck.pixel_matcher.match(
            self.scene.card_at(match.quad), match.seen, among, match.look
        )
        return replace(match, fit=compared.fit, lead=compared.lead)

    def _evaluate_in_turn(
        self, candidates: Sequence[Candidate], inliers: int
    ) -> tuple[CardMatch | None, CardMatch | None]:
        """The match of the first candidate, and the best match of all candidates."""
        freedom = 8 if inliers == 0 or inliers >= 15 else 6
        first: CardMatch | None = None
        best: CardMatch | None = None
        fit = 1.0
        tried: set[tuple[int, int]] = set()
        waiting = list(candidates)
        most = MOST_TRIED if inliers == 0 else MOST_TRIED_BY_FEATURES
        while waiting and len(tried) < most:
            candidate = waiting.pop(0)
            if (candidate.look, orientation(candidate.quad)) in tried:
                continue
            tried.add((candidate.look, orientation(candidate.quad)))
            moved, cost = refine_quad(
                self.scene,
                candidate.quad,
                self._deck.light_template(candidate.look),
                freedom=freedom,
                marks=self._deck.marks[candidate.look] if inliers == 0 else None,
            )
            if inliers == 0 and cost > GIVE_UP_COST:
                break
            better = self._scorer.score(moved, inliers)
            if better.look != candidate.look:
                waiting.insert(0, Candidate(better.cost, better.look, better.quad))
            if first is None:
                first = better
                fit = self._fit(first)
                if (known := self._known_result(first, fit, inliers)) is not None:
                    return first, known
            best = better if best is None else min(best, better, key=_COST)
            if best.is_clear or best.is_hopeless:
                break
        if best is None:
            return first, None
        if best is not first:
            fit = self._fit(best)
        if fit < LEAST_FIT:
            return first, replace(best, fit=fit)
        asked = not (self._soft or best.is_clear) and best.support > RIVALS_SUPPORT
        return first, self._after_rivals(best) if asked else best

    def _after_rivals(self, match: CardMatch) -> CardMatch:
        """The best match after other likely cards were fitted to the place, until one is clear: cards of one
        colour share most marks, and a quad refined onto the wrong one of them hides the right one. In a
        webcam's picture the verifier does that."""
        for quad, look in self._rivals(match):
            moved, _ = refine_quad(self.scene, quad, self._deck.light_template(look), freedom=8)
            match = min(match, self._scorer.score(moved, match.inliers), key=_COST)
            if match.is_clear:
                break
        return match

    def _rivals(self, match: CardMatch) -> list[tuple[Floats, int]]:
        """Quad and look of the other cards that fit best in what is seen, each in its better orientation;
        likeliest first."""
        found: list[tuple[float, int, bool]] = []
        for over in (False, True):
            card = descriptor.rotated_half_turn(match.descriptor) if over else match.descriptor
            seen = match.seen[::-1] if over else match.seen
            chosen = self._scorer.shortlist(card, seen)
            costs = self._deck.gallery.costs(card, chosen)[:, seen].mean(axis=1) + self._handicap[chosen]
            found.extend((float(cost), int(look), over) for cost, look in zip(costs, chosen, strict=True))
        likeliest: dict[int, tuple[Floats, int]] = {}
        for _, look, over in sorted(found):
            quad = geometry.rotated_half_turn(match.quad) if over else match.quad
            likeliest.setdefault(int(self._deck.cards[look]), (quad, look))
        likeliest.pop(int(self._deck.cards[match.look]), None)
        return list(likeliest.values())[:RIVALS]

    def _fit(self, match: CardMatch) -> float:
        """The share of the visible pattern that the card explains by pixels; 1 if too little is visible."""
        if match.support <= LEAST_SUPPORT:
            return 1.0
        card = self.scene.card_at(match.quad)
        return 1.0 - self._deck.pixel_matcher.residual(card, match.seen, match.look)

    def matched(self, card: VerifiedCard) -> CardMatch:
        """The match of a card that the verifier found."""
        match = self._scorer.score_as(card.quad, 0, card.look)
        return replace(self._with_pixel_match(match), probability=card.probability, distinct=card.features)

    def _evaluate_known(self, candidate: Candidate, inliers: int, distinct: int) -> CardMatch:
        """The match of an identified candidate, whose quad is refined onto its card."""
        freedom = 8 if inliers >= 15 else 6
        moved, _ = refine_quad(
            self.scene, candidate.quad, self._deck.light_template(candidate.look), freedom=freedom
        )
        found = [self._scorer.score_as(quad, inliers, candidate.look) for quad in (moved, candidate.quad)]
        return replace(min(found, key=_COST), distinct=distinct)
