"""Scores every place of the lattice: how likely a card is there, and which.

A place is compared twice where it was found: in plain light (colours.py), and as a card that may have glare,
lie in a shadow or lie under a neighbour's edge (glare.py). A card is named only if both comparisons together
have a clear favourite. Whether a card is there at all is the log-odds of a logistic function of both
comparisons, the outline, and the distance from where the other cards let it be expected.

The weights were fitted once by logistic regression on rendered boards of both decks (like those of
bench/lattice/scenes.py); neither the data nor a command that fits them again is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.cells import Cell, LatticePicture

GLARE_SHARE = 0.12
"""Share of clipped points from which the comparison in plain light is not used, unless it is the better one.
"""
LARGEST_LEAD = 0.25
"""Larger leads count as this."""
SIMILARITY_WEIGHT, COST_WEIGHT, GLARE_SIMILARITY_WEIGHT, LEAD_WEIGHT, OFFSET_WEIGHT = (
    1.9,
    -12.7,
    8.8,
    4.9,
    -17.3,
)
FIRST_SIDE_WEIGHT, SECOND_SIDE_WEIGHT, INTERCEPT = 5.9, 2.7, -3.7
"""Weights: see `Weighed.odds`."""
PRESENT, POSSIBLE = 1.0, -2.0
"""Log-odds from which a card is present, and from which one may be."""
DISTINCT_LEAD, AGREED_LEAD = 0.08, 0.04
"""Least lead of a card over the others, and the same if both comparisons favour it."""
LEAST_PATTERN, LEAD_WITHOUT_PATTERN = 0.55, 0.2
"""Sum of both pattern similarities from which the card's pattern is visible; without it, the lead that is
needed instead, because prints on a table have outlines and colours too."""
LEAD_IF_PLAIN, PLAINLY_PRESENT = 0.15, 2.5
"""The lead and the log-odds that together are enough instead of LEAD_WITHOUT_PATTERN."""
WHOLE_OUTLINE, OUTLINED_PRESENT = 0.9, 2.0
"""Visible share of each side, and log-odds, that are enough instead of the pattern: nothing but a card has an
outline of that size at that place."""
TIE_MARGIN = 0.01
"""By how much a comparison may favour another card without contradicting."""


@dataclass(frozen=True)
class PlaceScore:
    """What a place shows. `cell`: in plain light. `costs` (cards): mean of both comparisons, 0 to 1. `sides`
    (3,): visible share of each side, least first."""

    cell: Cell
    costs: Floats
    agreed: bool
    glare_similarity: float
    sides: Floats
    has_glare: bool = False
    """Whether so much of it is burnt out that the look in plain light does not count."""
    found_late: bool = False
    """Whether it is sure only since its pose was refined (pose_refinement)."""
    verified: bool = False
    """Whether a look under added light proved it (lattice_proven): `costs` are that one's then."""
    doubted: bool = False
    """Whether that look took its name back."""
    other: int | None = None
    """The card that spoke against the name then."""

    @staticmethod
    def of(cell: Cell, table: LatticePicture, others: Sequence[Floats]) -> PlaceScore:
        """A place evaluated in plain light, looked at again. `others` (3, 2 each, in pixels): cards that may
        be on it."""
        under, like = table.costs_under_glare(cell.corners, others)
        # a lamp may also burn out one colour of a card that is plain to see
        mirrored = float(table.burnt(cell.corners).mean()) > GLARE_SHARE and float(under.min()) < cell.cost
        agreed = not mirrored and float(cell.costs[under.argmin()]) <= cell.cost + TIE_MARGIN
        costs = np.asarray(under if mirrored else (cell.costs + under) / 2, np.float32)
        return PlaceScore(
            cell, costs, agreed, like, np.sort(table.side_contrast(cell.corners, others)), mirrored
        )

    @property
    def like(self) -> float:
        """How far the card's drawing is there in plain light."""
        return self.glare_similarity if self.has_glare else self.cell.like

    @property
    def card(self) -> int:
        """The card it is most like."""
        return int(self.costs.argmin())

    @property
    def second(self) -> int | None:
        """The other card that it may be, if only one of two is likely."""
        if self.other is not None or len(self.costs) < 2:
            return self.other
        order = np.argsort(self.costs)
        return int(order[1]) if self.lead < LARGEST_LEAD else None

    @property
    def lead(self) -> float:
        """How much less it is like any other."""
        rest = np.delete(self.costs, self.card)
        return float(rest.min() - self.costs[self.card]) if len(rest) else 1.0

    def features(self) -> tuple[float, ...]:
        """What `odds` weighs."""
        cost = float(self.costs[self.card])
        lead = min(self.lead, LARGEST_LEAD)
        first, second, _ = self.sides.tolist()
        return self.like, cost, self.glare_similarity, lead, self.cell.off, first, second

    @property
    def log_odds(self) -> float:
        """The log odds that a card is there."""
        weights = (
            SIMILARITY_WEIGHT,
            COST_WEIGHT,
            GLARE_SIMILARITY_WEIGHT,
            LEAD_WEIGHT,
            OFFSET_WEIGHT,
            FIRST_SIDE_WEIGHT,
            SECOND_SIDE_WEIGHT,
        )
        return INTERCEPT + sum(w * value for w, value in zip(weights, self.features(), strict=True))

    @property
    def is_sure(self) -> bool:
        """Whether the card there is identified."""
        if self.verified or self.doubted:
            return self.verified
        drawn = self.like + self.glare_similarity >= LEAST_PATTERN or self.lead >= LEAD_WITHOUT_PATTERN
        drawn = drawn or (self.lead >= LEAD_IF_PLAIN and self.log_odds >= PLAINLY_PRESENT)
        drawn = drawn or (float(self.sides.min()) >= WHOLE_OUTLINE and self.log_odds >= OUTLINED_PRESENT)
        return (
            drawn
            and self.log_odds >= PRESENT
            and self.lead >= (AGREED_LEAD if self.agreed else DISTINCT_LEAD)
        )

    @property
    def confidence(self) -> float:
        """The confidence that this card is there, 0 to 1."""
        least = AGREED_LEAD if self.agreed or self.verified else DISTINCT_LEAD
        if self.verified:
            return 1.0 / (1.0 + math.exp(-40.0 * (self.lead - least) - 1.0))
        return (0.5 if self.doubted else 1.0) / (
            1.0 + math.exp(-min(40.0 * (self.lead - least) + 1.0, self.log_odds))
        )
