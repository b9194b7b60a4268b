"""Selects the card matches that stand: every part of the picture is explained by one card only.

Matches are taken in the order of the marks they explain. A match stands if it explains marks that no stronger
match explains, leads over every other card at the same place and shows enough of its card."""

from __future__ import annotations

from collections.abc import Sequence

from companion.vision.cards.compare import winner
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats
from companion.vision.match.score import BLOCK_CENTRES, CLEAR_FIT, CardMatch, blocks_outside, is_acceptable
from companion.vision.match.suppression import ExplainedMap, by_strength, same_place, unexplained_blocks

LEAST_LEAD = 0.03
"""Least lead of a match over another card's match of the same place, in the blocks in which they differ."""
LEAST_GAIN = 3.5
"""Marks that a card must explain which no other card explains."""
LEAST_VISIBLE, HELD_SUPPORT, HELD_SHARE = 0.65, 30.0, 0.45
"""Least share of a card's uncovered marks that is visible (marks under other known cards do not count). From
HELD_SUPPORT on, scaled by the share of the card in the picture, HELD_SHARE is enough: a card that fingers
hold. Without this test 7 of 214 photographs of uno give the name of a card of which half looks the same."""
HELD_FIT, HELD_MARGIN = 0.7, 0.35
"""Fit and margin that such a card needs if its fit is not above CLEAR_FIT."""
OPEN_SHARE, PLAIN_MARGIN, PLAIN_COST = 0.75, 0.4, 0.23
"""A card shows enough if more than this share of it is visible, or if its margin is above the second and its
visible cost below the third."""


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
        here = [j for j in waiting if same_place(waiting[0].quad, j.quad, 0.25)]
        best, lead = winner(deck, sorted(here, key=lambda j: not is_acceptable(j)))
        waiting = [j for j in waiting if not any(j is other for other in here)]
        fresh = unexplained_blocks(best, explained.explained_share(best.quad))
        share = 0.6 if not best.distinct else 0.35
        least = LEAST_GAIN if not best.distinct else 0.5
        enough = fresh.sum() >= share * best.seen.sum() and best.gain_of(fresh) > least
        leads = lead > LEAST_LEAD or best.distinct
        if leads and enough and is_acceptable(best):
            accepted.append(best)
            explained.add(best)
    return [match for match in accepted if _is_visible_enough(match, accepted, shape)]


def _lies_on(upper: CardMatch, lower: CardMatch) -> bool:
    """Whether, where both cards are, more is visible of `upper` than of `lower`."""
    return _visible_share_within(upper, lower.quad) > _visible_share_within(lower, upper.quad)


def _visible_share_within(match: CardMatch, other: Floats) -> float:
    """The share of a card that is visible within another quad, 0 to 1."""
    onto = geometry.homography(geometry.UNIT, match.quad)
    local = geometry.transform(
        geometry.transform(BLOCK_CENTRES, onto), geometry.homography(other, geometry.UNIT)
    )
    inside = ((local > 0) & (local < 1)).all(axis=1)
    return float(match.seen[inside].mean()) if inside.any() else 0.0


def _is_visible_enough(match: CardMatch, others: Sequence[CardMatch], shape: tuple[int, ...]) -> bool:
    """Whether enough is visible of the card, apart from what other known cards cover. A card that fits very
    well may be covered by an unknown object."""
    is_plain = match.margin > PLAIN_MARGIN and match.seen_cost < PLAIN_COST
    if float(match.seen.mean()) > OPEN_SHARE or is_plain or match.distinct:
        return True
    explained = ExplainedMap(shape)
    for other in others:
        if other is not match and _lies_on(other, match):
            explained.add_whole(other)
        elif other is not match:
            explained.add(other)
    free = ~blocks_outside(match.quad, shape) & ((explained.explained_share(match.quad) < 0.5) | match.seen)
    inside = 1.0 - float(blocks_outside(match.quad, shape).mean())
    fits = match.fit > CLEAR_FIT or (match.fit > HELD_FIT and match.margin > HELD_MARGIN)
    held = match.support > HELD_SUPPORT * inside and fits
    share = HELD_SHARE if held else LEAST_VISIBLE
    return float(match.weights[match.seen].sum()) > share * float(match.weights[free].sum())
