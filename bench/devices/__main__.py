"""The service with real lines, sound and cameras in a virtual machine: `sudo python -m bench.devices`.

Runs tests/hil/run.py, which boots it and carries out its checks, and records what they have measured. The
processor is emulated, several times slower than a Raspberry Pi's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.report import options as results_option
from bench.report.estimates import Estimate, median, percentile, single
from bench.report.results import record

HIL = Path(__file__).parents[2] / "tests" / "hil" / "run.py"


def estimates(found: Mapping[str, Any]) -> dict[str, Estimate]:
    """The measures of the checks that have passed, from the file results.json that they leave."""
    figures, kept = found["figures"], {"devices/failed": single(len(found["failed"]))}
    if "press_to_event_ms" in figures:
        presses = figures["press_to_event_ms"]["values"]
        kept |= {"devices/press": median(presses), "devices/press-p95": percentile(presses, 95)}
    for name, figure in (
        ("edges", "countdown_edge_error_ms"),
        ("kill", "kill_to_ready_s"),
        ("hang", "hang_to_ready_s"),
        ("memory", "memory_mb"),
    ):
        if figure in figures:
            value = figures[figure]
            kept[f"devices/{name}"] = single(value["largest"] if isinstance(value, dict) else value)
    if "idle_cpu_percent" in figures:
        kept["devices/idle-cpu"] = single(figures["idle_cpu_percent"] / 100)
    return kept


def main() -> int:
    """Runs the virtual machine; the number of checks that failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="CHECK", help="some of the checks only")
    results_option.add(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(HIL), *asked.only], check=False, env={**os.environ, "HIL_OUT": folder}
        )
        file = Path(folder) / "results.json"
        if not file.exists():
            return done.returncode or 1
        found = json.loads(file.read_text())
    kept = estimates(found)
    for name, value in kept.items():
        print(f"| {name.partition('/')[2]} | {value.value:.3g} |")
    record(asked.results, kept)
    return len(found["failed"])


if __name__ == "__main__":
    sys.exit(main())
