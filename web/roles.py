"""Who may do what: a guest watches and may correct the own reading, the referee decides.

A phone becomes the referee's by the PIN; the session cookie remembers it. At a table without a PIN (the empty
one is right) every phone is the referee's. Which player a phone belongs to is what its owner says: the people
sit at one table and see each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from flask import session

from companion.core.clock import Clock
from web.errors import Refused
from web.host import Json
from web.words import _

REFEREE = "referee"
GUEST = "guest"
READINGS = frozenset({"display_scanned", "tiles_scored"})
"""Events that read what lies before one player; that player may enter and correct them."""


class PinGate:
    """Lets the right PIN in and makes guessing slow: after five wrong ones an address waits, ever longer."""

    FREE = 5
    PAUSE_S = 30.0
    REMEMBERED = 256

    def __init__(self, pin_ok: Callable[[str], bool], clock: Clock) -> None:
        self._pin_ok = pin_ok
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}

    def open_to_all(self) -> bool:
        """Whether this table has no PIN."""
        return self._pin_ok("")

    def enter(self, address: str, pin: str) -> bool:
        """Whether the PIN is right.

        Raises:
            Refused: this address has to wait first.
        """
        with self._lock:
            wrong, until = self._wrong.get(address, (0, 0.0))
            wait = until - self._clock()
            if wait > 0:
                seconds = int(wait) + 1
                raise Refused(429, "wait", _("Too many wrong PINs. Wait %(n)s seconds.", n=seconds))
            if self._pin_ok(pin):
                self._wrong.pop(address, None)
                return True
            wrong += 1
            pause = self.PAUSE_S * (wrong // self.FREE) if wrong % self.FREE == 0 else 0.0
            self._wrong[address] = (wrong, self._clock() + pause)
            if len(self._wrong) > self.REMEMBERED:
                del self._wrong[next(iter(self._wrong))]
            return False


def role(gate: PinGate) -> str:
    """The role of the phone that sent the present request."""
    return REFEREE if session.get("role") == REFEREE or gate.open_to_all() else GUEST


def me() -> str | None:
    """The player this phone belongs to, if its owner has said so."""
    name = session.get("me")
    return name if isinstance(name, str) else None


def check(role_name: str, player: str | None, name: str, data: Json, snapshot: Json) -> None:
    """Lets a command pass or turns it down.

    Raises:
        Refused: only the referee may do that.
    """
    if role_name == REFEREE or (player is not None and _is_own(player, name, data, snapshot)):
        return
    raise Refused(403, "referee_only", _("Only the referee can do that. Enter the PIN on the join page."))


def _is_own(player: str, name: str, data: Json, snapshot: Json) -> bool:
    """Whether the command concerns nothing but this player's own reading."""
    if name == "event":
        return _is_reading_of(player, data)
    if name == "amend":
        old = [entry.get("event") for entry in snapshot.get("log", []) if entry.get("n") == data.get("n")]
        return len(old) == 1 and all(_is_reading_of(player, event) for event in (old[0], data.get("event")))
    if name == "answer":
        asked = [q for q in snapshot.get("questions", []) if q.get("id") == data.get("question")]
        return len(asked) == 1 and asked[0].get("player") == player
    return False


def _is_reading_of(player: str, event: Any) -> bool:
    return isinstance(event, dict) and event.get("event") in READINGS and event.get("player") == player
