"""Speed and soundness of the rulebooks.

    python -m bench.rules                     events a second of every game, some random whole games
    python -m bench.rules --games 100000      that many whole games of each, without an error or a broken law
    python -m bench.rules --only nasty_7      one game

Speed: games are played at random beforehand (one legal event after the other, and one in ten as a table
would not have it), then their events are pushed through a record as live play and replay do: checked, judged
and kept with the way back. Seconds are those that the process was computing, so that a busy machine does not
count. With python-chess installed its legal pushes are measured beside.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import util
from random import Random
from typing import Any

from bench.report import options as results_option
from bench.report.estimates import Estimate, share, single
from bench.report.results import record
from bench.rules.laws import broken_laws, states_of
from bench.rules.play import header_of, whole_game
from companion.games import game_names, rulebook
from companion.table.record import opened

Json = dict[str, Any]
Script = tuple[Json, list[Json]]
MINIMUM_S = 1.0
"""Each speed is measured over at least so many seconds."""


def scripts_of(game: str, number: int) -> list[Script]:
    """Random games as scripts: header and events, every tenth event sent twice so that some are rejected."""
    found = []
    for seed in range(number):
        random = Random(seed)
        header = header_of(rulebook(game), random)
        events: list[Json] = []
        for entry in whole_game(header, random).entries:
            events.append(entry.event)
            if len(events) % 10 == 0:
                events.append(dict(entry.event))
        found.append((header, events))
    return found


def speed(scripts: list[Script]) -> float:
    """Events a second through the record, over all scripts."""

    def play() -> int:
        pushed = 0
        for header, events in scripts:
            record = opened(header)
            for event in events:
                record.push(event)
            pushed += len(events)
        return pushed

    return rate(play)


def rate(work: Callable[[], int]) -> float:
    """Units of work a second of computing time: the median of repetitions over at least MINIMUM_S."""
    work()
    rates, spent = [], 0.0
    while spent < MINIMUM_S or len(rates) < 5:
        begin = time.process_time()
        units = work()
        took = time.process_time() - begin
        spent += took
        rates.append(units / took)
    return sorted(rates)[len(rates) // 2]


def chess_speed() -> float | None:
    """Legal pushes a second of python-chess, move by move checked as our events are; None without it."""
    if util.find_spec("chess") is None:
        return None
    import chess

    games = []
    for seed in range(10):
        random, board = Random(seed), chess.Board()
        moves = []
        while not board.is_game_over() and len(moves) < 120:
            moves.append(random.choice(list(board.legal_moves)))
            board.push(moves[-1])
        games.append(moves)

    def play() -> int:
        for moves in games:
            board = chess.Board()
            for move in moves:
                if board.is_legal(move):
                    board.push(move)
        return sum(map(len, games))

    return rate(play)


def fault(game: str, seed: int) -> tuple[str, int]:
    """Plays a whole game of random legal events: what is wrong with it (empty: nothing), and its events."""
    random = Random(seed)
    played = whole_game(header_of(rulebook(game), random), random)
    events = len(played.entries)
    if played.state.phase != "over":
        return "no end", events
    if played.rejected:
        return f"rejected: {played.rejected[0]}", events
    if not played.winner():
        return "nobody has won", events
    broken = [law for state in states_of(played) for law in broken_laws(state)]
    return (f"broken: {broken[0]}" if broken else ""), events


def sound(game: str, number: int) -> tuple[list[str], int, int]:
    """Plays whole random games: the faults with their seeds, the number of events, the seconds."""
    faults: list[str] = []
    events, begin = 0, time.monotonic()
    for seed in range(number):
        wrong, count = fault(game, seed)
        events += count
        if wrong:
            faults.append(f"{game}, seed {seed}: {wrong}")
        if number > 1000 and seed % 1000 == 999:
            print(f"{game}: {seed + 1} games", file=sys.stderr)
    return faults, events, round(time.monotonic() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="random whole games of each rulebook")
    parser.add_argument("--only", choices=sorted(game_names()), help="this rulebook alone")
    results_option.add(parser)
    options = parser.parse_args()
    found: dict[str, Estimate] = {}
    faults: list[str] = []
    games = [options.only] if options.only else list(game_names())
    print("| rulebook | events a second | random whole games | their events | seconds |")
    print("|---|---|---|---|---|")
    for game in games:
        fast = speed(scripts_of(game, 30))
        wrong, events, took = sound(game, options.games)
        faults += wrong
        found[f"rules/{game}"] = single(fast)
        print(f"| {game} | {fast:,.0f} | {options.games:,} | {events:,} | {took} |", flush=True)
    chess = chess_speed()
    if chess is not None:
        print(f"| python-chess, legal pushes | {chess:,.0f} | | | |")
        found["rules/chess"] = single(chess)
    found["rules/faults"] = share(len(faults), options.games * len(games))
    record(options.results, found)
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
