"""What a tournament is: its plan, its players, its rounds. Plain values, no clock, no database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games import game_named

MOST_PLAYERS = 1000
LARGEST_TABLE = 8
"""Most players at one table."""

TournamentPhase = Literal["registration", "closed", "running", "finished"]
RoundStage = Literal["swiss", "group", "knockout", "final"]


class TournamentPlan(msgspec.Struct, frozen=True):
    """What the organiser decides before the tournament."""

    title: Annotated[str, Meta(min_length=1, max_length=100)]
    form: Literal["swiss", "groups"]
    """`swiss`: every round is seated by the standings. `groups`: fixed groups, then the best of each group
    play on until one table is left."""
    games: Annotated[tuple[str, ...], Meta(min_length=1, max_length=20)]
    """Names of the games: round 1 plays the first, and after the last one the first again."""
    rounds: Annotated[int, Meta(ge=1, le=50)]
    """Rounds in all; with groups: rounds within the groups."""
    least: Annotated[int, Meta(ge=2, le=LARGEST_TABLE)]
    """Fewest players at a table."""
    most: Annotated[int, Meta(ge=2, le=LARGEST_TABLE)]
    """Most players at a table."""
    tables: tuple[str, ...] = ()
    """Names of the tables with a companion: they are offered their games."""
    other_tables: Annotated[int, Meta(ge=0, le=500)] = 0
    """Tables without a companion: the organiser enters their results."""
    advance: Annotated[int, Meta(ge=1, le=4)] = 1
    """Players of each table who play on after the groups."""

    @property
    def places(self) -> tuple[str, ...]:
        """All tables: those with a companion, then the others by number."""
        return (*self.tables, *(f"#{number}" for number in range(1, self.other_tables + 1)))

    def game_of(self, number: int) -> str:
        """The game of a round."""
        return self.games[(number - 1) % len(self.games)]

    def sizes_of(self, number: int) -> range:
        """The possible numbers of players at a table of a round: the organiser's and the game's."""
        seats = game_named(self.game_of(number)).rulebook.seats
        return range(max(self.least, seats[0]), min(self.most, seats[-1]) + 1)


class Entrant(msgspec.Struct, frozen=True):
    """A registered player."""

    number: int
    """1, 2, 3 ... in the order of registration."""
    name: str
    withdrawn: bool = False
    """Plays no more; the points stay."""


class RoundTable(msgspec.Struct, frozen=True):
    """One table of one round."""

    number: int
    """1, 2, 3 ... in the round."""
    id: str
    """Id of the seating, which becomes that of the game."""
    place: str
    """Name of the table with a companion, or `#1` for one without."""
    players: tuple[int, ...]
    """Numbers of the players in seating order."""
    ranks: dict[int, int] = {}
    """Player -> place in the game, 1 for the best; equal places for equal results. Empty: no result yet."""
    source: Literal["", "table", "organiser"] = ""
    """Who reported the result."""

    @property
    def has_companion(self) -> bool:
        """Whether a companion stands there."""
        return not self.place.startswith("#")

    @property
    def done(self) -> bool:
        """Whether there is a result, or nobody came."""
        return bool(self.ranks) or not self.players


class TournamentRound(msgspec.Struct, frozen=True):
    """One round."""

    number: int
    stage: RoundStage
    game: str
    started: str
    """Time of the hub, ISO 8601 in UTC."""
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...] = ()
    """Players for whom there is no seat in this round."""
    absent: tuple[int, ...] = ()
    """Players who did not come."""

    @property
    def done(self) -> bool:
        """Whether every table has a result."""
        return all(table.done for table in self.tables)


class Tournament(msgspec.Struct, frozen=True):
    """Everything about one tournament."""

    id: str
    plan: TournamentPlan
    phase: TournamentPhase
    created: str
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()

    @property
    def playing(self) -> tuple[Entrant, ...]:
        """The players who have not withdrawn."""
        return tuple(one for one in self.entrants if not one.withdrawn)

    @property
    def latest(self) -> TournamentRound | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def over(self) -> bool:
        """Whether every planned round has been played."""
        last = self.latest
        if last is None or not last.done:
            return False
        return len(self.rounds) >= self.plan.rounds if self.plan.form == "swiss" else last.stage == "final"

    def name_of(self, number: int) -> str:
        """The name of a player."""
        return self.entrants[number - 1].name

    def seats(self) -> Iterator[tuple[TournamentRound, RoundTable]]:
        """Every table of every round."""
        for one in self.rounds:
            for table in one.tables:
                yield one, table
