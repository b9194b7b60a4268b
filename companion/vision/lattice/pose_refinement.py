"""Cards in doubt laid anew, more closely than every place of a table can be tried.

Between cards of its own colour a card differs from what lies beside it by its drawing alone, and one that is
turned or moved more than most does not begin to look like itself where places are first tried: the search
ends beside it, and then neither its drawing nor its outline is where it is looked for. So what stays in doubt
is searched again on a finer grid, from several starts; what may have a lamp mirrored in it is moved under
veils, too. The new pose is kept if more speaks for a card in it. A card that was sure keeps its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import (
    FEW,
    ODD_PLACE,
    OUTLINE,
    Cell,
    Surfaced,
    laid_as,
    overlap,
    strayed,
)
from companion.vision.lattice.cells import grid_of_moves as moved
from companion.vision.lattice.colours import compared
from companion.vision.lattice.fit import At, around, corners_of, projected
from companion.vision.lattice.weighing import Weighed

DOUBTFUL, LIKELY, HOPELESS = 5.0, 0.0, -3.0
"""Log odds below which even a card that is sure is laid anew, from which veils are tried if it is not, and
below which nothing is."""
MOST_PLACES = 16
"""So many places are laid anew, the likeliest first."""
STEPS, TURNS = 5, 4
"""Steps to each side and turns each way of the grid."""
STEP, TURN = 0.044, math.radians(5.0)
"""In sides."""
STARTS, LIKELIEST = 4, 3
"""So many poses of the grid, no neighbours, are followed, each with so many of the turned looks."""
FINER = (2, 4, 8)
"""Parts of a step by which they are moved then."""
VEILED_STEP, VEILED_TURN, VEILED_FINER = 0.04, math.radians(4.0), (1, 3)
"""The same under veils, about where the card was laid before."""
OVERLAP = 0.4
"""Most of a card over or under a sure one."""
AT_ONCE = 300
"""So many poses are compared at once (memory)."""


def relaid(weighed: Sequence[Weighed], view: Array, table: Surfaced) -> list[Weighed]:
    """What was weighed, in the same order, with the places that are in doubt laid anew where that says
    more."""
    known = {one.cell.at: one for one in weighed}
    doubtful = [one for one in weighed if one.odds >= HOPELESS and (one.odds < DOUBTFUL or not one.is_sure)]
    for one in sorted(doubtful, key=lambda one: -one.odds)[:MOST_PLACES]:
        known[one.cell.at] = _again(one, known, view, table)
    return [known[one.cell.at] for one in weighed]


def _again(one: Weighed, known: Mapping[At, Weighed], view: Array, table: Surfaced) -> Weighed:
    """The place at the pose for which most speaks."""
    at = one.cell.at
    others = [known[n].cell.corners for n in around(at) if n in known and known[n].is_sure]
    tried = [_searched(at, view, table)]
    if one.mirrored or not one.agreed or (one.odds >= LIKELY and not one.is_sure):
        tried.append(_under_veils(one.cell, view, table, others))
    best = one
    for cell in tried:
        if any(overlap(cell.corners, other) > OVERLAP for other in others):
            continue
        new = Weighed.of(cell, table, others)
        if best.is_sure and not (new.is_sure and new.card == best.card):
            continue
        best = new if new.odds > best.odds else best
    return replace(best, late=best.is_sure and not one.is_sure) if best is not one else one


def _searched(at: At, view: Array, table: Surfaced) -> Cell:
    """The card at its best on the finer grid about where the lattice expects it."""
    base, few = corners_of(at), table.looks.thinned(FEW)
    moves = moved(STEPS, TURNS, STEP, TURN)
    corners = table.posed(base, moves, view)
    seen = table.seen(corners)[:, ::FEW]
    parts = [seen[i : i + AT_ONCE] for i in range(0, len(seen), AT_ONCE)]
    costs = np.concatenate([compared(part, few, table.lamp) for part in parts])
    worth = costs.min(axis=1) - OUTLINE * table.edges(corners) + ODD_PLACE * strayed(at, base, moves)
    found = []
    for start in _starts(moves, worth):
        move, looks = moves[start], table.looks.only(np.argsort(costs[start])[:LIKELIEST])
        for finer in FINER:
            near = move + moved(1, 1, STEP / finer, TURN / finer)
            laid = table.posed(base, near, view)
            plain = compared(table.seen(laid), looks, table.lamp).min(axis=1)
            own = plain - OUTLINE * table.edges(laid) + ODD_PLACE * strayed(at, base, near)
            move = near[int(own.argmin())]
        found.append((float(own.min()), laid[int(own.argmin())]))
    return table.judged(at, min(found, key=lambda one: one[0])[1], view)


def _starts(moves: Array, worth: Array) -> list[int]:
    """The best moves that are no neighbours of each other on the grid."""
    found: list[int] = []
    places = moves / (STEP, STEP, TURN)
    for i in np.argsort(worth).tolist():
        if all(np.abs(places[i] - places[k]).max() > 1.5 for k in found):
            found.append(i)
            if len(found) == STARTS:
                break
    return found


def _under_veils(cell: Cell, view: Array, table: Surfaced, others: Sequence[Floats]) -> Cell:
    """The card moved from where it lies to where it is most like a card under a veil."""
    base = laid_as(projected(np.linalg.inv(view), cell.corners), cell.at)
    move = np.zeros(3)
    for finer in VEILED_FINER:
        near = move + moved(1, 1, VEILED_STEP / finer, VEILED_TURN / finer)
        laid = table.posed(base, near, view)
        worth = table.under_veils(laid, others)[0] + ODD_PLACE * strayed(cell.at, base, near)
        best = int(worth.argmin())
        move = near[best]
    return table.judged(cell.at, laid[best], view)
