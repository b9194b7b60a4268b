"""What the organiser does: creates tournaments, starts rounds, corrects results, takes players out."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, text

from companion.hub.database import HubDatabase
from companion.hub.tournament.earlier import EarlierResult, earlier_results
from companion.hub.tournament.model import RoundTable, Tournament, TournamentPhase, TournamentPlan
from companion.hub.tournament.reading import TournamentReader
from companion.hub.tournament.registration import add_entrant, clean_name
from companion.hub.tournament.rounds import next_round, without_player

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a tournament's id: none that is easily taken for another one."""


class DeskRefused(ValueError):
    """`code`: `unknown`, `not_now`, `bad_plan`, `bad_ranks`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def random_id() -> str:
    """Id of a new tournament."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(6))


class TournamentDesk:
    """Every method may be called from any thread, and raises Unavailable if the database failed, DeskRefused
    if it is impossible now.

    Args:
        changed: called after every change of a seating.
        new_id: makes the id of a tournament.
    """

    def __init__(
        self,
        database: HubDatabase,
        wall: Callable[[], datetime],
        changed: Callable[[], None],
        new_id: Callable[[], str] = random_id,
    ) -> None:
        self._database = database
        self._reader = TournamentReader(database)
        self._wall = wall
        self._on_seating = changed
        self._new_id = new_id
        self._lock = threading.Lock()

    def read(self, tournament: str) -> Tournament:
        """Everything about one tournament."""
        return self._in(tournament, "registration", "closed", "running", "finished")

    def create(self, plan: TournamentPlan) -> str:
        """Creates a tournament and opens its registration; returns its id."""
        check_plan(plan)
        values = {"id": self._new_id(), "plan": _json(plan), "created": self._now()}
        self._database.run(
            "INSERT INTO tournament (id, plan, phase, created) VALUES (:id, :plan, 'registration', :created)",
            **values,
        )
        self._database.changed()
        return values["id"]

    def open_registration(self, tournament: str, open_: bool) -> None:
        """Closes the registration, or opens it again, before the first round."""
        with self._lock:
            self._in(tournament, "registration", "closed")
            self._set_phase(tournament, "registration" if open_ else "closed")
        self._database.changed()

    def add(self, tournament: str, name: str) -> int:
        """Registers a player for somebody without a phone, also between two rounds.

        Raises:
            RegistrationRefused: see there.
        """
        phases = ("registration", "closed", "running")
        with self._lock, self._database.transaction() as connection:
            number = add_entrant(connection, tournament, clean_name(name), phases=phases)
        self._database.changed()
        return number

    def start_round(self, tournament: str) -> None:
        """Seats and starts the next round.

        Raises:
            RoundImpossible: see there.
        """
        with self._lock:
            known = self._in(tournament, "registration", "closed", "running")
            planned = next_round(known)
            least = known.plan.sizes_of(planned.number)[0]
            with self._database.transaction() as connection:
                values = {"id": tournament, "number": planned.number, "started": self._now()}
                values |= {"stage": planned.stage, "game": planned.game, "byes": _json(planned.byes)}
                connection.execute(ADD_ROUND, values)
                for number, players in enumerate(planned.tables, 1):
                    alone = dict.fromkeys(players, 1) if len(players) < least else {}
                    table = RoundTable(
                        number,
                        seating_id(tournament, planned.number, number, 1),
                        known.plan.places[number - 1],
                        players,
                        alone,
                        "organiser" if alone else "",
                    )
                    connection.execute(ADD_TABLE, _values(tournament, planned.number, table, 1))
                connection.execute(SET_PHASE, {"id": tournament, "phase": "running"})
        self._seating_changed()

    def correct(self, tournament: str, round_number: int, number: int, ranks: Mapping[int, int]) -> None:
        """Sets the places of a game; what the table reports does not change them any more."""
        with self._lock:
            table = self._table(self._in(tournament, "running"), round_number, number)
            check_ranks(table, ranks)
            corrected = msgspec.structs.replace(table, ranks=dict(ranks), source="organiser")
            self._write(tournament, round_number, corrected)
        self._seating_changed()

    def earlier_results(self, tournament: str) -> Mapping[int, EarlierResult]:
        """Table of the latest round -> what was played there under an earlier seating, where the present one
        has no result."""
        known = self.read(tournament)
        with self._database.transaction() as connection:
            return earlier_results(connection, known)

    def count_earlier(self, tournament: str, number: int, game: str) -> None:
        """Lets a game that was played under an earlier seating count at a table of the latest round, with the
        players who played it.

        Args:
            game: its id: another one may have ended since the organiser looked.
        """
        with self._lock:
            known = self._in(tournament, "running")
            found = self.earlier_results(tournament).get(number)
            if known.latest is None or found is None or found.game != game:
                raise DeskRefused("not_now")
            table = self._table(known, known.latest.number, number)
            players = tuple(found.ranks)
            played = msgspec.structs.replace(
                table, players=players, ranks=dict(found.ranks), source="organiser"
            )
            absent = (*known.latest.absent, *table.players)
            self._write(tournament, known.latest.number, played)
            self._set_absent(tournament, known.latest.number, [one for one in absent if one not in players])
        self._seating_changed()

    def play_again(self, tournament: str, round_number: int, number: int) -> None:
        """Discards what was played at a table of the latest round: the game is offered again."""
        with self._lock:
            known = self._in(tournament, "running")
            table = self._table(known, round_number, number)
            if known.latest is None or known.latest.number != round_number:
                raise DeskRefused("not_now")
            again = msgspec.structs.replace(table, ranks={}, source="")
            self._write(tournament, round_number, again, next_version=True)
        self._seating_changed()

    def absent(self, tournament: str, entrant: int) -> None:
        """A player has not come to the latest round: the others of the table play without."""
        with self._lock:
            known = self._in(tournament, "running")
            latest = known.latest
            least = 0 if latest is None else known.plan.sizes_of(latest.number)[0]
            table = None if latest is None else without_player(latest, entrant, least)
            if latest is None or table is None:
                raise DeskRefused("not_now")
            self._write(tournament, latest.number, table, next_version=True)
            self._set_absent(tournament, latest.number, [*latest.absent, entrant])
        self._seating_changed()

    def withdraw(self, tournament: str, entrant: int, withdrawn: bool = True) -> None:
        """A player plays no more, or again: from the next round on. The points stay."""
        with self._lock:
            known = self._in(tournament, "registration", "closed", "running")
            if not 1 <= entrant <= len(known.entrants):
                raise DeskRefused("unknown")
            self._database.run(
                "UPDATE tournament_entrant SET withdrawn = :out WHERE tournament = :id AND number = :number",
                out=int(withdrawn),
                id=tournament,
                number=entrant,
            )
        self._database.changed()

    def finish(self, tournament: str, finished: bool = True) -> None:
        """Ends the tournament, also early, or goes on with it."""
        with self._lock:
            self._in(tournament, "running" if finished else "finished")
            self._set_phase(tournament, "finished" if finished else "running")
        self._seating_changed()

    def _seating_changed(self) -> None:
        self._database.changed()
        self._on_seating()

    def _in(self, tournament: str, *phases: TournamentPhase) -> Tournament:
        known = self._reader.read(tournament)
        if known is None:
            raise DeskRefused("unknown")
        if known.phase not in phases:
            raise DeskRefused("not_now")
        return known

    def _table(self, known: Tournament, round_number: int, number: int) -> RoundTable:
        for played, table in known.seats():
            if (played.number, table.number) == (round_number, number):
                return table
        raise DeskRefused("unknown")

    def _set_absent(self, tournament: str, round_number: int, players: list[int]) -> None:
        self._database.run(
            "UPDATE tournament_round SET absent = :absent WHERE tournament = :id AND number = :number",
            absent=_json(players),
            id=tournament,
            number=round_number,
        )

    def _set_phase(self, tournament: str, phase: TournamentPhase) -> None:
        with self._database.transaction() as connection:
            connection.execute(SET_PHASE, {"id": tournament, "phase": phase})

    def _write(
        self, tournament: str, round_number: int, table: RoundTable, next_version: bool = False
    ) -> None:
        with self._database.transaction() as connection:
            version = self._version(connection, tournament, round_number, table) + next_version
            if next_version:
                id_ = seating_id(tournament, round_number, table.number, version)
                table = msgspec.structs.replace(table, id=id_)
            connection.execute(UPDATE_TABLE, _values(tournament, round_number, table, version))

    def _version(self, connection: Connection, tournament: str, round_number: int, table: RoundTable) -> int:
        values = {"id": tournament, "round": round_number, "number": table.number}
        return int(connection.execute(VERSION, values).scalar_one())

    def _now(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="milliseconds")


