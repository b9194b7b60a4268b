"""Scores of a card hypothesis, and the thresholds that decide whether it is named.

`CardMatch` holds what was measured: block costs, visible blocks, margin over rivals, pixel fit and lead.
`is_acceptable` decides whether the match stands, `is_labelled` whether it is reported, `confidence` how sure
it is.

The thresholds were set by hand on photographs and rendered pictures; no command fits them again. What each
one was set on stands beside it where that is known. tests/vision/test_score.py fails when one of them moves
by half."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match import descriptor

BLOCK_GRID = (descriptor.ROWS, descriptor.COLUMNS)
BLOCK_CENTRES = np.stack(
    np.meshgrid(
        (np.arange(descriptor.COLUMNS) + 0.5) / descriptor.COLUMNS,
        (np.arange(descriptor.ROWS) + 0.5) / descriptor.ROWS,
    ),
    axis=2,
).reshape(-1, 2)
"""Centres of the blocks on the unit card (BLOCKS, 2)."""

# --- which blocks are visible -----------------------------------------------------------------------------

VISIBLE_COST, VISIBLE_OWN_COST, VISIBLE_AREA_COST = 0.5, 0.3, 0.7
"""A block is visible if the mean cost of its 3 x 3 neighbourhood is below the first, or if its own cost is
below the second and the mean below the third."""

# --- matches that need no further search --------------------------------------------------------------------

CERTAIN_COST, CERTAIN_MARGIN, CERTAIN_SUPPORT = 0.13, 0.3, 15.0
"""Largest visible cost, least margin and least support of a match that no other card can beat."""
CLEAR_COST, CLEAR_MARGIN = 0.2, 0.5
"""Largest cost and least margin at which no other card is tried in this quad."""
SETTLED_MARGIN, SETTLED_SHARE = 0.4, 0.9
"""Least margin and visible share at which, with a cost below CLEAR_COST, no other pose is tried at this
place."""
GIVE_UP_COST, GIVE_UP_OUTLINE_SUPPORT, GIVE_UP_SUPPORT = 0.6, 20.0, 8.0
"""No other card is tried for an outline above this cost and below this support, nor for a pose from features
below the last support."""

# --- matches by features that no other card has -------------------------------------------------------------

DISTINCT_COST, DISTINCT_SUPPORT = 0.42, 8.0
"""Largest visible cost and least support of a card identified by features that no other card has."""
DISTINCT_LEAD, DISTINCT_LEAD_ALONE = 0.2, -0.2
"""Least lead of such a card; the second if hardly any other card has features of its own there."""
PROOF_FEATURES, CONTRADICTED_LEAD = 20, -0.5
"""So many such features identify the card whatever its lead, glare included, unless the lead is below the
second: then the features belong to a card beside it."""
SLIVER_SHARE, SLIVER_FEATURES = 0.3, 10
"""Visible share below which so many distinct features are needed: a card that is not enrolled may share some
with one enrolled card only. With half decks the right ones (one deck of trading cards) had 11 and more, cards
that are not enrolled (uno) 6 to 8."""
SMALL_SHARE, SMALL_SHARE_FIT, DISTINCT_FIT = 0.25, 0.5, 0.4
"""Least fit of such a card is DISTINCT_FIT, or SMALL_SHARE_FIT if at most SMALL_SHARE of it is visible. If
only the red Draw Two of a deck is enrolled, the Draw Two of another colour matches it where no coloured area
is visible."""

# --- matches by their appearance ----------------------------------------------------------------------------

LEAST_FIT, LEAST_LEAD = 0.62, 0.35
"""Least fit, and least sum of lead and margin. On photographs right matches have 0.86 and 0.83 (median), on
composed glare and hands 0.69 and 0.34; what is no card stays below 0.6, an unknown card with the same frame
below 0.3."""
CLEAR_FIT, SOFT_PENALTY = 0.8, 0.8
"""Fit below which a card is soft or has glare; for each unit below it the least margin rises by the
second."""
CLEAR_LEAD, CLEAR_LEAD_BONUS, CLEAR_LEAD_SHARE = 0.5, 0.05, 0.6
"""Above this lead the least margin falls by the bonus. An outline must also be visible by more than the
share: rim and centre of a dark card back with a ring on it matched the only dark card of a deck, and the ring
counted as a cover."""
OPEN_SHARE, OPEN_COST, OPEN_MARGIN = 0.75, 0.42, 0.15
"""A card visible by more than this share, below this cost, needs this margin and no other support."""
LEAST_SUPPORT = 22.0
"""Least support of a card visible by less."""
OUTLINE_SHARE, OUTLINE_COST, OUTLINE_MARGIN = 0.45, 0.36, 0.2
"""Least visible share, largest visible cost and least margin of such a card found by its outline."""
MANY_FEATURES, MANY_COST, MANY_MARGIN = 14, 0.4, 0.04
"""From so many agreeing features on, a card with CLEAR_LEAD may have this visible cost and this small a
margin."""
FEATURE_COST, FEATURE_MARGIN = 0.34, 0.17
"""Largest visible cost and least margin of a card found by fewer features."""

# --- strips: the visible end of a covered card --------------------------------------------------------------

LEAST_STRIP = 14
"""Fewest visible blocks of a strip. One row of blocks (8) is what an inexact pose leaves beside its card."""
STRIP_FIT, STRIP_RATIO, WIDE_STRIP_RATIO, WIDE_STRIP = 0.75, 2.5, 3.0, 0.4
"""Least fit; least ratio of what the next card leaves unexplained to what this
one does, and the same if more than WIDE_STRIP of the card is visible. Of 245 strips of Uno cards that were
not enrolled none reached it; these strips were used to choose the values."""

# --- confidence: log-odds -----------------------------------------------------------------------------------

RATIO_LOG_ODDS = (0.3, 4.0)
"""Strip: intercept, and slope by the logarithm of the ratio."""
LEAST_RATIO = 0.1
"""Smaller ratios count as this."""
CARD_LOG_ODDS = (2.2, 6.0, 0.15, 6.0, 0.15)
"""Other cards: intercept, and slopes by margin - 0.2, by gain - 5, by fit - 0.8 and by distinct features."""
CARD_ORIGIN = (0.2, 5.0, 0.8)
MOST_DISTINCT = 30
"""More distinct features than this add nothing."""


@dataclass(frozen=True)
class CardMatch:
    """A card hypothesis with its scores. Costs run from 0 (same) to 1 (nothing in common)."""

    quad: Floats
    """Corners of the whole card (4, 2) in pixels, clockwise from its own top left."""
    look: int
    label: str
    descriptor: Bytes
    """Descriptor of what is seen in the quad (VALUES,)."""
    costs: Floats
    """Cost of every block (BLOCKS,)."""
    seen: Array
    """Which blocks are visible (BLOCKS,), bool."""
    cost: float
    """Mean cost over the whole card."""
    seen_cost: float
    """Mean cost over the visible blocks."""
    margin: float
    """By how much the closest rivals cost more, over the visible blocks in which they differ from this
    card."""
    support: float
    """Marks that fit: visible blocks, weighted by how much is drawn in them and by 1 - cost."""
    weights: Floats
    """How much is drawn in each block of the card (BLOCKS,), 0 to 1."""
    gain: float
    """Marks explained less marks contradicted; competing matches are ranked by it."""
    inliers: int
    """Local features that agree on the pose; 0 for an outline."""
    distinct: int = 0
    """Those of them that no other card of the deck has."""
    is_alone: bool = False
    """Hardly any other card has features of its own that agree on the pose."""
    fit: float = 0.0
    """Share of the visible pattern that the card explains, pixel by pixel (see match.pixel_match)."""
    lead: float = 0.0
    """Position of the visible pixels between this card (1) and the closest other one (-1)."""
    strip_ratio: float | None = None
    """Of a strip, the end that sticks out from under another card: how many times more the next card leaves
    unexplained of it. None for other matches."""
    probability: float | None = None
    """Of the card, by the verifier (see cards.verified_places); None if that was not asked."""

    @property
    def telling_features(self) -> int:
        """The features of this card only, if a part of it is hidden. Of an open card they tell no more than
        the verifier does: a card that is not enrolled may have them as well."""
        return self.distinct if float(self.seen.mean()) < OPEN_SHARE else 0

    def gain_of(self, blocks: Array) -> float:
        """The part of `gain` that these blocks (BLOCKS,), bool, contribute."""
        return float((self.weights * (VISIBLE_COST - self.costs))[blocks & self.seen].sum())

    @property
    def is_certain(self) -> bool:
        """Whether the fit is so close that no other card can be right here."""
        return (
            self.seen_cost < CERTAIN_COST and self.margin > CERTAIN_MARGIN and self.support > CERTAIN_SUPPORT
        )

    @property
    def is_clear(self) -> bool:
        """Whether no other card needs to be tried in this quad."""
        return self.is_certain or (self.cost < CLEAR_COST and self.margin > CLEAR_MARGIN)

    @property
    def is_settled(self) -> bool:
        """Whether the card is wholly visible and fits so well that nothing else is tried at its place."""
        whole = float(self.seen.mean()) > SETTLED_SHARE
        return self.is_certain or (self.cost < CLEAR_COST and self.margin > SETTLED_MARGIN and whole)

    @property
    def is_hopeless(self) -> bool:
        """Whether no card at all fits: an outline of something else, or features that contradict each
        other."""
        if self.inliers == 0:
            return self.cost > GIVE_UP_COST and self.support < GIVE_UP_OUTLINE_SUPPORT
        return self.support < GIVE_UP_SUPPORT


def blocks_outside(quad: Floats, shape: tuple[int, ...]) -> Array:
    """The blocks of a card in `quad` whose centre lies outside a picture of that shape (BLOCKS,), bool."""
    x, y = geometry.transform(BLOCK_CENTRES, geometry.homography(geometry.UNIT, quad)).T
    return np.asarray((x < 0) | (y < 0) | (x > shape[1] - 1) | (y > shape[0] - 1))


def support_of(weights: Floats, costs: Floats) -> float:
    """The marks that fit: blocks (BLOCKS,), weighted by how much is drawn in them if they are visible, and by
    1 - cost."""
    return float((weights * (1.0 - costs)).sum())


def visible_blocks(costs: Floats) -> Array:
    """The visible blocks by their costs: those that fit together with their neighbours (BLOCKS,), bool."""
    grid = np.ascontiguousarray(costs.reshape(BLOCK_GRID))
    near = cv2.blur(grid, (3, 3), borderType=cv2.BORDER_REPLICATE)
    visible = (near < VISIBLE_COST) | (grid < VISIBLE_OWN_COST) & (near < VISIBLE_AREA_COST)
    return np.asarray(visible.ravel())


def is_acceptable(match: CardMatch) -> bool:
    """Whether a match is good enough to be given a label.

    Part of a card in another pose, a dark corner or an unknown card with the same frame may fit block by
    block; their pixels are not explained, or no better by this card than by the next."""
    if match.probability is not None:
        return True
    share = float(match.seen.mean())
    if match.distinct:
        return _is_acceptable_by_features(match, share)
    if match.fit < LEAST_FIT or match.lead + match.margin < LEAST_LEAD:
        return False
    extra = SOFT_PENALTY * max(0.0, CLEAR_FIT - match.fit)
    if match.lead > CLEAR_LEAD and (match.inliers > 0 or share > CLEAR_LEAD_SHARE):
        extra -= CLEAR_LEAD_BONUS
    if share > OPEN_SHARE and match.cost < OPEN_COST:
        return match.margin > OPEN_MARGIN + extra
    if match.support < LEAST_SUPPORT:
        return False
    if match.inliers == 0:
        fits = share > OUTLINE_SHARE and match.seen_cost < OUTLINE_COST
        return fits and match.margin > OUTLINE_MARGIN + extra
    if match.inliers >= MANY_FEATURES and match.seen_cost < MANY_COST and match.margin > MANY_MARGIN + extra:
        return match.lead > CLEAR_LEAD
    return match.seen_cost < FEATURE_COST and match.margin > FEATURE_MARGIN + extra


def _is_acceptable_by_features(match: CardMatch, share: float) -> bool:
    """The same for a card identified by features that no other card has."""
    least = DISTINCT_LEAD_ALONE if match.is_alone else DISTINCT_LEAD
    proven = match.distinct >= PROOF_FEATURES and match.lead > CONTRADICTED_LEAD
    fits = match.fit > (DISTINCT_FIT if share > SMALL_SHARE else SMALL_SHARE_FIT)
    enough = match.seen_cost < DISTINCT_COST and match.support > DISTINCT_SUPPORT
    if share < SLIVER_SHARE and match.distinct < SLIVER_FEATURES:
        return False
    return enough and fits and (match.lead > least or proven)


def confidence(match: CardMatch) -> float:
    """How sure a match is, 0 to 1: a logistic function of its fit, its margin over the next card, the part
    that is visible and the features of no other card.

    The slopes were chosen by hand on composed pictures of cards held, with glare and covered. Nearly all
    wrong names there are of narrow strips with a small margin."""
    if match.probability is not None:
        return match.probability
    if match.strip_ratio is not None:
        begin, slope = RATIO_LOG_ODDS
        odds = begin + slope * float(np.log(max(match.strip_ratio, LEAST_RATIO)))
    else:
        begin, by_margin, by_gain, by_fit, by_features = CARD_LOG_ODDS
        odds = begin + by_margin * (match.margin - CARD_ORIGIN[0]) + by_gain * (match.gain - CARD_ORIGIN[1])
        odds += by_fit * (1.0 - match.seen_cost - CARD_ORIGIN[2])
        odds += by_features * min(match.distinct, MOST_DISTINCT)
    return float(1.0 / (1.0 + np.exp(-odds)))


def is_labelled(match: CardMatch) -> bool:
    """Whether a match is reported with a label. A strip must pass more: what sticks out from under a card may
    be a pattern of the table."""
    if match.strip_ratio is None:
        return True
    least = STRIP_RATIO if match.seen.mean() < WIDE_STRIP else WIDE_STRIP_RATIO
    return int(match.seen.sum()) >= LEAST_STRIP and match.fit > STRIP_FIT and match.strip_ratio > least
