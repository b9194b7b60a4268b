"""A judgement: which card a hypothesis is, how well it fits, and whether that is enough for a name."""

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
"""The middles of the blocks on the unit card (BLOCKS, 2)."""
VISIBLE_COST = 0.5
"""Cost below which a block, taken with its neighbours, counts as seen."""
LEAST_FIT, LEAST_LEAD = 0.62, 0.35
"""Share of the seen pixels' pattern that a card must explain, and its least lead and margin together. On real
photographs right readings reach 0.86 and 0.83, on composed glare and hands 0.69 and 0.34; what is no card
stays below 0.6, a stranger with the same frame below 0.3."""
PROOF_FEATURES, CONTRADICTED_LEAD = 20, -0.5
"""So many features of no other card prove by themselves which card it is, glare on it or not; but not where
its pixels speak for another one by such a lead: then the features belong to a card beside it."""
SMALL_SHARE, SMALL_SHARE_FIT, DISTINCT_FIT = 0.25, 0.5, 0.4
"""What a card must explain that features of no other card tell, and how much more if so little of it is seen:
a draw two whose like in red alone is enrolled is a red one where nothing red is seen."""
CLEAR_FIT = 0.8
"""Share of the pattern below which a card must be further ahead of the next one: it is soft or glares."""
CONTEST_FIT, CONTEST_LEAD, CONTEST_TOTAL, CONTEST_SUPPORT = 0.56, 0.2, 0.35, 28.0
"""Fit, lead, and lead and margin together with which a card wins its contest, and the marks that must be seen
of it."""
CONTEST_SOFT_PENALTY = 0.8
"""How much further ahead it must be for what its fit is below CLEAR_FIT."""
CLEAR_LEAD = 0.5
"""Lead that makes up for a small difference block by block."""
LEAST_SUPPORT = 22.0
"""Marks that must fit where neither an outline nor features of its own tell that a card lies there."""
CLEAR_LEAD_SHARE = 0.6
"""Share of an outline that must be seen for its lead to make up for a small difference: of a dark back with a
ring on it rim and ground looked like the only dark card of a deck, and the ring passed for what covers it."""
MANY_FEATURES = 14
"""Features that must agree for a card that is also the likeliest by its looks to be named with a small
margin."""
STRIP_FIT = 0.62
"""Share of a strip that its card must explain for a label of its own, however far it is ahead of the others:
right ones explain 0.7 and more, squares of a checked cloth 0.2, the figures of a printed mat 0.5."""
LEAST_STRIP = 14
"""Blocks that a strip must have for a label of its own: with one row, what a pose leaves out of its card is a
strip already."""
NARROW_STRIP, STRIP_CLEAR_FIT, STRIP_CLEAR_LEAD = 28, 0.86, 0.8
"""A strip of so few blocks must reach one of these besides: with less, two of ten strips of uno, a fifth to a
quarter of the card, whose pose was a little off along the card, were taken for the next number."""
STRIP_CONTEST_FIT, STRIP_CONTEST_RATIO, STRIP_CONTEST_RATIO_WIDE, WIDE_STRIP = 0.75, 2.5, 3.0, 0.4
"""What a strip's card must explain, and how many times more the next card must leave unexplained where they
differ (see inks), if all cards contested it; and if more than such a share of the card is seen. Of 245 strips
of uno, a fifth to a half of the card, whose own card was not enrolled and that were looked at while this was
chosen, none reaches it."""
RATIO_ODDS = (0.3, 4.0)
"""Odds of such a reading, as logarithms: where the next card explains as much, and by the logarithm of that
ratio."""
STRIP_CONFIDENCE = 0.9
"""Confidence below which the strip of a covered card gets no label."""


@dataclass(frozen=True)
class CardMatch:
    """A hypothesis after judgement. Costs run from 0 (same) to 1 (nothing in common)."""

    quad: Floats
    look: int
    label: str
    descriptor: Bytes
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
    is_alone: bool = False
    """Hardly any other card has features of its own that agree on the pose."""
    fit: float = 0.0
    """Share of what the seen blocks show that the card explains, pixel by pixel (see telling)."""
    lead: float = 0.0
    """Where between this card and the closest other one the seen pixels lie: 1 as this, -1 as that one."""
    is_contested: bool = False
    """`fit` and `lead` come from a contest in which every likely card was given the place for itself."""
    ratio: float = 0.0
    """How many times more the next card leaves unexplained of a contested strip."""
    is_strip: bool = False
    """Read from what sticks out from under another card: `seen_cost` is the share of it left unexplained."""

    def gain_of(self, blocks: Array) -> float:
        """What some of the blocks seen (BLOCKS,), bool, add to `gain`."""
        return float((self.weights * (VISIBLE_COST - self.costs))[blocks & self.seen].sum())

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


