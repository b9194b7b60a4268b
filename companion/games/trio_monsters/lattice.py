"""The triangular lattice on which Trio Monsters is laid (the notation is that of docs/events.md).

A place is (row, column). Row r is the strip between the horizontal lines y = r and y = r + 1, y growing
towards the reader. A triangle with r + c even points up (its base lies on y = r + 1), the others point down.
Corners are (x, y) with x in half side lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Place = tuple[int, int]
Corner = tuple[int, int]


def points_up(at: Place) -> bool:
    """Whether the triangle at this place points away from the reader."""
    return (at[0] + at[1]) % 2 == 0


def sides(at: Place) -> tuple[Place, Place, Place]:
    """The three places that share a side with this one: left, right, across the base."""
    r, c = at
    return (r, c - 1), (r, c + 1), (r - 1 if (r + c) % 2 else r + 1, c)


def corners(at: Place) -> tuple[Corner, Corner, Corner]:
    """The three corners of the triangle at this place."""
    r, c = at
    if points_up(at):
        return (c + 1, r), (c, r + 1), (c + 2, r + 1)
    return (c, r), (c + 2, r), (c + 1, r + 1)


# --- places as numbers ------------------------------------------------------------------------------------

STRIDE = 4_000_003
"""From a cell to the one below it. Odd, so that a cell is odd where its triangle points down; more than twice
the largest column, so that cells are in the order of their places."""


def cell_of(place: Sequence[int]) -> int:
    """The number of a place, with which the rules reckon: neighbours are a fixed step apart."""
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
