"""Seating and standings of tournaments, without database and pages."""

from itertools import pairwise
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournaments import plan, played, played_on, registered

from companion.hub.tournament.model import Entrant, TournamentRound
from companion.hub.tournament.rounds import RoundImpossible, next_round, without_player
from companion.hub.tournament.scoring import BYE, table_points, tournament_standings
from companion.hub.tournament.sizes import table_sizes
from companion.hub.tournament.swiss import meetings


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ({1: 1, 2: 2}, {1: 100, 2: 0}),
        ({1: 1, 2: 2, 3: 3, 4: 4}, {1: 100, 2: 67, 3: 33, 4: 0}),
        ({1: 1, 2: 1, 3: 3}, {1: 75, 2: 75, 3: 0}),
        ({1: 1, 2: 2, 3: 2, 4: 2}, {1: 100, 2: 33, 3: 33, 4: 33}),
        ({1: 1}, {1: 100}),
        ({}, {}),
    ],
)
def test_points_of_a_table(ranks: dict[int, int], points: dict[int, int]) -> None:
    assert table_points(ranks) == points


@pytest.mark.parametrize(
    ("players", "tables", "allowed", "sizes", "resting"),
    [
        (64, 20, range(3, 5), (4,) * 16, 0),
        (7, 20, range(3, 5), (4, 3), 0),
        (5, 20, range(3, 5), (4,), 1),
        (6, 20, range(3, 5), (3, 3), 0),
        (9, 20, range(2, 3), (2, 2, 2, 2), 1),
        (12, 2, range(3, 5), (4, 4), 4),
        (2, 20, range(3, 5), (), 2),
        (8, 0, range(3, 5), (), 8),
        (8, 3, range(5, 5), (), 8),
    ],
)
def test_sizes(players: int, tables: int, allowed: range, sizes: tuple[int, ...], resting: int) -> None:
    assert table_sizes(players, tables, allowed) == (sizes, resting)


@given(st.integers(0, 80), st.integers(0, 30), st.integers(2, 8), st.integers(2, 8))
def test_sizes_fit(players: int, tables: int, least: int, most: int) -> None:
    found = table_sizes(players, tables, range(least, most + 1))
    assert sum(found.sizes) + found.resting == players
    assert len(found.sizes) <= tables
    assert all(least <= size <= most for size in found.sizes)
    assert not found.sizes or found.sizes[0] - found.sizes[-1] <= 1


def test_nobody_meets_anybody_twice_in_five_rounds_of_64() -> None:
    known, random = registered(64, plan()), Random(5)
    for _ in range(5):
        known = played_on(known, random)
    assert known.over
    assert max(meetings(known).values()) == 1
    assert [one.game for one in known.rounds] == [
        "nasty_7", "trio_monsters", "thirteen_monsters", "bugs_and_co", "nasty_7",
    ]  # fmt: skip
    with pytest.raises(RoundImpossible, match="over"):
        next_round(known)


def test_players_of_equal_points_sit_together() -> None:
    known, random = registered(64, plan()), Random(1)
    for _ in range(3):
        known = played_on(known, random)
    points = {row.number: row.points for row in tournament_standings(known)}
    spreads = [
        max(points[one] for one in table) - min(points[one] for one in table)
        for table in next_round(known).tables
    ]
    assert sum(spreads) / len(spreads) < 60
    assert points[next_round(known).tables[0][0]] > points[next_round(known).tables[-1][0]]


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 40), st.integers(0, 10**6))
def test_everybody_plays_or_rests_and_nobody_rests_twice_before_all_have(players: int, seed: int) -> None:
    known, random = registered(players, plan(games=["nasty_7"], least=2, most=4, rounds=4)), Random(seed)
    for _ in range(4):
        known = played_on(known, random)
        latest = known.rounds[-1]
        numbers = sorted([*latest.byes, *(one for table in latest.tables for one in table.players)])
        assert numbers == list(range(1, players + 1))
    rested = [one for played_round in known.rounds for one in played_round.byes]
    assert len(rested) == len(set(rested))


def test_a_bye_brings_points_and_is_not_repeated() -> None:
    known, random = registered(9, plan(games=["nasty_7"], least=2, most=2, rounds=4)), Random(2)
    for _ in range(4):
        known = played_on(known, random)
    rested = [one for played_round in known.rounds for one in played_round.byes]
    assert len(set(rested)) == 4
    row = next(one for one in tournament_standings(known) if one.number == rested[0])
    assert BYE in row.by_round


