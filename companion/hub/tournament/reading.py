"""Reads tournaments from the database."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.hub.database import HubDatabase
from companion.hub.tournament.model import (
    Entrant,
    RoundTable,
    Tournament,
    TournamentPhase,
    TournamentPlan,
    TournamentRound,
)


class ListedTournament(msgspec.Struct, frozen=True):
    """A tournament in the list of all."""

    id: str
    title: str
    phase: TournamentPhase
    created: str
    players: int
    rounds: int


class TournamentReader:
    """Every method may be called from any thread, and raises Unavailable if the database failed."""

    def __init__(self, database: HubDatabase) -> None:
        self._database = database

    def all(self) -> list[ListedTournament]:
        """All tournaments, the latest first."""
        rows = self._database.rows(
            "SELECT t.id, t.plan, t.phase, t.created,"
            " (SELECT count(*) FROM tournament_entrant e WHERE e.tournament = t.id) AS players,"
            " (SELECT count(*) FROM tournament_round r WHERE r.tournament = t.id) AS rounds"
            " FROM tournament t ORDER BY t.created DESC, t.id"
        )
        return [
            ListedTournament(row.id, _plan(row.plan).title, row.phase, row.created, row.players, row.rounds)
            for row in rows
        ]

    def read(self, tournament: str) -> Tournament | None:
        """Everything about one tournament; None if there is none."""
        found = self._database.rows("SELECT * FROM tournament WHERE id = :id", id=tournament)
        if not found:
            return None
        [head] = found
        return Tournament(
            head.id,
            _plan(head.plan),
            head.phase,
            head.created,
            self._entrants(tournament),
            self._rounds(tournament),
        )

    def entrant_of(self, tournament: str, token: str) -> int | None:
        """The number of the player whose phone has this secret (its hash); None: nobody's."""
        rows = self._database.rows(
            "SELECT number FROM tournament_entrant WHERE tournament = :id AND token = :token AND token <> ''",
            id=tournament,
            token=token,
        )
        return int(rows[0].number) if rows else None

    def _entrants(self, tournament: str) -> tuple[Entrant, ...]:
        rows = self._database.rows(
            "SELECT number, name, withdrawn FROM tournament_entrant WHERE tournament = :id ORDER BY number",
            id=tournament,
        )
        return tuple(Entrant(row.number, row.name, bool(row.withdrawn)) for row in rows)

    def _rounds(self, tournament: str) -> tuple[TournamentRound, ...]:
        tables: dict[int, list[RoundTable]] = {}
        for row in self._database.rows(
            "SELECT * FROM tournament_table WHERE tournament = :id ORDER BY round, number", id=tournament
        ):
            tables.setdefault(row.round, []).append(table_of(row))
        rows = self._database.rows(
            "SELECT * FROM tournament_round WHERE tournament = :id ORDER BY number", id=tournament
        )
        return tuple(
            TournamentRound(
                row.number,
                row.stage,
                row.game,
                row.started,
                tuple(tables.get(row.number, ())),
                _numbers(row.byes),
                _numbers(row.absent),
            )
            for row in rows
        )


def table_of(row: Any) -> RoundTable:
    """The table in a row of `tournament_table`."""
    ranks = msgspec.json.decode(row.ranks, type=dict[int, int])
    return RoundTable(row.number, row.seating, row.place, _numbers(row.players), ranks, row.source)


def _plan(text: str) -> TournamentPlan:
    return msgspec.json.decode(text, type=TournamentPlan)


def _numbers(text: str) -> tuple[int, ...]:
    return msgspec.json.decode(text, type=tuple[int, ...])
