"""The context of every request: the host behind the pages and the pages' own objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from flask import current_app
from msgspec.structs import replace

from companion.api.commands import Reply
from companion.api.snapshot import LogEntry, Snapshot, TableChange
from web.errors import Refused
from web.host import Host
from web.listeners import Listeners, Polls
from web.rates import Rates
from web.roles import REFEREE, CodeGate, role
from web.sessions import phone_secret
from web.words import _, language


class Writer(Protocol):
    """Writes the sentences of the host's snapshots, changes and replies in a phone's language."""

    def snapshot(self, snapshot: Snapshot, language: str) -> Snapshot:
        """The snapshot with its sentences."""

    def entries(self, entries: Sequence[LogEntry], game: str, language: str) -> tuple[LogEntry, ...]:
        """Entries of a game's log with their sentences."""

    def change(self, change: TableChange, language: str) -> TableChange:
        """The change with its sentences."""

    def reply(self, reply: Reply, language: str) -> Reply:
        """The reply with its sentences."""


class AsHandedOver:
    """Adds no sentences: for a host that has written them itself."""

    def snapshot(self, snapshot: Snapshot, language: str) -> Snapshot:
        """The snapshot."""
        return snapshot

    def entries(self, entries: Sequence[LogEntry], game: str, language: str) -> tuple[LogEntry, ...]:
        """The entries."""
        return tuple(entries)

    def change(self, change: TableChange, language: str) -> TableChange:
        """The change."""
        return change

    def reply(self, reply: Reply, language: str) -> Reply:
        """The reply."""
        return reply


@dataclass(frozen=True)
class PageContext:
    """Set once by `create_app`; `pages()` returns it."""

    host: Host
    gate: CodeGate
    listeners: Listeners
    polls: Polls
    guests_commands: Rates
    """How often a guest's phone may send a command."""
    heartbeat_s: float
    writer: Writer


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


def without_pictures(snapshot: Snapshot) -> Snapshot:
    """The snapshot without the addresses of pictures of the camera."""
    questions = tuple(replace(one, picture=None) for one in snapshot.questions)
    return replace(snapshot, questions=questions)


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
