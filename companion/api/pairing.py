"""Phones that are the referee's, or a player's, and the code that makes one the referee's."""

from __future__ import annotations

import msgspec


class PairedPhone(msgspec.Struct, frozen=True):
    """A phone that the table knows."""

    number: int
    name: str
    """What kind of phone it is, e.g. "Android"."""
    referee: bool
    player: str | None
    """The player whom it belongs to; None: a spectator's."""
    since: str
    """When it became known: ISO 8601, UTC, by the clock of the table then."""
    this: bool = False
    """Whether it is the phone that asks."""


class PairedPhones(msgspec.Struct, frozen=True):
    """All phones that the table knows, in the order in which they came."""

    phones: tuple[PairedPhone, ...]
    ok: bool = True


class PairingCode(msgspec.Struct, frozen=True):
    """A code that makes one phone the referee's."""

    code: str
    """Six digits; "" for a screen at the table: after too many wrong codes there is none for `seconds`."""
    seconds: float
    """How long it is valid."""
    ok: bool = True
