"""How fast `companion replay` starts.

    python -m bench.service.start [SCRIPT]      a script of 30 lines, played in processes of their own

Wall-clock seconds as somebody waits for them, the best and the median of twenty starts, and the seconds of
computing (user and system) of one start, which a busy machine does not lengthen.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.report import options as results_option
from bench.report.estimates import median, single
from bench.report.results import record

STARTS = 20


def script_of_thirty_lines(folder: Path) -> Path:
    """Ten tricks' worth of The Nasty 7: a header and 29 events."""
    lines = [{"game": "nasty_7", "players": ["Ida", "Jo", "Kai"], "settings": {}}]
    numbers = ("one", "two", "three", "four", "five", "six", "seven", "six", "five", "four", "three", "two")
    for k in range(15):
        t = 5.0 + 2 * k
        lines.append(
            {"event": "card_played", "player": ("Ida", "Jo", "Kai")[k % 3], "card": "racketeer", "t": t}
        )
        lines.append({"event": "heard", "words": [numbers[k % 12]], "start": t + 0.5, "end": t + 1.0})
    path = folder / "thirty.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines[:30]), encoding="utf-8")
    return path


def starts(script: Path) -> tuple[list[float], float]:
    """Wall-clock seconds of each start, sorted, and seconds of computing of the average one."""
    command = [str(Path(sys.executable).with_name("companion")), "replay", str(script), "--json"]
    walls = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(STARTS):
        begin = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        walls.append(time.monotonic() - begin)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computing = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return sorted(walls), computing / STARTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("script", nargs="?", type=Path)
    results_option.add(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = asked.script or script_of_thirty_lines(Path(folder))
        walls, computing = starts(script)
    print("| best | median | computing |")
    print("|---|---|---|")
    print(f"| {walls[0]:.3f} s | {walls[len(walls) // 2]:.3f} s | {computing:.3f} s |")
    record(asked.results, {"service/replay-cpu": single(computing), "service/replay-wall": median(walls)})


if __name__ == "__main__":
    main()
