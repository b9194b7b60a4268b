"""The watcher that follows a game, by the kind that the game names (`companion.games.game.Watcher`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.observations import Point

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck

Shapes = Mapping[str, Sequence[Point]]
"""Zone -> its corners as shares of the picture."""


def watcher(kind: str, deck: Deck, zones: Shapes) -> Any:
    """The watcher that turns the camera's pictures into observations of one game.

    Args:
        kind: `landings`, `grid_and_dice` or `lattice`.
        deck: the cards of the game.
        zones: the game's zones.

    Raises:
        KeyError: there is no watcher of that kind.
    """
    return _WATCHERS[kind](deck, zones)


def _landings(deck: Deck, zones: Shapes) -> Any:
    from companion.vision.tracking.landing import LandingWatcher

    return LandingWatcher(deck, zones)


def _grid_and_dice(deck: Deck, zones: Shapes) -> Any:
    from companion.vision.tracking.dice_watch import ZONE, GridAndDiceWatcher

    return GridAndDiceWatcher(deck, zones[ZONE])


def _lattice(deck: Deck, zones: Shapes) -> Any:
    from companion.vision.tracking.lattice_watch import LatticeWatcher

    return LatticeWatcher(deck, zones)


_WATCHERS: Mapping[str, Callable[[Deck, Shapes], Any]] = {
    "landings": _landings,
    "grid_and_dice": _grid_and_dice,
    "lattice": _lattice,
}
KINDS = tuple(_WATCHERS)
"""The kinds of watchers there are."""
