"""The game on the table as the senses need it: who plays, and which senses follow it."""

from __future__ import annotations

import msgspec


class ActiveGame(msgspec.Struct, frozen=True):
    """A game that has been started and has not been put away."""

    name: str
    """The game's name in scripts, e.g. `nasty_7`."""
    players: tuple[str, ...]
    """In the order of their seats."""
    language: str
    """Language of the calls, e.g. `en`."""
    watcher: str
    """Kind of watcher that follows it (see companion.senses.watchers); `none`: no camera is used."""
    hears: bool
    """Whether speech matters in this game."""
    counts_down: bool = False
    """Whether what is called is a countdown, and not the calls of The Nasty 7."""
