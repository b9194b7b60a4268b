"""Measures accuracy and speed, and writes docs/benchmarks.md: `python -m bench [PART ...]`.

    python -m bench [PART ...] [--quick]      runs the parts and prints their tables
    python -m bench --write [PART ...]        runs them, keeps the results in bench/results, writes the report
    python -m bench --read                    writes the report from the results that are there
    python -m bench --check [PART ...]        runs them and compares with bench/results; status 1 if worse
    python -m bench --check --from FOLDER     compares the results in FOLDER instead of running anything
    python -m bench --fit eyes --work DIR     fits limits on development data (bench/vision/fit_eyes.py)
    python -m bench --fit calls               fits the calibration of calls (bench/table_talk/fit.py)
    python -m bench --fit seats               fits the directions of an array (bench/table_talk/seat_fit.py)
    python -m bench --fit displays            likewise those of displays (bench/displays/fit.py)
    python -m bench --fit columns             and how their columns are found (bench/displays/fit_columns.py)
    python -m bench --fit enrolment           likewise those of enrolling decks (bench/enrolment/fit.py)
    python -m bench --fit lattice             likewise those of tables of Trio Monsters (bench/lattice/fit.py)
    python -m bench --fit symbols --work DIR  likewise those of symbols on tiles (bench/tiles/fit.py)
    python -m bench --fit search              likewise those of finding cards (bench/vision/fit_search.py)
    python -m bench --fit dice                likewise those of the reader of dice (bench/dice/fit.py)
    python -m bench --fit landings --work DIR likewise those of watched tables (bench/tracking/fit.py)
    python -m bench --fit field               likewise those of the field (bench/dice/fit_field.py)
    python -m bench --fit camera              likewise those of the camera (bench/setup/fit.py)

A part is a command of its own (bench/parts.py); `vision` names all parts of that area. `--quick`
measures a tenth or less of everything. `--shared` is the folder with the real photographs and recordings
(default: COMPANION_SHARED, else ../shared beside the checkout). A part whose data, models or programs are
missing is listed as not measured, with the reason; one that fails does not end the others.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.parts import PARTS, Part, chosen_parts, why_not
from bench.paths import ROOT, default_shared
from bench.report.compare import uncompared, worse
from bench.report.document import document
from bench.report.measures import catalogue
from bench.report.results import RESULTS, MeasureResult, load, origin, save, unmeasured

FITS = {
    "eyes": "bench.vision.fit_eyes",
    "calls": "bench.table_talk.fit",
    "seats": "bench.table_talk.seat_fit",
    "displays": "bench.displays.fit",
    "columns": "bench.displays.fit_columns",
    "enrolment": "bench.enrolment.fit",
    "lattice": "bench.lattice.fit",
    "symbols": "bench.tiles.fit",
    "search": "bench.vision.fit_search",
    "dice": "bench.dice.fit",
    "landings": "bench.tracking.fit",
    "field": "bench.dice.fit_field",
    "camera": "bench.setup.fit",
}
"""The commands behind `--fit NAME`; each is imported only if it is asked for."""
REPORT = ROOT / "docs" / "benchmarks.md"


def run(parts: Sequence[Part], shared: Path, quick: bool, results: Path | None) -> list[str]:
    """Measures one part after the other; the names of those that failed. With a folder, each measure of each
    part has a result there afterwards: a value, or the reason why there is none."""
    failed = []
    for part in parts:
        reason = why_not(part, shared)
        print(f"\n## {part.name}\n{f'not measured: {reason}' if reason else ''}", flush=True)
        if not reason:
            status = subprocess.run(part.command(shared, quick, results), cwd=ROOT, check=False).returncode
            if status:
                failed.append(part.name)
                reason = f"the command failed with status {status}"
        if results is not None:
            fill(part, reason or "the command gave no value", results)
    return failed


def fill(part: Part, reason: str, results: Path) -> None:
    """Writes a result without a value for each measure of a part that has none."""
    have = load(results)
    for measure in catalogue().of_part(part.name):
        if measure.id not in have:
            save(results, unmeasured(measure, reason, origin(part.shown)))


def keep(parts: Sequence[Part], new: Path, kept: Path) -> None:
    """Replaces the kept results of these parts by the new ones."""
    found = load(new)
    for part in parts:
        for measure in catalogue().of_part(part.name):
            (kept / f"{measure.id}.json").unlink(missing_ok=True)
            if measure.id in found:
                save(kept, found[measure.id])


def report(results: Path = RESULTS) -> str:
    """docs/benchmarks.md as the results make it."""
    return document(catalogue(), load(results))


def compare(old: dict[str, MeasureResult], new: dict[str, MeasureResult]) -> int:
    """Prints what got worse and what cannot be compared; the exit status."""
    changes = worse(old, new)
    for name, reason in uncompared(old, new).items():
        print(f"not compared: {name} ({reason})")
    for change in changes:
        print(f"worse: {change}")
    print(f"{len(changes)} of {len(old)} measures got worse beyond noise")
    return 1 if changes else 0


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ", ".join(part.name for part in PARTS)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {names}; otherwise all")
    parser.add_argument("--quick", action="store_true", help="a look at a tenth or less of everything")
    parser.add_argument("--shared", type=Path, default=default_shared(), metavar="DIR")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="keep the results and write the report")
    what.add_argument("--read", action="store_true", help="only write the report from the kept results")
    what.add_argument("--check", action="store_true", help="compare with the kept results")
    parser.add_argument("--from", type=Path, dest="source", metavar="FOLDER", help="results for --check")
    return parser


def main() -> int:
    """The command; its exit status."""
    if sys.argv[1:2] == ["--fit"] and sys.argv[2:3] and sys.argv[2] in FITS:
        return int(importlib.import_module(FITS[sys.argv[2]]).main(sys.argv[3:]))
    parser = arguments()
    asked = parser.parse_args()
    try:
        parts = chosen_parts(asked.parts)
    except KeyError as error:
        parser.error(f"there is no part {error.args[0]}")
    failed: list[str] = []
    status = 0
    if asked.check and asked.source is not None:
        status = compare(load(RESULTS), load(asked.source))
    elif asked.read:
        REPORT.write_text(report(), encoding="utf-8")
    elif asked.write or asked.check:
        with tempfile.TemporaryDirectory() as name:
            new = Path(name)
            failed = run(parts, asked.shared.resolve(), asked.quick, new)
            if asked.check:
                of_parts = {m.id for part in parts for m in catalogue().of_part(part.name)}
                old = {key: result for key, result in load(RESULTS).items() if key in of_parts}
                status = compare(old, load(new))
            else:
                keep(parts, new, RESULTS)
                REPORT.write_text(report(), encoding="utf-8")
    else:
        failed = run(parts, asked.shared.resolve(), asked.quick, None)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else status


if __name__ == "__main__":
    sys.exit(main())
