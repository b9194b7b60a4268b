"""Ratings of players, one list a game, with their uncertainty (OpenSkill, the model of Plackett and Luce).

A rating is the mean and the standard deviation of a player's assumed skill; a new player has 25 and 8.3. It
follows from the places in all decided games that count, in the order in which the hub received them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from companion.hub.database import HubDatabase


class PlayerRating(msgspec.Struct, frozen=True):
    """One player's rating in one game."""

    mean: float
    deviation: float
    """Standard deviation: how uncertain the rating is. It becomes smaller with each game."""
    games: int


class RatedGame(msgspec.Struct, frozen=True):
    """A decided game: its name, and the place of each player."""

    name: str
    places: Mapping[str, int]


class RatingBook:
    """Ratings after some games. Pure: no database, no clock."""

    def __init__(self) -> None:
        self._model: Any = PlackettLuce()
        self._known: dict[tuple[str, str], PlayerRating] = {}

    def add(self, game: RatedGame) -> None:
        """Takes one more game into account."""
        if len(game.places) < 2:
            return
        before = {player: self._known.get((game.name, player)) for player in game.places}
        teams = [
            [self._model.rating() if one is None else self._model.rating(one.mean, one.deviation)]
            for one in before.values()
        ]
        after = self._model.rate(teams, ranks=list(game.places.values()))
        for (player, one), [new] in zip(before.items(), after, strict=True):
            played = 1 if one is None else one.games + 1
            self._known[game.name, player] = PlayerRating(float(new.mu), float(new.sigma), played)

    def of_game(self, name: str) -> dict[str, PlayerRating]:
        """The ratings of all players of one game."""
        return {player: one for (game, player), one in self._known.items() if game == name}


class RatingReader:
    """Ratings from the database; only games that are new are calculated. Every method may be called from any
    thread.

    Raises:
        Unavailable: the database failed.
    """

    def __init__(self, database: HubDatabase) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._book = RatingBook()
        self._done: set[tuple[str, str, int]] = set()

    def of_game(self, name: str) -> dict[str, PlayerRating]:
        """The ratings of all players of one game now."""
        with self._lock:
            rows = self._database.rows(
                "SELECT r.table_name, r.game, r.sequence, r.name, p.player, p.place FROM hall_result r"
                " JOIN hall_placing p ON p.table_name = r.table_name AND p.game = r.game"
                " WHERE r.decided = 1 AND r.left_out = 0 AND r.name = :name"
                " ORDER BY r.received, r.table_name, r.game, p.seat",
                name=name,
            )
            games = _games(rows)
            known = {key for key in self._done if key[0].startswith(f"{name} ")}
            if not known <= games.keys():  # a result was left out or replaced
                self._forget()
            for key, game in games.items():
                if key not in self._done:
                    self._done.add(key)
                    self._book.add(game)
            return self._book.of_game(name)


def _games(rows: Iterable[Any]) -> dict[tuple[str, str, int], RatedGame]:
    """The games in the order of the rows, by game and table, id and version of the result."""
    places: dict[tuple[str, str, int], dict[str, int]] = {}
    names: dict[tuple[str, str, int], str] = {}
    for row in rows:
        key = (f"{row.name} {row.table_name}", row.game, row.sequence)
        names[key] = row.name
        places.setdefault(key, {})[row.player] = row.place
    return {key: RatedGame(names[key], found) for key, found in places.items()}
