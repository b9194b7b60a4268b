"""What a look under added light (lattice_lit) proves of the cards, and what it denies.

Nothing is guessed: a name is taken back, and the table asked, where that look comes nearer to another card,
where the deck as the sure cards bring it to the picture (lattice_settled) favours another card than the
enrolled one did, and where the place is explained as well without a card: bare cloth, a figure of a mat, with
a lamp in it.

A card in doubt is named only if its paths come clearly nearer to what is seen than any other's, unless both
other looks plainly say otherwise; and only if that a card lies there is proven without its name, by its
outline where that is not burnt out or by what the other looks say of the place. Where many outlines have no
name the light was taken for another, and no name stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.image.picture import Floats
from companion.vision.lattice.added_light import AddedLightFit, AddedLightModel
from companion.vision.lattice.cells import LatticePicture, overlap
from companion.vision.lattice.fit import Place, neighbours
from companion.vision.lattice.place_score import (
    AGREED_LEAD,
    DISTINCT_LEAD,
    PLAINLY_PRESENT,
    PRESENT,
    PlaceScore,
)

FEWEST_SURE = 3
"""Sure cards that must have brought the deck to the picture for a card to be named by this look."""
LEAST_LOG_ODDS = 0.0
"""Log odds from which a card may be named that was not."""
CONTRADICTION = 0.04
"""By how much nearer another card contradicts the name,"""
PLAIN_PATTERN = 1.4
"""unless the likenesses of both other looks together are this: black with a lamp in it is hardly black."""
FIRM_LOG_ODDS, WEAK_PATTERN, BARE_RATIO = 4.5, 1.3, 0.8
"""Log odds below which, or with a lamp mirrored in it, a card with less of those likenesses is taken for bare
table if one colour comes so much nearer than it (its cost in times the card's)."""
NO_PATTERN = 0.5
"""Likenesses below which nothing of a drawing is seen: so whatever the log odds; below log odds of
`PLAINLY_THERE` it is no card then, and otherwise this look must name it, too. Of 3,794 right names none is
touched by this, of four wrong ones all."""
SAME_RATIO = 1.1
"""Below log odds of `PLAINLY_THERE` it is, however drawn, if one colour comes about as near."""
FAINT_PATTERN, OUTLINE_SUFFICES, PATTERN_SUFFICES = 1.1, 0.75, 1.5
"""With log odds below `FIRM_LOG_ODDS` and those likenesses below the first, or log odds below
`PLAINLY_THERE`, a card must show so much of each side, or one colour must cost so many times as much."""
LEAST_LEAD, LEAST_RATIO, SMALLEST_COST, LARGEST_COST = 0.04, 2.0, 0.02, 0.35
"""The lead that is asked for a name, and how many times as far (from `SMALLEST_COST` on) the next card must
be; the cost up to which that does."""
WIDE_LEAD, WIDE_LEAD_RATIO, WIDE_LEAD_COST = 0.15, 1.5, 0.45
"""The lead, the times and the cost that do as well."""
AGREEING_LEAD = 0.02
"""The lead that is asked of a card that the other looks favour by as much as they ask, and of one that is not
`is_clear` (every right one looked at had 0.03)."""
CONTRADICTING_COST = 0.4
"""Cost of the other looks up to which they contradict if they agree."""
LEAST_OUTLINE, FEWEST_OUTLINE_POINTS = 0.78, 14
"""Share of each side that is seen, and points of the outline by which that is told."""
PATTERN_RATIO = 1.4
"""How many times as far one colour must be from what is seen: a pattern of the table under added light has no
drawing."""
MOST_PLACES = 16
"""So many places in doubt are looked at, the likeliest first."""
NAMELESS_OUTLINE, NAMELESS_OFFSET = 0.75, 0.12
"""Share seen of each side, and how far off in sides: a card's outline, whatever its name."""
NAMELESS_SHARE, FEWEST_NAMELESS = 0.5, 2
"""So many places like that, as a share of the sure cards, are like no card if the light is not understood."""
LARGEST_OFFSET, LEAST_VISIBLE, LARGEST_OVERLAP = 0.2, 0.45, 0.4
"""Farthest from its place, in sides; least share of it that counts; most of it over or under a sure card."""


def verify(
    weighed: Sequence[PlaceScore], before: Mapping[Place, int], table: LatticePicture
) -> list[PlaceScore]:
    """What was weighed, without the names that are denied and with those that are proven.

    Args:
        weighed: every place, the hopeless ones too.
        before: the card that each place was most like before the deck was brought to the picture.
        table: the picture, its deck brought to it.
    """
    lighted = AddedLightModel(table)
    known = {one.cell.at: one for one in weighed}
    changed = set()
    for one in [one for one in weighed if one.is_sure]:
        at = one.cell.at
        if before[at] != one.card:
            known[at] = replace(one, doubted=True, other=before[at])
            changed.add(at)
            continue
        lit = lighted.fit(one.cell.corners, _sure_neighbours(at, known))
        if is_contradicted(lit, one):
            known[at] = replace(one, doubted=True, other=int(lit.costs.argmin()))
        elif looks_empty(lit, one) or not (is_clear(one) or favours(lit, one.card)):
            known[at] = replace(one, doubted=True)
    if sum(one.is_sure for one in known.values()) < FEWEST_SURE:
        return [_without_verification(one) for one in known.values()]
    doubtful = [one for one in known.values() if not one.is_sure and one.log_odds >= LEAST_LOG_ODDS]
    for one in sorted(doubtful, key=lambda one: -one.log_odds)[:MOST_PLACES]:
        if one.cell.at not in changed:
            known[one.cell.at] = _verify_doubtful(one, _sure_neighbours(one.cell.at, known), lighted)
    return list(known.values())


def reject_unexplained_light(weighed: Sequence[PlaceScore]) -> list[PlaceScore]:
    """What was proven; nothing of it is sure if too much that is plainly outlined is like no card: then
    the light was taken for another, and under that a name may be plain and wrong."""
    nameless = [
        one
        for one in weighed
        if not one.is_sure and not one.doubted and one.log_odds < PRESENT
        and float(one.sides.min()) >= NAMELESS_OUTLINE and one.cell.off <= NAMELESS_OFFSET
    ]  # fmt: skip
    sure = sum(one.is_sure for one in weighed)
    if len(nameless) < max(FEWEST_NAMELESS, NAMELESS_SHARE * sure):
        return list(weighed)
    return [replace(one, doubted=True, verified=False) for one in weighed]


def _without_verification(one: PlaceScore) -> PlaceScore:
    """The place when too few cards are sure to adapt the deck: only a plainly present card stays sure."""
    if one.doubted:
        return one
    return replace(one, doubted=one.is_sure and one.log_odds < PLAINLY_PRESENT)


def _sure_neighbours(at: Place, known: Mapping[Place, PlaceScore]) -> list[Floats]:
    """The corners of the sure cards round a place."""
    return [known[n].cell.corners for n in neighbours(at) if n in known and known[n].is_sure]


def _verify_doubtful(one: PlaceScore, others: list[Floats], lighted: AddedLightModel) -> PlaceScore:
    """The place with its card named if that is proven. `others`: the corners of the sure cards round it."""
    if one.cell.off > LARGEST_OFFSET:
        return one
    lit = lighted.fit(one.cell.corners, others)
    if not (proves_card(lit, one) and proves_presence(lit, one.log_odds)):
        return one
    if any(overlap(one.cell.corners, other) > LARGEST_OVERLAP for other in others):
        return one
    return replace(one, costs=lit.costs, verified=True)


def is_contradicted(lit: AddedLightFit, one: PlaceScore) -> bool:
    """Whether a name cannot stand: another card is nearer under added light."""
    nearer = float(lit.costs[one.card] - lit.costs.min()) > CONTRADICTION
    return nearer and one.like + one.glare_similarity < PLAIN_PATTERN


def is_clear(one: PlaceScore) -> bool:
    """Whether the other looks do for its name: not if it is sure only where it was laid anew, or undrawn."""
    return not one.found_late and one.like + one.glare_similarity >= NO_PATTERN


def favours(lit: AddedLightFit, card: int) -> bool:
    """Whether this look by itself is for the card."""
    rest = np.delete(lit.costs, card)
    return not len(rest) or float(rest.min() - lit.costs[card]) >= AGREEING_LEAD


def looks_empty(lit: AddedLightFit, one: PlaceScore) -> bool:
    """Whether that a card lies there at all cannot stand: the place has neither its drawing nor much else
    that speaks for one."""
    times = lit.flat / max(float(lit.costs[one.card]), SMALLEST_COST)
    if one.log_odds < PLAINLY_PRESENT and times < SAME_RATIO:
        return True
    drawing = one.like + one.glare_similarity
    little = one.has_glare or one.log_odds < FIRM_LOG_ODDS or drawing < NO_PATTERN
    if little and drawing < WEAK_PATTERN and times < BARE_RATIO:
        return True
    if one.log_odds < PLAINLY_PRESENT and drawing < NO_PATTERN:
        return True
    weak = one.log_odds < PLAINLY_PRESENT or (one.log_odds < FIRM_LOG_ODDS and drawing < FAINT_PATTERN)
    return weak and times < PATTERN_SUFFICES and min(lit.outline, default=1.0) < OUTLINE_SUFFICES


def proves_card(lit: AddedLightFit, one: PlaceScore) -> bool:
    """Whether it is proven which card it is; `one`: what the other looks say."""
    order = np.argsort(lit.costs)
    if len(order) < 2:
        return False
    first, second = (float(lit.costs[k]) for k in order[:2])
    plainly = one.agreed and one.lead >= DISTINCT_LEAD and float(one.costs.min()) < CONTRADICTING_COST
    if plainly and one.card != int(order[0]):
        return False
    favoured = one.card == int(order[0]) and one.lead >= (AGREED_LEAD if one.agreed else DISTINCT_LEAD)
    if favoured and first <= LARGEST_COST and second - first >= AGREEING_LEAD:
        return True
    near = (
        first <= LARGEST_COST
        and second - first >= LEAST_LEAD
        and second >= LEAST_RATIO * max(first, SMALLEST_COST)
    )
    return near or (
        first <= WIDE_LEAD_COST and second - first >= WIDE_LEAD and second >= WIDE_LEAD_RATIO * first
    )


def proves_presence(lit: AddedLightFit, odds: float) -> bool:
    """Whether it is proven that a card lies there; `odds`: what the other looks say."""
    if lit.flat < PATTERN_RATIO * float(lit.costs.min()) or lit.visible < LEAST_VISIBLE:
        return False
    outlined = (
        len(lit.outline) >= 2
        and min(lit.outline) >= LEAST_OUTLINE
        and lit.outline_points >= FEWEST_OUTLINE_POINTS
    )
    return outlined or odds >= PLAINLY_PRESENT
