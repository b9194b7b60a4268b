"""Stores what the tables publish: each (table, game, sequence) once, and how far each table is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from companion.hub.database import HubDatabase, execute_many
from companion.hub.hall_rows import EventRows, add_result, as_json, forget_games, placings, seats_of
from companion.hub.intake import ReadMessage
from companion.hub.progress import TableProgress
from companion.hub.tournament.matching import forget_names, take_result
from companion.mqtt.messages import (
    EventJudged,
    GameEnded,
    GameOpened,
    TableForgotten,
    TableState,
    TableStatus,
    encoded,
)

EVENING_ENDS_H = 5
"""Hour of the hub's local time until which a game belongs to the evening before."""


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
        self._on_seating = on_seating
        self._seatings_changed = False
        self.tables = {
            row.name: TableProgress(
                row.series, row.number, row.head, _ranges(row.beyond), row.epoch, _names(row.former)
            )
            for row in database.rows("SELECT * FROM hall_table")
        }
        """Table -> how far it is stored."""
        self.unwritten: set[str] = set()
        """Tables of which that is not written yet."""

    def store(self, batch: Iterable[ReadMessage], *, progress: bool = True) -> Stored:
        """Stores a batch in one transaction.

        Args:
            progress: also write how far the tables are stored. A hub that is killed before that asks for
                some messages again, which changes nothing.

        Raises:
            Unavailable: the database failed; nothing is stored, and the batch may be stored again.
        """
        added = events = results = again = 0
        forgotten = False
        rows = EventRows()
        touched: dict[str, TableProgress] = {}
        with self._database.transaction() as connection:
            for one in batch:
                known = touched.get(one.table)
                if known is None:
                    known = touched[one.table] = self._copy_of(one.table)
                match one.message:
                    case TableStatus():
                        known.reported(one.message)
                    case TableState():
                        known.state, known.changed = one.message, True
                    case TableForgotten():
                        events += rows.write(connection)
                        forgotten |= forget_games(connection, one.message)
                    case GameOpened() | EventJudged():
                        rows.add(one.message, known.epoch_of(one.message.series))
                        added += 1
                    case GameEnded():
                        new = self._add_result(connection, one.message, known.epoch_of(one.message.series))
                        results, again = results + new, again + (not new)
                if one.place is not None:
                    known.passed(one.place)
            events += rows.write(connection)
            written = self._write(connection, touched, progress)
        self.tables |= touched
        for name in written:
            self.tables[name].written()
        self.unwritten = (self.unwritten | touched.keys()) - written
        if results or forgotten:
            self._database.changed()
        if self._seatings_changed:
            self._seatings_changed = False
            self._on_seating()
        return Stored(events, results, again + added - events)

    def _copy_of(self, table: str) -> TableProgress:
        known = self.tables.get(table)
        return TableProgress() if known is None else known.copy()

    def _write(self, connection: Connection, touched: dict[str, TableProgress], every: bool) -> set[str]:
        """Writes how far tables are stored: all that have changed, or only those that must not wait. Returns
        the names of those that need no writing any more."""
        tables = {name: self.tables[name] for name in self.unwritten} | touched
        chosen = {name: one for name, one in tables.items() if every or one.urgent}
        seen = self._now()
        rows = [_row_of(name, one, seen) for name, one in chosen.items() if one.changed]
        if rows:
            execute_many(connection, UPSERT_TABLE, rows)
        return set(chosen)

    def _add_result(self, connection: Connection, ended: GameEnded, epoch: int) -> bool:
        local = datetime.fromisoformat(ended.started).astimezone(self._wall().tzinfo)
        evening = (local - timedelta(hours=EVENING_ENDS_H)).date().isoformat()
        values = {"evening": evening, "received": self._now(), "epoch": epoch}
        before = seats_of(connection, ended)
        if not add_result(connection, ended, values):
            return False
        if before:
            self._seatings_changed |= forget_names(connection, ended, before)
        places = {one["player"]: one["place"] for one in placings(ended)}
        self._seatings_changed |= take_result(connection, ended, places)
        return True

    def _now(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="milliseconds")


def _row_of(name: str, progress: TableProgress, seen: str) -> dict[str, Any]:
    return {
        "name": name,
        "online": None if progress.online is None else int(progress.online),
        "version": progress.version,
        "series": progress.series,
        "number": progress.number,
        "head": progress.head,
        "beyond": as_json(progress.beyond.ranges),
        "epoch": progress.epoch,
        "former": as_json(progress.former),
        "state": None if progress.state is None else encoded(progress.state).decode(),
        "seen": seen,
    }


def _ranges(text_: str) -> list[tuple[int, int]]:
    return msgspec.json.decode(text_, type=list[tuple[int, int]])


def _names(text_: str) -> list[str]:
    return msgspec.json.decode(text_, type=list[str])


UPSERT_TABLE = text(
    "INSERT INTO hall_table"
    " (name, online, version, series, number, head, beyond, epoch, former, state, seen) VALUES (:name,"
    " coalesce(:online, 0), coalesce(:version, ''), :series, :number, :head, :beyond, :epoch, :former,"
    " coalesce(:state, ''), :seen)"
    " ON CONFLICT (name) DO UPDATE SET online = coalesce(:online, hall_table.online),"
    " version = coalesce(:version, hall_table.version), series = :series, number = :number, head = :head,"
    " beyond = :beyond, epoch = :epoch, former = :former,"
    " state = coalesce(:state, hall_table.state), seen = :seen"
)
