"""Searches every place of a lattice and round it, ring by ring, until no card is added (cells.py says what a
place shows). Others are looked for round a card that is likelier there than not: round what is hardly one,
the squares of a cloth are followed to the end of the table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.vision.image.geometry import shared_part
from companion.vision.image.picture import Array, Floats
from companion.vision.lattice.cells import Cell, LatticePicture, median_side
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
from companion.vision.lattice.lamp import LikelyLamp, likely_lamps
from companion.vision.triangles.limits import triangle_limits

ROUNDS = 12


def tried_cells(
    lattice: Lattice,
    table: LatticePicture,
    lamps: list[LikelyLamp],
    triangles: Floats,
    may_lie: Callable[[Place, Array], bool],
    known: KnownTable,
) -> tuple[dict[Place, Cell], Array, list[LikelyLamp]]:
    """Every place that was tried, the view of the table fitted to those at which a card lies, and the lamps
    that these cards may have, which were `lamps` by the outlines. No place if it is the pattern of a
    cloth."""
    view, limits = lattice.view, triangle_limits().places
    cells = {at: table.search(at, view, [seen]) for at, seen in lattice.corners.items()}
    without_overlaps(cells)
    there = present(cells)
    if not there:
        return cells, view, lamps
    lamps = likely_lamps(table, np.stack([cells[at].corners for at in there]), known.lamp)
    table.illuminant = lamps[0].illuminant
    cells = {at: table.score_pose(at, cell.corners, view) for at, cell in cells.items()}
    missed: dict[Place, Cell] = {}
    looked: dict[Place, Floats] = {}
    veiled: set[Place] = set()
    for _ in range(ROUNDS):
        there = present(cells)
        if len(there) > limits.most:
            return {}, view, lamps
        view = fit_view({at: cells[at].corners for at in there}, known.plane) if there else view
        ring = {n for at in there if cells[at].log_odds > 0 for n in neighbours(at)}
        doubtful = [
            at
            for at in ring | set(there)
            if (at not in cells or not cells[at].is_plain) and may_lie(at, view)
        ]
        beside = {at for at in doubtful if not set(there).isdisjoint(side_neighbours(at))}
        again = [
            at
            for at in doubtful
            if _has_moved(at, view, looked, table.fine_steps[0]) or at in beside - veiled
        ]
        veiled |= beside
        if not again:
            break
        looked |= {at: projected(view, corners_of(at)) for at in again}
        tried = {
            at: _search_place(at, view, table, triangles, cells if at in beside else None) for at in again
        }
        better = {at: c for at, c in tried.items() if at not in cells or c.log_odds > cells[at].log_odds}
        cells.update({at: cell for at, cell in better.items() if cell.log_odds >= limits.present})
        missed.update({at: cell for at, cell in better.items() if cell.log_odds < limits.present})
        without_overlaps(cells)
    return {**missed, **cells}, view, lamps


def _search_place(
    at: Place, view: Array, table: LatticePicture, triangles: Floats, cells: dict[Place, Cell] | None
) -> Cell:
    """What a place shows; what does not plainly show a card is looked at under veils, and without what other
    plain cards may cover, if it lies beside cards (`cells`; None: it does not)."""
    starts = _outlines_near(at, view, triangles)
    cell = table.search(at, view, starts)
    if cell.is_plain or cells is None:
        return cell
    others = [cells[n].corners for n in neighbours(at) if n in cells and cells[n].is_plain]
    other = table.search_under_glare(at, view, starts, others)
    return other if other is not None and other.log_odds > cell.log_odds else cell


def _has_moved(at: Place, view: Array, looked: dict[Place, Floats], step: float) -> bool:
    """Whether a place is to be looked at again: the view puts it farther from the last look than a step of
    the search (sides)."""
    if at not in looked:
        return True
    now = projected(view, corners_of(at))
    return float(np.abs(now - looked[at]).max()) > step * median_side(now[None])


def _outlines_near(at: Place, view: Array, triangles: Floats) -> list[Floats]:
    """The outlines that may be the card of a place."""
    expected = projected(view, corners_of(at))
    side = median_side(expected[None])
    reach = triangle_limits().outlines.near_place * side
    near = np.linalg.norm(triangles.mean(axis=1) - expected.mean(axis=0), axis=1) < reach
    found = [aligned(one, expected) for one in triangles[near]]
    return [seen for seen, away in found if away < reach][:3]


def without_overlaps(cells: dict[Place, Cell]) -> None:
    """Takes out cards that lie for the most part on others, those with less evidence first."""
    order = sorted(present(cells), key=lambda at: -cells[at].log_odds)
    for i, at in enumerate(order):
        near = [other for other in order[:i] if other in cells and other in neighbours(at)]
        if any(
            shared_part(cells[at].corners, cells[other].corners) > triangle_limits().places.half
            for other in near
        ):
            del cells[at]


def present(cells: dict[Place, Cell]) -> list[Place]:
    """The places at which a card is."""
    return [at for at, cell in cells.items() if cell.log_odds >= triangle_limits().places.present]


def possible(cells: dict[Place, Cell]) -> dict[Place, Cell]:
    """The places at which a card may be."""
    return {at: cell for at, cell in cells.items() if cell.log_odds >= triangle_limits().places.possible}
