"""What can be played: the facts of each game and, for the page that starts one, its house rules."""

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


class GameZone(msgspec.Struct, frozen=True):
    """A zone of the table that the camera watches; with `each_player` one a player: `<name>:<seat>`."""

    name: str
    text: str
    """English name (a msgid)."""
    each_player: bool = False


class GameFacts(msgspec.Struct, frozen=True):
    """What pages have to know about a game to show it and to enter its events."""

    name: str
    title: str
    seats: tuple[int, int]
    """Fewest and most players."""
    fewest_points_win: bool = False
    sources: tuple[str, ...] = ()
    """The sources with which it is usually played: `camera`, `microphone`, `buttons`."""
    zones: tuple[GameZone, ...] = ()
    cards: tuple[str, ...] = ()
    """The label of each card that looks different."""
    without: dict[str, dict[str, Any]] = {}
    """Source -> house rules to start with where it is not there."""
    photographed: str = ""
    """What may be photographed for it: `display`, `tiles`, `dice`, `lattice`; empty: nothing."""
    number_words: dict[str, tuple[str, ...]] = {}
    """Language -> how 0 to 10 are said, for a game in which something is said aloud."""
    page: bool = False
    """Whether there is a script /static/games/<name>/index.js; otherwise the generic one shows the game."""
    settings: tuple[GameSetting, ...] | None = None
    """The house rules; None where they were not asked for."""
