"""Plays whole games, drawn and voiced, through the real path, and counts what people had to do.

    python -m bench.evenings [--game G[,G ...]] [--games 3] [--seed 0] [--jobs 1] [--log FILE] [--write]
    python -m bench.evenings --game nasty_7 --show SEED      writes pictures and a log of one evening
    python -m bench.evenings --read FILE                     only prints the tables of an earlier --log

Every evening follows from its game and its seed. `--log` keeps the counts of each evening as a line of JSON;
evenings that are in the file already are not played again.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import msgspec

from bench.evenings.catalogue import KINDS
from bench.evenings.counts import Evening
from bench.evenings.evening import evening
from bench.evenings.report import details, estimates, table
from bench.evenings.show import show
from bench.paths import ROOT
from bench.report import options as results_option
from bench.report.results import RESULTS, record

SHOWN = ROOT / "build" / "evenings"
SPEAKER = "espeak-ng"
"""The program that speaks for the players."""


def played(game: str, seed: int) -> Evening:
    """One evening, in a process of its own. A fault of the program is noted, it ends no other evening."""
    cv2.setNumThreads(1)
    kind = KINDS[game]
    try:
        return evening(kind.script(seed), kind.properties())
    except Exception as error:  # the others go on, and the table says which one broke off
        return Evening(game, seed, note=f"broken off: {type(error).__name__}: {error}")


def known(log: Path | None) -> list[Evening]:
    """The evenings that a log holds."""
    if log is None or not log.is_file():
        return []
    lines = log.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Evening) for line in lines]


def play_all(games: list[str], seeds: range, jobs: int, log: Path | None) -> list[Evening]:
    """Plays what the log does not hold yet; all evenings of these games."""
    done = known(log)
    have = {(one.game, one.seed) for one in done}
    left = [(game, seed) for seed in seeds for game in games if (game, seed) not in have]
    with ProcessPoolExecutor(jobs) as pool:
        for future in [pool.submit(played, *one) for one in left]:
            found = future.result()
            done.append(found)
            says = "equal" if found.equal else found.note or "not equal"
            print(
                f"{found.game} {found.seed}: {says}, {found.taps} taps, "
                f"{found.played_s:.0f} s played in {found.worked_s:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            if log is not None:
                log.parent.mkdir(parents=True, exist_ok=True)
                with log.open("ab") as file:
                    file.write(msgspec.json.encode(found) + b"\n")
    wanted = {(game, seed) for seed in seeds for game in games}
    return [one for one in done if (one.game, one.seed) in wanted]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.evenings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    parser.add_argument("--games", type=int, default=3, help="evenings of each game")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first evening")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--log", type=Path, help="file for the counts of each evening")
    parser.add_argument("--read", type=Path, metavar="FILE", help="only print the tables of this log")
    parser.add_argument("--show", type=int, metavar="SEED", help="write pictures and a log of this evening")
    parser.add_argument("--write", action="store_true", help="keep the results in bench/results")
    results_option.add(parser)
    chosen = parser.parse_args()
    games = chosen.game.split(",")
    if unknown := [game for game in games if game not in KINDS]:
        parser.error(f"there are no evenings of {', '.join(unknown)}")
    if chosen.read is None and shutil.which(SPEAKER) is None:
        parser.error(f"{SPEAKER} is not installed: it speaks for the players (apt install {SPEAKER})")
    if chosen.show is not None:
        for game in games:
            print(show(KINDS[game], chosen.show, SHOWN / f"{game}-{chosen.show}"))
        return
    began = time.monotonic()
    if chosen.read is not None:
        evenings = known(chosen.read)
    else:
        seeds = range(chosen.seed, chosen.seed + chosen.games)
        evenings = play_all(games, seeds, chosen.jobs, chosen.log)
    print(table(evenings))
    print(f"\n{len(evenings)} evenings, {time.monotonic() - began:.0f} s")
    record(RESULTS if chosen.write else chosen.results, estimates(evenings), details(evenings))


if __name__ == "__main__":
    main()
