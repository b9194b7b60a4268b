"""The places of the lattice as numbers, with which the rules of Trio Monsters reckon.

A cell is row * STRIDE + column, so that neighbours are a fixed step apart. The lattice itself is explained in
companion.games.trio_monsters.lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.trio_monsters.lattice import Place

STRIDE = 4_000_003
"""From a cell to the one below it. Odd, so that a cell is odd where its triangle points down; more than twice
the largest column, so that cells are in the order of their places."""


def cell_of(place: Sequence[int]) -> int:
    """The number of a place."""
    return place[0] * STRIDE + place[1]


def place_of(cell: int) -> Place:
    """The place of a cell."""
    row = (cell + STRIDE // 2) // STRIDE
    return row, cell - row * STRIDE


def beside(cell: int) -> tuple[int, int, int]:
    """The three cells that share a side with this one: left, right, across the base."""
    return cell - 1, cell + 1, cell - STRIDE if cell & 1 else cell + STRIDE


def _corners_of(cell: int) -> tuple[int, int, int]:
    """The three corners of a cell, numbered like cells."""
    if cell & 1:
        return cell, cell + 2, cell + STRIDE + 1
    return cell + 1, cell + STRIDE, cell + STRIDE + 2


def chain(start: int, table: Mapping[int, str]) -> set[int]:
    """The cards of one colour that are connected with the card at `start` by sides, that card among them."""
    colour = table[start]
    found = {start}
    edge = [start]
    while edge:
        for cell in beside(edge.pop()):
            if cell not in found and table.get(cell) == colour:
                found.add(cell)
                edge.append(cell)
    return found


def groups(cells: Iterable[int]) -> list[list[int]]:
    """Splits cells into groups that hang together by corners, in the order of the first cell of each."""
    split: list[list[int]] = []
    group_at: dict[int, list[int]] = {}
    for cell in cells:
        corners_here = _corners_of(cell)
        own: list[int] | None = None
        for corner in corners_here:
            other = group_at.get(corner)
            if other is None or other is own:
                continue
            if own is None:
                own = other
                continue
            first, second = (own, other) if split.index(own) < split.index(other) else (other, own)
            split.remove(second)
            first += second
            for one in second:
                group_at.update(dict.fromkeys(_corners_of(one), first))
            own = first
        if own is None:
            own = []
            split.append(own)
        own.append(cell)
        for corner in corners_here:
            group_at[corner] = own
    return split
