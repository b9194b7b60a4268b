"""The journal as an outbox: the messages that follow from its entries, each with its position.

Nothing is stored twice: a message is made from the journal when it is sent. The number of a message is its
rank among the seals of games, entries and results, so a message that is sent again has the same number.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import CompanionError
from companion.games import known_game
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.messages import (
    EventJudged,
    GameEnded,
    GameOpened,
    VerdictGiven,
    encoded,
    table_topic,
)
from companion.store.chain import Seal
from companion.store.journal import Journal, Wall, read_journal, utc_now
from companion.store.rows import GameRow, Line
from companion.table.record import Record

logger = logging.getLogger(__name__)

KINDS = ("game", "line", "result")
"""Kinds of seals that become messages."""
LATE_S = 30.0
"""Seconds after which a message is marked as late."""


class OutgoingEntry(NamedTuple):
    """What is published for one entry of the journal, in this order, and the position after it."""

    position: OutboxPosition
    messages: tuple[tuple[str, bytes], ...]
    """Topic and payload of each message."""


class JournalOutbox:
    """Reads what has to be sent. Not for several threads at once.

    Args:
        table: name of the table in topics.
        journal: the journal's file; it is opened for each reading, because it may be replaced by another one.
        wall: the time of day, from the clock that the journal's times are from.
    """

    def __init__(self, table: str, journal: Path, wall: Wall = utc_now) -> None:
        self._table = table
        self._path = journal
        self._wall = wall
        self._judged = VerdictReplay()

    def after(self, position: OutboxPosition, most: int) -> list[OutgoingEntry] | None:
        """The entries after a position, at most `most`. None: this journal does not hold the position, so
        that a new series begins.

        Raises:
            CompanionError: the journal cannot be read.
        """
        with read_journal(self._path) as journal:
            if position.seal:
                known = journal.seal(position.seal)
                if known is None or known.link.hex() != position.link:
                    return None
            seals = journal.seals_after(position.seal, KINDS, most)
            return list(self._made(journal, position, seals))

    def position_of(self, number: int, series: str) -> OutboxPosition:
        """The position after message `number`; the start if there is no such message.

        Raises:
            CompanionError: the journal cannot be read.
        """
        with read_journal(self._path) as journal:
            seal = journal.nth_seal(number, KINDS)
        if seal is None:
            return OutboxPosition(series)
        return OutboxPosition(series, number, seal.id, seal.link.hex())

    def _made(self, journal: Journal, position: OutboxPosition, seals: list[Seal]) -> Iterator[OutgoingEntry]:
        games: dict[int, GameRow] = {}
        for number, seal in enumerate(seals, position.number + 1):
            here = OutboxPosition(position.series, number, seal.id, seal.link.hex())
            row, line = seal.row, None
            if seal.kind == "line":
                row, line = journal.line(seal.row)
            if row not in games:
                games[row] = journal.game(row)
            if line is not None:
                messages = self._of_line(journal, here, games[row], line)
            elif seal.kind == "game":
                messages = (self._opened(here, games[row]),)
            else:
                messages = (self._result(journal, here, games[row]),)
            yield OutgoingEntry(here, messages)

    def _head(self, here: OutboxPosition, game: GameRow, sequence: int) -> dict[str, Any]:
        return {
            "table": self._table,
            "game": game.key,
            "sequence": sequence,
            "series": here.series,
            "number": here.number,
        }

    def _opened(self, here: OutboxPosition, game: GameRow) -> tuple[str, bytes]:
        opened = GameOpened(
            **self._head(here, game, 0),
            name=game.name,
            players=tuple(game.players),
            settings=game.settings,
            started=game.started,
        )
        return table_topic(self._table, "event"), encoded(opened)

    def _of_line(
        self, journal: Journal, here: OutboxPosition, game: GameRow, line: Line
    ) -> tuple[tuple[str, bytes], ...]:
        age = self._wall() - datetime.fromisoformat(line.at)
        head = self._head(here, game, line.n) | {"late": abs(age.total_seconds()) > LATE_S}
        judged = EventJudged(
            **head, t=line.t, at=line.at, source=line.source, event=dict(line.event), code=line.code
        )
        verdicts = tuple(
            VerdictGiven(
                **head,
                index=index,
                name=game.name,
                player=one.player,
                verdict=one.verdict,
                details=one.details,
                rule=one.rule,
                at=line.at,
            )
            for index, one in enumerate(self._judged.findings(journal, game, line))
        )
        topic = table_topic(self._table, "verdict")
        event = (table_topic(self._table, "event"), encoded(judged))
        return (event, *((topic, encoded(verdict)) for verdict in verdicts))

    def _result(self, journal: Journal, here: OutboxPosition, game: GameRow) -> tuple[str, bytes]:
        result = GameEnded(
            **self._head(here, game, journal.length(game.id)),
            name=game.name,
            players=tuple(game.players),
            started=game.started,
            ended=game.ended or "",
            scores=game.scores or {},
            winner=tuple(game.winner or ()),
        )
        return table_topic(self._table, "result", game.key), encoded(result)


class VerdictReplay:
    """Judges the entries of a game again to know its verdicts: the journal holds events only."""

    def __init__(self) -> None:
        self._game = 0
        self._record: Record[Any] | None = None

    def findings(self, journal: Journal, game: GameRow, line: Line) -> tuple[Any, ...]:
        """The verdicts about one entry as they were given when it was judged; none if this version does not
        know the game."""
        try:
            record = self._up_to(journal, game, line.n - 1)
            return () if record is None else tuple(record.push(line.event).findings)
        except (CompanionError, msgspec.MsgspecError) as error:
            logger.warning("the verdicts of game %s are not known: %s", game.key, error)
            self._game = 0
            return ()

    def _up_to(self, journal: Journal, game: GameRow, n: int) -> Record[Any] | None:
        """The record of the first `n` entries of the game."""
        record = self._record
        if game.id == self._game and (record is None or len(record.entries) == n):
            return record
        found = known_game(game.name)
        self._game, self._record = game.id, None
        if found is not None:
            record = Record(found.rulebook, found.rulebook.header(game.players, game.settings))
            for earlier in journal.lines(game.id)[:n]:
                record.push(earlier.event)
            self._record = record
        return self._record
