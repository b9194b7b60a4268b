"""The triangular lattice on which Trio Monsters is laid (the notation is that of docs/events.md).

A place is (row, column). Row r is the strip between the horizontal lines y = r and y = r + 1, y growing
towards the reader. A triangle with r + c even points up (its base lies on y = r + 1), the others point down.
Corners are (x, y) with x in half side lengths.
"""

from __future__ import annotations

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
