"""Reading what a phone sends: JSON of a known shape, or one sentence about what is wrong with it."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from flask import request

from web.errors import Refused
from web.words import _

JSON_BYTES = 64 * 1024
"""The longest JSON a phone may send."""

T = TypeVar("T")


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`new_game`; with `over` only if that is the number of the game on the table (null: there is none)."""

    game: str
    players: list[str]
    settings: dict[str, Any] = {}
    over: int | msgspec.UnsetType | None = msgspec.UNSET


class NextGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`next_game`: the same again, `over` as in `new_game`."""

    over: int | msgspec.UnsetType | None = msgspec.UNSET


class Amend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`amend`: entry `n` of the log is replaced by `event`, or taken out where that is null."""

    n: int
    event: dict[str, Any] | None
    preview: bool = False


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`overrule` (the table agrees otherwise about entry `n`), and asking why."""

    n: int


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`undo`: takes back the latest move; with `n` only if that is the one that the phone shows."""

    n: int | None = None


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`answer`: one of a question's options."""

    question: str | int
    option: str | int


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Commands without fields."""


COMMANDS: dict[str, type[Any]] = {
    "new_game": NewGame,
    "event": dict[str, Any],
    "undo": Undo,
    "amend": Amend,
    "overrule": Entry,
    "answer": Answer,
    "end_game": Nothing,
    "next_game": NextGame,
    "go_on": Nothing,
}
"""What a phone may ask for, and the shape of its fields."""


def read(shape: type[T]) -> T:
    """The body of the present request in this shape.

    Raises:
        Refused: 413 too long, 400 no JSON or JSON of another shape.
    """
    if (request.content_length or 0) > JSON_BYTES:
        raise Refused(413, "too_large", _("That is too large."))
    body = request.get_data(cache=False)
    if len(body) > JSON_BYTES:
        raise Refused(413, "too_large", _("That is too large."))
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, "bad_json", _("I could not read that: %(why)s.", why=str(error))) from error


def command(name: str) -> dict[str, Any]:
    """The fields of a command as the host takes them.

    Raises:
        Refused: 404 no such command, 400 not its shape, 413 too long.
    """
    if name not in COMMANDS:
        raise Refused(404, "unknown_command", _("There is no command of that name."))
    fields = read(COMMANDS[name])
    built = msgspec.to_builtins(fields)
    assert isinstance(built, dict)
    return built
