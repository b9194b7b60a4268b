"""Decides which of several similar cards a soft or half hidden picture shows: each is fitted to the place by
itself.

A quad refined onto the wrong card ends where that card fits best, and the blocks in which it does not fit
look hidden. So every likely card is refined onto the place from the same starts, and all are compared over
the same pixels, those that any of them explains. The result is by how much the winner explains more, relative
to how much the two cards differ (see match.pixel_match): noise and blur, which affect all alike, cancel
out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.cards.compare import is_upside_down
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.pixel_match import PixelResiduals
from companion.vision.match.refine import FRAME, MOTIONS, refine_quad
from companion.vision.match.score import CardMatch, blocks_outside, is_acceptable, visible_blocks

LEAST_SUPPORT, LEAST_FIT, LEAST_SEEN = 25.0, 0.45, 0.4
"""Least support and fit of a match that is contested, and least share of visible blocks."""
SHORTLIST = 24
"""Looks that are compared, after a rough comparison with all of them."""
BLOCK_VOTERS = 8
"""Cards one of which must explain a block for it to count as seen."""
BY_PIXELS, BY_BLOCKS = 8, 2
"""Cards that are fitted to the place: the likeliest by either comparison."""
FINALISTS, FINALIST_GAP = 3, 0.12
"""How many of them are moved once more with care, if they leave hardly more unexplained than the best."""
LARGEST_RESIDUAL = 0.6
"""Share of the pattern left unexplained above which a card is not moved again."""
STEPS, ROUNDS = (1.0, 0.5), 2
"""Pixels of the rectified card by which its corners are moved then, and rounds of each."""
FEWEST_BLOCKS = 8
"""Blocks that must be seen."""


@dataclass(frozen=True)
class ContestWinner:
    """The winner: its look and quad, the share of the pattern seen that it explains, and its lead over the
    next card (1: the pixels are this card's, 0: undecided)."""

    look: int
    quad: Floats
    fit: float
    lead: float


def run_contest(
    scene: PicturePyramid, deck: Deck, quad: Floats, starts: Sequence[Floats]
) -> ContestWinner | None:
    """Which card lies in `quad`, in either orientation. All likely cards are refined onto it, from there and
    from each of `starts`. None if too little is visible."""
    ground = _ContestedPlace(scene, deck, quad)
    if ground.seen.sum() < FEWEST_BLOCKS:
        return None
    places = [
        quad,
        *(geometry.rotated_half_turn(start) if is_upside_down(quad, start) else start for start in starts),
    ]
    entries = sorted((ground.moved(*likely, places) for likely in ground.likely), key=_residual)
    near = [
        entry
        for entry in entries[:FINALISTS]
        if entry.left < min(entries[0].left + FINALIST_GAP, LARGEST_RESIDUAL)
    ]
    finalists = sorted((ground.polished(entry) for entry in near), key=_residual)
    first, *others = [*finalists, *entries[len(near) :]]
    own = ground.compared(first.quad, first.turned, [first.look])
    lead = 1.0
    for other in others:
        if deck.cards[other.look] != deck.cards[first.look]:
            turned = other.turned != first.turned
            pose = geometry.rotated_half_turn(first.quad) if turned else first.quad
            apart = own.distance_to(ground.compared(pose, other.turned, [other.look]), turned=turned)
            lead = min(lead, (other.left - first.left) / max(float(apart[0]), 1e-6))
    return ContestWinner(first.look, first.quad, 1.0 - first.left, lead)


def needs_contest(match: CardMatch) -> bool:
    """Whether a card certainly lies there and cannot be distinguished from the next one."""
    return (
        match.support > LEAST_SUPPORT
        and match.fit > LEAST_FIT
        and float(match.seen.mean()) > LEAST_SEEN
        and not is_acceptable(match)
    )


@dataclass(frozen=True)
class _FittedLook:
    """A look moved onto the place, and the share of the pattern that it leaves unexplained there."""

    look: int
    turned: bool
    quad: Floats
    left: float


def _residual(entry: _FittedLook) -> float:
    return entry.left


class _ContestedPlace:
    """The place that is contested: the blocks (BLOCKS,) that any likely card explains, and the likeliest
    looks, each with whether it is upside down."""

    def __init__(self, scene: PicturePyramid, deck: Deck, quad: Floats) -> None:
        self._scene, self._deck = scene, deck
        described, shown = scene.card_at(quad).descriptor, ~blocks_outside(quad, scene.image.shape)
        costs, by_blocks = [], []
        for way in (1, -1):
            as_lies = described if way > 0 else descriptor.rotated_half_turn(described)
            ranks = deck.gallery.ranked(as_lies[None], shown[None, ::way])[0]
            chosen = np.argsort(ranks)[:SHORTLIST]
            cost = deck.gallery.costs(as_lies, chosen)[:, ::way]
            cost[:, ~shown] = 1.0
            costs.append(cost)
            by_blocks += [(float(c), int(i), way < 0) for c, i in zip(cost.mean(axis=1), chosen, strict=True)]
        best = _best_per_card(deck, by_blocks)
        both = np.concatenate(costs)
        of = [by_blocks.index(entry) for entry in best[:BLOCK_VOTERS]]
        self.seen = np.asarray(visible_blocks(both[of].min(axis=0)) & shown)
        self.likely: list[tuple[int, bool]] = []
        if self.seen.sum() < FEWEST_BLOCKS:
            return
        by_pixels = []
        for turned in (False, True):
            looks = [i for _, i, over in by_blocks if over == turned]
            left = self.compared(geometry.rotated_half_turn(quad) if turned else quad, turned, looks).residual
            by_pixels += [(float(x), i, turned) for x, i in zip(left, looks, strict=True)]
        chosen_ones = _best_per_card(deck, by_pixels, both_ways=True)[:BY_PIXELS] + best[:BY_BLOCKS]
        self.likely = list(dict.fromkeys((i, turned) for _, i, turned in chosen_ones))

    def compared(self, quad: Floats, turned: bool, looks: Sequence[int]) -> PixelResiduals:
        """Those looks compared with what is visible in `quad`, which is upside down if `turned`."""
        seen = self.seen[::-1] if turned else self.seen
        return self._deck.pixel_matcher.residuals(self._scene.card_at(quad), seen, np.array(looks))

    def moved(self, look: int, turned: bool, starts: Sequence[Floats]) -> _FittedLook:
        """The look refined onto the place from the start that leaves least unexplained."""
        found = []
        for start in starts:
            place = geometry.rotated_half_turn(start) if turned else start
            quad, _ = refine_quad(self._scene, place, self._deck.light_template(look), freedom=8)
            found.append(
                _FittedLook(look, turned, quad, float(self.compared(quad, turned, [look]).residual[0]))
            )
        return min(found, key=_residual)

    def polished(self, entry: _FittedLook) -> _FittedLook:
        """The entry after its quad was moved in ever smaller steps, each kept if more is explained: slower
        than the steps of companion.vision.match.refine, and not misled by blur and noise."""
        best = entry
        for step in STEPS:
            for _ in range(ROUNDS):
                before = best
                for motion in MOTIONS:
                    for way in (step, -step):
                        quad = geometry.transform(FRAME + way * motion, geometry.homography(FRAME, best.quad))
                        left = float(self.compared(quad, best.turned, [best.look]).residual[0])
                        if left < best.left:
                            best = replace(best, quad=quad, left=left)
                            break
                if best is before:
                    break
        return best


def _best_per_card(
    deck: Deck, ranked: Sequence[tuple[float, int, bool]], *, both_ways: bool = False
) -> list[tuple[float, int, bool]]:
    """The best entry (value, look, turned) of each card, or of each card and orientation, best first."""
    first: dict[tuple[int, bool], tuple[float, int, bool]] = {}
    for entry in sorted(ranked):
        first.setdefault((int(deck.cards[entry[1]]), both_ways and entry[2]), entry)
    return list(first.values())