def test_who_has_withdrawn_plays_no_more_and_keeps_the_points() -> None:
    known = played_on(registered(8, plan()), Random(1))
    winner = tournament_standings(known)[0].number
    gone = tuple(Entrant(one.number, one.name, one.number == winner) for one in known.entrants)
    known = played_on(msgspec.structs.replace(known, entrants=gone), Random(1))
    assert winner not in {one for table in known.rounds[1].tables for one in table.players}
    row = next(one for one in tournament_standings(known) if one.number == winner)
    assert (row.points, row.withdrawn, row.by_round) == (100, True, (100, None))


def test_tie_breaks_wins_then_strength_then_one_place() -> None:
    known = registered(4, plan(games=["nasty_7"], least=2, most=2, rounds=3))
    known = played(known, next_round(known), [{one: 1, two: 2} for one, two in next_round(known).tables])
    rows = tournament_standings(known)
    assert [row.place for row in rows] == [1, 1, 3, 3]
    [(a, b), (c, d)] = [
        sorted(table.players, key=table.ranks.__getitem__) for table in known.rounds[0].tables
    ]
    second = TournamentRound(2, "swiss", "nasty_7", "", ())
    seats = [
        msgspec.structs.replace(known.rounds[0].tables[0], players=(a, c), ranks={a: 1, c: 2}),
        msgspec.structs.replace(known.rounds[0].tables[1], players=(b, d), ranks={b: 1, d: 1}),
    ]
    known = msgspec.structs.replace(
        known, rounds=(*known.rounds, msgspec.structs.replace(second, tables=tuple(seats)))
    )
    rows = tournament_standings(known)
    assert [row.number for row in rows][:2] == [a, c]
    assert {row.number: row.points for row in rows} == {a: 200, c: 100, b: 50, d: 50}
    assert [row.wins for row in rows if row.number in (b, d)] == [1, 1]
    assert rows[2].number == b, "b lost to a, who is stronger than c"


def test_groups_stay_together_and_end_in_one_final() -> None:
    known, random = registered(64, plan(form="groups", rounds=2, games=["nasty_7"])), Random(3)
    while not known.over:
        known = played_on(known, random)
    assert [one.stage for one in known.rounds] == ["group", "group", "knockout", "final"]
    groups = [[set(table.players) for table in one.tables] for one in known.rounds[:2]]
    assert groups[0] == groups[1]
    assert [len(one.tables) for one in known.rounds] == [16, 16, 4, 1]
    [final] = known.rounds[-1].tables
    podium = sorted(final.ranks, key=final.ranks.__getitem__)[:3]
    assert [row.number for row in tournament_standings(known)][:3] == podium


@settings(max_examples=15, deadline=None)
@given(st.integers(6, 60), st.integers(1, 3), st.integers(0, 10**6))
def test_every_tournament_of_groups_comes_to_an_end(players: int, advance: int, seed: int) -> None:
    known = registered(players, plan(form="groups", rounds=1, games=["nasty_7"], most=5, advance=advance))
    random = Random(seed)
    for _ in range(12):
        if known.over:
            break
        known = played_on(known, random)
    assert known.over
    assert [one.stage for one in known.rounds].count("final") == 1
    seats = [sum(len(table.players) for table in one.tables) + len(one.byes) for one in known.rounds]
    assert all(later <= before for before, later in pairwise(seats))


def test_too_few_tables_or_players() -> None:
    with pytest.raises(RoundImpossible, match="too_few_tables"):
        next_round(registered(16, plan(form="groups", tables=["t1", "t2"])))
    with pytest.raises(RoundImpossible, match="too_few_players"):
        next_round(registered(2, plan()))
    with pytest.raises(RoundImpossible, match="too_few_players"):
        next_round(registered(0, plan()))


def test_an_absent_player_leaves_the_others_to_play() -> None:
    known = registered(8, plan())
    known = played(known, next_round(known), [{}, {}])
    with pytest.raises(RoundImpossible, match="round_open"):
        next_round(known)
    table = known.rounds[0].tables[0]
    rest = without_player(known.rounds[0], table.players[1], 3)
    assert rest is not None
    assert (rest.players, rest.ranks) == ((table.players[0], *table.players[2:]), {})
    alone = without_player(known.rounds[0], table.players[1], 4)
    assert alone is not None
    assert set(alone.ranks.values()) == {1}
    assert without_player(known.rounds[0], 99, 3) is None


def test_who_sat_first_the_fewest_times_sits_first() -> None:
    known, random = registered(16, plan(games=["nasty_7"])), Random(4)
    for _ in range(4):
        known = played_on(known, random)
    first = [table.players[0] for _, table in known.seats()]
    assert max(first.count(one) for one in first) <= 2
