"""Results of games that a table played under an earlier seating.

Somebody came after all, or the organiser let the game be played again while it was still being played. Such a
result counts only if the organiser says so.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, text

from companion.hub.tournament.model import RoundTable, Tournament


class EarlierResult(msgspec.Struct, frozen=True):
    """The result of a game under an earlier seating."""

    game: str
    ranks: dict[int, int]
    """Player -> place, in seating order."""


def earlier_results(connection: Connection, known: Tournament) -> Mapping[int, EarlierResult]:
    """Number of a table of the latest round that has no result yet -> the latest game that was played there
    under an earlier seating."""
    if known.latest is None or known.phase != "running":
        return {}
    numbers = {one.name: one.number for one in known.entrants}
    found = {}
    for table in known.latest.tables:
        if table.has_companion and not table.ranks:
            result = _latest(connection, table, numbers)
            if result is not None:
                found[table.number] = result
    return found


def _latest(connection: Connection, table: RoundTable, numbers: Mapping[str, int]) -> EarlierResult | None:
    values = {"place": table.place, "now": table.id, "earlier": table.id.rpartition("-")[0] + "-%"}
    rows = connection.execute(PLACINGS, values).all()
    ranks = {numbers[row.player]: int(row.place) for row in rows if row.player in numbers}
    if not rows or len(ranks) < len(rows):
        return None
    return EarlierResult(rows[0].game, ranks)


PLACINGS = text(
    "SELECT p.game, p.player, p.place FROM hall_placing p WHERE p.table_name = :place AND p.game ="
    " (SELECT r.game FROM hall_result r WHERE r.table_name = :place AND r.game LIKE :earlier"
    " AND r.game <> :now AND r.decided = 1 ORDER BY r.received DESC, r.game DESC LIMIT 1) ORDER BY p.seat"
)
