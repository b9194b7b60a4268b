"""Selects the watcher and the hearer of the running game and passes on what may come next."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from companion.core.active_game import ActiveGame
from companion.core.errors import CompanionError
from companion.core.fault_reporter import ReportFault
from companion.evidence.ring import Evidence
from companion.games.spotter import Expectation
from companion.senses import watchers
from companion.senses.ears import Ears
from companion.senses.eyes import Eyes, Watcher
from companion.senses.hearers import HearerFactory

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck

Zones = Callable[[str, Sequence[str]], watchers.Shapes]
"""(game, players) -> its zones as shares of the picture."""


class DeckSource(Protocol):
    """The decks that the games are played with: companion.host.deck_library.DeckLibrary."""

    def labels(self, game: str) -> tuple[str, ...]:
        """Every card of a game's deck; empty without a deck. Raises CompanionError if it cannot be read."""

    def deck(self, game: str) -> Deck:
        """The deck of a game. Raises CompanionError without one."""


class Attention:
    """Listens to the table (companion.table.listener.TableListener) and directs eyes, ears and evidence.

    Its methods run on the table's thread, so nothing is loaded here: watchers and hearers are made on the
    threads of eyes and ears.

    Args:
        eyes: get the watcher of the game.
        ears: get its hearer.
        evidence: is cleared with every new game.
        decks: the cards that watchers recognise.
        zones: where watchers look for them.
        hearers: make what listens to calls.
        report_fault: called with the error of a deck that cannot be read; the game then goes on without
            camera.
    """

    def __init__(
        self,
        eyes: Eyes,
        ears: Ears,
        evidence: Evidence,
        decks: DeckSource,
        zones: Zones,
        hearers: HearerFactory,
        report_fault: ReportFault,
    ) -> None:
        self._eyes = eyes
        self._ears = ears
        self._evidence = evidence
        self._decks = decks
        self._zones = zones
        self._hearers = hearers
        self._report_fault = report_fault
        self._game: ActiveGame | None = None

    @property
    def game(self) -> ActiveGame | None:
        """The game on the table; None between two games."""
        return self._game

    def labels(self, game: str) -> tuple[str, ...]:
        """The cards of a game's deck; empty without a deck that can be read."""
        try:
            return self._decks.labels(game)
        except CompanionError as error:
            self._report_fault("camera", error)
            return ()

    def game_changed(self, game: ActiveGame | None) -> None:
        """See TableListener."""
        self._game = game
        self._evidence.clear()
        watched = game is not None and game.watcher != "none" and bool(self.labels(game.name))
        self._eyes.set_watcher((lambda: self._watcher(game)) if game is not None and watched else None)
        if game is None or not game.hears:
            self._ears.set_hearer(None)
            return
        hearers = self._hearers
        sounds = functools.cache(hearers.sounds)
        self._ears.set_hearer(lambda rate: hearers.make(game, rate, sounds()))

    def expectation_changed(self, expectation: Expectation) -> None:
        """See TableListener."""
        self._ears.expect(expectation.words or ())
        self._eyes.expect(expectation.cards)

    def finding_made(self, n: int, t: float) -> None:
        """See TableListener."""
        self._evidence.keep(n, t)

    def zones_changed(self, game: str) -> None:
        """The zones of a game have changed: in a running game they apply from the next picture on. May be
        called from any thread."""
        active = self._game
        if active is not None and active.name == game:
            self._eyes.set_zones(self._zones(active.name, active.players))

    def _watcher(self, game: ActiveGame) -> Watcher:
        zones = self._zones(game.name, game.players)
        made: Watcher = watchers.watcher(game.watcher, self._decks.deck(game.name), zones)
        return made
