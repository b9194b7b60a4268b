"""Scores of a card hypothesis.

`CardMatch` holds what was measured: block costs, visible blocks, margin over rivals, pixel fit. Whether a
match is named, and how sure that is, the verifier says (companion.vision.verifier.limits)."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match import descriptor
from companion.vision.match.limits import EndLimits

BLOCK_CENTRES = geometry.cell_centres(descriptor.COLUMNS, descriptor.ROWS)
"""Centres of the blocks on the unit card (BLOCKS, 2)."""

VISIBLE_COST, VISIBLE_OWN_COST, VISIBLE_AREA_COST = 0.5, 0.3, 0.7
"""A block is visible if the mean cost of its 3 x 3 neighbourhood is below the first, or if its own cost is
below the second and the mean below the third."""
LEAST_FIT = 0.62
"""Least fit of a match that looks like a card. On photographs right matches have 0.86 (median), on composed
glare and hands 0.69; what is no card stays below 0.6."""
OPEN_SHARE = 0.75
"""Visible share above which a card is open."""


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
    """By how much the closest rivals cost more, over the visible blocks in which they differ from it."""
    support: float
    """Marks that fit: visible blocks, weighted by how much is drawn in them and by 1 - cost."""
    weights: Floats
    """How much is drawn in each block of the card (BLOCKS,), 0 to 1."""
    gain: float
    """Marks explained less marks contradicted; competing matches are ranked by it."""
    inliers: int
    """Local features that agree on the pose; 0 for an outline."""
    distinct: int = 0
    """How many of these features no other card of the deck has."""
    fit: float = 0.0
    """Share of the visible pattern that the card explains, pixel by pixel (see match.strip_templates)."""
    probability: float | None = None
    """Of the card, by the verifier (companion.vision.verifier.limits); None if that was not asked."""

    @property
    def is_open(self) -> bool:
        """Whether so much of it is seen that nothing lies on it."""
        return float(self.seen.mean()) > OPEN_SHARE

    @property
    def telling_features(self) -> int:
        """The features of this card only, if a part of it is hidden. Of an open card they tell no more than
        the verifier does: a card that is not enrolled may have them as well."""
        return self.distinct if float(self.seen.mean()) < OPEN_SHARE else 0

    def gain_of(self, blocks: Array) -> float:
        """The part of `gain` that these blocks (BLOCKS,), bool, contribute."""
        return float((self.weights * (VISIBLE_COST - self.costs))[blocks & self.seen].sum())

    @property
    def is_likely(self) -> bool:
        """Whether its pixels look like its card; if the verifier knows the deck, it decides what is named."""
        return self.probability is not None or self.fit > LEAST_FIT

    @property
    def confidence(self) -> float:
        """How sure it is, 0 to 1: its probability by the verifier, or the share of its pattern that it
        explains if the verifier does not know the deck."""
        return self.fit if self.probability is None else self.probability

    def is_clear(self, limits: EndLimits) -> bool:
        """Whether it fits so well, and so much better than others, that nothing else is tried there."""
        if self.cost < limits.clear_cost and self.margin > limits.clear_margin:
            return True
        certain = self.seen_cost < limits.certain_cost and self.margin > limits.certain_margin
        return certain and self.support > limits.certain_support

    def is_hopeless(self, limits: EndLimits) -> bool:
        """Whether no card fits: an outline of something else, or features that contradict each other."""
        if self.inliers == 0:
            return self.cost > limits.hopeless_cost and self.support < limits.hopeless_outline_support
        return self.support < limits.hopeless_support


def blocks_outside(quad: Floats, shape: tuple[int, ...]) -> Array:
    """The blocks of a card in `quad` whose centre lies outside a picture of that shape (BLOCKS,), bool."""
    x, y = geometry.transform(BLOCK_CENTRES, geometry.homography(geometry.UNIT, quad)).T
    return np.asarray((x < 0) | (y < 0) | (x > shape[1] - 1) | (y > shape[0] - 1))


def support_of(weights: Floats, costs: Floats) -> float:
    """The marks that fit: the `weights` of blocks (BLOCKS,), 0 if not visible, by 1 - cost."""
    return float((weights * (1.0 - costs)).sum())


def visible_blocks(costs: Floats) -> Array:
    """The visible blocks by their costs: those that fit together with their neighbours (BLOCKS,), bool."""
    grid = np.ascontiguousarray(costs.reshape(descriptor.ROWS, descriptor.COLUMNS))
    near = cv2.blur(grid, (3, 3), borderType=cv2.BORDER_REPLICATE)
    visible = (near < VISIBLE_COST) | (grid < VISIBLE_OWN_COST) & (near < VISIBLE_AREA_COST)
    return np.asarray(visible.ravel())
