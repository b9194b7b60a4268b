"""What the table reports while it runs: one interface, given to the table when it is made."""

from __future__ import annotations

from typing import Protocol

from companion.core.active_game import ActiveGame
from companion.games import game_named
from companion.games.spotter import Expectation
from companion.store.rows import GameRow


class TableListener(Protocol):
    """Reports of the table, on the table's thread. An error in a method is logged and stops nothing."""

    def game_changed(self, game: ActiveGame | None) -> None:
        """Another game is on the table; None: there is no game."""

    def expectation_changed(self, expectation: Expectation) -> None:
        """Other cards and calls may come next."""

    def finding_made(self, n: int, t: float) -> None:
        """Entry `n` of the game got a verdict at the moment `t`."""


class NoListener:
    """Ignores every report."""

    def game_changed(self, game: ActiveGame | None) -> None:
        """See TableListener."""

    def expectation_changed(self, expectation: Expectation) -> None:
        """See TableListener."""

    def finding_made(self, n: int, t: float) -> None:
        """See TableListener."""


def active_game(row: GameRow) -> ActiveGame:
    """A game of the journal as the senses need it."""
    game = game_named(row.name)
    return ActiveGame(
        row.name,
        tuple(row.players),
        str(row.settings.get("language", "en")),
        game.watcher,
        game.hears(row.settings),
        game.hearing is not None and game.hearing.words == "countdown",
    )
