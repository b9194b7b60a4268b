"""Plays a hall of simulated tables against a real broker and a real hub, and counts what arrives.

    python -m bench.hall --tables 1000 --minutes 3 --calm
    python -m bench.hall --tables 50 --whole 5 --minutes 10 --kills 50 --cut-s 120 --speed 60

Random games are played at ten times (`--speed`) the speed of real ones. All tables run in one process without
threads; `--whole` more have a journal on disk and the threads of a real table. Meanwhile networks are cut,
broker and hub are killed, tables are switched off and on, messages arrive twice, and the tables' clocks are
wrong by up to five minutes. `--calm` leaves all of that out: for the latencies.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import requests

from bench.hall import services
from bench.hall.count import HallCount, counted, latency
from bench.hall.disturbance import Disturbance
from bench.hall.processes import TablesProcess
from bench.hall.repeats import Repeats
from bench.hall.watch import HallScreen, ResultWatch, hub_messages
from bench.report import options as results_option
from bench.report.estimates import Estimate, single
from bench.report.results import record

PATIENCE_S = 300.0
"""Seconds within which everything must have arrived after the last game."""
RECOVERS_S = 45.0
"""A game that ended so soon after a disturbance is not among the undisturbed ones."""
WARM_S = 10.0
"""Seconds that are played before the latencies count, without disturbances."""


class Hall:
    """Broker, hub and tables of one measurement."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self._given = given
        self._folder = folder
        self._random = Random(given.seed)
        self._database = given.database or f"sqlite:///{folder / 'hub.sqlite'}"
        self.broker = services.broker(folder)
        self.hub = services.hub(folder, self.broker.port, self._database)
        self.tables: list[TablesProcess] = []

    def start(self) -> None:
        """Starts everything; returns when all tables are connected."""
        given = self._given
        self.broker.start()
        self.hub.start()
        if given.tables:
            self.tables.append(self._process("worker", 0, given.tables))
        if given.whole:
            self.tables.append(self._process("whole_worker", given.tables, given.whole))
        for one in self.tables:
            if not one.ready.wait(600):
                raise SystemExit("the tables do not start")

    def _process(self, module: str, first: int, count: int) -> TablesProcess:
        folder = self._folder / "tables"
        if module == "worker":
            folder /= "without-journals"
        return TablesProcess(
            f"bench.hall.{module}", folder, self.broker.port, first, count, self._given.speed
        )

    def stop(self) -> None:
        """Ends everything."""
        for one in self.tables:
            one.finish()
        self.hub.kill()
        self.broker.kill()

    def measure(self) -> dict[str, Any]:
        """Plays and counts."""
        given = self._given
        time.sleep(WARM_S)
        watch, screen = ResultWatch(self._database), HallScreen(self.hub.port, "/standings")
        began, used = time.time(), self._used()
        repeats = None if given.calm else Repeats(self.broker.port, self._random)
        disturbed = self._disturb()
        seconds = time.time() - began
        costs = None if not given.calm else self._costs(used, seconds)
        shown, memory = screen.close(), self.hub.resident_mb
        pages = timed_pages(self.hub.port)
        count = self._drained()
        watch.close()
        if repeats is not None:
            repeats.close()
        ended = {key: when for one in self.tables for key, when in one.ended.items() if when >= began}
        return {
            "tables": given.tables,
            "whole": given.whole,
            "minutes": given.minutes,
            "speed": given.speed,
            "load": [round(one, 1) for one in os.getloadavg()],
            "kills": 0 if given.calm else given.kills,
            "repeated": 0 if repeats is None else repeats.sent,
            "count": msgspec.structs.asdict(count),
            "costs": costs,
            "hub_mb": round(memory, 1),
            "screen": shown,
            "page_ms": pages,
            "simulation": [one.report for one in self.tables],
            **latencies(watch.seen, ended, disturbed),
        }

    def _used(self) -> tuple[float, float, int]:
        return self.hub.cpu_s, self.broker.cpu_s, hub_messages(self.hub.port)

    def _costs(self, before: tuple[float, float, int], seconds: float) -> dict[str, float]:
        """Processor time of hub and broker since `before`."""
        hub_s, broker_s, messages = (now - then for now, then in zip(self._used(), before, strict=True))
        return {
            "messages_per_s": round(messages / seconds, 1),
            "hub_cpu": round(hub_s / seconds, 3),
            "hub_us_per_message": round(hub_s / max(1.0, messages) * 1e6, 1),
            "broker_cpu": round(broker_s / seconds, 3),
        }

    def _disturb(self) -> list[float]:
        """Lets the hall play; returns when it was disturbed."""
        given = self._given
        kills = 0 if given.calm else given.kills
        times = {"broker": kills, "hub": kills, "cut": 2 * kills, "restart": kills}
        disturbance = Disturbance(given.minutes * 60, times, self._random)

        def cut() -> None:
            process, group = self._drawn_group()
            process.send(f"cut {group}")
            wait = self._random.uniform(2, given.cut_s)
            threading.Timer(wait, process.send, (f"mend {group}",)).start()

        def restart() -> None:
            process, group = self._drawn_group()
            process.send(f"restart {group}")

        actions = {"broker": self.broker.restart, "hub": self.hub.restart, "cut": cut, "restart": restart}
        disturbance.run(actions)
        time.sleep(0 if given.calm else given.cut_s)
        return disturbance.times

    def _drawn_group(self) -> tuple[TablesProcess, int]:
        process = self._random.choice(self.tables)
        return process, self._random.randrange(process.groups)

    def _drained(self) -> HallCount:
        """Ends the games; counts until nothing is missing, at most PATIENCE_S."""
        for one in self.tables:
            one.send("stop")
        if not all(one.drained.wait(PATIENCE_S) for one in self.tables):
            raise SystemExit(f"the tables have not sent everything after {PATIENCE_S} s")
        end = time.monotonic() + PATIENCE_S
        while True:
            count = counted(self._folder / "tables", self._database)
            if (not count.events_lost and not count.results_lost) or time.monotonic() > end:
                return count
            time.sleep(2.0)


