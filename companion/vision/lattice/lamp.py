"""The lamp of a table: of those under which the colours of its cards are those of the deck (colours.py) the
one under which the network finds that cards lie there (card_comparison.py)."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.card_comparison import card_log_odds, seen_colours
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import Illuminant, KnownLamp, likely_illuminants


def estimate_lamp(table: LatticePicture, corners: Floats, known: KnownLamp | None) -> Illuminant:
    """The likeliest lamp of a table with cards that lie so (n, 3, 2; pixels): of those under which they are
    like cards of the deck, the one under which it is likeliest that they are.

    Args:
        known: what earlier readings of the same table say of the lamp.
    """
    lamps = likely_illuminants(table.sample(corners), table.templates, known)
    if len(lamps) == 1:
        return lamps[0]
    seen = seen_colours(table, corners)

    def log_probability(lamp: Illuminant) -> float:
        """That of the lamp and of any cards under it, up to what all lamps share."""
        there = np.logaddexp(0.0, np.logaddexp.reduce(card_log_odds(seen, table, lamp), axis=1))
        off = 0.0 if known is None else known.deviation(lamp.colour)
        return float(there.sum()) - off / 2

    return max(lamps, key=log_probability)
