"""Decides between two matches of one place by the blocks in which the two cards differ.

Cards of a deck share frame, colours and many marks. What shared parts cost depends on light and enrolment,
not on which card it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.score import CardMatch

COMPARED_GAIN = 0.55
"""Share of the strongest match's gain from which another match of the place is compared with it."""


def lead(deck: Deck, first: CardMatch, second: CardMatch) -> float:
    """By how much `first` fits better than `second` where their cards differ; negative if it fits worse."""
    turned = is_upside_down(first.quad, second.quad)
    weight = deck.block_differences(second.look, [first.look], turned)[0] ** 2
    weight = weight * (first.seen | (second.seen[::-1] if turned else second.seen))
    total = float(weight.sum())
    if total < 1e-3:
        return 0.0
    others = second.costs[::-1] if turned else second.costs
    return float((weight * (others - first.costs)).sum()) / total


def is_upside_down(first: Floats, second: Floats) -> bool:
    """Whether one of two quads of a place has the opposite orientation of the other."""
    straight = float(np.linalg.norm(first - second, axis=1).sum())
    return float(np.linalg.norm(first - geometry.rotated_half_turn(second), axis=1).sum()) < straight


def winner(deck: Deck, readings: Sequence[CardMatch]) -> CardMatch:
    """The best of several matches of one place. Among matches of one card the first is preferred."""
    best_of: dict[str, CardMatch] = {}
    strongest = max(reading.gain for reading in readings)
    for reading in readings:
        if reading.gain > COMPARED_GAIN * strongest:
            best_of.setdefault(reading.label, reading)
    champion, *others = best_of.values()
    if champion.distinct:
        return champion
    for challenger in others:
        if lead(deck, challenger, champion) > 0:
            champion = challenger
    return champion
