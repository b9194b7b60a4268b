"""Tournaments that are made and played by hand, without a hub."""

from __future__ import annotations

from random import Random

import msgspec

from companion.hub.tournament.model import Entrant, RoundTable, Tournament, TournamentPlan, TournamentRound
from companion.hub.tournament.rounds import PlannedRound, next_round

GAMES = ("nasty_7", "trio_monsters", "thirteen_monsters", "bugs_and_co")


def plan(**changes: object) -> TournamentPlan:
    known: dict[str, object] = {
        "title": "Spring cup",
        "form": "swiss",
        "games": GAMES,
        "rounds": 5,
        "least": 3,
        "most": 4,
        "tables": tuple(f"t{number}" for number in range(1, 21)),
    }
    return msgspec.convert(known | changes, TournamentPlan)


def registered(players: int, planned: TournamentPlan, id_: str = "cup") -> Tournament:
    entrants = tuple(Entrant(number, f"P{number}") for number in range(1, players + 1))
    return Tournament(id_, planned, "running", "2026-11-20T18:00:00.000+00:00", entrants)


def played(known: Tournament, planned: PlannedRound, ranks: list[dict[int, int]]) -> Tournament:
    tables = tuple(
        RoundTable(number, f"{known.id}-{planned.number}-{number}", f"t{number}", players, places, "table")
        for number, (players, places) in enumerate(zip(planned.tables, ranks, strict=True), 1)
    )
    done = TournamentRound(planned.number, planned.stage, planned.game, known.created, tables, planned.byes)
    return msgspec.structs.replace(known, rounds=(*known.rounds, done))


def played_on(known: Tournament, random: Random) -> Tournament:
    """One more round with random places."""
    planned = next_round(known)
    ranks = []
    for players in planned.tables:
        order = random.sample(players, len(players))
        ranks.append({player: place for place, player in enumerate(order, 1)})
    return played(known, planned, ranks)
