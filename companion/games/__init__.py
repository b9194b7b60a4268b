"""The five rulebooks as pure code, and the registry that finds them by name."""

from __future__ import annotations

import importlib
from typing import Any

from companion.core.errors import BadHeader
from companion.games.contract.rulebook import Rulebook

GAMES = {
    "seven_merry_monsters": "SevenMerryMonsters",
    "trio_monsters": "TrioMonsters",
    "bugs_and_co": "BugsAndCo",
    "thirteen_monsters": "ThirteenMonsters",
    "nasty_7": "Nasty7",
}
"""Game -> class; the module is companion.games.<game>.rules and is imported only when the game is played."""


def rulebook(game: Any) -> Rulebook[Any]:
    """The rules of one game.

    Raises:
        BadHeader: `bad_game`.
    """
    if not isinstance(game, str) or game not in GAMES:
        raise BadHeader("bad_game", f"the games are {', '.join(GAMES)}")
    module = importlib.import_module(f"companion.games.{game}.rules")
    book: Rulebook[Any] = getattr(module, GAMES[game])()
    return book
