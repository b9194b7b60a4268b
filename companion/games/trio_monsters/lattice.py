"""The triangular lattice on which Trio Monsters is laid (the notation is that of docs/events.md).

A place is (row, column). Row r is the strip between the horizontal lines y = r and y = r + 1, y growing
towards the reader. A triangle with r + c even points up (its base lies on y = r + 1), the others point down.
Corners are (x, y) with x in half side lengths.
"""

from __future__ import annotations

from collections.abc import Mapping

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


def chain(start: Place, table: Mapping[Place, str], colour: str) -> set[Place]:
    """The cards of a colour that are connected with `start` by sides, `start` among them."""
    found = {start}
    edge = [start]
    while edge:
        for at in sides(edge.pop()):
            if at not in found and table.get(at) == colour:
                found.add(at)
                edge.append(at)
    return found


def groups(places: list[Place]) -> list[list[Place]]:
    """Splits places into groups that hang together by corners.

    Groups come in the order of their first place, and within a group the order of `places` is kept.
    """
    at_corner: dict[Corner, list[Place]] = {}
    for at in places:
        for corner in corners(at):
            at_corner.setdefault(corner, []).append(at)
    group_of: dict[Place, int] = {}
    count = 0
    for first in places:
        if first in group_of:
            continue
        group_of[first] = count
        edge = [first]
        while edge:
            for corner in corners(edge.pop()):
                for at in at_corner[corner]:
                    if at not in group_of:
                        group_of[at] = count
                        edge.append(at)
        count += 1
    split: list[list[Place]] = [[] for _ in range(count)]
    for at in places:
        split[group_of[at]].append(at)
    return split
