"""The games: one package each, and the registry that finds them.

A game is registered with one line in PACKAGES; everything else about it stands in its package (see
`companion.games.game` and docs/add-a-game.md).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from companion.core.errors import BadHeader
from companion.games.contract.rulebook import Rulebook
from companion.games.game import Game

PACKAGES: tuple[str, ...] = (
    "companion.games.seven_merry_monsters",
    "companion.games.trio_monsters",
    "companion.games.bugs_and_co",
    "companion.games.thirteen_monsters",
    "companion.games.nasty_7",
)
"""The package of each game, in the order in which games are listed. Its module `game` holds the Game object
as GAME; it is imported when the game is asked for. The last part of the name is the game's name."""


def game_names() -> tuple[str, ...]:
    """The names of all games, e.g. `nasty_7`. No game is imported for this."""
    return tuple(map(_name, PACKAGES))


def games() -> tuple[Game, ...]:
    """All games. This imports every rulebook: not on the way of `companion replay`."""
    return tuple(map(_load, PACKAGES))


def known_game(name: Any) -> Game | None:
    """The game of that name, None if there is none."""
    return next((_load(package) for package in PACKAGES if _name(package) == name), None)


def game_named(name: Any) -> Game:
    """The game of that name.

    Raises:
        BadHeader: `bad_game`.
    """
    found = known_game(name)
    if found is None:
        raise BadHeader("bad_game", "header.games", games=tuple(game_names()))
    return found


def rulebook(name: Any) -> Rulebook[Any]:
    """The rules of one game.

    Raises:
        BadHeader: `bad_game`.
    """
    return game_named(name).rulebook


def _name(package: str) -> str:
    return package.rpartition(".")[2]


@functools.cache
def _load(package: str) -> Game:
    found: Game = importlib.import_module(f"{package}.game").GAME
    return found
