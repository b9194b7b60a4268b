"""Selects the card matches that stand: every part of the picture is explained by one card only.

Matches are taken in the order of the marks they explain. A match stands if it explains marks that no stronger
match explains and leads over every other card at the same place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.vision.cards.compare import winner
from companion.vision.deck.deck import Deck
from companion.vision.match.score import CardMatch, is_acceptable
from companion.vision.match.suppression import ExplainedMap, by_strength, same_place, unexplained_blocks

LEAST_LEAD = 0.03
"""Least lead of a match over another card's match of the same place, in the blocks in which they differ."""
LEAST_GAIN = 3.5
"""Marks that a card must explain which no other card explains."""


def select_matches(
    deck: Deck,
    found: Sequence[CardMatch],
    shape: tuple[int, ...],
    shows_another: Callable[[CardMatch], bool] = lambda _: False,
) -> list[CardMatch]:
    """The matches that stand, strongest first, each part of the picture explained once.

    Args:
        deck: the enrolled cards.
        found: all matches, also several of one place.
        shape: of the picture, height first.
        shows_another: whether a card that is not enrolled lies at the place of a match.
    """
    explained = ExplainedMap(shape)
    accepted: list[CardMatch] = []
    waiting = by_strength(found)
    while waiting and waiting[0].gain > 0:
        here = [j for j in waiting if same_place(waiting[0].quad, j.quad, 0.25)]
        best, lead = winner(deck, sorted(here, key=lambda j: not is_acceptable(j)))
        waiting = [j for j in waiting if not any(j is other for other in here)]
        fresh = unexplained_blocks(best, explained.explained_share(best.quad))
        share = 0.6 if not best.distinct else 0.35
        least = LEAST_GAIN if not best.distinct else 0.5
        enough = fresh.sum() >= share * best.seen.sum() and best.gain_of(fresh) > least
        leads = lead > LEAST_LEAD or best.distinct
        if leads and enough and is_acceptable(best) and not shows_another(best):
            accepted.append(best)
            explained.add(best)
    return accepted
