"""How likely each card of the deck lies at a place of the lattice.

Every place is compared in plain light (colours.py) and as a card that may have glare, lie in a shadow or lie
under a neighbour's edge (glare.py). A likely one is compared under added light too (added_light.py). What all
of it says together is a probability of each card and of none (limits.PlaceModel): a card is named if its own
is large enough, and asked about otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.added_light import AddedLightModel
from companion.vision.lattice.cells import Cell, LatticePicture
from companion.vision.lattice.limits import LatticeEvidence, LatticeLimits, lattice_limits
from companion.vision.triangles.limits import triangle_limits

SMALLEST = 1e-12


@dataclass(frozen=True, eq=False)
class PlaceScore:
    """A place: its `cell` in plain light, what it shows, the probability of each card (cards,; what is left
    to 1 is that of none), and whether its card is identified."""

    cell: Cell
    evidence: LatticeEvidence
    probabilities: Floats
    is_sure: bool

    @property
    def card(self) -> int:
        """The likeliest card."""
        return int(self.probabilities.argmax())

    @property
    def confidence(self) -> float:
        """The probability of that card."""
        return float(self.probabilities.max())

    @property
    def second(self) -> int | None:
        """The other card that it may be, if there is one."""
        others = np.where(np.arange(len(self.probabilities)) == self.card, -1.0, self.probabilities)
        second = int(others.argmax())
        return second if others[second] >= triangle_limits().doubts.second * self.confidence else None

    @property
    def log_odds(self) -> float:
        """The log-odds that any card lies there."""
        there = float(self.probabilities.sum())
        return math.log(max(there, SMALLEST) / max(1.0 - there, SMALLEST))

    def shared_by(self, cards: Floats) -> PlaceScore:
        """The place with what it has of any card shared by `cards` (cards,), which are 1 together."""
        found = np.asarray(float(self.probabilities.sum()) * cards, np.float32)
        return replace(self, probabilities=found, is_sure=float(found.max()) >= lattice_limits().named)


class PlaceScorer:
    """Scores places of a picture with the deck that `table` holds at that time."""

    def __init__(self, table: LatticePicture, limits: LatticeLimits) -> None:
        self._table = table
        self._limits = limits

    def first(self, cell: Cell, others: Sequence[Floats]) -> PlaceScore:
        """A place in plain light and under glare. `others` (3, 2 each, in pixels): cards round it that may
        be on it."""
        table = self._table
        evidence = LatticeEvidence(
            costs=cell.costs,
            pattern=cell.like,
            pattern_under_glare=table.likeness_under_glare(cell.corners, others),
            side=float(table.side_contrast(cell.corners, others).min()),
            burnt=float(table.burnt(cell.corners).mean()),
            beside=bool(others),
        )
        found = self._limits.first.probabilities(evidence)
        return PlaceScore(cell, evidence, found, float(found.max()) >= self._limits.anchor)

    def last(self, one: PlaceScore, others: Sequence[Floats], lighted: AddedLightModel) -> PlaceScore:
        """The place compared under added light too."""
        added = lighted.fit(one.cell.corners, others)
        evidence = replace(one.evidence, beside=bool(others), added=added)
        found = self._limits.last.probabilities(evidence)
        return PlaceScore(one.cell, evidence, found, float(found.max()) >= self._limits.named)
