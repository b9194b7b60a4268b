"""The lamp of a table, of those under which the colours of its cards are those of the deck (colours.py).

Under another lamp a card of one colour is one of a neighbour's. So a lamp is only as sure as what tells it
from others: that the network finds cards there (card_comparison.py), that their colours are the deck's, and
that rooms have such lamps. All of it is a probability of each lamp (limits.LampModel). No name of a card is
surer than its lamp (scored_lattices.under_lamps).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.card_comparison import card_log_odds, seen_colours
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import (
    Illuminant,
    KnownLamp,
    TriangleTemplates,
    costs_by_card,
    likely_illuminants,
    template_costs,
)
from companion.vision.lattice.limits import LEAST_COST, lattice_limits
from companion.vision.triangles.limits import triangle_limits


@dataclass(frozen=True, eq=False)
class LampEvidence:
    """What cards that lie at `corners` (n, 3, 2; pixels) show under a lamp: the network's `log_odds` (n,
    cards), the `costs` (n, cards) of their colours, and the colour (2,) of the lamp."""

    corners: Floats
    log_odds: Floats
    costs: Floats
    colour: Floats

    def columns(self) -> Floats:
        """What a model weighs (3,), in the order of its weights: how likely cards lie there and how little
        their colours differ from the deck's, as means, because cards of one colour err together; and how far
        the lamp is from white, squared."""
        there = np.logaddexp(0.0, np.logaddexp.reduce(self.log_odds, axis=1)).mean()
        cost = np.minimum(self.costs.min(axis=1), triangle_limits().places.give_up_cost).mean()
        return np.array([there, np.log(cost + LEAST_COST), self.colour @ self.colour], np.float32)


@dataclass(frozen=True)
class LikelyLamp:
    """A lamp, what speaks for it, and how likely it is the table's."""

    illuminant: Illuminant
    evidence: LampEvidence
    probability: float


def likely_lamps(table: LatticePicture, corners: Floats, known: KnownLamp | None) -> list[LikelyLamp]:
    """The lamps, colours.MOST_LAMPS at most, that a table with cards that lie so (n, 3, 2; pixels) may have,
    the likeliest first; their probabilities are 1 together.

    Args:
        known: what earlier readings of the same table say of the lamp.
    """
    lamps = likely_illuminants(table.sample(corners), table.templates, known)
    return sorted(
        weighed_lamps(lamps, table, table.templates, corners, known), key=lambda one: -one.probability
    )


def weighed_lamps(
    lamps: Sequence[Illuminant],
    table: LatticePicture,
    looks: TriangleTemplates,
    corners: Floats,
    known: KnownLamp | None,
    kinds: int = 1,
) -> list[LikelyLamp]:
    """How likely the table has each of these lamps, in their order, by cards of a deck that lie so (n, 3, 2;
    pixels) and are of so many `kinds`; the probabilities are 1 together."""
    seen, colours = table.sample(corners), seen_colours(table, corners)
    model, shown, odds = lattice_limits().lamp, [], []
    for lamp in lamps:
        costs = costs_by_card(template_costs(seen, looks, lamp), looks)
        evidence = LampEvidence(corners, card_log_odds(colours, table, looks, lamp), costs, lamp.colour)
        deviation = None if known is None else known.deviation(lamp.colour)
        shown.append(evidence)
        odds.append(model.log_odds(evidence.columns(), deviation, kinds))
    shares = np.exp(np.array(odds) - np.logaddexp.reduce(odds))
    return [LikelyLamp(lamp, one, float(p)) for lamp, one, p in zip(lamps, shown, shares, strict=True)]
