"""Searches every place of a lattice and those across the sides of cards, until no card is added.

How a card lies at a place pose_search.py finds, what it shows there cells.py. A card that touches others by
corners alone is looked for only if its outline was found: cards are laid side to side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import Cell, LatticePicture, median_side
from companion.vision.lattice.colours import estimate_illuminant
from companion.vision.lattice.fit import (
    Lattice,
    Place,
    aligned,
    corners_of,
    fit_view,
    neighbours,
    projected,
    side_neighbours,
)
from companion.vision.lattice.known_table import KnownTable
from companion.vision.lattice.pose_search import PoseSearch
from companion.vision.lattice.presence import is_plain, presence_log_odds, present, without_overlaps

OUTLINE_TOLERANCE = 0.4
"""Mean distance of corners, in sides, up to which an outline may be the card of a place that is tried."""
MOST_PLACES = 80
"""A lattice of more places that look like cards is the pattern of a cloth: a box has 60 cards."""
ROUNDS = 12
MOVED_PLACE = 0.05
"""Sides by which the view must put a place elsewhere for it to be searched again."""


def tried_cells(
    lattice: Lattice,
    table: LatticePicture,
    triangles: Floats,
    may_lie: Callable[[Place, Array], bool],
    known: KnownTable,
) -> tuple[dict[Place, Cell], Array]:
    """Every place that was tried, and the view of the table fitted to those at which a card lies. No place
    if it is the pattern of a cloth."""
    view = lattice.view
    cells = {at: PoseSearch(at, view, table).plain([seen]) for at, seen in lattice.corners.items()}
    without_overlaps(cells)
    there = present(cells)
    if not there:
        return cells, view
    table.illuminant = estimate_illuminant(
        table.sample(np.stack([cells[at].corners for at in there])), table.templates, known.lamp
    )
    cells = {at: table.score_pose(at, cell.corners, view) for at, cell in cells.items()}
    looked: dict[Place, Floats] = {}
    for _ in range(ROUNDS):
        there = present(cells)
        if len(there) > MOST_PLACES:
            return {}, view
        view = fit_view({at: cells[at].corners for at in there}, known.plane) if there else view
        places = {n for at in there for n in side_neighbours(at)} | set(there)
        doubtful = [at for at in places if at not in cells or not is_plain(cells[at])]
        again = [at for at in doubtful if _has_moved(at, view, looked) and may_lie(at, view)]
        if not again:
            break
        looked |= {at: projected(view, corners_of(at)) for at in again}
        tried = {at: _search_place(at, view, table, triangles, cells) for at in again}
        cells |= {
            at: cell
            for at, cell in tried.items()
            if at not in cells or presence_log_odds(cell) > presence_log_odds(cells[at])
        }
        without_overlaps(cells)
    return cells, view


def _search_place(
    at: Place, view: Array, table: LatticePicture, triangles: Floats, cells: dict[Place, Cell]
) -> Cell:
    """What a place shows; what does not plainly show a card is looked at under veils, and without what other
    plain cards (`cells`) may cover."""
    seen, away = aligned(triangles, expected := projected(view, corners_of(at)))
    outlines = list(seen[away < OUTLINE_TOLERANCE * median_side(expected[None])])
    search = PoseSearch(at, view, table)
    cell = search.plain(outlines)
    if is_plain(cell):
        return cell
    others = [cells[n].corners for n in neighbours(at) if n in cells and is_plain(cells[n])]
    other = search.under_glare(outlines, others)
    return other if other is not None and presence_log_odds(other) > presence_log_odds(cell) else cell


def _has_moved(at: Place, view: Array, looked: dict[Place, Floats]) -> bool:
    """Whether a place is to be looked at again: the view puts it elsewhere than at the last look."""
    if at not in looked:
        return True
    now = projected(view, corners_of(at))
    return float(np.abs(now - looked[at]).max()) > MOVED_PLACE * median_side(now[None])
