"""Takes the results of the tables into the rounds of tournaments, each once.

A game that was begun from the offer has the seating's id. A game that the same players began by hand at the
same table counts too, if it began after the round.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from companion.mqtt.messages import GameEnded

EARLIER = timedelta(minutes=10)
"""By so much a table's clock may be slow."""


def take_result(connection: Connection, ended: GameEnded, places: Mapping[str, int]) -> bool:
    """Stores a result in its round; a later one of the same game replaces it, unless the organiser has set
    the places. Returns whether something has changed.

    Args:
        places: player -> place in the game.
    """
    if not ended.winner:
        return False
    rows = connection.execute(SEATINGS, {"place": ended.table}).all()
    for row in rows:
        names = _players(connection, row, ended)
        if names is None or row.game != ended.name:
            continue
        if row.seating == ended.game or (row.sequence < 0 and _began_by_hand(row, ended)):
            ranks = {names[player]: place for player, place in places.items()}
            values = {"id": row.tournament, "round": row.round, "number": row.number}
            values |= {"ranks": msgspec.json.encode(ranks).decode(), "sequence": ended.sequence}
            values |= {"seating": ended.game}
            return bool(connection.execute(TAKE, values).rowcount == 1)
    return False


def forget_names(connection: Connection, ended: GameEnded, before: Mapping[int, str]) -> bool:
    """Replaces the registered names of players whose names the table has replaced in a game. Their phones
    still show their pages, but a PIN no longer leads there. Returns whether there were any.

    Args:
        before: seat from 1 -> name in the earlier result of the game.
    """
    changed = False
    if len(before) == len(ended.players):
        for seat, name in enumerate(ended.players, 1):
            if before[seat] != name:
                values = {"game": ended.game, "place": ended.table, "before": before[seat], "name": name}
                values |= {"folded": name.casefold()}
                changed |= connection.execute(FORGET_ENTRANT, values).rowcount > 0
    return changed


def _players(connection: Connection, row: Any, ended: GameEnded) -> dict[str, int] | None:
    """Name in the result -> number of the player; None: these are not the players of the seating."""
    entrants = {one.number: one for one in connection.execute(ENTRANTS, {"id": row.tournament}).all()}
    numbers = msgspec.json.decode(row.players, type=list[int])
    names = {entrants[number].name: number for number in numbers}
    if set(names) == set(ended.players):
        return names
    if row.seating != ended.game or len(numbers) != len(ended.players):
        return None
    pairs = list(zip(ended.players, numbers, strict=True))  # begun before a name of the seating was replaced
    if all(entrants[number].name == name or entrants[number].forgotten for name, number in pairs):
        return dict(pairs)
    return None


def _began_by_hand(row: Any, ended: GameEnded) -> bool:
    if not row.latest or ended.game.startswith(f"{row.tournament}-r"):  # of a seating that was changed
        return False
    return datetime.fromisoformat(ended.started) >= datetime.fromisoformat(row.started) - EARLIER


SEATINGS = text(
    "SELECT s.tournament, s.round, s.number, s.seating, s.players, s.sequence, r.game, r.started,"
    " NOT EXISTS (SELECT 1 FROM tournament_round o WHERE o.tournament = s.tournament AND o.number > s.round)"
    " AS latest FROM tournament_table s"
    " JOIN tournament_round r ON r.tournament = s.tournament AND r.number = s.round"
    " JOIN tournament t ON t.id = s.tournament"
    " WHERE s.place = :place AND t.phase = 'running' AND s.source <> 'organiser' ORDER BY r.started DESC"
)
ENTRANTS = text("SELECT number, name, forgotten FROM tournament_entrant WHERE tournament = :id")
FORGET_ENTRANT = text(
    "UPDATE tournament_entrant SET name = :name, folded = :folded, pin = '', forgotten = 1"
    " WHERE name = :before AND tournament IN"
    " (SELECT s.tournament FROM tournament_table s WHERE s.place = :place AND s.seating = :game)"
    " AND NOT EXISTS (SELECT 1 FROM tournament_entrant o"
    " WHERE o.tournament = tournament_entrant.tournament AND o.folded = :folded)"
)
TAKE = text(
    "UPDATE tournament_table SET ranks = :ranks, source = 'table', sequence = :sequence, seating = :seating"
    " WHERE tournament = :id AND round = :round AND number = :number AND source <> 'organiser'"
    " AND sequence < :sequence"
)
