"""How many tables of how many players a round needs. Pure."""

from __future__ import annotations

from typing import NamedTuple


class TableSizes(NamedTuple):
    """The tables of a round, the largest first, and how many players have no seat."""

    sizes: tuple[int, ...]
    resting: int


def table_sizes(players: int, tables: int, allowed: range) -> TableSizes:
    """As few players without a seat as possible, then as few tables as possible, of nearly equal size.

    Args:
        tables: how many there are.
        allowed: possible numbers of players at a table.
    """
    if not allowed or tables < 1:
        return TableSizes((), players)
    least, most = allowed[0], allowed[-1]
    for resting in range(players + 1):
        seated = players - resting
        count = -(-seated // most)
        if count and count <= tables and seated // count >= least:
            small, large = divmod(seated, count)
            return TableSizes((small + 1,) * large + (small,) * (count - large), resting)
    return TableSizes((), players)
