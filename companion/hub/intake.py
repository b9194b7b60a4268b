"""Reads what arrives from the broker and refuses what does not fit: another table's name, a wrong schema."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import msgspec

from companion.mqtt.broker import ReceivedMessage
from companion.mqtt.messages import (
    LARGEST_BYTES,
    ROOT,
    EventMessage,
    GameEnded,
    Key,
    TableForgotten,
    TableMessage,
    TableName,
    TableState,
    TableStatus,
)

TOPICS = ("status", "event", "result/+", "forgotten")
"""What the hub subscribes to, below each table, besides `state`, of which only the latest matters."""


class MessageRefused(ValueError):
    """A message that is not stored; the text says why."""


class JournalPlace(msgspec.Struct, frozen=True):
    """The place of a message in its table's journal, also where the rest of it is not understood."""

    series: Key
    number: int


class ReadMessage(NamedTuple):
    """A message that arrived on a table's topic."""

    table: str
    message: TableMessage | None
    """None: it is not understood, but its place is known."""
    place: JournalPlace | None
    """None: the message is not from the journal."""
    why: str = ""
    """Why it is not understood."""


def read(received: ReceivedMessage) -> ReadMessage:
    """The message in a payload.

    Raises:
        MessageRefused: it is too long, or its topic is not one of a table, or it is not understood and has no
            place.
    """
    if len(received.payload) > LARGEST_BYTES:
        raise MessageRefused(f"a payload of {len(received.payload)} bytes")
    levels = received.topic.split("/")
    if len(levels) < 3 or levels[0] != ROOT:
        raise MessageRefused("not a topic of a table")
    table = _checked_name(levels[1])
    try:
        message = _message(levels, received.payload)
        if message.table != table:
            raise MessageRefused(f"names the table {message.table}")
    except (msgspec.MsgspecError, MessageRefused, UnicodeDecodeError) as error:
        return _place_only(table, levels[2], received.payload, str(error))
    place = None
    if isinstance(message, EventMessage | GameEnded):
        place = JournalPlace(message.series, message.number)
    return ReadMessage(table, message, place)


@lru_cache(maxsize=5000)
def _checked_name(level: str) -> str:
    try:
        return msgspec.convert(level, TableName)
    except msgspec.ValidationError as error:
        raise MessageRefused(str(error)) from error


_DECODERS: dict[str, msgspec.json.Decoder[TableMessage]] = {
    "status": msgspec.json.Decoder(TableStatus),
    "state": msgspec.json.Decoder(TableState),
    "forgotten": msgspec.json.Decoder(TableForgotten),
    "event": msgspec.json.Decoder(EventMessage),
}
"""Level of the topic -> how its messages are read. They are made once: that takes longer than reading."""
_RESULTS = msgspec.json.Decoder(GameEnded)
_PLACES = msgspec.json.Decoder(JournalPlace)


def _message(levels: list[str], payload: bytes) -> TableMessage:
    if len(levels) == 3 and levels[2] in _DECODERS:
        return _DECODERS[levels[2]].decode(payload)
    if levels[2] == "result" and len(levels) == 4:
        ended = _RESULTS.decode(payload)
        _check_result(ended, levels[3])
        return ended
    raise MessageRefused("not a topic of a table")


def _check_result(ended: GameEnded, game: str) -> None:
    """What the types cannot say."""
    if ended.game != game:
        raise MessageRefused(f"names the game {ended.game}")
    players = set(ended.players)
    if len(players) != len(ended.players) or not (set(ended.scores) | set(ended.winner)) <= players:
        raise MessageRefused("names players who did not play")
    for moment in (ended.started, ended.ended):
        try:
            aware = datetime.fromisoformat(moment).tzinfo is not None
        except ValueError as error:
            raise MessageRefused(str(error)) from error
        if not aware:
            raise MessageRefused("has a time without its zone")


def _place_only(table: str, level: str, payload: bytes, why: str) -> ReadMessage:
    if level not in ("event", "result"):
        raise MessageRefused(why)
    try:
        place = _PLACES.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MessageRefused(why) from error
    return ReadMessage(table, None, place, why)
