"""Compares what the hub has with what was played at the tables, and measures how long results took."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median, quantiles

import msgspec

from bench.hall.ended import games_of
from companion.hub.database import HubDatabase
from companion.hub.standings import HallReader
from companion.table.night import Finished, points


class HallCount(msgspec.Struct, frozen=True):
    """What arrived of what was played."""

    games: int
    events: int
    results: int
    events_lost: int
    results_lost: int
    counted_twice: int
    """Events, results or points of players that are in the hub more often than in the journals."""
    standings_right: bool
    """Whether the standings are those of the journals."""


class Latency(msgspec.Struct, frozen=True):
    """From the end of a game in its journal to the result in the standings, in seconds."""

    results: int
    median_s: float
    p99_s: float
    most_s: float


def counted(folder: Path, database: str) -> HallCount:
    """Compares all games of the tables below a folder with the hub's database."""
    events: set[tuple[str, str, int]] = set()
    results: set[tuple[str, str]] = set()
    games, total = 0, Counter[str]()
    for one in games_of(folder):
        games += 1
        events |= {(one.table, one.key, n) for n in range(1, one.events + 1)}
        if one.ended:
            results.add((one.table, one.key))
            total.update(points(Finished(0, one.name, one.players, one.winner, one.scores, True)))
    hub = HubDatabase(database)
    stored = [tuple(row) for row in hub.rows("SELECT table_name, game, sequence FROM hall_event")]
    known = [tuple(row) for row in hub.rows("SELECT table_name, game FROM hall_result")]
    standings = {one.player: one.points for one in HallReader(hub).standings()}
    hub.close()
    twice = len(stored) - len(set(stored)) + len(known) - len(set(known))
    twice += len(set(stored) - events) + len(set(known) - results)
    twice += sum(max(0, standings.get(player, 0) - total[player]) for player in total)
    return HallCount(
        games,
        len(events),
        len(results),
        len(events - set(stored)),
        len(results - set(known)),
        twice,
        standings == dict(total),
    )


def latency(seconds: list[float]) -> Latency | None:
    """The distribution of some latencies; None for fewer than two."""
    if len(seconds) < 2:
        return None
    return Latency(
        len(seconds),
        round(median(seconds), 3),
        round(quantiles(seconds, n=100, method="inclusive")[98], 3),
        round(max(seconds), 3),
    )
