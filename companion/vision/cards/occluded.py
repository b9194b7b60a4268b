"""Finds the cards under those found, column by column.

The strips beyond the top and the bottom of each card are searched, then those of each card found there."""

from __future__ import annotations

from collections.abc import Sequence

from companion.vision.cards.column_ends import EndFinder
from companion.vision.cards.evaluator import Evaluator
from companion.vision.deck.deck import Deck
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import ExplainedMap, same_place

MOST_CARDS = 60
"""Cards (a deck's worth) after which no further covered ones are looked for."""
SIDES = (-1, 1)
"""A card's top and bottom."""


def find_occluded(
    shape: tuple[int, ...],
    deck: Deck,
    evaluator: Evaluator,
    open_ones: Sequence[CardMatch],
) -> list[CardMatch]:
    """The cards found in a picture of that shape and those under them."""
    explained = ExplainedMap(shape)
    for match in open_ones:
        if match.is_open:
            explained.add_whole(match.quad)
        else:
            explained.add(match)
    ends = EndFinder(evaluator, deck, explained)
    cards, waiting = list(open_ones), list(open_ones)
    while waiting and len(cards) < MOST_CARDS:
        card = waiting.pop(0)
        for side in SIDES:
            under = ends.find(card, side)
            if under is not None and not any(same_place(under.quad, other.quad) for other in cards):
                explained.add(under)
                cards.append(under)
                waiting.append(under)
    return cards
