"""Points and standings of a tournament. Pure.

A game brings 100 points for the first place and 0 for the last, the places between them evenly: so tables of
different sizes and games of different scales count the same. Equal places share the points of the seats that
they take. A bye brings 50 points, an absent player gets none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from companion.hub.tournament.model import Tournament

WIN, BYE = 100, 50


class TournamentRow(msgspec.Struct, frozen=True):
    """One player in the standings."""

    place: int
    """Equal for players whom no tie-break separates."""
    number: int
    name: str
    withdrawn: bool
    stage: int
    """How far the player came after the groups: the number of the latest knockout round; 0: not beyond the
    groups, or a tournament without them."""
    points: int
    wins: int
    """Games that the player has won."""
    strength: float
    """Mean points a game of all opponents, each as often as met."""
    games: int
    by_round: tuple[int | None, ...]
    """Points of each round; None: not yet known, or not in that round."""


def table_points(ranks: Mapping[int, int]) -> dict[int, int]:
    """Points of one game by the places; a player alone gets those of a win."""
    count = len(ranks)
    if count == 1:
        return dict.fromkeys(ranks, WIN)
    found = {}
    for player, rank in ranks.items():
        same = sum(other == rank for other in ranks.values())
        shared = sum(count - position for position in range(rank, rank + same))
        found[player] = round(Fraction(WIN * shared, same * (count - 1)))
    return found


def points_by_round(known: Tournament) -> dict[int, list[int | None]]:
    """Player -> points of each round."""
    found: dict[int, list[int | None]] = {one.number: [] for one in known.entrants}
    for played in known.rounds:
        won: dict[int, int] = dict.fromkeys(played.absent, 0) | dict.fromkeys(played.byes, BYE)
        for table in played.tables:
            won |= table_points(table.ranks)
        for number, points in found.items():
            points.append(won.get(number))
    return found


def opponents(known: Tournament) -> dict[int, list[int]]:
    """Player -> opponents in games with a result, each as often as met."""
    found: dict[int, list[int]] = defaultdict(list)
    for _, table in known.seats():
        for player in table.ranks:
            found[player] += [other for other in table.ranks if other != player]
    return found


def tournament_standings(known: Tournament) -> list[TournamentRow]:
    """All players, the best first: by how far they came after the groups and their place there, then by
    points, wins, and the strength of their opponents."""
    by_round, met = points_by_round(known), opponents(known)
    means = {number: _mean([one for one in points if one is not None]) for number, points in by_round.items()}
    wins: dict[int, int] = defaultdict(int)
    for _, table in known.seats():
        for player, rank in table.ranks.items():
            wins[player] += rank == 1
    reached = _reached(known)
    keys = {}
    for one in known.entrants:
        total = sum(points or 0 for points in by_round[one.number])
        strength = _mean([means[other] for other in met.get(one.number, [])])
        keys[one.number] = (*reached.get(one.number, (0, 0)), total, wins[one.number], strength)
    order = sorted(known.entrants, key=lambda one: (*(-value for value in keys[one.number]), one.number))
    rows: list[TournamentRow] = []
    for position, one in enumerate(order, 1):
        key = keys[one.number]
        same = bool(rows) and keys[rows[-1].number] == key
        games = sum(one.number in table.ranks for _, table in known.seats())
        rows.append(
            TournamentRow(
                rows[-1].place if same else position,
                one.number,
                one.name,
                one.withdrawn,
                int(key[0]),
                int(key[2]),
                int(key[3]),
                round(float(key[4]), 1),
                games,
                tuple(by_round[one.number]),
            )
        )
    return rows


def _reached(known: Tournament) -> dict[int, tuple[int, int]]:
    """Player -> number of the latest knockout round, and the place there, the best greatest."""
    found: dict[int, tuple[int, int]] = {}
    for played, table in known.seats():
        if played.stage in ("knockout", "final"):
            for player in table.players:
                found[player] = (played.number, -table.ranks.get(player, 0))
    return found


def _mean(values: list[int] | list[Fraction]) -> Fraction:
    return Fraction(sum(values), 1) / len(values) if values else Fraction(0)
