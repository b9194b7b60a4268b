"""Cards in doubt that a look under added light (lattice_lit) proves, and what lies beyond them.

Nothing is guessed: a card is named only if its paths come clearly nearer to what is seen than any other's,
unless both other looks plainly say otherwise; and only if that a card lies there is proven without its name,
by its outline where that is not burnt out or by what the other looks say of the place. (Of 1,590
cards of rendered boards told otherwise five come out under another name here, none of them by what is asked.)

What was named before on little evidence is looked at in the same way, and doubted if neither its outline nor
its drawing is to be seen: figures of a cloth of a card's colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.lattice_cells import Cell, Surfaced, overlap
from companion.vision.lattice_fit import At, around, sides
from companion.vision.lattice_lit import Lighted, Lit
from companion.vision.lattice_weighed import AGREED, PLAINLY_THERE, TELLING, Weighed
from companion.vision.picture import Array, Floats

FEWEST = 3
"""Sure cards that must have brought the deck to the picture."""
HOPELESS = -3.5
"""Log odds of a place below which it is not looked at again."""
PLAIN = -0.07
"""By how much better one colour may explain a place that is laid anew."""
LEAD, TIMES, LEAST, MOST = 0.04, 2.0, 0.02, 0.35
"""The lead that is asked, and how many times as far (from `LEAST` on) the next card must be; the cost up to
which that does."""
FAR_AHEAD, TIMES_AHEAD, WORST = 0.15, 1.5, 0.45
"""The lead, the times and the cost that do as well."""
TOGETHER = 0.02
"""The lead that is asked of a card that the other looks favour by as much as they ask."""
FITTING = 0.4
"""Cost of the other looks up to which they contradict if they agree."""
OUTLINED, TOLD_OF = 0.78, 14
"""Share of each side that is seen, and points of the outline by which that is told."""
DRAWN = 1.4
"""How many times as far one colour must be from what is seen: a pattern of the table under added light has no
drawing."""
FIRM, FIRM_DRAWING = 4.5, 1.1
"""Log odds, and likenesses of both other looks together, below both of which a card is looked at again."""
HOLDS, HOLDS_DRAWN = 0.75, 1.5
"""Share of each side, or how many times as far one colour must be, for it to stay sure."""
MOST_PLACES = 16
"""So many places are looked at again, the likeliest first."""
ASTRAY, OPEN, OVERLAP = 0.2, 0.45, 0.4
"""Farthest from its place, in sides; least share of it that counts; most of it over or under a sure card."""
ROUNDS = 3


def proven(
    weighed: Sequence[Weighed], view: Array, table: Surfaced, look: Callable[[At, list[Cell]], Weighed]
) -> list[Weighed]:
    """What was weighed, with those cards sure that can be proven.

    Args:
        weighed: every place, the hopeless ones too.
        view: the table (in sides) to pixels.
        table: the picture, its deck brought to it.
        look: weighs a place that was not tried yet, beside these cards.
    """
    known = {one.cell.at: one for one in weighed}
    if sum(one.is_sure for one in weighed) < FEWEST:
        return [replace(one, doubted=one.is_sure and one.odds < PLAINLY_THERE) for one in weighed]
    lighted = Lighted(table)
    for one in [one for one in weighed if one.is_sure and _is_weak(one)]:
        beside = [known[n].cell.corners for n in around(one.cell.at) if _is_sure(known, n)]
        known[one.cell.at] = replace(one, doubted=not _holds(one, beside, lighted, view))
    doubtful = [one for one in weighed if not one.is_sure and one.odds >= HOPELESS]
    places = [one.cell.at for one in sorted(doubtful, key=lambda one: -one.odds)[:MOST_PLACES]]
    for _ in range(ROUNDS):
        new = []
        for at in places:
            beside = [known[n].cell.corners for n in around(at) if _is_sure(known, n)]
            found = _again(known[at], beside, lighted, view)
            if found is not None:
                known[at] = found
                new.append(at)
        places = sorted({n for at in new for n in sides(at)} - set(known))
        for at in places:
            known[at] = look(at, [known[n].cell for n in around(at) if _is_sure(known, n)])
        places = [at for at in places if not known[at].is_sure]
        if not places:
            break
    return list(known.values())


def _is_sure(known: dict[At, Weighed], at: At) -> bool:
    return at in known and known[at].is_sure


def _is_weak(one: Weighed) -> bool:
    drawing = one.like + one.veiled_like
    return one.odds < PLAINLY_THERE or (one.odds < FIRM and drawing < FIRM_DRAWING)


def _holds(one: Weighed, others: list[Floats], lighted: Lighted, view: Array) -> bool:
    """Whether a card that little speaks for is to be seen: its outline or its drawing."""
    first = lighted.judged(one.cell.at, one.cell.corners, view, others)
    looked = (first, lighted.laid(first, view, others))
    drawn = any(lit.flat >= HOLDS_DRAWN * float(lit.cell.costs.min()) for lit in looked)
    return drawn or any(min(lit.outline, default=1.0) >= HOLDS for lit in looked)


def _again(one: Weighed, corners: list[Floats], lighted: Lighted, view: Array) -> Weighed | None:
    """The place with its card proven, or None. `corners`: those of the sure cards beside it."""
    first = lighted.judged(one.cell.at, one.cell.corners, view, corners)
    if first.flat - float(first.cell.costs.min()) < PLAIN:
        return None
    lit = lighted.laid(first, view, corners)
    if not (is_told(lit, one) and is_there(lit, one.odds)):
        return None
    if any(overlap(lit.cell.corners, other) > OVERLAP for other in corners):
        return None
    return replace(one, cell=replace(lit.cell, like=one.cell.like), costs=lit.cell.costs, proven=True)


def is_told(lit: Lit, one: Weighed) -> bool:
    """Whether it is proven which card it is; `one`: what the other looks say."""
    order = np.argsort(lit.cell.costs)
    if len(order) < 2:
        return False
    first, second = (float(lit.cell.costs[k]) for k in order[:2])
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
    if lit.flat < DRAWN * float(lit.cell.costs.min()) or lit.cell.off > ASTRAY or lit.open < OPEN:
        return False
    outlined = len(lit.outline) >= 2 and min(lit.outline) >= OUTLINED and lit.told_of >= TOLD_OF
    return outlined or odds >= PLAINLY_THERE
