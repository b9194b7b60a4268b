"""Evaluates card hypotheses: which card is within a quad, how well it fits, how much of it is visible.

A hypothesis is an outline, or a pose on which local features agree. Its quad is moved onto a likely look and
compared with the looks of the deck in both orientations, over the visible blocks only: a covering card, a
finger or glare removes its blocks from the comparison instead of spoiling it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.cards.quad_score import COST, MOST_TRIED, RANK_OF_COST, QuadScorer, lowest
from companion.vision.cards.verified_places import VerifiedCard
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.limits import SearchLimits, search_limits
from companion.vision.match.refine import refine_quad
from companion.vision.match.score import VISIBLE_COST, CardMatch


@dataclass(frozen=True)
class Candidate:
    """A look that a quad might show, and what it costs before the quad is moved onto it."""

    cost: float
    look: int
    quad: Floats


class Evaluator:
    """Evaluates hypotheses in one picture against one deck."""

    def __init__(
        self,
        image: Image,
        deck: Deck,
        expected: frozenset[str] | None = None,
        *,
        soft: bool = False,
        limits: SearchLimits | None = None,
    ) -> None:
        """`expected`: labels of the cards that may be there; another one must fit clearly better. `soft`: the
        picture is a webcam's, whose cards the verifier names. `limits`: those shipped if none are given."""
        self.scene = descriptor.PicturePyramid(image)
        self._deck = deck
        self._soft = soft
        limits = limits or search_limits()
        self._limits, self._strip_limits = limits.ends, limits.strips
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
        found = []
        for at, quad in enumerate(quads):
            poses = (quad, geometry.rotated_half_turn(quad))
            ranked = zip(totals[at].tolist(), chosen[at].tolist(), ways[at], strict=True)
            candidates = [Candidate(cost, look, poses[way]) for cost, look, way in ranked]
            found.append(sorted(candidates, key=COST)[:MOST_TRIED])
        return found

    def rank_proposals(self, quad: Floats, looks: Sequence[int]) -> list[Candidate]:
        """The looks that features proposed for a place, those first that explain most of it."""
        card = descriptor.describe(self.scene.rectified_fast(quad))
        proposed = np.asarray(looks)
        costs = self._deck.gallery.costs(card, proposed)
        explained = (self._deck.weights[proposed] * np.maximum(VISIBLE_COST - costs, 0.0)).sum(axis=1)
        return [
            Candidate(float(costs[i].mean() + self._handicap[proposed[i]]), int(proposed[i]), quad)
            for i in np.argsort(-explained)[:MOST_TRIED]
        ]

    def evaluate(self, candidates: Sequence[Candidate], inliers: int = 0) -> CardMatch | None:
        """Moves the quad onto the card and decides which card it is, trying the candidates in turn.

        A quad refined onto the wrong one of two similar cards hides the right one, so each candidate starts
        from its own quad, and a look that fits better after a refinement is tried as well. `candidates`: best
        first; `inliers`: features that agree on the pose, 0 for an outline. None for an outline that shows
        nothing like a card.
        """
        freedom = self._freedom(inliers)
        best: CardMatch | None = None
        tried: set[tuple[int, int]] = set()
        waiting = list(candidates)
        most = MOST_TRIED if inliers == 0 else self._limits.tried_by_features
        while waiting and len(tried) < most:
            candidate = waiting.pop(0)
            if (candidate.look, _orientation(candidate.quad)) in tried:
                continue
            tried.add((candidate.look, _orientation(candidate.quad)))
            moved, cost = refine_quad(
                self.scene,
                candidate.quad,
                self._deck.light_template(candidate.look),
                freedom=freedom,
                marks=self._deck.marks[candidate.look] if inliers == 0 else None,
                most_cost=self._limits.unlike_marks,
            )
            if inliers == 0 and cost > self._limits.unlike_marks:
                break
            better = self._scorer.score(moved, inliers)
            if better.look != candidate.look:
                waiting.insert(0, Candidate(better.cost, better.look, better.quad))
            best = better if best is None else min(best, better, key=COST)
            if best.is_clear(self._limits) or best.is_hopeless(self._limits):
                break
        if best is None:
            return None
        is_settled = self._soft or best.is_clear(self._limits)
        asked = not is_settled and best.support > self._limits.rivals_support
        return self._fitted(self._after_rivals(best) if asked else best)

    def _after_rivals(self, match: CardMatch) -> CardMatch:
        """The best match after other likely cards were fitted to the place, until one is clear: cards of one
        colour share most marks, and a quad that was moved onto the wrong one of them hides the right one. In
        a webcam's picture the verifier does that."""
        for quad, look in self._rivals(match):
            moved, _ = refine_quad(self.scene, quad, self._deck.light_template(look))
            match = min(match, self._scorer.score(moved, match.inliers), key=COST)
            if match.is_clear(self._limits):
                break
        return match

    def _rivals(self, match: CardMatch) -> list[tuple[Floats, int]]:
        """Quad and look of the other cards that fit best, in their better orientation, likeliest first."""
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
        return list(likeliest.values())[: self._limits.rivals]

    def _fitted(self, match: CardMatch) -> CardMatch:
        """The match with the share of the visible pattern that its card explains by pixels."""
        if not match.seen.any():
            return match
        card = self.scene.card_at(match.quad)
        fit = self._deck.strip_templates.fit(card, match.seen, match.look, self._strip_limits)
        return replace(match, fit=fit)

    def matched(self, card: VerifiedCard) -> CardMatch:
        """The match of a card that the verifier found."""
        match = self._scorer.score_as(card.quad, 0, card.look)
        return replace(self._fitted(match), probability=card.probability, distinct=card.features)

    def identified(self, quad: Floats, look: int, inliers: int, distinct: int) -> CardMatch:
        """The match of a look that features identify, as its quad lies or moved onto the card, whichever fits
        better: `inliers` of them agree, and `distinct` of those are of no other card."""
        moved, _ = refine_quad(
            self.scene, quad, self._deck.light_template(look), freedom=self._freedom(inliers)
        )
        found = [self._scorer.score_as(pose, inliers, look) for pose in (moved, quad)]
        return replace(self._fitted(min(found, key=COST)), distinct=distinct)

    def _freedom(self, inliers: int) -> int:
        """How many degrees of freedom a quad is moved with: 6 (affine) where few features agree on it,
        because little of the card can be seen then; 8 otherwise, and for outlines (0 features)."""
        return 6 if 0 < inliers < self._limits.firm_pose else 8


def _orientation(quad: Floats) -> int:
    """1 if the top of a quad is up (to the left, if the quad lies more across), else 0."""
    down = quad[2:].sum(axis=0) - quad[:2].sum(axis=0)
    return int(down[1] > 0 if abs(down[1]) > abs(down[0]) else down[0] > 0)
