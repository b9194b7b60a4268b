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
from companion.vision.lattice.added_light import Lighted, Lit
from companion.vision.lattice.cells import Surfaced, overlap
from companion.vision.lattice.fit import At, around
from companion.vision.lattice.weighing import AGREED, PLAINLY_THERE, TELLING, THERE, Weighed

FEWEST = 3
"""Sure cards that must have brought the deck to the picture for a card to be named by this look."""
LIKELY = 0.0
"""Log odds from which a card may be named that was not."""
NEARER = 0.04
"""By how much nearer another card contradicts the name,"""
PLAINLY_DRAWN = 1.4
"""unless the likenesses of both other looks together are this: black with a lamp in it is hardly black."""
FIRM, UNDRAWN, BARE = 4.5, 1.3, 0.8
"""Log odds below which, or with a lamp mirrored in it, a card with less of those likenesses is taken for bare
table if one colour comes so much nearer than it (its cost in times the card's)."""
UNSEEN = 0.5
"""Likenesses below which nothing of a drawing is seen: so whatever the log odds; below log odds of
`PLAINLY_THERE` it is no card then, and otherwise this look must name it, too. Of 3,794 right names none is
touched by this, of four wrong ones all."""
NO_BETTER = 1.1
"""Below log odds of `PLAINLY_THERE` it is, however drawn, if one colour comes about as near."""
FAINTLY, OUTLINE_HOLDS, DRAWING_HOLDS = 1.1, 0.75, 1.5
"""With log odds below `FIRM` and those likenesses below the first, or log odds below `PLAINLY_THERE`, a card
must show so much of each side, or one colour must cost so many times as much."""
LEAD, TIMES, LEAST, MOST = 0.04, 2.0, 0.02, 0.35
"""The lead that is asked for a name, and how many times as far (from `LEAST` on) the next card must be; the
cost up to which that does."""
FAR_AHEAD, TIMES_AHEAD, WORST = 0.15, 1.5, 0.45
"""The lead, the times and the cost that do as well."""
TOGETHER = 0.02
"""The lead that is asked of a card that the other looks favour by as much as they ask, and of one that is not
`is_clear` (every right one looked at had 0.03)."""
FITTING = 0.4
"""Cost of the other looks up to which they contradict if they agree."""
OUTLINED, TOLD_OF = 0.78, 14
"""Share of each side that is seen, and points of the outline by which that is told."""
DRAWN = 1.4
"""How many times as far one colour must be from what is seen: a pattern of the table under added light has no
drawing."""
MOST_PLACES = 16
"""So many places in doubt are looked at, the likeliest first."""
WHOLE, IN_PLACE = 0.75, 0.12
"""Share seen of each side, and how far off in sides: a card's outline, whatever its name."""
NAMELESS, FEWEST_NAMELESS = 0.5, 2
"""So many places like that, as a share of the sure cards, are like no card if the light is not understood."""
ASTRAY, OPEN, OVERLAP = 0.2, 0.45, 0.4
"""Farthest from its place, in sides; least share of it that counts; most of it over or under a sure card."""


def proven(weighed: Sequence[Weighed], before: Mapping[At, int], table: Surfaced) -> list[Weighed]:
    """What was weighed, without the names that are denied and with those that are proven.

    Args:
        weighed: every place, the hopeless ones too.
        before: the card that each place was most like before the deck was brought to the picture.
        table: the picture, its deck brought to it.
    """
    lighted = Lighted(table)
    known = {one.cell.at: one for one in weighed}
    changed = set()
    for one in [one for one in weighed if one.is_sure]:
        at = one.cell.at
        if before[at] != one.card:
            known[at] = replace(one, doubted=True, other=before[at])
            changed.add(at)
            continue
        lit = lighted.judged(one.cell.corners, _beside(at, known))
        if is_contradicted(lit, one):
            known[at] = replace(one, doubted=True, other=int(lit.costs.argmin()))
        elif is_bare(lit, one) or not (is_clear(one) or names(lit, one.card)):
            known[at] = replace(one, doubted=True)
    if sum(one.is_sure for one in known.values()) < FEWEST:
        return [replace(one, doubted=one.is_sure and one.odds < PLAINLY_THERE) if not one.doubted else one
                for one in known.values()]  # fmt: skip
    doubtful = [one for one in known.values() if not one.is_sure and one.odds >= LIKELY]
    for one in sorted(doubtful, key=lambda one: -one.odds)[:MOST_PLACES]:
        if one.cell.at not in changed:
            known[one.cell.at] = _again(one, _beside(one.cell.at, known), lighted)
    return list(known.values())


