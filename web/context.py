"""The context of every request: the host behind the pages and the pages' own objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import current_app

from companion.api.snapshot import Snapshot
from web.errors import Refused
from web.host import Host
from web.listeners import Listeners, Polls
from web.rates import Rates
from web.roles import REFEREE, CodeGate, role
from web.sessions import phone_secret
from web.stream_messages import without_pictures
from web.streams import EventStreams
from web.words import _, language
from web.writer import Writer


@dataclass(frozen=True)
class PageContext:
    """Set once by `create_app`; `pages()` returns it."""

    host: Host
    gate: CodeGate
    listeners: Listeners
    polls: Polls
    guests_commands: Rates
    """How often a guest's phone may send a command."""
    writer: Writer
    streams: EventStreams


def pages() -> PageContext:
    """The context of the application that serves the present request."""
    return cast(PageContext, current_app.extensions["companion"])


def host() -> Host:
    """The host of the application that serves the present request."""
    return pages().host


def snapshot() -> Snapshot:
    """The present snapshot for the phone, in its language."""
    written = pages().writer.snapshot(host().snapshot(), language())
    return written if may_see_pictures() else without_pictures(written)


def may_see_pictures() -> bool:
    """Whether the phone may see what the camera sees: it is the referee's or a player's."""
    pairing = host().pairing
    return is_referee() or pairing.player(phone_secret()) is not None


def is_referee() -> bool:
    """Whether the phone that sent the present request is the referee's."""
    return role(host().pairing) == REFEREE


def need_referee() -> None:
    """Checks that the request comes from the referee's phone.

    Raises:
        Refused: it comes from a guest's.
    """
    if not is_referee():
        raise Refused(
            403, "referee_only", _("Only the referee can do that. Enter the code on the join page.")
        )
