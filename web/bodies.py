"""Decodes requests: JSON of a known type, or one sentence about the error in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec
from flask import request

from companion.api.commands import PHONE_COMMANDS, EnterEvent, Request
from web.errors import Refused
from web.routes import body_limit
from web.words import _

KEY_HEADER = "Idempotency-Key"
KEY = re.compile(r"[!-~]{1,100}")
"""A key of a command: printable ASCII without spaces."""

T = TypeVar("T")


def read(shape: type[T]) -> T:
    """The body of the present request as this type.

    Raises:
        Refused: 413 too long, 400 not JSON or JSON of another type.
    """
    most = body_limit(request.method, request.path)
    if (request.content_length or 0) > most:
        raise Refused(413, "too_large", _("That is too large."))
    body = request.get_data(cache=False)
    if len(body) > most:
        raise Refused(413, "too_large", _("That is too large."))
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, "bad_json", _("I could not read that: %(why)s.", why=str(error))) from error


def key() -> str:
    """The key of the command that the present request carries; "" without one.

    Raises:
        Refused: 400 it is too long or no printable ASCII.
    """
    sent = request.headers.get(KEY_HEADER, "")
    if sent and not KEY.fullmatch(sent):
        raise Refused(400, "bad_key", _("I could not read that: %(why)s.", why=KEY_HEADER))
    return sent


def command(name: str) -> Request:
    """The command of this name that the present request carries.

    Raises:
        Refused: 404 no such command, 400 not its type, 413 too long.
    """
    shape = PHONE_COMMANDS.get(name)
    if shape is None:
        raise Refused(404, "unknown_command", _("There is no command of that name."))
    if shape is EnterEvent:
        return EnterEvent(read(cast("type[Mapping[str, Any]]", dict)))
    return cast(Request, read(shape))
