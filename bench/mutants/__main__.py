"""Mutation testing: which random small faults do the tests notice?

    python -m bench.mutants --area store --seed 2
    python -m bench.mutants companion/speech/recognition/verdict.py --tests tests/speech --count 100 --jobs 2
    python -m bench.mutants --area store --again first.json

A mutant is one file with one change: a comparison, an operator, a constant, a condition negated, `and` for
`or`, `min` for `max` (bench.mutants.changes). `--count` of all possible mutants are drawn at random with
`--seed` (0: all of them), without those of equivalent.toml, which behave as the original does. Each runs with
the tests that execute the changed line, the fastest first, up to the first failure, and only then with the
other tests of its file (bench.mutants.runner). Every mutant that survives is printed as it is found, with its
statement before and after; at the end the share of killed ones with its 95 % interval.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bench.mutants import equivalent
from bench.mutants.areas import AREAS
from bench.mutants.changes import difference, mutants
from bench.mutants.runner import Mutant, Outcome, Runner
from bench.paths import ROOT
from bench.report.estimates import share


def attempt_all(attempt: Callable[[Mutant], Outcome], drawn: Sequence[Mutant], jobs: int) -> list[Outcome]:
    """Tries all mutants, `jobs` at a time, and prints each that is not killed as it is found."""
    found: list[Outcome] = []
    begun = time.monotonic()
    for outcome in _outcomes(attempt, drawn, jobs):
        found.append(outcome)
        if not outcome.is_killed:
            print(described(outcome), flush=True)
        elif len(found) % 25 == 0:
            print(f"  {len(found)} of {len(drawn)} in {time.monotonic() - begun:.0f} s", flush=True)
    return found


_work: list[Callable[[int], tuple[str, str]]] = []
"""What a worker process does: it is inherited by the fork, because syntax trees are costly to send."""


def _outcomes(attempt: Callable[[Mutant], Outcome], drawn: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    if jobs <= 1:
        yield from map(attempt, drawn)
        return

    def work(index: int) -> tuple[str, str]:
        outcome = attempt(drawn[index])
        return outcome.verdict, outcome.test

    _work[:] = [work]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for mutant, (verdict, test) in zip(drawn, pool.imap(_worked, range(len(drawn))), strict=True):
            yield Outcome(mutant, verdict, test)


def _worked(index: int) -> tuple[str, str]:
    return _work[0](index)


def described(outcome: Outcome) -> str:
    """One line about a mutant."""
    mutant = outcome.mutant
    text = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()[mutant.lines[0] - 1].strip()
    before, after = difference(mutant)
    return (
        f"{outcome.verdict}: {mutant.path}:{mutant.lines[0]}: {mutant.change}    {text}\n"
        f"    before = {before}\n    after  = {after}"
    )


def report(found: Sequence[Outcome]) -> None:
    """The table: one row a file."""
    print("\n| file | mutants | killed | % | 95 % interval |\n|---|---|---|---|---|")
    for path in [*dict.fromkeys(str(one.mutant.path) for one in found), "all"]:
        mine = [one for one in found if path in (str(one.mutant.path), "all")]
        killed = sum(one.is_killed for one in mine)
        found_share = share(killed, len(mine))
        low, high = found_share.low or 0.0, found_share.high or 1.0
        print(f"| {path} | {len(mine)} | {killed} | {100 * found_share.value:.1f} "
              f"| {100 * low:.0f} to {100 * high:.0f} |")  # fmt: skip


def as_json(found: Sequence[Outcome]) -> str:
    """All outcomes with the commit that they belong to."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    rows = [
        {"file": str(one.mutant.path), "line": one.mutant.lines[0], "change": one.mutant.change,
         "outcome": one.verdict, "test": one.test, "statement": difference(one.mutant)}
        for one in found
    ]  # fmt: skip
    return json.dumps(
        {"commit": commit, "counts": Counter(one.verdict for one in found), "mutants": rows}, indent=1
    )


def drawn_mutants(files: Sequence[Path], count: int, seed: int, again: Path | None) -> list[Mutant]:
    """`count` random mutants of some files (0: all) that are not listed as equivalent; with `again`, those
    that were not killed in that earlier result."""
    every = [mutant for path in files for mutant in mutants(path)]
    known = equivalent.entries()
    if again is not None:
        rows = json.loads(again.read_text(encoding="utf-8"))["mutants"]
        left = {
            (row["file"], *row["statement"]) for row in rows if row["outcome"] in ("survived", "uncovered")
        }
        paths = {file for file, *_ in left}
        asked = [mutant for mutant in every if str(mutant.path) in paths]
        return list(
            equivalent.without(known, (one for one in asked if (str(one.path), *difference(one)) in left))
        )
    shuffled = random.Random(seed).sample(every, len(every)) if count else every
    return list(islice(equivalent.without(known, shuffled), count or len(every)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="the files to change, below the repository root")
    parser.add_argument("--tests", nargs="+", default=[], help="what pytest is to run (default: tests)")
    parser.add_argument("--area", choices=AREAS, help="files and tests of bench/mutants/areas.py instead")
    parser.add_argument("--count", type=int, default=100, help="how many mutants are drawn; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, help="only what was not killed in this earlier --json")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at a time")
    parser.add_argument(
        "--limit", type=float, default=0.0, help="longest run in seconds (default: 5 times usual)"
    )
    parser.add_argument("--least", type=float, default=0.0, help="status 1 if fewer percent are killed")
    parser.add_argument("--json", type=Path, help="file for all outcomes")
    return parser


def main() -> None:
    """Draws mutants, tries them and reports."""
    parser = _parser()
    options = parser.parse_args()
    area = AREAS.get(options.area)
    if (area is None) == (not options.files):
        parser.error("name files or an area, not both")
    files = [path.resolve().relative_to(ROOT) for path in options.files] if area is None else area.paths()
    tests = options.tests or (["tests"] if area is None else area.test_paths())
    drawn = drawn_mutants(files, options.count, options.seed, options.again)
    print(f"{len(drawn)} mutants of {len(files)} files, seed {options.seed}", flush=True)
    runner = Runner(tests, files, options.limit)
    seconds = sum(runner.coverage.seconds.values())
    print(f"{len(runner.coverage.seconds)} tests in {seconds:.0f} s", flush=True)
    found = attempt_all(runner.attempt, drawn, options.jobs)
    runner.close()
    report(found)
    if options.json:
        options.json.write_text(as_json(found), encoding="utf-8")
    killed = sum(one.is_killed for one in found)
    sys.exit(1 if 100 * killed < options.least * len(found) else 0)


if __name__ == "__main__":
    main()
