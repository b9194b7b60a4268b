"""What the camera is told of a game: the deck it is played with, and where things lie on the table."""

from __future__ import annotations

import threading
from math import cos, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING

import companion
from companion.core.config import Decks as Names
from companion.core.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from companion.vision.deck.deck import Deck

SHIPPED = Path(companion.__file__).resolve().parent.parent / "models" / "decks"
"""The decks that come with the companion."""


class DeckLibrary:
    """The decks of the five games. Each is loaded once, on whatever thread needs it first.

    Args:
        names: the configuration's deck names.
        enrolled: the folder of the owner's decks.
    """

    def __init__(self, names: Names, enrolled: Path) -> None:
        self._names = names
        self._enrolled = enrolled
        self._lock = threading.Lock()
        self._loaded: dict[str, Deck] = {}

    def folder(self, game: str) -> Path | None:
        """Where the deck of a game lies: as configured, enrolled under the game's name, or the companion's
        own; None if there is none.

        Raises:
            UsageError: the configured one is not there.
        """
        named = str(getattr(self._names, game))
        if named:
            for path in (self._enrolled / named, SHIPPED / named, Path(named).expanduser()):
                if (path / "deck.npz").is_file():
                    return path
            raise UsageError(
                f"decks.{game}: there is no deck {named}: enrol it with `companion enrol {named}`"
            )
        for path in (self._enrolled / game, SHIPPED / game):
            if (path / "deck.npz").is_file():
                return path
        return None

    def deck(self, game: str) -> Deck:
        """The deck of a game.

        Raises:
            CompanionError: there is none, or it cannot be read.
        """
        folder = self.folder(game)
        if folder is None:
            raise Unavailable(
                f"there is no deck for {game}: enrol one with `companion enrol {game} --from DIR`"
            )
        with self._lock:
            if game not in self._loaded:
                from companion.vision.deck.deck import Deck

                self._loaded[game] = Deck.load(folder)
            return self._loaded[game]

    def forget(self) -> None:
        """A deck has been enrolled or mended: each is read anew when it is needed next."""
        with self._lock:
            self._loaded.clear()

    def check(self) -> None:
        """Looks whether every deck that the configuration names is there.

        Raises:
            UsageError: one is not.
        """
        for game in self._names.__struct_fields__:
            self.folder(game)

    def labels(self, game: str) -> tuple[str, ...]:
        """Every card of the game's deck; none if there is no deck."""
        folder = self.folder(game)
        if folder is None:
            return ()
        if game in self._loaded:
            return self._loaded[game].names
        from companion.vision.deck.header import names

        return names(folder)


DEFAULT_ZONES: dict[str, dict[str, list[tuple[float, float]]]] = {
    "seven_merry_monsters": {"trick": [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]},
    "nasty_7": {"pile": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]},
    "thirteen_monsters": {"dice": [(0.8, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.0)]},
    "trio_monsters": {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]},
}
"""Zones of a table that nobody has set up: the trick in the middle, the pile and the triangles wherever they
lie, dice right of the field."""

DISPLAYED = ("seven_merry_monsters",)
"""Games in which every player has a display."""


def default_zones(game: str, seats: int) -> dict[str, list[tuple[float, float]]]:
    """The zones of a game for so many players at a table that nobody has set up.

    Where each player has a display it is what lies between the middle and that player's side: the first
    player sits at the lower side of the picture, the others follow clockwise. Zones that come first are in
    front: the trick is cut out of the displays.
    """
    found = {name: list(corners) for name, corners in DEFAULT_ZONES.get(game, {}).items()}
    if game in DISPLAYED:
        found |= {f"display:{seat + 1}": _sector(seat, seats) for seat in range(seats)}
    return found


def _sector(seat: int, seats: int) -> list[tuple[float, float]]:
    """The part of the picture that is nearest to a seat's direction from the middle."""
    half = 180.0 / seats
    middle = 90.0 + 2 * half * seat
    # The edge of the picture between the two neighbours: both ends, and every corner that lies between.
    corners = [at for at in (45.0, 135.0, 225.0, 315.0) if (at - middle + half) % 360.0 < 2 * half]
    corners.sort(key=lambda at: (at - middle + half) % 360.0)
    ends = [_at_edge(at) for at in (middle - half, *corners, middle + half)]
    return list(dict.fromkeys(ends if seats == 2 else [(0.5, 0.5), *ends]))


def _at_edge(degrees: float) -> tuple[float, float]:
    """Where a ray from the middle, clockwise from the right, leaves the picture (shares of its sides)."""
    x, y = cos(radians(degrees)), sin(radians(degrees))
    far = 0.5 / max(abs(x), abs(y))
    return round(0.5 + far * x, 4), round(0.5 + far * y, 4)
