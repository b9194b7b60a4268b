"""Lays doubtful cards anew on a finer grid of poses.

Between cards of its own colour a card stands out by its pattern alone, and a card rotated or moved more than
most is not found on the coarse grid: the search ends beside it, where neither its pattern nor its outline
fits. A new pose is kept if its log-odds are higher; a sure card keeps its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.fit import Place, neighbours
from companion.vision.lattice.place_score import LIKELY, PlaceScore, PlaceScorer
from companion.vision.lattice.pose_search import PoseSearch
from companion.vision.lattice.presence import overlaps

REFINE_BELOW = 5.0
"""Log-odds below which even a card that is sure is laid anew."""


def refine_poses(
    scored: Sequence[PlaceScore], view: Array, table: LatticePicture, scorer: PlaceScorer
) -> list[PlaceScore]:
    """The scored places, in the same order, with those that are in doubt laid anew where that says more."""
    known = {one.cell.at: one for one in scored}
    doubtful = [one for one in scored if one.log_odds >= LIKELY]
    doubtful = [one for one in doubtful if one.log_odds < REFINE_BELOW or not one.is_sure]
    for one in sorted(doubtful, key=lambda one: -one.log_odds):
        at = one.cell.at
        others = sure_neighbours(at, known)
        cell = PoseSearch(at, view, table).finely()
        if not overlaps(cell.corners, others):
            known[at] = _better(one, scorer.first(cell, others))
    return [known[one.cell.at] for one in scored]


def sure_neighbours(at: Place, known: Mapping[Place, PlaceScore]) -> list[Floats]:
    """The corners (3, 2 each; pixels) of the sure cards round a place."""
    return [known[n].cell.corners for n in neighbours(at) if n in known and known[n].is_sure]


def _better(one: PlaceScore, new: PlaceScore) -> PlaceScore:
    """The place at the pose of larger log-odds; a sure card keeps its name."""
    keeps_name = not one.is_sure or (new.is_sure and new.card == one.card)
    return new if keeps_name and new.log_odds > one.log_odds else one
