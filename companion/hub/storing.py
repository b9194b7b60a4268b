"""Stores what the tables publish: each (table, game, sequence) once, and how far each table is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from companion.hub.database import HubDatabase
from companion.hub.intake import JournalPlace, ReadMessage
from companion.hub.number_ranges import NumberRanges
from companion.hub.tournament.matching import take_result
from companion.mqtt.messages import EventJudged, GameEnded, GameOpened, TableState, TableStatus, encoded
from companion.table.night import Finished, places, points

EVENING_ENDS_H = 5
"""Hour of the hub's local time until which a game belongs to the evening before."""


class TableProgress:
    """How far one table is stored; `changed` says whether it differs from the database."""

    def __init__(
        self, series: str = "", number: int = 0, head: int = 0, beyond: Iterable[tuple[int, int]] = ()
    ) -> None:
        self.series = series
        self.number = number
        self.head = head
        self.beyond = NumberRanges(beyond)
        """Numbers after a gap that are stored already."""
        self.online: bool | None = None
        self.version: str | None = None
        self.state: TableState | None = None
        self.changed = False

    @property
    def incomplete(self) -> bool:
        """Whether messages are missing that the broker has acknowledged to the table."""
        return self.head > self.number

    def passed(self, place: JournalPlace) -> None:
        """A message from this place was stored, or was stored before."""
        self._follow(place.series)
        if place.number > self.number:
            self.beyond.add(place.number)
            self.number = self.beyond.joined(self.number)
        self.head = max(self.head, place.number)
        self.changed = True

    @property
    def missing(self) -> tuple[int, int]:
        """The first gap: the numbers after the first of these, up to the second."""
        first = self.beyond.first
        return self.number, self.head if first is None else first - 1

    def reported(self, status: TableStatus) -> None:
        """The table said that it is there, and how far the broker has acknowledged its messages."""
        self.online, self.changed = status.online, True
        if status.online:
            self.version = status.version
            if status.series:
                self._follow(status.series)
                self.head = max(self.head, status.number)

    def _follow(self, series: str) -> None:
        if series != self.series:
            self.series, self.number, self.head = series, 0, 0
            self.beyond = NumberRanges()


class Stored(msgspec.Struct, frozen=True):
    """What one batch brought."""

    events: int = 0
    results: int = 0
    again: int = 0
    """Messages that were known already."""


