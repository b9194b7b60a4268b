"""One game as data: everything that the rest of the companion needs to know about it.

Each game has one `Game` object, GAME in the module `game` of its package. Doctor, set-up, mat, photographs,
enrolment, night, replay, score and pages ask it; none of them knows a game by name. The rules themselves stay
pure in the game's rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from companion.games.contract.points import Points
from companion.games.contract.rulebook import Rulebook
from companion.games.generic_spotter import GenericSpotter
from companion.games.lattice_photo import LatticeComparison
from companion.games.spotter import Spotter, Thresholds
from companion.games.zone import Zone

Watcher = Literal["none", "landings", "grid_and_dice", "lattice"]
"""How the camera follows the game: not at all, card by card as they land in zones, as a grid of cards with
dice beside it, or as a lattice of triangles."""
CardShape = Literal["rectangle", "square", "triangle"]
"""Outline of the cards; round tiles count as squares."""
Photographed = Literal["", "display", "tiles", "dice", "lattice"]
"""What a phone can photograph for the game: a display of columns or a player's tiles to be scored, thrown
dice, or the whole lattice; empty: nothing."""


class Hearing(msgspec.Struct, frozen=True):
    """The calls of a game, and which of them matter."""

    words: Literal["calls", "countdown"] = "calls"
    """Which words of a language are listened for: all its calls, or ten to one and the word that ends it."""
    one_by_one: bool = False
    """Each word is a call of its own; otherwise words are joined until there is a pause."""
    only_with: tuple[str, Any] | None = None
    """(setting, value): speech matters only in games with this house rule."""


DisplayPoints = Callable[[Mapping[str, Mapping[str, int]], int], Points]
"""({monster: {"cards", "jokers"}}, jokers without a column) -> points. KeyError or TypeError: no display."""
TilePoints = Callable[[Mapping[str, int], Mapping[str, Any] | None, str], Points]
"""({symbol: how many}, the JSON state or None, player) -> points; the trophy counts only with a state.
KeyError: the player has no tiles."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """Everything about one game. Only `package` and `rulebook` are needed; the rest adds senses and pages."""

    package: str
    """Dotted name of the package, e.g. `companion.games.nasty_7`; its last part is the game's name."""
    rulebook: Rulebook[Any]
    spotter: type[Spotter] = GenericSpotter
    """Turns observations into events; the generic one reports button presses and calls."""
    fewest_points_win: bool = False
    uses_buttons: bool = False
    """Whether the game is normally played with buttons: pages show when they are down."""
    hearing: Hearing | None = None
    """What is called aloud; None: nothing."""
    watcher: Watcher = "none"
    zones: tuple[Zone, ...] = ()
    """The zones that the watcher reads; those in front come first."""
    cards: Mapping[str, int] = field(default_factory=dict)
    """Label of each different card (tile) -> how many of it our own deck has, in the order in which people
    sort them."""
    joker: str = ""
    """Label of the card that joins any column of a display; empty: there is none."""
    card_shape: CardShape = "rectangle"
    drawing: str = ""
    """Dotted module below companion.art that draws the cards; empty: there is no drawing of them."""
    words: tuple[str, ...] = ()
    """Further English words that pages and sentences take from the game (msgids): cards, parts, powers."""
    without: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Source -> house rules that suit a table without it: pages start a game with them."""
    photographed: Photographed = ""
    display_points: DisplayPoints | None = None
    tile_points: TilePoints | None = None
    compare_lattice: LatticeComparison | None = None
    """Compares a photographed lattice with the game; None for games without one."""
    page: bool = False
    """Whether web/static/games/<name>/index.js draws its page; otherwise the generic page does."""

    @property
    def name(self) -> str:
        """The name in scripts, commands and file names, e.g. `nasty_7`."""
        return self.package.rpartition(".")[2]

    @property
    def title(self) -> str:
        """The name as it is printed on the box."""
        return self.rulebook.title

    @property
    def seats(self) -> range:
        """The possible numbers of players."""
        return self.rulebook.seats

    @property
    def most_copies(self) -> int:
        """How many cards (tiles) there are at most of one look; 0 without cards."""
        return max(self.cards.values(), default=0)

    @property
    def followed(self) -> bool:
        """Whether the camera follows the cards: then the game needs a deck."""
        return self.watcher != "none"

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources with which the game is usually played."""
        used = {"camera": self.followed, "microphone": self.hearing is not None, "buttons": self.uses_buttons}
        return tuple(source for source, is_used in used.items() if is_used)

    def hears(self, settings: Mapping[str, Any]) -> bool:
        """Whether speech matters with these settings (as JSON). Only then the table waits for the ears."""
        if self.hearing is None or self.hearing.only_with is None:
            return self.hearing is not None
        setting, value = self.hearing.only_with
        default = getattr(self.rulebook.settings_type(), setting, None)
        return bool(settings.get(setting, default) == value)

    def times_calls(self, settings: Mapping[str, Any]) -> bool:
        """Whether time limits run for what is called: without ears nobody can say whether they were kept."""
        return self.hearing is not None and self.hearing.words == "calls" and self.hears(settings)

    def points_of_display(self, display: Mapping[str, Mapping[str, int]]) -> int | None:
        """What a photographed display is worth; None in a game that scores none."""
        return None if self.display_points is None else self.display_points(display, 0).total

    def points_of_tiles(self, tiles: Mapping[str, int]) -> int | None:
        """What photographed tiles are worth without a trophy; None in a game that scores none."""
        return None if self.tile_points is None else self.tile_points(tiles, None, "").total

    def new_spotter(self, thresholds: Thresholds | None = None) -> Spotter:
        """A new spotter."""
        return self.spotter(thresholds)


def card_words(labels: Mapping[str, int]) -> tuple[str, ...]:
    """The words in labels like `twin_phone` or `red 4`: "twin phone", "red"."""
    words = (label.replace("_", " ").rstrip(" 0123456789") for label in labels)
    return tuple(dict.fromkeys(words))
