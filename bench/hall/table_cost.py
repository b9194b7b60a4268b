"""What MQTT costs a table in processor time and memory: `python -m bench.hall.table_cost`.

The same table plays the same random games at the speed of real ones twice, each in a process of its own: with
and without its MQTT device.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.hall import services
from bench.hall.games import played_games
from bench.hall.playing_table import PlayingTable
from bench.paths import ROOT
from bench.report import options as results_option
from bench.report.estimates import single
from bench.report.results import record

NAME = "cost"
SETTLES_S = 3.0
"""Seconds until everything is imported and connected."""


def play(folder: Path, broker_port: int, seconds: float, speed: float) -> dict[str, float]:
    """Plays in this process; returns its share of a core and its memory in MB.

    Args:
        broker_port: 0: without a device.
    """
    table = PlayingTable(NAME, folder, played_games(10, 1), 0.0, lambda one: None, speed)
    table.start()
    device: Any = None
    if broker_port:
        from companion.core.config import Mqtt
        from companion.mqtt.device import MqttDevice

        config = Mqtt(host="127.0.0.1", port=broker_port, tls=False, table=NAME)
        device = MqttDevice(config, table, table.journal, table.folder)
        device.start()
    time.sleep(SETTLES_S)
    began, used = time.monotonic(), time.process_time()
    time.sleep(seconds)
    share = (time.process_time() - used) / (time.monotonic() - began)
    if device is not None:
        assert device.connected
        device.stop()
    table.stop()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {"cpu": share, "memory_mb": pages * os.sysconf("SC_PAGE_SIZE") / 1e6}


def measured(folder: Path, broker_port: int, given: argparse.Namespace) -> dict[str, float]:
    """What `play` returns in a process of its own."""
    command = [sys.executable, "-m", "bench.hall.table_cost", "--folder", str(folder)]
    command += ["--broker", str(broker_port), "--seconds", str(given.seconds), "--speed", str(given.speed)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Measures with and without the device, and prints both."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hall.table_cost", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than real games")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--broker", type=int, default=0, help=argparse.SUPPRESS)
    results_option.add(parser)
    given = parser.parse_args()
    if given.folder is not None:
        print(json.dumps(play(given.folder, given.broker, given.seconds, given.speed)))
        return 0
    with tempfile.TemporaryDirectory(prefix="hall") as name:
        folder = Path(name)
        broker = services.broker(folder)
        broker.start()
        try:
            without = measured(folder / "without", 0, given)
            with_ = measured(folder / "with", broker.port, given)
        finally:
            broker.kill()
    print(json.dumps({"without": without, "with": with_}, indent=2))
    found = {
        "hall/table-cpu": single(max(0.0, with_["cpu"] - without["cpu"])),
        "hall/table-memory": single(max(0.0, with_["memory_mb"] - without["memory_mb"])),
    }
    record(given.results, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
