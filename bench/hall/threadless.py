"""A table of the hall without threads and without a disk: a thousand of them run in one process.

What it publishes is made by the real companion.mqtt.publishing and companion.mqtt.sending, with the payloads
that the outbox of a real table made of the same games before the measurement.
"""

from __future__ import annotations

import selectors
from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic, time
from typing import NamedTuple

import msgspec

from bench.hall.ended import EndedGame, GameOfTable
from bench.hall.games import REAL_PACE_S, PlayedGame, Template, messages_of
from bench.hall.light_connection import LightConnection
from companion.api.snapshot import GameOnTable, Seat, Snapshot
from companion.mqtt.broker import LastWill, ReceivedMessage
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.messages import encoded, table_topic
from companion.mqtt.outbox import LATE_S, OutgoingEntry
from companion.mqtt.publishing import TablePublisher
from companion.mqtt.sending import OutboxSender
from companion.mqtt.state import offline


class PreparedGame(NamedTuple):
    """A random game and the messages of its entries."""

    game: PlayedGame
    entries: list[tuple[Template, ...]]


def prepared(games: list[PlayedGame]) -> list[PreparedGame]:
    """The messages of all games."""
    return [PreparedGame(game, messages_of(game)) for game in games]


class GameInMemory:
    """A game in the memory of a table.

    Args:
        first: number of its first message.
    """

    def __init__(self, key: str, played: PreparedGame, first: int, players: dict[str, str]) -> None:
        self.key = key
        self.played = played
        self.first = first
        self.players = players
        """Name in the played game -> name at this table."""
        self.times: list[float] = []
        """When each entry was made, in seconds since 1970."""

    @property
    def over(self) -> bool:
        """Whether all its entries are made."""
        return len(self.times) == len(self.played.entries)


class MemoryJournal:
    """What companion.mqtt.outbox.JournalOutbox is for a table with a disk.

    Args:
        clock_off: seconds by which the table's time of day is wrong.
    """

    def __init__(self, table: str, clock_off: float) -> None:
        self._table = table
        self._off = timedelta(seconds=clock_off)
        self.games: list[GameInMemory] = []
        self.length = 0

    def begin(self, played: PreparedGame, key: str) -> GameInMemory:
        """Starts a game; its players are this table's own."""
        names = {name: f"{name} {self._table}" for name in played.game.header["players"]}
        game = GameInMemory(key, played, self.length + 1, names)
        self.games.append(game)
        return game

    def append(self, at: float) -> None:
        """Adds the next entry of the latest game."""
        self.games[-1].times.append(at)
        self.length += 1

    def after(self, position: OutboxPosition, most: int) -> list[OutgoingEntry] | None:
        """See JournalOutbox."""
        last = min(position.number + most, self.length)
        return [self._entry(number, position.series) for number in range(position.number + 1, last + 1)]

    def position_of(self, number: int, series: str) -> OutboxPosition:
        """See JournalOutbox."""
        return OutboxPosition(series, number)

    def _entry(self, number: int, series: str) -> OutgoingEntry:
        game = self.games[bisect_right(self.games, number, key=lambda one: one.first) - 1]
        index = number - game.first
        made = game.times[index]
        fields = {name.encode(): own.encode() for name, own in game.players.items()}
        fields |= {
            b"table": self._table.encode(),
            b"game": game.key.encode(),
            b"series": series.encode(),
            b"number": b"%d" % number,
            b"at": self._moment(made),
            b"started": self._moment(game.times[0]),
            b"late": b"true" if time() - made > LATE_S else b"false",
        }
        messages = tuple(
            (table_topic(self._table, (level % fields).decode()), payload % fields)
            for level, payload in game.played.entries[index]
        )
        return OutgoingEntry(OutboxPosition(series, number), messages)

    def _moment(self, seconds: float) -> bytes:
        return (datetime.fromtimestamp(seconds, UTC) + self._off).isoformat(timespec="milliseconds").encode()


class MemoryPosition:
    """What companion.mqtt.cursor.CursorFile is for a table with a disk."""

    def __init__(self, series: str) -> None:
        self._kept = OutboxPosition(series)

    def read(self) -> OutboxPosition:
        """See CursorFile."""
        return self._kept

    def restart(self) -> OutboxPosition:
        """See CursorFile; a journal in memory is never written anew."""
        raise AssertionError("the journal in memory has each of its positions")

    def write(self, position: OutboxPosition) -> None:
        """See CursorFile."""
        self._kept = position


