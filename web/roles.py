"""The role and the player of the phone behind a request.

The host knows which phones are the referee's and which player's (companion.host.pairing), by the secret in
their cookies. The owner of a phone selects its player, whom no other phone can select then.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from flask import request

from companion.api.commands import Caller, Role
from companion.core.clock import Clock
from web.errors import Refused
from web.sessions import phone_secret
from web.words import _

if TYPE_CHECKING:
    from web.host import PairingService

REFEREE: Role = "referee"
GUEST: Role = "guest"


class CodeGate:
    """Slows guessing the code down: after five wrong codes an address must wait, longer each time."""

    FREE = 5
    PAUSE_S = 30.0
    REMEMBERED = 1024

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Checks that this address may try now.

        Raises:
            Refused: it must wait.
        """
        with self._lock:
            until = self._wrong.get(address, (0, 0.0))[1]
        wait = until - self._clock()
        if wait > 0:
            seconds = int(wait) + 1
            text = _("Too many wrong codes. Wait %(n)s seconds.", n=seconds)
            raise Refused(429, "wait", text, {"Retry-After": str(seconds)})

    def tried(self, address: str, right: bool) -> None:
        """Counts a code that this address has tried."""
        with self._lock:
            wrong, until = self._wrong.pop(address, (0, 0.0))
            if right:
                return
            wrong += 1
            pause = self.PAUSE_S * (wrong // self.FREE) if wrong % self.FREE == 0 else 0.0
            self._wrong[address] = (wrong, self._clock() + pause if pause else until)
            if len(self._wrong) > self.REMEMBERED:
                self._wrong.popitem(last=False)


def role(pairing: PairingService) -> Role:
    """The role of the phone that sent the present request."""
    return REFEREE if pairing.open_to_all() or pairing.is_referee(phone_secret()) else GUEST


FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""Headers that a proxy adds: behind one on this machine every request comes from this machine."""


def on_the_companion() -> bool:
    """Whether the present request comes from a browser on the companion itself, such as that of a screen
    which is plugged in there."""
    try:
        local = ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
    return local and not any(name in request.headers for name in FORWARDED)


def me(pairing: PairingService) -> str | None:
    """The player this phone belongs to, if its owner has selected one."""
    return pairing.player(phone_secret())


def caller(pairing: PairingService) -> Caller:
    """The sender of the present request. The table decides what the caller may do
    (companion.table.policy)."""
    return Caller(role(pairing), me(pairing))
