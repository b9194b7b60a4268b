"""What every request needs: the host behind the pages and what the pages remember themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

from web.errors import Refused
from web.host import Host, Json
from web.roles import REFEREE, PinGate, role
from web.words import _, language

if TYPE_CHECKING:
    from web.views.events import Listeners


Retell = Callable[[Json, str], Json]
"""Says the sentences of a snapshot, a change or a reply in another language."""


@dataclass(frozen=True)
class Pages:
    """Handed to the application once, found again by `pages()`."""

    host: Host
    gate: PinGate
    listeners: Listeners
    heartbeat_s: float
    retell: Retell


def pages() -> Pages:
    """The context of the application that serves the present request."""
    return cast(Pages, current_app.extensions["companion"])


def host() -> Host:
    """The host of the application that serves the present request."""
    return pages().host


def snapshot() -> Json:
    """The present snapshot in the phone's language."""
    return told(host().snapshot())


def told(said: Json) -> Json:
    """A snapshot or a reply in the phone's language."""
    return pages().retell(said, language())


def is_referee() -> bool:
    """Whether the phone that sent the present request is the referee's."""
    return role(pages().gate) == REFEREE


def need_referee() -> None:
    """Lets the referee's phone pass.

    Raises:
        Refused: it is a guest's.
    """
    if not is_referee():
        raise Refused(403, "referee_only", _("Only the referee can do that. Enter the PIN on the join page."))
