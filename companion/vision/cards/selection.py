"""Selects the card matches that stand: every part of the picture is explained by one card only.

Matches are taken in the order of the marks they explain. A match stands if no stronger one stands at its
place and those that do elsewhere leave enough of it unexplained. Whether it is named the verifier decides."""

from __future__ import annotations

from collections.abc import Sequence

from companion.vision.match.score import CardMatch
from companion.vision.match.suppression import ExplainedMap, by_strength, same_place, unexplained_blocks

FRESH_SHARE = 0.6
"""Share of what is seen of a card that no stronger match may explain: with .4 one picture of half a deck more
has a false name."""


def select_matches(found: Sequence[CardMatch], shape: tuple[int, ...]) -> list[CardMatch]:
    """The matches that stand, strongest first, each part of the picture explained once.

    Args:
        found: all matches, also several of one place.
        shape: of the picture, height first.
    """
    explained = ExplainedMap(shape)
    accepted: list[CardMatch] = []
    for match in by_strength(found):
        if any(same_place(match.quad, other.quad) for other in accepted):
            continue
        fresh = unexplained_blocks(match, explained.explained_share(match.quad))
        if fresh.sum() >= FRESH_SHARE * match.seen.sum() and match.gain_of(fresh) > 0:
            accepted.append(match)
            explained.add(match)
    return accepted
