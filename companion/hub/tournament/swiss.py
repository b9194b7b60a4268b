"""Seating by the Swiss system for tables of two to eight players. Pure.

Libraries for the Swiss system pair two players each; none of them seats larger tables (docs/hub.md). Here
players of nearly equal points sit together, and nobody meets the same player twice if it can be avoided: the
players are seated in the order of the standings, then exchanged between tables as long as that lowers the
cost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, count

from companion.hub.tournament.model import Entrant, Tournament
from companion.hub.tournament.scoring import tournament_standings

REPEAT = 10**9
"""Cost of two players who meet again; greater than that of any difference of points."""
REACH = 24
"""Two players are exchanged only if so few places lie between them at most."""

Pair = frozenset[int]


def lot(tournament: str, number: int, round_number: int = 0) -> bytes:
    """Orders players by chance, always in the same way."""
    return hashlib.blake2b(f"{tournament} {round_number} {number}".encode(), digest_size=8).digest()


def order_of(known: Tournament) -> list[int]:
    """The players who play on, the best first; those with equal places by lot."""
    playing = {one.number for one in known.playing}
    rows = [one for one in tournament_standings(known) if one.number in playing]
    rows.sort(key=lambda one: (one.place if known.rounds else 0, lot(known.id, one.number)))
    return [one.number for one in rows]


def without_seat(known: Tournament, order: Sequence[int], resting: int) -> set[int]:
    """Who has no seat: those who had one in every round so far, from the end of the standings."""
    had = Counter(number for one in known.rounds for number in one.byes)
    rank = {number: place for place, number in enumerate(order)}
    ranked = sorted(order, key=lambda number: (had[number], -rank[number]))
    return set(ranked[:resting])


def meetings(known: Tournament) -> Counter[Pair]:
    """How often each two players have sat at one table."""
    return Counter(frozenset(pair) for _, table in known.seats() for pair in combinations(table.players, 2))


def seated(
    order: Sequence[int], points: Mapping[int, int], met: Mapping[Pair, int], sizes: Sequence[int]
) -> list[list[int]]:
    """The players of each table.

    Args:
        order: the players, the best first; as many as there are seats.
        met: how often two players have met.
        sizes: players at each table.
    """
    tables: list[list[int]] = []
    start = 0
    for size in sizes:
        tables.append(list(order[start : start + size]))
        start += size
    at = {player: index for index, table in enumerate(tables) for player in table}
    rank = {player: place for place, player in enumerate(order)}

    def cost_of(player: int, others: Sequence[int], leaves: int) -> int:
        total = 0
        for other in others:
            if other not in (player, leaves):
                again = met.get(frozenset((player, other)), 0)
                total += again * again * REPEAT + (points[player] - points[other]) ** 2
                total += abs(rank[player] - rank[other])
        return total

    def exchange(one: int, two: int) -> bool:
        first, second = tables[at[one]], tables[at[two]]
        now = cost_of(one, first, one) + cost_of(two, second, two)
        then = cost_of(one, second, two) + cost_of(two, first, one)
        if then >= now:
            return False
        first[first.index(one)], second[second.index(two)] = two, one
        at[one], at[two] = at[two], at[one]
        return True

    changed = True
    while changed:  # each exchange lowers the cost, so this ends
        changed = False
        for index, one in enumerate(order):
            for two in order[index + 1 : index + 1 + REACH]:
                if at[one] != at[two] and exchange(one, two):
                    changed = True
    return tables


def seat_order(known: Tournament, players: Sequence[int]) -> tuple[int, ...]:
    """The players of one table in seating order: who sat first the fewest times sits first now."""
    first = Counter(table.players[0] for _, table in known.seats())
    draw = len(known.rounds) + 1
    return tuple(sorted(players, key=lambda number: (first[number], lot(known.id, number, draw))))


def dealt(entrants: Sequence[Entrant], tournament: str, sizes: Sequence[int]) -> list[list[int]]:
    """Groups by lot."""
    drawn = sorted((one.number for one in entrants), key=lambda number: lot(tournament, number))
    taken = count()
    return [[drawn[next(taken)] for _ in range(size)] for size in sizes]
