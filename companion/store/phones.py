"""The phones that are the referee's or a player's, by the secret that each of them has in its cookie.

The file holds digests of the secrets. It belongs to the key that signs the cookies: with another key
nobody is known.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion.core.replace_file import replace_file

MOST = 64
"""PhoneRegistry that are remembered; of more, those that are not the referee's are forgotten first."""

logger = logging.getLogger(__name__)


class KnownPhone(msgspec.Struct, frozen=True):
    """A phone in the file."""

    digest: str
    number: int
    name: str
    since: str
    referee: bool = False
    player: str | None = None


class PhonesFile(msgspec.Struct, frozen=True):
    """The whole file."""

    key: str
    phones: tuple[KnownPhone, ...] = ()


class PhoneRegistry:
    """The phones that the table knows. Every method may be called from any thread.

    Args:
        path: the file; None: nothing is stored.
        key: signs the cookies.
        wall: the time of day, for people to read.
    """

    def __init__(self, path: Path | None, key: bytes, wall: Callable[[], datetime]) -> None:
        self._path = path
        self._key = _digest(key.hex())
        self._wall = wall
        self._lock = threading.Lock()
        self._phones = self._read()

    def is_referee(self, secret: str) -> bool:
        """Whether this phone is the referee's."""
        known = self._phones.get(_digest(secret))
        return known is not None and known.referee

    def player(self, secret: str) -> str | None:
        """The player whom this phone belongs to."""
        known = self._phones.get(_digest(secret))
        return None if known is None else known.player

    def make_referee(self, secret: str, name: str, referee: bool) -> None:
        """Makes a phone the referee's, or a guest's again."""
        with self._lock:
            known = self._known(secret, name)
            self._keep(msgspec.structs.replace(known, referee=referee))

    def claim(self, secret: str, name: str, player: str | None) -> bool:
        """Makes a phone this player's; False: another one is. The referee's takes the player from the
        other."""
        with self._lock:
            known = self._known(secret, name)
            others = [one for one in self._phones.values() if one.player == player is not None]
            for other in others:
                if other.digest == known.digest:
                    continue
                if not known.referee:
                    return False
                self._phones[other.digest] = msgspec.structs.replace(other, player=None)
            self._keep(msgspec.structs.replace(known, player=player))
            return True

    def revoke(self, number: int) -> None:
        """Forgets a phone: it is a guest's then, and nobody's."""
        with self._lock:
            self._phones = {one.digest: one for one in self._phones.values() if one.number != number}
            self._write()

    def all(self, secret: str) -> tuple[tuple[KnownPhone, bool], ...]:
        """All phones, in the order in which they came, each with whether it is the one with this secret."""
        own = _digest(secret)
        ordered = sorted(self._phones.values(), key=lambda one: one.number)
        return tuple((one, one.digest == own) for one in ordered)

    def _known(self, secret: str, name: str) -> KnownPhone:
        digest = _digest(secret)
        number = 1 + max((one.number for one in self._phones.values()), default=0)
        since = self._wall().astimezone(UTC).isoformat(timespec="seconds")
        return self._phones.get(digest) or KnownPhone(digest, number, name[:40], since)

    def _keep(self, phone: KnownPhone) -> None:
        phones = {**self._phones, phone.digest: phone}
        phones = {key: one for key, one in phones.items() if one.referee or one.player is not None}
        while len(phones) > MOST:
            others = [one for one in phones.values() if one.digest != phone.digest]
            del phones[min(others, key=lambda one: (one.referee, one.number)).digest]
        self._phones = phones
        self._write()

    def _read(self) -> dict[str, KnownPhone]:
        if self._path is None:
            return {}
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=PhonesFile)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            logger.warning("%s cannot be read (%s): no phone is the referee's", self._path, error)
            return {}
        return {one.digest: one for one in kept.phones} if kept.key == self._key else {}

    def _write(self) -> None:
        """Writes the file; on a full disk what was changed counts until the service ends."""
        if self._path is None:
            return
        kept = PhonesFile(self._key, tuple(self._phones.values()))
        try:
            replace_file(self._path, msgspec.json.encode(kept), 0o600)
        except OSError as error:
            logger.warning("%s cannot be written: %s", self._path, error)


def _digest(secret: str) -> str:
    return hashlib.blake2b(secret.encode(), digest_size=16).hexdigest()
