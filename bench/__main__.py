"""Every table of figures, one after the other: `python -m bench [PART ...] [--quick] [--shared DIR]`.

Each part is a command of its own and says there what it measures; `--quick` has each look at a
tenth or less. `--shared` is the folder with the real photographs and recordings (default: COMPANION_SHARED,
else ../shared beside the checkout). A part whose data, models or tools are not here is left out, with the
reason; one that fails does not end the others.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bench.paths import HELD_OUT, ROOT, default_shared


@dataclass(frozen=True)
class Part:
    """One command of this folder. `full` and `quick` are its arguments; `shared`: it takes `--shared`, and
    `needs` are folders in there without which it says nothing; `held`: it needs the models in HELD_OUT."""

    module: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    shared: bool = False
    needs: tuple[str, ...] = ()
    held: bool = False
    extras: tuple[str, ...] = ()


PARTS = (
    Part("rules", quick=("--games", "20")),
    Part("vision", quick=("--quick",), shared=True),
    Part("dice", quick=("--every", "10", "--rendered", "4", "--fields", "1"), shared=True),
    Part("dice", full=("--retaken",), quick=("--retaken", "--every", "25"), shared=True, needs=("vision",)),
    Part("vision.calibration", quick=("--every", "8", "--count", "6"), shared=True, needs=("vision",)),
    Part("setup", quick=("--every", "20", "--mats", "3"), shared=True),
    Part("tracking", quick=("--clips", "1")),
    Part("lattice", quick=("--count", "5")),
    Part("tiles", quick=("2",)),
    Part("speech", quick=("--every", "10"), shared=True, needs=("speech",), held=True),
    Part("speech.verdicts", quick=("--every", "10"), shared=True, needs=("speech",), held=True),
    Part("speech.taught", quick=("--tested", "1"), shared=True, needs=("speech",), held=True),
    Part("speech.languages", ("de",), ("de", "--every", "5"), shared=True),
    Part("speech.languages", ("fr",), ("fr", "--every", "5"), shared=True),
    Part("speech.peer", quick=("--every", "50"), shared=True, needs=("speech",), extras=("pocketsphinx",)),
    Part("speech.invented", shared=True, needs=("speech",)),
    Part("service.start"),
    Part("service.table"),
    Part("service.pages", quick=("--phones", "4", "--events", "20")),
    Part("service.body"),
    Part("drawing.speed"),
)


def why_not(part: Part, shared: Path, installed: Callable[[str], bool]) -> str:
    """Why a part cannot be measured here; empty: it can."""
    missing = [name for name in part.extras if not installed(name)]
    if missing:
        return f"{', '.join(missing)} is not installed: pip install {' '.join(missing)}"
    if not all((shared / name).is_dir() for name in part.needs):
        return f"no {', '.join(part.needs)} in {shared}: name the folder of the real data with --shared"
    if part.held and not any(HELD_OUT.glob("*")):
        return f"no models in {HELD_OUT}: python -m bench.speech --train"
    return ""


def command(part: Part, shared: Path, quick: bool) -> list[str]:
    """What is run for a part."""
    given = part.quick if quick else part.full
    where = ("--shared", str(shared)) if part.shared and shared.is_dir() else ()
    return [sys.executable, "-m", f"bench.{part.module}", *given, *where]


def run(parts: Sequence[Part], shared: Path, quick: bool) -> list[str]:
    """Measures one after the other; the names of those that failed."""
    failed = []
    for part in parts:
        reason = why_not(part, shared, lambda name: find_spec(name) is not None)
        title = " ".join((part.module, *part.full))
        print(f"\n## {title}\n{f'left out: {reason}' if reason else ''}", flush=True)
        if not reason and subprocess.run(command(part, shared, quick), cwd=ROOT, check=False).returncode != 0:
            failed.append(title)
    return failed


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = list(dict.fromkeys(part.module for part in PARTS))
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(names)}; otherwise all")
    parser.add_argument("--quick", action="store_true", help="a look at a tenth or less of everything")
    parser.add_argument("--shared", type=Path, default=default_shared(), metavar="DIR")
    asked = parser.parse_args()
    unknown = set(asked.parts) - set(names)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there is {', '.join(names)}")
    chosen = [part for part in PARTS if not asked.parts or part.module in asked.parts]
    failed = run(chosen, asked.shared.resolve(), asked.quick)
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
