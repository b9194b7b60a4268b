"""One spotter a game: from what was seen and heard to events."""

from __future__ import annotations

from companion.table.spotters.base import Spotter, Sureness
from companion.table.spotters.bugs_and_co import BugsAndCoSpotter
from companion.table.spotters.generic import GenericSpotter
from companion.table.spotters.nasty_7 import Nasty7Spotter
from companion.table.spotters.seven_merry_monsters import SevenMerryMonstersSpotter
from companion.table.spotters.thirteen_monsters import ThirteenMonstersSpotter
from companion.table.spotters.trio_monsters import TrioMonstersSpotter

SPOTTERS: dict[str, type[Spotter]] = {
    "seven_merry_monsters": SevenMerryMonstersSpotter,
    "nasty_7": Nasty7Spotter,
    "bugs_and_co": BugsAndCoSpotter,
    "thirteen_monsters": ThirteenMonstersSpotter,
    "trio_monsters": TrioMonstersSpotter,
}
"""The games with a spotter of their own; the others are played by phone, buttons and voice."""


def spotter(game: str, sureness: Sureness | None = None) -> Spotter:
    """A fresh spotter for a game."""
    return SPOTTERS.get(game, GenericSpotter)(sureness)