def seating_id(tournament: str, round_number: int, number: int, version: int) -> str:
    """Id of a seating, and of the game that is begun from it. After every change it is another one, so that
    the result of a game of the wrong players does not count."""
    return f"{tournament}-r{round_number}-t{number}-{version}"


def check_plan(plan: TournamentPlan) -> None:
    """
    Raises:
        DeskRefused: `bad_plan`: no table, or a game that cannot be played with so many players.
    """
    possible = plan.places and all(plan.sizes_of(number) for number in range(1, len(plan.games) + 1))
    if not possible or len(set(plan.tables)) != len(plan.tables):
        raise DeskRefused("bad_plan")


def check_ranks(table: RoundTable, ranks: Mapping[int, int]) -> None:
    """
    Raises:
        DeskRefused: `bad_ranks`: these are not the places of these players.
    """
    values = sorted(ranks.values())
    fitting = all(
        value == position or (position > 1 and value == values[position - 2])
        for position, value in enumerate(values, 1)
    )
    if set(ranks) != set(table.players) or not ranks or not fitting:
        raise DeskRefused("bad_ranks")


def _values(tournament: str, round_number: int, table: RoundTable, version: int) -> dict[str, Any]:
    return {
        "id": tournament,
        "round": round_number,
        "number": table.number,
        "seating": table.id,
        "version": version,
        "place": table.place,
        "players": _json(table.players),
        "ranks": _json(table.ranks),
        "source": table.source,
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


ADD_ROUND = text(
    "INSERT INTO tournament_round (tournament, number, stage, game, started, byes, absent)"
    " VALUES (:id, :number, :stage, :game, :started, :byes, '[]')"
)
ADD_TABLE = text(
    "INSERT INTO tournament_table"
    " (tournament, round, number, seating, version, place, players, ranks, source, sequence)"
    " VALUES (:id, :round, :number, :seating, :version, :place, :players, :ranks, :source, -1)"
)
VERSION = text(
    "SELECT version FROM tournament_table WHERE tournament = :id AND round = :round AND number = :number"
)
UPDATE_TABLE = text(
    "UPDATE tournament_table SET seating = :seating, version = :version, players = :players, ranks = :ranks,"
    " source = :source, sequence = -1 WHERE tournament = :id AND round = :round AND number = :number"
)
SET_PHASE = text("UPDATE tournament SET phase = :phase WHERE id = :id")
