"""What became of a damaged journal."""

from __future__ import annotations

import msgspec


class DamagedGame(msgspec.Struct, frozen=True):
    """A game of which not everything could be kept."""

    id: int
    name: str
    players: list[str]
    kept: int
    """Lines from the first on that are still there."""
    lost: int
    """Later lines: they are in the copy of the damaged journal as far as they can be read."""


class JournalDamage(msgspec.Struct, frozen=True):
    """A journal that was damaged and has been repaired."""

    at: str
    """When it was repaired: ISO 8601, UTC."""
    folder: str
    """Where the damaged one is kept."""
    found: str
    """What was wrong, for somebody who knows SQLite."""
    rows: int
    """Rows of the repaired journal."""
    lost: int
    """Rows that are lost."""
    unproven: int
    """Rows that were kept although their checksums are lost."""
    games: tuple[DamagedGame, ...]
