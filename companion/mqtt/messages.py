"""The messages between a table, the broker and whoever consumes them, and the topics that carry them.

Every message has `schema`, the version of its form. A new field with a default keeps the version; a changed
meaning, type or required field raises it. Consumers ignore fields that they do not know.
`python -m companion.mqtt.reference` writes docs/mqtt.md and docs/mqtt.schema.json from this module.

>>> from companion.mqtt.messages import table_topic
>>> table_topic("window", "result", "3f2a")
'companion/window/result/3f2a'
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.core.events import HouseRules, Params

SCHEMA: Literal[1] = 1
"""Version of every message here."""
ROOT = "companion"
"""First level of every topic."""
LARGEST_BYTES = 64 * 1024
"""Longest payload that is read; a longer one is refused unread. A table sends less than 4 KB."""

TableName = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$(?!\n)")]
"""Name of a table in topics: small letters, digits, `-` and `_`, at most 40."""
Key = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,64}$(?!\n)")]
"""Id of a game that no other game in the world has, or of a series of numbers."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]
SeatName = Annotated[str, Meta(min_length=1, max_length=40)]
"""Name of a player at a table, which shows it on every page."""
Players = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=20)]
Points = Annotated[dict[Name, Annotated[int, Meta(ge=-(10**6), le=10**6)]], Meta(max_length=20)]
Time = Annotated[str, Meta(max_length=40)]
"""Time of day of the table, ISO 8601 in UTC. It is as right as the table's clock."""
Count = Annotated[int, Meta(ge=0, le=2**53)]


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of every message that a table sends."""

    schema: Literal[1] = SCHEMA
    table: TableName


class TableStatus(TableMessage, frozen=True, kw_only=True):
    """Topic `status`, retained: whether the table is connected. The broker sends `online` false when the
    connection is lost (last will)."""

    online: bool
    version: str = ""
    """Version of the companion; empty in the last will."""
    series: str = ""
    """The series that `number` belongs to; empty in the last will."""
    number: Count = 0
    """Number of the latest journal message that the broker has acknowledged. A consumer that knows fewer of
    this series has missed some and can ask for them (`ResendRequest`)."""
    takes_commands: bool = False
    """Whether the owner allows `command/undo` and `command/pause`."""


class TableState(TableMessage, frozen=True, kw_only=True):
    """Topic `state`, retained: the game on the table now. Without a game the fields from `game` on are
    empty."""

    seq: Count
    """Number of the journal's latest line: a greater one is newer."""
    game: Key | None = None
    """Id of the game."""
    name: str = ""
    """The game's name, e.g. `nasty_7`."""
    title: str = ""
    players: tuple[str, ...] = ()
    """In seating order."""
    scores: dict[str, int] = {}
    turn: str | None = None
    """Whose turn it is; None: nobody's alone."""
    phase: str | None = None
    round: int | None = None
    """None in a game without rounds."""
    winner: tuple[str, ...] = ()
    """Empty until the game is decided. A correction may still change it: `result` is final."""
    paused: str | None = None
    """Code of why the game's clock is stopped; None: it runs."""
    questions: int = 0
    """Questions that wait for an answer of the players."""
    down: tuple[str, ...] = ()
    """Sources that do not work: `camera`, `microphone`, `buttons`."""
    declined: Key | None = None
    """Id of the seating (`TableSeating`) that the players do not want now."""


class TableForgotten(TableMessage, frozen=True, kw_only=True):
    """Topic `forgotten`, retained: games that were deleted at the table. Whoever holds anything of them
    deletes it."""

    games: Annotated[tuple[Key, ...], Meta(max_length=1500)]
    """Their ids, the latest last; at most 1,000 are sent."""


class JournalMessage(TableMessage, frozen=True, kw_only=True):
    """The fields of every message that is made from an entry of the journal. Such a message is sent until
    the broker acknowledges it, so it may arrive more than once: (`table`, `game`, `sequence`) and the topic
    identify it. `series` and `number` show whether one is missing."""

    game: Key
    sequence: Count
    """Number of the entry in the game; 0: the start of the game."""
    series: Key
    """The numbers of one series belong to one state of the journal. When games or names were deleted, or the
    journal was repaired, the table starts a new series and sends everything again."""
    number: Annotated[int, Meta(ge=1, le=2**53)]
    """1, 2, 3 ... in the order in which the journal was written; verdicts have the number of their entry."""


