"""Verifies and withdraws names by comparing every card under added light (added_light.py).

A name is withdrawn, so a person is asked, if added light brings another card nearer, if the deck adapted to
this picture (colour_adaptation.py) favours another card than the enrolled deck did, or if the place is
explained as well without a card: bare cloth, or a print on a mat, with glare on it.

A doubtful card is named only if it is clearly nearer than every other card, unless both other comparisons
plainly favour another one, and only if the presence of a card is proven without its name: by its outline
where that is not clipped, or by its log-odds. If many outlines stay without a name, the lamp's colour was
estimated wrongly, and no name stands.

The thresholds were chosen by hand on rendered boards; no command fits them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.image.geometry import shared_part
from companion.vision.image.picture import Floats
from companion.vision.lattice.added_light import AddedLightFit, AddedLightModel
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.fit import Place, neighbours
from companion.vision.lattice.place_score import (
    AGREED_LEAD,
    DISTINCT_LEAD,
    PLAINLY_PRESENT,
    PRESENT,
    PlaceScore,
)

FEWEST_SURE = 3
"""Fewest sure cards that must have adapted the deck before this comparison may name a card."""
LEAST_LOG_ODDS = 0.0
"""Log-odds from which an unnamed card may be named."""
CONTRADICTION = 0.04
"""By how much nearer another card must be to contradict a name."""
PLAIN_PATTERN = 1.4
"""Sum of both pattern similarities from which nothing contradicts: a black card with glare is hardly black.
"""
FIRM_LOG_ODDS, WEAK_PATTERN, BARE_RATIO = 4.5, 1.3, 0.8
"""A place counts as empty if its log-odds are below the first (or it has glare, or no pattern), the sum of
its pattern similarities is below the second, and a single colour costs less than the third times what the
card costs."""
NO_PATTERN = 0.5
"""Sum of pattern similarities below which no pattern is visible: such a place is empty below PLAINLY_PRESENT,
and otherwise this comparison must name the card too. Of 3,794 right names none was affected, of four wrong
ones all."""
SAME_RATIO = 1.1
"""Below PLAINLY_PRESENT a place is empty if a single colour costs less than this times what the card costs.
"""
FAINT_PATTERN, OUTLINE_SUFFICES, PATTERN_SUFFICES = 1.1, 0.75, 1.5
"""Below PLAINLY_PRESENT, or below FIRM_LOG_ODDS with pattern similarities below the first, a place is empty
unless each side is visible by the second share or a single colour costs the third times what the card costs.
"""
LEAST_LEAD, LEAST_RATIO, SMALLEST_COST, LARGEST_COST = 0.04, 2.0, 0.02, 0.35
"""Least lead for a name; least ratio of the next card's cost to this one's (which counts as at least
SMALLEST_COST); largest cost."""
WIDE_LEAD, WIDE_LEAD_RATIO, WIDE_LEAD_COST = 0.15, 1.5, 0.45
"""Another combination of lead, ratio and cost that is enough."""
AGREEING_LEAD = 0.02
"""Least lead of a card that the other comparisons favour clearly, and of one that is not `is_clear`. Every
right card looked at had 0.03."""
CONTRADICTING_COST = 0.4
"""Largest cost at which the other comparisons, if they agree, can contradict."""
LEAST_OUTLINE, FEWEST_OUTLINE_POINTS = 0.78, 14
"""Least visible share of each side, and fewest outline points by which it is measured."""
PATTERN_RATIO = 1.4
"""Least ratio of a single colour's cost to the card's: a pattern of the table under added light has none of
the card's."""
MOST_PLACES = 16
"""Most doubtful places that are verified, the likeliest first."""
NAMELESS_OUTLINE, NAMELESS_OFFSET = 0.75, 0.12
"""Least visible share of each side, and largest offset in sides, of what is a card's outline whatever its
name."""
NAMELESS_SHARE, FEWEST_NAMELESS = 0.5, 2
"""If so many such places, as a share of the sure cards, are like no card, the lamp's colour was estimated
wrongly."""
LARGEST_OFFSET, LEAST_VISIBLE, LARGEST_OVERLAP = 0.2, 0.45, 0.4
"""Largest offset from the place in sides; least share of the card that counts; largest overlap with a sure
card."""


def verify(
    weighed: Sequence[PlaceScore], before: Mapping[Place, int], table: LatticePicture
) -> list[PlaceScore]:
    """The scored places, without the names that are withdrawn and with those that are verified.

    Args:
        weighed: every place, also the least likely.
        before: the card that each place was most like before the deck was adapted to the picture.
        table: the picture, with the adapted deck.
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
    if any(shared_part(one.cell.corners, other) > LARGEST_OVERLAP for other in others):
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
    """Whether that a card is there at all cannot stand: the place has neither its drawing nor much else
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
    """Whether the card is identified with certainty; `one`: the comparison with the other looks."""
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
    """Whether there is certainly a card; `odds`: by the other looks."""
    if lit.flat < PATTERN_RATIO * float(lit.costs.min()) or lit.visible < LEAST_VISIBLE:
        return False
    outlined = (
        len(lit.outline) >= 2
        and min(lit.outline) >= LEAST_OUTLINE
        and lit.outline_points >= FEWEST_OUTLINE_POINTS
    )
    return outlined or odds >= PLAINLY_PRESENT
