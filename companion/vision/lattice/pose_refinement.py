"""Searches doubtful places again on a finer grid of poses.

Between cards of its own colour a card stands out by its pattern alone, and a card rotated or moved more than
most is not found on the coarse grid: the search ends beside it, where neither its pattern nor its outline
fits. Doubtful places are therefore searched again from several starts, possible glare included. A new pose is
kept if its log-odds are higher; a sure card keeps its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.vision.image.geometry import shared_part
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.card_comparison import AT_ONCE
from companion.vision.lattice.cells import (
    COARSE_STEP,
    Cell,
    LatticePicture,
    grid_of_moves,
)
from companion.vision.lattice.colours import template_costs
from companion.vision.lattice.fit import Place, corners_of, neighbours
from companion.vision.lattice.place_score import PlaceScore, PlaceScorer
from companion.vision.triangles.limits import triangle_limits

STEPS, TURNS = 5, 4
"""Steps to each side and turns each way of the grid: a quarter of what a card is searched in."""
STARTS, LIKELIEST = 4, 3
"""So many poses of the grid, no neighbours, are followed, each with so many of the turned looks."""
FINER_STEPS, GLARE_FINER_STEPS = (2, 4, 8), (1, 3)
"""Parts of a step by which they are moved then, and by which a card under veils is moved from where it was
laid before."""


def refine_poses(
    scored: Sequence[PlaceScore], view: Array, table: LatticePicture, scorer: PlaceScorer
) -> list[PlaceScore]:
    """The scored places, in the same order, with those that are in doubt laid anew where that says more."""
    limits, known = triangle_limits().doubts, {one.cell.at: one for one in scored}
    doubtful = [
        one
        for one in scored
        if one.log_odds >= limits.unlikely and (one.log_odds < limits.laid_anew or not one.is_sure)
    ]
    for one in sorted(doubtful, key=lambda one: -one.log_odds)[: limits.most]:
        others = sure_neighbours(one.cell.at, known)
        cells = [_search_grid(one.cell.at, view, table)]
        if one.log_odds >= 0 and not one.is_sure:
            at, before = one.cell.at, one.cell.corners
            laid = table.settled_under_glare(at, before, view, others, GLARE_FINER_STEPS)
            cells.append(table.score_pose(at, laid, view))
        tried = [scorer.first(cell, others) for cell in cells if not _overlaps(cell, others)]
        known[one.cell.at] = _best(one, tried)
    return [known[one.cell.at] for one in scored]


def sure_neighbours(at: Place, known: Mapping[Place, PlaceScore]) -> list[Floats]:
    """The corners (3, 2 each; pixels) of the sure cards round a place."""
    return [known[n].cell.corners for n in neighbours(at) if n in known and known[n].is_sure]


def _overlaps(cell: Cell, others: Sequence[Floats]) -> bool:
    """Whether a card laid so lies for a large part on sure ones."""
    return any(shared_part(cell.corners, other) > triangle_limits().places.half for other in others)


def _best(one: PlaceScore, tried: Sequence[PlaceScore]) -> PlaceScore:
    """The place at the pose of the largest log-odds; a sure card keeps its name."""
    best = one
    for new in tried:
        keeps_name = not best.is_sure or (new.is_sure and new.card == best.card)
        if keeps_name and new.log_odds > best.log_odds:
            best = new
    return best


def _search_grid(at: Place, view: Array, table: LatticePicture) -> Cell:
    """The card at its best on the finer grid about where the lattice expects it."""
    base, few = corners_of(at), table.templates.thinned(COARSE_STEP)
    steps = table.fine_steps
    moves = grid_of_moves(STEPS, TURNS, *steps)
    corners = table.apply_moves(base, moves, view)
    seen = table.sample(corners)[:, ::COARSE_STEP]
    parts = np.array_split(seen, len(seen) // AT_ONCE + 1)
    costs = np.concatenate([template_costs(part, few, table.illuminant) for part in parts])
    found = []
    for start in _starts(moves / (steps[0], *steps), table.pose_costs(at, base, moves, corners, costs)):
        looks = table.templates.only(np.argsort(costs[start])[:LIKELIEST])
        found.append(table.settled(at, base, moves[start], view, looks, steps, FINER_STEPS))
    return table.score_pose(at, min(found, key=lambda one: one[0])[1], view)


def _starts(moves: Array, worth: Array) -> list[int]:
    """The best moves, in steps, that are no neighbours of each other on the grid."""
    found: list[int] = []
    for i in np.argsort(worth).tolist():
        if all(np.abs(moves[i] - moves[k]).max() > 1.5 for k in found):
            found.append(i)
            if len(found) == STARTS:
                break
    return found
