"""The statements that write what tables publish. The same SQL for SQLite and PostgreSQL.

A row that is there already stays, except that a later series of the table replaces it: then the table has
written its journal anew, for instance without the name of a player.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, text

from companion.hub.database import execute_many
from companion.mqtt.messages import EventJudged, GameEnded, GameOpened, TableForgotten
from companion.table.night import Finished, places, points


class EventRows:
    """Starts of games and events of one transaction. Writing them together costs a tenth of one by one."""

    def __init__(self) -> None:
        self._games: list[dict[str, Any]] = []
        self._events: list[dict[str, Any]] = []

    def add(self, one: GameOpened | EventJudged, epoch: int) -> None:
        """Adds the start of a game, or an event."""
        ids: dict[str, Any] = {"table_name": one.table, "game": one.game, "epoch": epoch}
        if isinstance(one, GameOpened):
            self._games.append(
                ids
                | {
                    "name": one.name,
                    "players": as_json(one.players),
                    "settings": as_json(one.settings),
                    "started": one.started,
                }
            )
            return
        self._events.append(
            ids
            | {
                "sequence": one.sequence,
                "t": one.t,
                "at": one.at,
                "source": one.source,
                "event": as_json(one.event),
                "code": one.code,
            }
        )

    def write(self, connection: Connection) -> int:
        """Writes what was added since the last call; returns how many rows have changed."""
        changed = 0
        for statement, rows in ((ADD_GAME, self._games), (ADD_EVENT, self._events)):
            if rows:
                changed += execute_many(connection, statement, rows)
                rows.clear()
        return changed


def add_result(connection: Connection, ended: GameEnded, values: dict[str, Any]) -> bool:
    """Stores a result with its placings; one of the same game with a greater sequence or epoch replaces it.

    Args:
        values: `evening`, `received`, `epoch`.
    """
    ids = {"table_name": ended.table, "game": ended.game, "sequence": ended.sequence}
    result = {
        "name": ended.name,
        "started": ended.started,
        "ended": ended.ended,
        "decided": int(bool(ended.winner)),
        "left_out": 0,
    }
    if connection.execute(UPSERT_RESULT, ids | result | values).rowcount < 1:
        return False
    connection.execute(DELETE_PLACINGS, ids)
    known = {"name": ended.name, "evening": values["evening"]}
    connection.execute(ADD_PLACING, [ids | known | one for one in placings(ended)])
    return True


def seats_of(connection: Connection, ended: GameEnded) -> dict[int, str]:
    """Seat from 1 -> player in the stored result of a game; empty: there is none."""
    rows = connection.execute(SEATS, {"table_name": ended.table, "game": ended.game}).all()
    return {row.seat: row.player for row in rows}


def forget_games(connection: Connection, message: TableForgotten) -> bool:
    """Deletes games that a table has deleted, and keeps their ids: a late message does not bring them back.
    Returns whether there were any."""
    known = connection.execute(FORGOTTEN, {"table_name": message.table}).scalars().all()
    new = [{"table_name": message.table, "game": game} for game in set(message.games) - set(known)]
    if not new:
        return False
    connection.execute(NOTE_FORGOTTEN, new)
    for statement in FORGET:
        connection.execute(statement, new)
    return True


def placings(ended: GameEnded) -> list[dict[str, Any]]:
    """Place and points of each player of a game."""
    done = Finished(0, ended.name, ended.players, ended.winner, ended.scores, True)
    place, won = places(done), points(done)
    return [
        {
            "player": player,
            "seat": seat,
            "score": ended.scores.get(player),
            "place": place[player],
            "points": won[player],
            "won": int(player in ended.winner),
        }
        for seat, player in enumerate(ended.players, 1)
    ]


def as_json(value: Any) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def _insert(table: str, key: str, *columns: str, replaces: str) -> str:
    """Adds a row unless its game was forgotten; `replaces`: what a later epoch changes."""
    names = ("table_name", "game", *columns, "epoch")
    return (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(':' + one for one in names)}"
        " WHERE NOT EXISTS (SELECT 1 FROM hall_forgotten f"
        " WHERE f.table_name = :table_name AND f.game = :game)"
        f" ON CONFLICT ({key}) DO UPDATE SET {replaces}"
    )


def _set(*columns: str) -> str:
    return ", ".join(f"{one} = excluded.{one}" for one in columns)


ADD_GAME = text(
    _insert(
        "hall_game",
        "table_name, game",
        *("name", "players", "settings", "started"),
        replaces=f"{_set('players', 'settings', 'epoch')} WHERE hall_game.epoch < excluded.epoch",
    )
)
ADD_EVENT = text(
    _insert(
        "hall_event",
        "table_name, game, sequence",
        *("sequence", "t", "at", "source", "event", "code"),
        replaces=f"{_set('event', 'epoch')} WHERE hall_event.epoch < excluded.epoch",
    )
)
UPSERT_RESULT = text(
    _insert(
        "hall_result",
        "table_name, game",
        *("sequence", "name", "started", "ended", "received", "evening", "decided", "left_out"),
        replaces=f"{_set('sequence', 'ended', 'received', 'decided', 'epoch')}"
        " WHERE excluded.sequence > hall_result.sequence OR excluded.epoch > hall_result.epoch",
    )
)
ADD_PLACING = text(
    "INSERT INTO hall_placing"
    " (table_name, game, player, seat, score, place, points, won, name, evening, counts)"
    " VALUES (:table_name, :game, :player, :seat, :score, :place, :points, :won, :name, :evening,"
    " (SELECT decided * (1 - left_out) FROM hall_result"
    " WHERE table_name = :table_name AND game = :game))"
)
SEATS = text("SELECT seat, player FROM hall_placing WHERE table_name = :table_name AND game = :game")
DELETE_PLACINGS = text("DELETE FROM hall_placing WHERE table_name = :table_name AND game = :game")
FORGOTTEN = text("SELECT game FROM hall_forgotten WHERE table_name = :table_name")
NOTE_FORGOTTEN = text("INSERT INTO hall_forgotten (table_name, game) VALUES (:table_name, :game)")
FORGET = [
    text(f"DELETE FROM {table} WHERE table_name = :table_name AND game = :game")
    for table in ("hall_event", "hall_game", "hall_placing", "hall_result")
]
