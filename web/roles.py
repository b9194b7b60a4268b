"""The role and the player of the phone behind a request.

A phone becomes the referee's with the PIN; the session cookie stores that. At a table without a PIN (the
empty one is right) every phone is the referee's. The owner of a phone selects its player; this is not
verified.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import session

from companion.api.commands import Caller, Role
from companion.core.clock import Clock
from web.errors import Refused
from web.words import _

REFEREE: Role = "referee"
GUEST: Role = "guest"


class PinGate:
    """Checks the PIN and slows guessing down: after five wrong PINs an address must wait, longer each
    time."""

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
            Refused: this address must wait.
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


def role(gate: PinGate) -> Role:
    """The role of the phone that sent the present request."""
    return REFEREE if session.get("role") == REFEREE or gate.open_to_all() else GUEST


def me() -> str | None:
    """The player this phone belongs to, if its owner has selected one."""
    name = session.get("me")
    return name if isinstance(name, str) else None


def caller(gate: PinGate) -> Caller:
    """The sender of the present request. The table decides what the caller may do
    (companion.table.policy)."""
    return Caller(role(gate), me())
