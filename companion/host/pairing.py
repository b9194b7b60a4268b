"""Which phone is the referee's, and which player's; how a phone becomes the referee's.

A code that is shown where the companion runs, or on a referee's phone; or a press on the companion after
the phone has asked for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from companion.announce.announcement import Announcement
from companion.api.pairing import PairedPhone, PairingCode
from companion.core.clock import Clock
from companion.core.errors import CompanionError, Unavailable
from companion.store.folder import DataFolder
from companion.store.pairing import PairingFile
from companion.store.phones import PhoneRegistry
from companion.table.table import Table

PRESS_S = 60.0
"""Seconds for which a phone waits for the press that makes it the referee's."""
TOLD_AFTER = 3
"""After so many wrong codes the table is told, then after each five more."""

logger = logging.getLogger(__name__)


class Pairing:
    """Every method may be called from any thread.

    Args:
        open_to_all: every phone is the referee's.
        announce: announces something at the table.
    """

    def __init__(
        self,
        phones: PhoneRegistry,
        codes: PairingFile,
        clock: Clock,
        announce: Callable[[Announcement], None],
        *,
        open_to_all: bool,
    ) -> None:
        self._phones = phones
        self._codes = codes
        self._clock = clock
        self._announce = announce
        self._open_to_all = open_to_all
        self._lock = threading.Lock()
        self._wrong = 0
        self._waiting: tuple[str, str, float] | None = None

    def open_to_all(self) -> bool:
        """Whether every phone is the referee's."""
        return self._open_to_all

    def is_referee(self, secret: str) -> bool:
        """Whether the phone with this secret is the referee's."""
        return bool(secret) and self._phones.is_referee(secret)

    def player(self, secret: str) -> str | None:
        """The player whom the phone with this secret belongs to."""
        return self._phones.player(secret) if secret else None

    def enter(self, code: str, secret: str, name: str) -> bool:
        """Whether the code is right: the phone is the referee's then, and the code is void."""
        with self._lock:
            right = self._codes.use(code)
            self._wrong = 0 if right else self._wrong + 1
            wrong = self._wrong
        if right:
            self._phones.make_referee(secret, name, True)
            self._say(Announcement("phone_paired", {"phone": name}))
        elif wrong == TOLD_AFTER or (wrong > TOLD_AFTER and (wrong - TOLD_AFTER) % 5 == 0):
            self._say(Announcement("wrong_codes", {"n": wrong}))
        return right

    def fresh(self) -> PairingCode:
        """A new code.

        Raises:
            Unavailable: it cannot be written.
        """
        try:
            return PairingCode(*self._codes.fresh())
        except OSError as error:
            raise Unavailable("data.cannot_write", path="pairing", why=error.strerror or "") from error

    def shown(self) -> PairingCode:
        """The code for a screen at the table: the present one while it is valid, then a new one.

        Raises:
            Unavailable: a new one cannot be written.
        """
        try:
            return PairingCode(*self._codes.shown())
        except OSError as error:
            raise Unavailable("data.cannot_write", path="pairing", why=error.strerror or "") from error

    def claim_new_machine(self, secret: str, name: str) -> bool:
        """Whether the phone became the referee's because no phone has been it on this machine before."""
        with self._lock:
            first = not any(one.referee for one, _ in self._phones.all(secret))
            if first:
                self._phones.make_referee(secret, name, True)
        return first

    def ask(self, secret: str, name: str) -> None:
        """A phone asks for the press that makes it the referee's; another phone's question counts no more."""
        with self._lock:
            self._waiting = (secret, name, self._clock() + PRESS_S)
        self._say(Announcement("phone_asks", {"phone": name}))

    def approve(self) -> bool:
        """The referee's button was pressed; whether that was the answer to a phone."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is None or self._clock() > waiting[2]:
            return False
        self._phones.make_referee(waiting[0], waiting[1], True)
        threading.Thread(
            target=self._say, args=(Announcement("phone_paired", {"phone": waiting[1]}),), daemon=True
        ).start()  # a press comes on the thread of the buttons, which waits for nobody
        return True

    def leave(self, secret: str) -> None:
        """The phone is a guest's again."""
        if self._phones.is_referee(secret):
            self._phones.make_referee(secret, "", False)

    def claim(self, player: str | None, secret: str, name: str) -> bool:
        """Makes the phone this player's (None: a spectator's); False: another phone is."""
        return self._phones.claim(secret, name, player)

    def phones(self, secret: str) -> tuple[PairedPhone, ...]:
        """All phones that the table knows, for the phone that asks."""
        return tuple(
            PairedPhone(one.number, one.name, one.referee, one.player, one.since, this)
            for one, this in self._phones.all(secret)
        )

    def revoke(self, number: int) -> None:
        """Forgets a phone."""
        self._phones.revoke(number)

    def _say(self, announcement: Announcement) -> None:
        try:
            self._announce(announcement)
        except CompanionError as error:
            logger.warning("%s", error)


def pairing_of(data: DataFolder, table: Table, wall: Callable[[], datetime], open_to_all: bool) -> Pairing:
    """The pairing of the phones of a table.

    Raises:
        Unavailable: the data folder cannot be written.
    """

    def announce(said: Announcement) -> None:
        table.call(lambda referee: referee.announce(said))

    phones = PhoneRegistry(data.path / "phones.json", data.key(), wall)
    return Pairing(phones, PairingFile(data.path), table.clock, announce, open_to_all=open_to_all)