class ThreadlessTable:
    """Plays prepared games; everything happens in `play`, `step` and the connection's methods.

    Args:
        clock_off: seconds by which its time of day is wrong.
        ended: gets each game that ended.
        speed: how much faster than a real table.
    """

    def __init__(
        self,
        name: str,
        games: list[PreparedGame],
        broker_port: int,
        selector: selectors.BaseSelector,
        clock_off: float,
        ended: Callable[[EndedGame], None],
        speed: float,
    ) -> None:
        self.name = name
        self._games = games
        self._ended = ended
        self._pace = speed / REAL_PACE_S
        self._random = Random(name)
        self._journal = MemoryJournal(name, clock_off)
        self._seats: tuple[Seat, ...] = ()
        self._snapshot = Snapshot(0)
        topics = [table_topic(name, "resend"), table_topic(name, "seating")]
        will = LastWill(table_topic(name, "status"), encoded(offline(name)))
        self.connection = LightConnection(
            broker_port, selector, f"companion-{name}", will, topics, self._receive
        )
        self._position = MemoryPosition(f"series-{name}")
        self._publisher = self._made_publisher()

    def _made_publisher(self) -> TablePublisher:
        return TablePublisher(
            self.name,
            self.connection,
            OutboxSender(self._journal, self._position, monotonic),
            monotonic,
            key_of=lambda number: self._journal.games[number].key,
            forgotten=tuple,
        )

    @property
    def complete(self) -> bool:
        """Whether the broker has acknowledged everything."""
        return self._publisher.complete and self._position.read().number == self._journal.length

    def play(self) -> float:
        """Makes the next entry of the journal; returns after how many seconds the one after it follows."""
        games, now = self._journal.games, time()
        if not games or games[-1].over:
            self._begin()
        game = self._journal.games[-1]
        self._journal.append(now)
        made = len(game.times)
        if game.over:
            self._ended(EndedGame(game.key, now))
            self._snapshot = Snapshot(self._journal.length)
        elif made > 1:
            self._show(game, made - 2)
        return self._random.expovariate(self._pace)

    def step(self, now: float) -> None:
        """Publishes what is due."""
        self._publisher.take_answers()
        self._publisher.publish(lambda: self._snapshot)
        self.connection.flush(now)

    def restart(self) -> None:
        """Forgets what is not stored, as a table that is switched off and on: what was sent and not
        acknowledged is sent again."""
        self.connection.forget()
        self._publisher = self._made_publisher()

    def played(self) -> list[GameOfTable]:
        """All its games."""
        return [self._of_table(game) for game in self._journal.games]

    def _begin(self) -> None:
        played = self._random.choice(self._games)
        game = self._journal.begin(played, f"{self.name}-{len(self._journal.games)}")
        self._seats = tuple(Seat(name, "#000000", "circle") for name in game.players.values())

    def _show(self, game: GameInMemory, index: int) -> None:
        header, one = game.played.game.header, game.played.game.events[index]
        number = len(self._journal.games) - 1
        self._snapshot = Snapshot(
            self._journal.length,
            GameOnTable(number, header["game"], header["game"], {}, self._seats),
            scores={game.players[name]: score for name, score in one.scores.items()},
            phase=one.phase,
            turn=None if one.turn is None else game.players[one.turn],
        )

    def _of_table(self, game: GameInMemory) -> GameOfTable:
        events = len(game.times) - 1
        header = game.played.game.header
        if not game.over:
            return GameOfTable(self.name, game.key, header["game"], events, tuple(game.players.values()))
        return GameOfTable(
            self.name,
            game.key,
            header["game"],
            events - 1,
            tuple(game.players.values()),
            tuple(game.players[name] for name in game.played.game.winner),
            {game.players[name]: score for name, score in game.played.game.scores.items()},
            True,
        )

    def _receive(self, received: ReceivedMessage) -> None:
        if received.topic.endswith("/resend") and not received.retained:
            self._publisher.resend(received.payload)


def write_games(tables: list[ThreadlessTable], path: Path) -> None:
    """Writes all games of these tables, one a line."""
    with path.open("wb") as file:
        for table in tables:
            for game in table.played():
                file.write(msgspec.json.encode(game) + b"\n")
