"""Points of what was counted or photographed, before anybody enters it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Points(msgspec.Struct, frozen=True):
    """What something before a player is worth by the rules."""

    total: int
    parts: Mapping[str, int]
    """Points of each column or symbol."""
    trophy: int = 0
    """Part of the total that lies beside what was counted."""
