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
from companion.hub.kept import KeptValues


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


class RatedSoFar(msgspec.Struct, frozen=True):
    """Which results a book holds: all decided ones of a game that count, up to one moment of reception.
    `sequences` is the sum of their versions, so a result that was replaced or left out is noticed."""

    received: str = ""
    results: int = 0
    sequences: int = 0


class RatingReader:
    """Ratings from the database; only games that are new are read and calculated. Every method may be called
    from any thread.

    Raises:
        Unavailable: the database failed.
    """

    def __init__(self, database: HubDatabase) -> None:
        self._database = database
        self._kept = KeptValues(database)
        self._lock = threading.Lock()
        self._books: dict[str, tuple[RatingBook, RatedSoFar]] = {}

    def of_game(self, name: str) -> dict[str, PlayerRating]:
        """The ratings of all players of one game now."""
        return self._kept.get(name, lambda: self._of_game(name))

    def _of_game(self, name: str) -> dict[str, PlayerRating]:
        with self._lock:
            book, done = self._books.get(name, (RatingBook(), RatedSoFar()))
            if self._so_far(name, done.received) != done:  # a result was left out or replaced
                book, done = RatingBook(), RatedSoFar()
            rows = self._database.rows(
                "SELECT r.table_name, r.game, r.received, p.player, p.place FROM hall_result r"
                " JOIN hall_placing p ON p.table_name = r.table_name AND p.game = r.game"
                " WHERE r.decided = 1 AND r.left_out = 0 AND r.name = :name AND r.received > :received"
                " ORDER BY r.received, r.table_name, r.game, p.seat",
                name=name,
                received=done.received,
            )
            self._books.pop(name, None)  # until the end: a failure in between would leave half of the games
            for game in _games(name, rows):
                book.add(game)
            self._books[name] = (book, self._so_far(name, rows[-1].received) if rows else done)
            return book.of_game(name)

    def _so_far(self, name: str, received: str) -> RatedSoFar:
        [row] = self._database.rows(
            "SELECT count(*) AS results, coalesce(sum(sequence), 0) AS sequences FROM hall_result"
            " WHERE decided = 1 AND left_out = 0 AND name = :name AND received <= :received",
            name=name,
            received=received,
        )
        return RatedSoFar(received, int(row.results), int(row.sequences))


def _games(name: str, rows: Iterable[Any]) -> list[RatedGame]:
    """The games of one kind in the order of the rows."""
    places: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows:
        places.setdefault((row.table_name, row.game), {})[row.player] = row.place
    return [RatedGame(name, found) for found in places.values()]
