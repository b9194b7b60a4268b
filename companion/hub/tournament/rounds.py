"""Which players play the next round at which table. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.hub.tournament.model import RoundStage, RoundTable, Tournament, TournamentRound
from companion.hub.tournament.scoring import tournament_standings
from companion.hub.tournament.sizes import table_sizes
from companion.hub.tournament.swiss import dealt, meetings, order_of, seat_order, seated, without_seat


class RoundImpossible(ValueError):
    """The next round cannot be seated. `code`: `too_few_players`, `too_few_tables`, `round_open`, `over`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PlannedRound(msgspec.Struct, frozen=True):
    """A round that has not begun: the players of each table, the best table first."""

    number: int
    stage: RoundStage
    game: str
    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def next_round(known: Tournament) -> PlannedRound:
    """The round after the latest one.

    Raises:
        RoundImpossible: the latest one is still being played, all rounds have been played, or there are too
            few players or tables.
    """
    if known.over:
        raise RoundImpossible("over")
    if known.latest is not None and not known.latest.done:
        raise RoundImpossible("round_open")
    number = len(known.rounds) + 1
    stage, tables, byes = _swiss(known, number) if known.plan.form == "swiss" else _groups(known, number)
    ordered = tuple(seat_order(known, one) for one in tables)
    return PlannedRound(number, stage, known.plan.game_of(number), ordered, tuple(sorted(byes)))


def _swiss(known: Tournament, number: int) -> tuple[RoundStage, list[list[int]], set[int]]:
    order = order_of(known)
    sizes, resting = table_sizes(len(order), len(known.plan.places), known.plan.sizes_of(number))
    if not sizes:
        raise RoundImpossible("too_few_players")
    byes = without_seat(known, order, resting)
    points = {row.number: row.points for row in tournament_standings(known)}
    playing = [one for one in order if one not in byes]
    return "swiss", seated(playing, points, meetings(known), sizes), byes


def _groups(known: Tournament, number: int) -> tuple[RoundStage, list[list[int]], set[int]]:
    plan = known.plan
    playing = {one.number for one in known.playing}
    if number == 1:
        allowed = _common_sizes(known)
        sizes, resting = table_sizes(len(playing), len(plan.places), allowed)
        if not sizes or resting:
            raise RoundImpossible("too_few_tables" if len(playing) >= plan.least else "too_few_players")
        return "group", dealt(known.playing, known.id, sizes), set()
    if number <= plan.rounds:
        groups = [[one for one in table.players if one in playing] for table in _groups_of(known)]
        return "group", [one for one in groups if one], set()
    return _knockout(known, number, playing)


def _knockout(
    known: Tournament, number: int, playing: set[int]
) -> tuple[RoundStage, list[list[int]], set[int]]:
    """The best of each group, then of each table, on fewer and fewer tables."""
    latest = known.rounds[-1]
    if latest.stage == "group":
        survivors = [one for group in _groups_of(known) for one in _best_of_group(known, group)]
    else:
        survivors = [one for table in latest.tables for one in _best_of(known, table)]
        survivors += latest.byes
    survivors = [one for one in survivors if one in playing]
    order = [row.number for row in tournament_standings(known) if row.number in survivors]
    allowed = known.plan.sizes_of(number)
    if len(order) < allowed[0]:
        order += _next_best(known, order, playing, allowed[0] - len(order))
    if len(order) < allowed[0]:
        raise RoundImpossible("too_few_players")
    if len(order) <= allowed[-1]:
        return "final", [order], set()
    sizes, resting = table_sizes(len(order), len(known.plan.places), allowed)
    if not sizes:
        raise RoundImpossible("too_few_tables")
    byes = set(order[:resting])  # the best of the groups rest and play the round after
    return "knockout", _snaked(order[resting:], sizes), byes


def _groups_of(known: Tournament) -> tuple[RoundTable, ...]:
    return known.rounds[0].tables


def _best_of_group(known: Tournament, group: RoundTable) -> list[int]:
    rows = [row for row in tournament_standings(known) if row.number in group.players and not row.withdrawn]
    return [row.number for row in rows[: max(1, min(known.plan.advance, len(rows) - 1))]]


def _best_of(known: Tournament, table: RoundTable) -> list[int]:
    """The first of a table; equal places by the standings. Never all, so that tables become fewer."""
    order = [row.number for row in tournament_standings(known)]
    ranked = sorted(table.ranks, key=lambda one: (table.ranks[one], order.index(one)))
    return ranked[: max(1, min(known.plan.advance, len(ranked) - 1))]


def _next_best(known: Tournament, chosen: Sequence[int], playing: set[int], missing: int) -> list[int]:
    others = [
        row.number
        for row in tournament_standings(known)
        if row.number in playing and row.number not in chosen
    ]
    return others[:missing]


def _snaked(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The players dealt to the tables from the best to the last and back, so that all are equally strong."""
    tables: list[list[int]] = [[] for _ in sizes]
    forward = list(range(len(sizes)))
    waiting = list(order)
    while waiting:
        for index in forward:
            if waiting and len(tables[index]) < sizes[index]:
                tables[index].append(waiting.pop(0))
        forward.reverse()
    return tables


def _common_sizes(known: Tournament) -> range:
    """Sizes of a group that every game of the group rounds can be played with."""
    ranges = [known.plan.sizes_of(number) for number in range(1, known.plan.rounds + 1)]
    return range(max(one.start for one in ranges), min(one.stop for one in ranges))


def without_player(one: TournamentRound, number: int, least: int) -> RoundTable | None:
    """The table of an absent player without this player; None: the player sits nowhere, or the table has a
    result. With fewer than `least` players left it cannot be played: those who came share the first place."""
    for table in one.tables:
        unplayed = table.source == "organiser" and set(table.ranks.values()) == {1}
        if number in table.players and (not table.done or unplayed):
            rest = tuple(player for player in table.players if player != number)
            ranks = dict.fromkeys(rest, 1) if len(rest) < least else {}
            return msgspec.structs.replace(
                table, players=rest, ranks=ranks, source="organiser" if ranks else ""
            )
    return None
