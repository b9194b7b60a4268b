"""Speed and soundness of the rulebooks.

    python -m bench.rules                     events a second of every game, some random whole games
    python -m bench.rules --games 100000 --minutes 60
                                              as many whole games of each in an hour, one game after the other
    python -m bench.rules --round-trip 2000   in so many games of each every state is taken up by a `position`
    python -m bench.rules --only nasty_7      one game

Every game is checked at every step: no law is broken (bench/rules/laws.py), every event has a sentence in
every language, and at some steps what is offered is what is accepted (bench/rules/checks.py). Speed is
measured as in bench/rules/speed.py. With python-chess installed its legal pushes are measured beside.
"""

from __future__ import annotations

import argparse
import sys
import time

from bench.report import options as results_option
from bench.report.estimates import Estimate, share, single
from bench.report.results import record
from bench.rules.checks import Played, play
from bench.rules.speed import chess_pushes_a_second, events_a_second, scripts_of
from companion.games import game_names

AT_A_TIME = 50
"""Games of a rulebook that are played before it is the next one's turn."""
FEWER = {"thirteen_monsters": 5}
"""Rulebooks with long games: of these so many times fewer are played."""


def soundness(games: list[str], number: int, round_trips: int, minutes: float) -> dict[str, Played]:
    """Plays random games of all rulebooks in turn, until there are enough or the time is up."""
    played = {game: Played(faults=[]) for game in games}
    wanted = {game: max(number // FEWER.get(game, 1), round_trips) for game in games}
    until = time.monotonic() + minutes * 60
    while time.monotonic() < until and any(played[game].games < wanted[game] for game in games):
        for game, one in played.items():
            following = min(one.games + AT_A_TIME // FEWER.get(game, 1), wanted[game])
            for seed in range(one.games, following):
                play(game, seed, one, seed < round_trips)
        done = ", ".join(f"{game} {one.games}" for game, one in played.items())
        faults = sum(len(one.faults) for one in played.values())
        print(f"{done}: {faults} faults", file=sys.stderr, flush=True)
    return played


def estimates(played: dict[str, Played]) -> dict[str, Estimate]:
    """The shares of games, steps and events with a fault."""
    found = {f"rules/games_{game}": share(len(one.faults), one.games) for game, one in played.items()}
    all_of = played.values()
    found["rules/faults"] = share(sum(len(one.faults) for one in all_of), sum(one.games for one in all_of))
    kinds = {
        "sentences": (sum(one.events for one in all_of), "sentence"),
        "offers": (sum(one.compared for one in all_of), "offered"),
        "round_trip": (sum(one.round_trips for one in all_of), "position"),
    }
    for name, (number, word) in kinds.items():
        if number:
            faults = [fault for one in all_of for fault in one.faults if word in fault]
            found[f"rules/{name}"] = share(len(faults), number)
    return found


def speeds(games: list[str]) -> dict[str, Estimate]:
    """Events a second, and how many a legal push of python-chess takes in the same run."""
    found: dict[str, Estimate] = {}
    chess = chess_pushes_a_second()
    if chess is not None:
        found["rules/chess"] = single(chess)
    for game in games:
        rate = events_a_second(scripts_of(game))
        found[f"rules/{game}"] = single(rate)
        if chess is not None:
            found[f"rules/speed_{game}"] = single(rate / chess)
    return found


def printed(played: dict[str, Played], found: dict[str, Estimate]) -> None:
    """The tables of speed, of games, and of what they have reached."""
    print("| rulebook | events a second | to a push of python-chess | games | events | faults |")
    print("|---|---|---|---|---|---|")
    for game, one in played.items():
        speed = found[f"rules/{game}"].value
        ratio = found.get(f"rules/speed_{game}")
        beside = "" if ratio is None else f"{ratio.value:.2f}"
        counts = f"{one.games:,} | {one.events:,} | {len(one.faults)}"
        print(f"| {game} | {speed:,.0f} | {beside} | {counts} |")
    for game, one in played.items():
        print(f"{game}: {', '.join(f'{name} {n:,}' for name, n in one.reached.most_common())}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--games", type=int, default=200, help="random whole games of each (13 Monsters: a fifth)"
    )
    parser.add_argument("--round-trip", type=int, default=0, metavar="GAMES", help="games with round trips")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no game begins after this time")
    parser.add_argument("--only", choices=sorted(game_names()), help="this rulebook alone")
    results_option.add(parser)
    options = parser.parse_args()
    games = [options.only] if options.only else list(game_names())
    found = speeds(games)
    played = soundness(games, options.games, options.round_trip, options.minutes)
    found |= estimates(played)
    printed(played, found)
    record(options.results, found)
    faults = [fault for one in played.values() for fault in one.faults]
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