def blocks_outside(quad: Floats, shape: tuple[int, ...]) -> Array:
    """The blocks of a card in `quad` whose middle lies outside a picture of that shape (BLOCKS,), bool."""
    x, y = geometry.transform(BLOCK_CENTRES, geometry.homography(geometry.UNIT, quad)).T
    return np.asarray((x < 0) | (y < 0) | (x > shape[1] - 1) | (y > shape[0] - 1))


def visible_blocks(costs: Floats) -> Array:
    """Which blocks belong to the visible part: those that fit together with their neighbours (BLOCKS,)."""
    grid = np.ascontiguousarray(costs.reshape(BLOCK_GRID))
    near = cv2.blur(grid, (3, 3), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(((near < VISIBLE_COST) | (grid < 0.6 * VISIBLE_COST) & (near < 0.7)).ravel())


def is_acceptable(judged: CardMatch) -> bool:
    """Whether a reading is good enough to be given a label.

    Part of a card under another pose, a dark corner or a stranger with the same frame may fit block by block;
    their pixels are not explained, or no better by this card than by the next.
    """
    share = float(judged.seen.mean())
    if judged.distinct:
        least = -0.2 if judged.is_alone else 0.2
        clear = judged.lead > least or (judged.distinct >= PROOF_FEATURES and judged.lead > CONTRADICTED_LEAD)
        fits = judged.fit > (DISTINCT_FIT if share > SMALL_SHARE else SMALL_SHARE_FIT)
        return judged.seen_cost < 0.42 and fits and clear and judged.support > 8.0
    if judged.is_contested:
        return _won_contest(judged)
    if judged.fit < LEAST_FIT or judged.lead + judged.margin < LEAST_LEAD:
        return False
    doubt = 0.8 * max(0.0, CLEAR_FIT - judged.fit)
    if judged.lead > CLEAR_LEAD and (judged.inliers > 0 or share > CLEAR_LEAD_SHARE):
        doubt -= 0.05
    if share > 0.75 and judged.cost < 0.42:
        return judged.margin > 0.15 + doubt
    if judged.support < LEAST_SUPPORT:
        return False
    if judged.inliers == 0:
        return share > 0.45 and judged.seen_cost < 0.36 and judged.margin > 0.2 + doubt
    if judged.inliers >= MANY_FEATURES and judged.seen_cost < 0.4 and judged.margin > 0.04 + doubt:
        return judged.lead > CLEAR_LEAD
    return judged.seen_cost < 0.34 and judged.margin > 0.17 + doubt


def _won_contest(judged: CardMatch) -> bool:
    """Whether a contest was won clearly enough for a name."""
    least = CONTEST_TOTAL + CONTEST_SOFT_PENALTY * max(0.0, CLEAR_FIT - judged.fit)
    ahead = judged.lead > CONTEST_LEAD and judged.margin > 0.04 and judged.lead + judged.margin > least
    much = judged.support > CONTEST_SUPPORT and float(judged.seen.mean()) > 0.45
    return ahead and much and judged.fit > CONTEST_FIT


def confidence(judged: CardMatch) -> float:
    """How sure a reading is, 0 to 1: from the fit, the lead over the next best card, the part seen and the
    features of no other card.

    The slopes are judged from composed pictures of cards held, glaring and covered, on which nearly all wrong
    names are of narrow strips with a small lead.
    """
    fit = 1.0 - judged.seen_cost
    if judged.is_strip and judged.is_contested:
        odds = RATIO_ODDS[0] + RATIO_ODDS[1] * float(np.log(max(judged.ratio, 0.1)))
    elif judged.is_strip:
        odds = (
            -0.5 + 5.0 * (judged.margin - 0.35) + 2.0 * (fit - 0.3) + 0.06 * (float(judged.seen.sum()) - 16)
        )
    else:
        odds = 2.2 + 6.0 * (judged.margin - 0.2) + 0.15 * (judged.gain - 5.0) + 6.0 * (fit - 0.8)
        odds += 0.15 * min(judged.distinct, 30)
    return float(1.0 / (1.0 + np.exp(-odds)))


def is_labelled(judged: CardMatch) -> bool:
    """Whether a reading is worth a label of its own. What sticks out from under a card may be the table's
    own pattern: on 214 real photographs every right reading had .99, the four false ones .82."""
    if not judged.is_strip:
        return True
    blocks = int(judged.seen.sum())
    if blocks < LEAST_STRIP:
        return False
    if judged.is_contested:
        least = STRIP_CONTEST_RATIO if judged.seen.mean() < WIDE_STRIP else STRIP_CONTEST_RATIO_WIDE
        return judged.fit > STRIP_CONTEST_FIT and judged.ratio > least
    clear = blocks > NARROW_STRIP or judged.fit > STRIP_CLEAR_FIT or judged.lead > STRIP_CLEAR_LEAD
    return clear and confidence(judged) >= STRIP_CONFIDENCE and judged.fit > STRIP_FIT