def allow_many_files() -> None:
    """Raises the limit of open files, also of the processes that are started: each table has a connection."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def latencies(seen: dict[str, float], ended: dict[str, float], disturbed: list[float]) -> dict[str, Any]:
    """All latencies, and those of games that ended while nothing was disturbed."""
    every = {key: seen[key] - when for key, when in ended.items() if key in seen}
    calm = [
        seconds
        for key, seconds in every.items()
        if not any(moment <= ended[key] + 2 and ended[key] < moment + RECOVERS_S for moment in disturbed)
    ]
    found = {"latency_all": latency(list(every.values())), "latency_undisturbed": latency(calm)}
    return {name: None if one is None else msgspec.structs.asdict(one) for name, one in found.items()}


def timed_pages(port: int) -> dict[str, float]:
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


def hall(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The whole measurement."""
    allow_many_files()
    one = Hall(given, folder)
    try:
        one.start()
        return one.measure()
    finally:
        one.stop()


def estimates(figures: dict[str, Any]) -> dict[str, Estimate]:
    """The rows of the report that these figures are."""
    count = figures["count"]
    if figures["costs"] is None:
        lost = count["events_lost"] + count["results_lost"]
        n = count["events"] + count["results"]
        return {"hall/lost": Estimate(lost, n), "hall/twice": Estimate(count["counted_twice"], n)}
    seconds, costs = figures["latency_all"], figures["costs"]
    ten = "ten-" if figures["tables"] <= 10 else ""
    found = {
        "median": Estimate(seconds["median_s"], seconds["results"]),
        "p99": Estimate(seconds["p99_s"], seconds["results"]),
        "message": single(costs["hub_us_per_message"] / 1000),
        "memory": single(figures["hub_mb"]),
    }
    if not ten:
        found["page"] = Estimate(figures["screen"]["median_ms"], figures["screen"]["answers"])
        found["rate"] = single(costs["messages_per_s"])
    return {f"hall/{ten}{name}": one for name, one in found.items()}


def main() -> int:
    """Runs it and prints the figures as JSON; status 1 if something was lost or counted twice."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hall", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--whole", type=int, default=0, help="tables with a disk and threads, besides these")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--speed", type=float, default=10.0, help="how much faster than real games")
    parser.add_argument("--kills", type=int, default=10, help="how often broker and hub are each killed")
    parser.add_argument("--cut-s", type=float, default=30.0, help="longest cut of a network, in seconds")
    parser.add_argument("--database", default="", help="address of an empty database; default: SQLite")
    parser.add_argument("--calm", action="store_true", help="nothing is killed, cut or repeated")
    parser.add_argument("--seed", type=int, default=1)
    results_option.add(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hall") as folder:
        figures = hall(given, Path(folder))
    print(json.dumps(figures, indent=2))
    record(given.results, estimates(figures))
    count = figures["count"]
    wrong = count["events_lost"] + count["results_lost"] + count["counted_twice"]
    return int(bool(wrong) or not count["standings_right"])


if __name__ == "__main__":
    sys.exit(main())
