"""One spotter a game: from what was seen and heard to events."""

from __future__ import annotations

from companion.games.bugs_and_co.spotter import BugsAndCoSpotter
from companion.games.generic_spotter import GenericSpotter
from companion.games.nasty_7.spotter import Nasty7Spotter
from companion.games.seven_merry_monsters.spotter import SevenMerryMonstersSpotter
from companion.games.spotter import Spotter, Sureness
from companion.games.thirteen_monsters.spotter import ThirteenMonstersSpotter
from companion.games.trio_monsters.spotter import TrioMonstersSpotter

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