def understood(weighed: Sequence[Weighed]) -> list[Weighed]:
    """What was proven; nothing of it is sure if too much that is plainly outlined is like no card: then
    the light was taken for another, and under that a name may be plain and wrong."""
    nameless = [
        one
        for one in weighed
        if not one.is_sure and not one.doubted and one.odds < THERE
        and float(one.sides.min()) >= WHOLE and one.cell.off <= IN_PLACE
    ]  # fmt: skip
    sure = sum(one.is_sure for one in weighed)
    if len(nameless) < max(FEWEST_NAMELESS, NAMELESS * sure):
        return list(weighed)
    return [replace(one, doubted=True, proven=False) for one in weighed]


def _beside(at: At, known: Mapping[At, Weighed]) -> list[Floats]:
    """The corners of the sure cards round a place."""
    return [known[n].cell.corners for n in around(at) if n in known and known[n].is_sure]


def _again(one: Weighed, others: list[Floats], lighted: Lighted) -> Weighed:
    """The place with its card named if that is proven. `others`: the corners of the sure cards round it."""
    if one.cell.off > ASTRAY:
        return one
    lit = lighted.judged(one.cell.corners, others)
    if not (is_told(lit, one) and is_there(lit, one.odds)):
        return one
    if any(overlap(one.cell.corners, other) > OVERLAP for other in others):
        return one
    return replace(one, costs=lit.costs, proven=True)


def is_contradicted(lit: Lit, one: Weighed) -> bool:
    """Whether a name cannot stand: another card is nearer under added light."""
    nearer = float(lit.costs[one.card] - lit.costs.min()) > NEARER
    return nearer and one.like + one.veiled_like < PLAINLY_DRAWN


def is_clear(one: Weighed) -> bool:
    """Whether the other looks do for its name: not if it is sure only where it was laid anew, or undrawn."""
    return not one.late and one.like + one.veiled_like >= UNSEEN


def names(lit: Lit, card: int) -> bool:
    """Whether this look by itself is for the card."""
    rest = np.delete(lit.costs, card)
    return not len(rest) or float(rest.min() - lit.costs[card]) >= TOGETHER


def is_bare(lit: Lit, one: Weighed) -> bool:
    """Whether that a card lies there at all cannot stand: the place has neither its drawing nor much else
    that speaks for one."""
    times = lit.flat / max(float(lit.costs[one.card]), LEAST)
    if one.odds < PLAINLY_THERE and times < NO_BETTER:
        return True
    drawing = one.like + one.veiled_like
    little = one.mirrored or one.odds < FIRM or drawing < UNSEEN
    if little and drawing < UNDRAWN and times < BARE:
        return True
    if one.odds < PLAINLY_THERE and drawing < UNSEEN:
        return True
    weak = one.odds < PLAINLY_THERE or (one.odds < FIRM and drawing < FAINTLY)
    return weak and times < DRAWING_HOLDS and min(lit.outline, default=1.0) < OUTLINE_HOLDS


def is_told(lit: Lit, one: Weighed) -> bool:
    """Whether it is proven which card it is; `one`: what the other looks say."""
    order = np.argsort(lit.costs)
    if len(order) < 2:
        return False
    first, second = (float(lit.costs[k]) for k in order[:2])
    plainly = one.agreed and one.lead >= TELLING and float(one.costs.min()) < FITTING
    if plainly and one.card != int(order[0]):
        return False
    favoured = one.card == int(order[0]) and one.lead >= (AGREED if one.agreed else TELLING)
    if favoured and first <= MOST and second - first >= TOGETHER:
        return True
    near = first <= MOST and second - first >= LEAD and second >= TIMES * max(first, LEAST)
    return near or (first <= WORST and second - first >= FAR_AHEAD and second >= TIMES_AHEAD * first)


def is_there(lit: Lit, odds: float) -> bool:
    """Whether it is proven that a card lies there; `odds`: what the other looks say."""
    if lit.flat < DRAWN * float(lit.costs.min()) or lit.open < OPEN:
        return False
    outlined = len(lit.outline) >= 2 and min(lit.outline) >= OUTLINED and lit.told_of >= TOLD_OF
    return outlined or odds >= PLAINLY_THERE
