"""Selects the card matches that stand: every part of the picture is explained by one card only.

Matches are taken in the order of the marks they explain. A match stands if it explains marks that no stronger
match explains and leads over every other card at the same place. Whether it is named the verifier decides."""

from __future__ import annotations

from collections.abc import Sequence

from companion.vision.cards.compare import winner
from companion.vision.deck.deck import Deck
from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import ExplainedMap, by_strength, same_place, unexplained_blocks

LEAST_GAIN = 3.5
"""Marks that a card must explain which no other card explains."""
FRESH_SHARE = 0.6
"""Share of what is seen of a card that no other card may explain."""


def select_matches(deck: Deck, found: Sequence[CardMatch], shape: tuple[int, ...]) -> list[CardMatch]:
    """The matches that stand, strongest first, each part of the picture explained once.

    Args:
        deck: the enrolled cards.
        found: all matches, also several of one place.
        shape: of the picture, height first.
    """
    explained = ExplainedMap(shape)
    accepted: list[CardMatch] = []
    waiting = by_strength(found)
    while waiting and waiting[0].gain > 0:
        here = [j for j in waiting if same_place(waiting[0].quad, j.quad)]
        best = winner(deck, here)
        waiting = [j for j in waiting if not any(j is other for other in here)]
        fresh = unexplained_blocks(best, explained.explained_share(best.quad))
        if fresh.sum() >= FRESH_SHARE * best.seen.sum() and best.gain_of(fresh) > LEAST_GAIN:
            accepted.append(best)
            explained.add(best)
    return accepted
