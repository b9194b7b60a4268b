"""The decks with which the games are played: the owner's, or those that come with the companion."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable, UsageError
from companion.games import games

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck
    from companion.vision.deck.labels import Template

SHIPPED = Path(__file__).resolve().parents[2] / "models" / "decks"
"""The decks that come with the companion."""


def templates() -> dict[str, Template]:
    """The cards of every game that has some, by the game's name: what an enrolled deck is compared with."""
    from companion.vision.deck.labels import Template

    return {game.name: Template(game.name, game.title, tuple(game.cards)) for game in games() if game.cards}


class DeckLibrary:
    """The decks of the games. Each is loaded once, on whatever thread needs it first.

    Args:
        names: game -> a deck's name or folder, as configured; no entry: none is configured.
        enrolled: the folder of the owner's decks.
    """

    def __init__(self, names: Mapping[str, str], enrolled: Path) -> None:
        self._names = names
        self._enrolled = enrolled
        self._lock = threading.Lock()
        self._loaded: dict[str, Deck] = {}

    def folder(self, game: str) -> Path | None:
        """The folder of a game's deck: the configured one, else the one enrolled under the game's name, else
        the companion's own; None if the game has no deck.

        Raises:
            UsageError: the configured one is not there.
        """
        named = self._names.get(game, "")
        if named:
            for path in (self._enrolled / named, SHIPPED / named, Path(named).expanduser()):
                if (path / "deck.npz").is_file():
                    return path
            raise UsageError("deck.unknown_named", game=game, deck=named)
        for path in (self._enrolled / game, SHIPPED / game):
            if (path / "deck.npz").is_file():
                return path
        return None

    def deck(self, game: str) -> Deck:
        """The deck of a game.

        Raises:
            CompanionError: the game has no deck, or it cannot be read.
        """
        folder = self.folder(game)
        if folder is None:
            raise Unavailable("deck.none_for_game", game=game)
        with self._lock:
            if game not in self._loaded:
                from companion.vision.deck.deck import Deck

                self._loaded[game] = Deck.load(folder)
            return self._loaded[game]

    def forget(self) -> None:
        """Drops the loaded decks after one was enrolled or edited: each is loaded again when it is needed."""
        with self._lock:
            self._loaded.clear()

    def check(self) -> None:
        """Checks that every configured deck exists.

        Raises:
            UsageError: a deck is missing.
        """
        for game in self._names:
            self.folder(game)

    def labels(self, game: str) -> tuple[str, ...]:
        """Every card of the game's deck; none if there is no deck."""
        folder = self.folder(game)
        if folder is None:
            return ()
        if game in self._loaded:
            return self._loaded[game].names
        from companion.vision.deck.header import card_names

        return card_names(folder)