class GameOpened(JournalMessage, frozen=True, kw_only=True, tag="game_opened", tag_field="kind"):
    """Topic `event`: a game began. `sequence` is 0."""

    name: Name
    """The game's name, e.g. `nasty_7`."""
    players: Players
    """In seating order."""
    settings: HouseRules
    started: Time


class EventJudged(JournalMessage, frozen=True, kw_only=True, tag="event_judged", tag_field="kind"):
    """Topic `event`: the referee judged an event (docs/events.md)."""

    t: float
    """Seconds of the game when it was judged."""
    at: Time
    source: Name
    """Who reported it: `phone`, `camera`, `microphone`, `buttons`, `clock`."""
    event: dict[str, Any]
    code: str | None = None
    """Why it was rejected; None: accepted."""
    late: bool = False
    """It is sent more than 30 seconds after it was judged: nothing should happen because of it any more."""


EventMessage = GameOpened | EventJudged


class VerdictGiven(JournalMessage, frozen=True, kw_only=True):
    """Topic `verdict`: a finding of the referee about an event."""

    index: Count = 0
    """Number of the verdict among those of the same event, from 0."""
    name: Name
    """The game's name."""
    player: Name
    verdict: Name
    """Code of the finding, e.g. `too_late`."""
    details: Params = {}
    rule: str = ""
    at: Time
    late: bool = False
    """As in `EventJudged`."""


class GameEnded(JournalMessage, frozen=True, kw_only=True):
    """Topic `result/<game id>`: a game ended. `sequence` is that of its last entry."""

    name: Name
    players: Players
    started: Time
    ended: Time
    scores: Points
    winner: Annotated[tuple[Name, ...], Meta(max_length=20)]
    """Empty: the game was not finished."""


class ResendRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Topic `resend`, to the table: send the messages after `number` of this series again, as far as the
    broker has acknowledged them."""

    schema: Literal[1] = SCHEMA
    series: Key
    number: Count
    last: Count | None = None
    """Number of the last message that is missing; None: all after `number`."""


class TableSeating(msgspec.Struct, frozen=True, kw_only=True):
    """Topic `seating`, retained, to the table, from the hub only: the game that a tournament has planned for
    it. The table offers it to its players. An empty payload: nothing is planned."""

    schema: Literal[1] = SCHEMA
    id: Key
    """Id of the seating. The game that is begun from it gets this id, so its result belongs to it."""
    tournament: Annotated[str, Meta(min_length=1, max_length=100)]
    """Title of the tournament."""
    round: Annotated[int, Meta(ge=1, le=1000)]
    name: Name
    """The game's name, e.g. `nasty_7`."""
    players: Annotated[tuple[SeatName, ...], Meta(min_length=1, max_length=20)]
    """In seating order."""


class CommandReply(TableMessage, frozen=True, kw_only=True):
    """Topic `reply`: what became of `command/undo`, `command/pause` or `command/go_on`."""

    command: str
    ok: bool
    code: str = ""
    """Why it was refused."""


MESSAGES: dict[str, Any] = {
    "status": TableStatus,
    "state": TableState,
    "event": EventMessage,
    "verdict": VerdictGiven,
    "result/<game id>": GameEnded,
    "resend": ResendRequest,
    "forgotten": TableForgotten,
    "seating": TableSeating,
    "reply": CommandReply,
}
"""Topic below `companion/<table>/` -> the type of its payload."""


def table_topic(table: str, *levels: str) -> str:
    """The topic of a table; `+` and `#` may stand for levels in a subscription."""
    return "/".join((ROOT, table, *levels))


def encoded(message: msgspec.Struct) -> bytes:
    """A message as its payload."""
    return msgspec.json.encode(message)
