"""What the pages of a tournament show, made from a Tournament: rounds, seats, standings, a player's own."""

from __future__ import annotations

import msgspec

from companion.games import known_game
from companion.hub.csv_table import csv_text
from companion.hub.tournament.model import RoundTable, Tournament, TournamentRound
from companion.hub.tournament.scoring import TournamentRow, table_points, tournament_standings


class ShownSeat(msgspec.Struct, frozen=True):
    """A player at a table of a round."""

    number: int
    name: str
    rank: int | None
    points: int | None


class ShownTable(msgspec.Struct, frozen=True):
    """A table of a round. `place` is its name; `number` that in the round."""

    number: int
    place: str
    has_companion: bool
    done: bool
    source: str
    seating: str
    seats: tuple[ShownSeat, ...]


class ShownRound(msgspec.Struct, frozen=True):
    """A round."""

    number: int
    stage: str
    game: str
    title: str
    done: bool
    tables: tuple[ShownTable, ...]
    byes: tuple[str, ...]
    absent: tuple[str, ...]


class OwnSeat(msgspec.Struct, frozen=True):
    """What one player wants to know now."""

    number: int
    name: str
    withdrawn: bool
    row: TournamentRow
    round: ShownRound | None
    """The latest round."""
    table: ShownTable | None
    """The player's table in it; None: no seat."""


class ShownTournament(msgspec.Struct, frozen=True):
    """Everything that the pages show of a tournament."""

    known: Tournament
    rounds: tuple[ShownRound, ...]
    """The latest first."""
    standings: tuple[TournamentRow, ...]

    def own(self, number: int) -> OwnSeat:
        """What a player sees."""
        entrant = self.known.entrants[number - 1]
        latest = self.rounds[0] if self.rounds else None
        tables = latest.tables if latest is not None else ()
        table = next((one for one in tables if any(seat.number == number for seat in one.seats)), None)
        row = next(one for one in self.standings if one.number == number)
        return OwnSeat(number, entrant.name, entrant.withdrawn, row, latest, table)


def shown_tournament(known: Tournament) -> ShownTournament:
    """The tournament as pages show it."""
    rounds = tuple(_round(known, one) for one in reversed(known.rounds))
    return ShownTournament(known, rounds, tuple(tournament_standings(known)))


def _round(known: Tournament, one: TournamentRound) -> ShownRound:
    game = known_game(one.game)
    return ShownRound(
        one.number,
        one.stage,
        one.game,
        one.game if game is None else game.rulebook.title,
        one.done,
        tuple(_table(known, table) for table in one.tables),
        tuple(known.name_of(number) for number in one.byes),
        tuple(known.name_of(number) for number in one.absent),
    )


def _table(known: Tournament, table: RoundTable) -> ShownTable:
    points = table_points(table.ranks)
    seats = tuple(
        ShownSeat(number, known.name_of(number), table.ranks.get(number), points.get(number))
        for number in table.players
    )
    return ShownTable(
        table.number, table.place, table.has_companion, table.done, table.source, table.id, seats
    )


def standings_csv(known: Tournament) -> str:
    """The standings as CSV."""
    rounds = [f"round {one.number}" for one in known.rounds]
    head = ["place", "player", "points", "wins", "strength", "games", *rounds]
    return csv_text(
        [
            head,
            *(
                [row.place, row.name, row.points, row.wins, row.strength, row.games]
                + ["" if points is None else points for points in row.by_round]
                for row in tournament_standings(known)
            ),
        ]
    )


def seats_csv(known: Tournament) -> str:
    """Who sits where in every round, with the places of the games, as CSV."""
    lines: list[list[object]] = [["round", "game", "table", "player", "place", "points"]]
    for played, table in known.seats():
        points = table_points(table.ranks)
        for number in table.players:
            seat: list[object] = [played.number, played.game, table.place, known.name_of(number)]
            lines.append([*seat, table.ranks.get(number, ""), points.get(number, "")])
    return csv_text(lines)
