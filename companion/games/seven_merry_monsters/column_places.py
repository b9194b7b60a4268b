"""Where the columns of a display lie on the table, and which of them a joker joins.

The cards of a column lie on each other, moved along it by a strip; beside it is the next column. So the
distance across the columns decides, however far a joker lies from the other cards of its own. They run in the
direction in which the cards of a column follow each other; while each has one card, as that card stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot

from companion.core.observations import Point, Sighting

CLEARLY_NEARER = 1.6
"""A joker belongs to the nearest column if the next one is at least this many times as far away."""
FARTHEST = 0.6
"""Card widths across from a column up to which a joker may belong to it."""
SHORTEST = 0.3
"""Card widths from the first to the last card of a column that show in which direction it runs."""


class ColumnPlaces:
    """The cards of one player's display, by column, as they came to lie there."""

    def __init__(self) -> None:
        self._cards: dict[str, list[Point]] = {}

    def remember(self, column: str, centre: Point) -> None:
        """A card came to lie in a column."""
        self._cards.setdefault(column, []).append(centre)

    def nearest(self, joker: Sighting, columns: Sequence[str]) -> str | None:
        """The column of these that a joker joins; None: it cannot be told, or not all of them were seen."""
        if any(column not in self._cards for column in columns):
            return None
        centre, width = joker.centre, dist(*joker.corners[:2])
        along = self._direction(columns, SHORTEST * width) or _upright(joker)
        off = sorted((_across(centre, self._next_to(column, centre), along), column) for column in columns)
        (near, column), (far, _) = off[0], off[1]
        clear = near <= FARTHEST * width and far > CLEARLY_NEARER * near
        return column if clear else None

    def _next_to(self, column: str, centre: Point) -> Point:
        return min(self._cards[column], key=lambda card: dist(card, centre))

    def _direction(self, columns: Sequence[str], shortest: float) -> Point | None:
        """The direction of the columns, from the first to the last card of the longest; None: none is long
        enough."""
        ends = [(self._cards[column][0], self._cards[column][-1]) for column in columns]
        first, last = max(ends, key=lambda pair: dist(*pair))
        return _unit(first, last) if dist(first, last) >= shortest else None


def _upright(card: Sighting) -> Point | None:
    """The direction of a card's long side."""
    return _unit(card.corners[0], card.corners[3])


def _unit(first: Point, last: Point) -> Point | None:
    length = dist(first, last)
    return ((last[0] - first[0]) / length, (last[1] - first[1]) / length) if length > 0 else None


def _across(point: Point, other: Point, along: Point | None) -> float:
    """The distance of two points across a direction; all of it without one."""
    x, y = point[0] - other[0], point[1] - other[1]
    return hypot(x, y) if along is None else abs(x * along[1] - y * along[0])
