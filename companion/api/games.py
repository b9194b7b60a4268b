"""What can be played, for the page that starts a game."""

from __future__ import annotations

from typing import Any

import msgspec


class GameSetting(msgspec.Struct, frozen=True):
    """One house rule of a game."""

    name: str
    type: str
    """In words: `integer`, `text` ..."""
    default: Any = None
    choices: tuple[Any, ...] | None = None
    """The values that it may have; None where they cannot be listed."""
    keys: tuple[str, ...] | None = None
    """Of a table of numbers: what is counted."""
    help: str = ""


class GameCard(msgspec.Struct, frozen=True):
    """A game with its house rules."""

    name: str
    title: str
    seats: tuple[int, int]
    """Fewest and most players."""
    settings: tuple[GameSetting, ...]