class ResultStore:
    """Stores batches of messages. Not for several threads at once.

    Args:
        wall: the hub's time of day, in its own time zone: an evening begins and ends by it.
        on_seating: called after a batch that brought the result of a tournament.
    """

    def __init__(
        self,
        database: HubDatabase,
        wall: Callable[[], datetime],
        on_seating: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._wall = wall
        self.tables = {
            row.name: TableProgress(row.series, row.number, row.head, _ranges(row.beyond))
            for row in database.rows("SELECT name, series, number, head, beyond FROM hall_table")
        }
        """Table -> how far it is stored."""
        self._on_seating = on_seating
        self._seatings_changed = False

    def store(self, batch: Iterable[ReadMessage]) -> Stored:
        """Stores a batch in one transaction.

        Raises:
            Unavailable: the database failed; nothing is stored, and the batch may be stored again.
        """
        events = results = again = 0
        touched: dict[str, TableProgress] = {}
        with self._database.transaction() as connection:
            for one in batch:
                progress = touched.setdefault(one.table, _copy(self.tables.get(one.table)))
                match one.message:
                    case TableStatus():
                        progress.reported(one.message)
                    case TableState():
                        progress.state, progress.changed = one.message, True
                    case GameOpened() | EventJudged():
                        new = _add_event(connection, one.message)
                        events, again = events + new, again + (not new)
                    case GameEnded():
                        new = self._add_result(connection, one.message)
                        results, again = results + new, again + (not new)
                if one.place is not None:
                    progress.passed(one.place)
            for name, progress in touched.items():
                if progress.changed:
                    self._write(connection, name, progress)
        self.tables |= touched
        if results:
            self._database.changed()
        if self._seatings_changed:
            self._seatings_changed = False
            self._on_seating()
        return Stored(events, results, again)

    def _write(self, connection: Connection, name: str, progress: TableProgress) -> None:
        state = None if progress.state is None else encoded(progress.state).decode()
        values = {
            "name": name,
            "online": None if progress.online is None else int(progress.online),
            "version": progress.version,
            "series": progress.series,
            "number": progress.number,
            "head": progress.head,
            "beyond": _json(progress.beyond.ranges),
            "state": state,
            "seen": self._wall().astimezone(UTC).isoformat(timespec="milliseconds"),
        }
        connection.execute(UPSERT_TABLE, values)
        progress.changed, progress.state = False, None

    def _add_result(self, connection: Connection, ended: GameEnded) -> bool:
        """Stores a result with its placings; a later one of the same game (greater sequence) replaces it."""
        ids = {"table_name": ended.table, "game": ended.game, "sequence": ended.sequence}
        local = datetime.fromisoformat(ended.started).astimezone(self._wall().tzinfo)
        values = ids | {
            "name": ended.name,
            "started": ended.started,
            "ended": ended.ended,
            "received": self._wall().astimezone(UTC).isoformat(timespec="milliseconds"),
            "evening": (local - timedelta(hours=EVENING_ENDS_H)).date().isoformat(),
            "decided": int(bool(ended.winner)),
        }
        if connection.execute(UPSERT_RESULT, values).rowcount < 1:
            return False
        connection.execute(DELETE_PLACINGS, ids)
        placed = placings(ended)
        known = {"name": ended.name, "evening": values["evening"]}
        connection.execute(ADD_PLACING, [ids | known | one for one in placed])
        self._seatings_changed |= take_result(
            connection, ended, {one["player"]: one["place"] for one in placed}
        )
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


def _add_event(connection: Connection, one: GameOpened | EventJudged) -> bool:
    ids: dict[str, Any] = {"table_name": one.table, "game": one.game}
    if isinstance(one, GameOpened):
        values = ids | {
            "name": one.name,
            "players": _json(one.players),
            "settings": _json(one.settings),
            "started": one.started,
        }
        return connection.execute(ADD_GAME, values).rowcount == 1
    values = ids | {
        "sequence": one.sequence,
        "t": one.t,
        "at": one.at,
        "source": one.source,
        "event": _json(one.event),
        "code": one.code,
    }
    return connection.execute(ADD_EVENT, values).rowcount == 1


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _ranges(text_: str) -> list[tuple[int, int]]:
    return msgspec.json.decode(text_, type=list[tuple[int, int]])


def _copy(known: TableProgress | None) -> TableProgress:
    """A batch that fails must leave what is known unchanged."""
    if known is None:
        return TableProgress()
    found = TableProgress(known.series, known.number, known.head, known.beyond.ranges)
    found.online = known.online
    return found


def _insert(table: str, *columns: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(':' + one for one in columns)})"


_IDS = ("table_name", "game")
ADD_GAME = text(
    _insert("hall_game", *_IDS, "name", "players", "settings", "started") + " ON CONFLICT DO NOTHING"
)
ADD_EVENT = text(
    _insert("hall_event", *_IDS, "sequence", "t", "at", "source", "event", "code") + " ON CONFLICT DO NOTHING"
)
ADD_PLACING = text(
    "INSERT INTO hall_placing"
    " (table_name, game, player, seat, score, place, points, won, name, evening, counts)"
    " VALUES (:table_name, :game, :player, :seat, :score, :place, :points, :won, :name, :evening,"
    " (SELECT decided * (1 - left_out) FROM hall_result"
    " WHERE table_name = :table_name AND game = :game))"
)
DELETE_PLACINGS = text("DELETE FROM hall_placing WHERE table_name = :table_name AND game = :game")
UPSERT_RESULT = text(
    "INSERT INTO hall_result"
    " (table_name, game, sequence, name, started, ended, received, evening, decided, left_out)"
    " VALUES (:table_name, :game, :sequence, :name, :started, :ended, :received, :evening, :decided, 0)"
    " ON CONFLICT (table_name, game) DO UPDATE SET sequence = excluded.sequence, ended = excluded.ended,"
    " received = excluded.received, decided = excluded.decided"
    " WHERE excluded.sequence > hall_result.sequence"
)
UPSERT_TABLE = text(
    "INSERT INTO hall_table (name, online, version, series, number, head, beyond, state, seen) VALUES (:name,"
    " coalesce(:online, 0), coalesce(:version, ''), :series, :number, :head, :beyond, coalesce(:state, ''),"
    " :seen)"
    " ON CONFLICT (name) DO UPDATE SET online = coalesce(:online, hall_table.online),"
    " version = coalesce(:version, hall_table.version), series = :series, number = :number, head = :head,"
    " beyond = :beyond,"
    " state = coalesce(:state, hall_table.state), seen = :seen"
)
