"""Whether a card lies at a place, by what the place shows in plain light (cells.py)."""

from __future__ import annotations

from companion.vision.image.geometry import shared_part
from companion.vision.lattice.cells import Cell
from companion.vision.lattice.fit import Place, neighbours
from companion.vision.lattice.limits import lattice_limits

PRESENT, POSSIBLE = -4.0, -8.0
"""Log-odds from which a card is at a place, and from which one may be there."""
LARGEST_OVERLAP = 0.5
"""Share of a card that may be over or under another one."""
SAFE_MARGIN = 0.08
"""Margin below which a lamp may be mirrored in a card that is plainly there."""
PLAINLY_PRESENT = 1.0
"""Log-odds up to which a place is looked at again if the view puts it elsewhere."""


def presence_log_odds(cell: Cell) -> float:
    """Log-odds that a card lies at the place, in favour of one that fits, has its pattern and has an
    outline."""
    return lattice_limits().search.log_odds(cell.edge, cell.like, cell.cost, cell.off)


def is_plain(cell: Cell) -> bool:
    """Whether a card is there, and unlike any other."""
    return presence_log_odds(cell) >= PLAINLY_PRESENT and cell.margin >= SAFE_MARGIN


def without_overlaps(cells: dict[Place, Cell]) -> None:
    """Takes out cards that lie for the most part on others, those with less evidence first."""
    order = sorted(present(cells), key=lambda at: -presence_log_odds(cells[at]))
    for i, at in enumerate(order):
        near = [other for other in order[:i] if other in cells and other in neighbours(at)]
        if any(shared_part(cells[at].corners, cells[other].corners) > LARGEST_OVERLAP for other in near):
            del cells[at]


def present(cells: dict[Place, Cell]) -> list[Place]:
    """The places at which a card is."""
    return [at for at, cell in cells.items() if presence_log_odds(cell) >= PRESENT]


def possible(cells: dict[Place, Cell]) -> dict[Place, Cell]:
    """The places at which a card may be."""
    return {at: cell for at, cell in cells.items() if presence_log_odds(cell) >= POSSIBLE}
