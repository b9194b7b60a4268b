"""Publishes to each table the game that it should play now, as a retained message."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.hub.tournament.model import Tournament
from companion.hub.tournament.reading import TournamentReader
from companion.mqtt.messages import TableSeating, encoded, table_topic

PublishRetained = Callable[[str, bytes], object]
"""Publishes a retained message with quality 1: topic, payload."""


class SeatingPublisher:
    """`changed` may be called from any thread; `publish` belongs to one."""

    def __init__(self, reader: TournamentReader) -> None:
        self._reader = reader
        self._due = threading.Event()
        self._connection = -1
        self._published: dict[str, bytes] = {}

    def changed(self) -> None:
        """Something about a seating has changed: it is published at the next `publish`."""
        self._due.set()

    def publish(self, connection: int, publish: PublishRetained) -> None:
        """Publishes what differs from what was published, on a new connection everything: the broker may have
        lost it.

        Args:
            connection: number of the connection.

        Raises:
            Unavailable: the database failed; it is tried again next time.
        """
        if connection == self._connection and not self._due.is_set():
            return
        self._due.clear()
        try:
            wanted = self._wanted()
        except BaseException:
            self._due.set()
            raise
        if connection != self._connection:
            self._connection, self._published = connection, {}
        for table, payload in wanted.items():
            if self._published.get(table) != payload:
                publish(table_topic(table, "seating"), payload)
        self._published = wanted

    def _wanted(self) -> dict[str, bytes]:
        """Table -> payload, for every table that ever had a seating; empty: nothing is planned."""
        wanted: dict[str, bytes] = {}
        for listed in reversed(self._reader.all()):
            known = self._reader.read(listed.id)
            if known is not None:
                for table, payload in seatings(known).items():
                    if payload or table not in wanted:
                        wanted[table] = payload
        return wanted


def seatings(known: Tournament) -> dict[str, bytes]:
    """Table -> payload of its seating now; empty for one that has played."""
    found = {table.place: b"" for _, table in known.seats() if table.has_companion}
    latest = known.latest
    if latest is None or known.phase != "running":
        return found
    for table in latest.tables:
        if table.has_companion and not table.done:
            names = tuple(known.name_of(number) for number in table.players)
            found[table.place] = encoded(
                TableSeating(
                    id=table.id,
                    tournament=known.plan.title,
                    round=latest.number,
                    name=latest.game,
                    players=names,
                )
            )
    return found
