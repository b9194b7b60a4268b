"""Points of something counted or photographed, before it is entered."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Points(msgspec.Struct, frozen=True):
    """The points of a player's display or tiles by the rules."""

    total: int
    parts: Mapping[str, int]
    """Points of each column or symbol."""
    trophy: int = 0
    """The part of the total that comes from the player's trophy."""
