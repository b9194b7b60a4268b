"""Plays a hall of simulated tables against a real broker and a real hub, and counts what arrives.

    python -m bench.hall --tables 50 --minutes 5
    python -m bench.hall --tables 1000 --minutes 10 --processes 8 --database postgresql+psycopg://...

Random games are played at ten times (`--speed`) the speed of real ones into real journals; the tables'
devices of MQTT publish them. Meanwhile networks are cut, broker and hub are killed, messages arrive twice,
and the tables' clocks are wrong by up to five minutes. `--calm` leaves all of that out: for the latencies.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import requests

from bench.hall import services
from bench.hall.count import HallCount, counted, latency, received
from bench.hall.repeats import Repeats
from bench.paths import ROOT

PATIENCE_S = 300.0
"""Seconds within which everything must have arrived after the last game."""
RECOVERS_S = 45.0
"""A game that ended so soon after a disturbance is not among the undisturbed ones."""


class TablesProcess:
    """One process with some of the tables (bench.hall.worker)."""

    def __init__(self, folder: Path, broker_port: int, first: int, count: int, speed: float) -> None:
        arguments = {"folder": folder, "broker": broker_port, "first": first, "count": count, "games": 40}
        arguments["speed"] = speed
        command = [sys.executable, "-m", "bench.hall.worker"]
        command += [word for key, value in arguments.items() for word in (f"--{key}", str(value))]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ended: dict[str, float] = {}
        """Id of each game that ended -> when, in seconds since 1970."""
        self.groups = 0
        self.drained = threading.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def send(self, command: str) -> None:
        """Sends a command (see bench.hall.worker)."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()

    def finish(self) -> None:
        """Ends the process."""
        self.send("exit")
        self._process.wait(60)
        self._thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said: dict[str, Any] = json.loads(line)
            if "key" in said:
                self.ended[said["key"]] = said["ended"]
            elif "groups" in said:
                self.groups = said["groups"]
                self.ready.set()
            else:
                self.drained.set()


class Disturbance:
    """Kills and cuts at random moments, on the thread of the caller.

    Args:
        seconds: for how long.
        kills: how often broker and hub are each killed.
    """

    def __init__(self, seconds: float, kills: int, random: Random) -> None:
        self.times: list[float] = []
        """When something was disturbed, in seconds since 1970."""
        moments = [(random.random() * seconds, what) for what in ("broker", "hub") for _ in range(kills)]
        moments += [(random.random() * seconds * 0.9, "cut") for _ in range(2 * kills)]
        self._moments = sorted(moments)
        self._random = random
        self._seconds = seconds

    def run(self, actions: dict[str, Callable[[], None]]) -> None:
        """Does everything at its time."""
        began = time.monotonic()
        for moment, what in self._moments:
            time.sleep(max(0.0, began + moment - time.monotonic()))
            self.times.append(time.time())
            actions[what]()
            self.times.append(time.time())
        time.sleep(max(0.0, began + self._seconds - time.monotonic()))


def hall(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The whole measurement."""
    allow_many_files()
    random = Random(given.seed)
    database = given.database or f"sqlite:///{folder / 'hub.sqlite'}"
    broker = services.broker(folder)
    broker.start()
    hub = services.hub(folder, broker.port, database)
    hub.start()
    share = -(-given.tables // given.processes)
    tables = [
        TablesProcess(folder / "tables", broker.port, first, min(share, given.tables - first), given.speed)
        for first in range(0, given.tables, share)
    ]
    for one in tables:
        if not one.ready.wait(1200):
            raise SystemExit("the tables do not start")
    disturbance = Disturbance(given.minutes * 60, 0 if given.calm else given.kills, random)
    repeats = None if given.calm else Repeats(broker.port, random)

    def cut() -> None:
        process = random.choice(tables)
        group = random.randrange(process.groups)
        process.send(f"cut {group}")
        threading.Timer(random.uniform(2, given.cut_s), process.send, (f"mend {group}",)).start()

    disturbance.run({"broker": broker.restart, "hub": hub.restart, "cut": cut})
    page_ms = timed_page(hub.port)
    time.sleep(0 if given.calm else given.cut_s)
    for one in tables:
        one.send("stop")
    if not all(one.drained.wait(PATIENCE_S) for one in tables):
        raise SystemExit(f"the tables have not sent everything after {PATIENCE_S} s")
    count = wait_for(folder / "tables", database)
    if repeats is not None:
        repeats.close()
    memory = hub.resident_mb
    for one in tables:
        one.finish()
    ended = {key: when for one in tables for key, when in one.ended.items()}
    hub.kill()
    broker.kill()
    return {
        "tables": given.tables,
        "minutes": given.minutes,
        "speed": given.speed,
        "load": [round(one, 1) for one in os.getloadavg()],
        "kills": 0 if given.calm else given.kills,
        "repeated": 0 if repeats is None else repeats.sent,
        "count": {name: getattr(count, name) for name in count.__struct_fields__},
        "hub_mb": round(memory, 1),
        "page_ms": page_ms,
        **latencies(database, ended, disturbance.times),
    }


def allow_many_files() -> None:
    """Raises the limit of open files, also of the processes that are started: each table has a connection."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def wait_for(folder: Path, database: str) -> HallCount:
    """Counts until nothing is missing, at most PATIENCE_S."""
    end = time.monotonic() + PATIENCE_S
    while True:
        count = counted(folder, database)
        if (not count.events_lost and not count.results_lost) or time.monotonic() > end:
            return count
        time.sleep(1.0)


def latencies(database: str, ended: dict[str, float], disturbed: list[float]) -> dict[str, Any]:
    """All latencies, and those of games that ended while nothing was disturbed."""
    every, calm = [], []
    for key, stored in received(database).items():
        if key in ended:
            seconds = max(0.0, datetime.fromisoformat(stored).timestamp() - ended[key])
            every.append(seconds)
            if not any(moment <= ended[key] + 2 and ended[key] < moment + RECOVERS_S for moment in disturbed):
                calm.append(seconds)
    found = {"latency_all": latency(every), "latency_undisturbed": latency(calm)}
    return {
        name: None if one is None else {field: getattr(one, field) for field in one.__struct_fields__}
        for name, one in found.items()
    }


def timed_page(port: int) -> dict[str, float]:
    """Milliseconds for each page of the hub, the median of nine."""
    found = {}
    for path in ("/", "/standings", "/games", "/metrics"):
        times = []
        for _ in range(9):
            began = time.monotonic()
            requests.get(f"http://127.0.0.1:{port}{path}", timeout=30).raise_for_status()
            times.append(time.monotonic() - began)
        found[path] = round(sorted(times)[4] * 1000, 1)
    return found


def main() -> int:
    """Runs it and prints the figures as JSON; status 1 if something was lost or counted twice."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hall", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--processes", type=int, default=1, help="processes that share the tables")
    parser.add_argument("--speed", type=float, default=10.0, help="how much faster than real games")
    parser.add_argument("--kills", type=int, default=10, help="how often broker and hub are each killed")
    parser.add_argument("--cut-s", type=float, default=30.0, help="longest cut of a network, in seconds")
    parser.add_argument("--database", default="", help="address of an empty database; default: SQLite")
    parser.add_argument("--calm", action="store_true", help="nothing is killed, cut or repeated")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hall") as folder:
        figures = hall(given, Path(folder))
    print(json.dumps(figures, indent=2))
    count = figures["count"]
    wrong = count["events_lost"] + count["results_lost"] + count["counted_twice"]
    return int(bool(wrong) or not count["standings_right"])


if __name__ == "__main__":
    sys.exit(main())
