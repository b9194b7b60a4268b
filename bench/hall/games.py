"""Random games, played before the measurement: a table in the hall repeats them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.rules.play import NAMES, header_of, next_event
from companion.games import game_names, rulebook
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.outbox import JournalOutbox
from companion.store.journal import Journal
from companion.table.record import opened

REAL_PACE_S = 4.0
"""Seconds between two events at a real table."""
LONGEST = 60
"""Most events of a game; a longer one is ended there and given a winner."""

MEMORY = Path("/dev/shm")
"""A folder in memory, if there is one."""

Template = tuple[bytes, bytes]
"""Topic below the table's and payload, both as formats of bytes with the names of TEMPLATE_FIELDS."""
TEMPLATE_FIELDS = ("table", "game", "series", "number", "at", "started", "late", *NAMES)


class PlayedEvent(NamedTuple):
    """One event of a random game, and what the table shows after it."""

    event: dict[str, Any]
    code: str | None
    """Code of its rejection."""
    scores: Mapping[str, int]
    phase: str
    turn: str | None


class PlayedGame(NamedTuple):
    """A random game."""

    header: dict[str, Any]
    events: list[PlayedEvent]
    scores: dict[str, int]
    winner: list[str]


def played_games(count: int, seed: int) -> list[PlayedGame]:
    """So many random games of all rulebooks."""
    found = []
    for number in range(count):
        random = Random(f"{seed} {number}")
        header = header_of(rulebook(game_names()[number % len(game_names())]), random)
        record = opened(header)
        events: list[PlayedEvent] = []
        while record.state.phase != "over" and len(events) < LONGEST:
            event = next_event(record, random)
            code = record.push(event).code
            turn = header["players"][len(events) % len(header["players"])]
            events.append(PlayedEvent(event, code, record.scores(), record.state.phase, turn))
        winner = record.winner() or [header["players"][number % len(header["players"])]]
        found.append(PlayedGame(header, events, record.scores(), list(winner)))
    return found


def messages_of(game: PlayedGame) -> list[tuple[Template, ...]]:
    """What the outbox of a real table makes of a game: the messages of each entry of its journal."""
    wall = datetime(2026, 1, 1, tzinfo=UTC)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        path = Path(folder) / "journal.sqlite"
        with Journal(path, wall=lambda: wall) as journal:
            row = journal.begin_game(
                game.header["game"], game.header["players"], game.header["settings"], "played-game"
            )
            for n, one in enumerate(game.events, 1):
                journal.append(row.id, n, float(n), one.event, source="phone", code=one.code)
            journal.end_game(row.id, game.scores, game.winner)
        outbox = JournalOutbox("played-table", path, lambda: wall)
        entries = outbox.after(OutboxPosition("played-series"), len(game.events) + 2)
    assert entries is not None
    assert len(entries) == len(game.events) + 2
    return [tuple(_template(*message) for message in entry.messages) for entry in entries]


_HEAD: Sequence[tuple[bytes, bytes]] = (
    (rb'"table":"played-table"', b'"table":"%(table)b"'),
    (rb'"game":"played-game"', b'"game":"%(game)b"'),
    (rb'"series":"played-series"', b'"series":"%(series)b"'),
    (rb'"number":\d+', b'"number":%(number)b'),
    (rb'"late":false', b'"late":%(late)b'),
    (rb'"started":"2026[^"]*"', b'"started":"%(started)b"'),
    (rb'"(at|ended)":"2026[^"]*"', rb'"\1":"%(at)b"'),
)
"""Patterns in a payload, of which the first match is replaced."""


def _template(topic: str, payload: bytes) -> Template:
    text = payload.replace(b"%", b"%%")
    for pattern, value in _HEAD:
        text = re.sub(pattern, value, text, count=1)
    for name in NAMES:
        text = text.replace(f'"{name}"'.encode(), f'"%({name})b"'.encode())
    level = topic.partition("/")[2].partition("/")[2]
    return level.replace("played-game", "%(game)b").encode(), text
