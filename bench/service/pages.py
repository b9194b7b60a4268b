"""The pages under a full table: many phones on the event stream while one of them plays.

    python -m bench.service.pages                 50 phones, 60 events of The Nasty 7, then 60 phones
    python -m bench.service.pages --phones 8

Everything is real: the table with its journal in a temporary folder, the web server as it is configured
without a file, one HTTP connection a phone. Measured is the time from sending a command until the change has
arrived at each phone, and how many of 60 phones get no stream.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.report import options as results_option
from bench.report.estimates import Estimate, median, share
from bench.report.results import record
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.runtime.server import PagesServer
from companion.store.folder import DataFolder

CALLS = ("one", "two", "three", "four", "five", "six", "seven", "six", "five", "four", "three", "two")
NAMES = ["Ida", "Jo", "Kai"]
GAME = {"game": "nasty_7", "players": NAMES, "settings": {"hesitation_s": 60.0}}
AT_ONCE = 60


class SimulatedPhone:
    """Listens to the stream on a thread of its own and notes when each state of the log arrived."""

    def __init__(self, port: int) -> None:
        self.arrived: dict[int, float] = {}
        self.bytes = 0
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._connection.request("GET", "/events")
        self._response = self._connection.getresponse()
        self.refused = self._response.status != 200
        threading.Thread(target=self._listen, daemon=True).start()

    def leave(self) -> None:
        """Ends the stream."""
        self._connection.close()

    def _listen(self) -> None:
        try:
            while line := self._response.readline():
                self.bytes += len(line)
                if line.startswith(b"data: {"):
                    now = time.perf_counter()
                    log = json.loads(line[6:])["snapshot"]["log"]
                    self.arrived.setdefault(log[-1]["n"] if log else 0, now)
        except (OSError, ValueError):
            pass  # the service has stopped


def post(port: int, command: str, data: dict[str, Any]) -> float:
    """Sends a command; returns how long the answer took, in seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    begun = time.perf_counter()
    origin = {"Origin": f"http://127.0.0.1:{port}"}
    connection.request("POST", f"/api/command/{command}", json.dumps(data), origin)
    reply = json.loads(connection.getresponse().read())
    connection.close()
    if not reply["ok"]:
        raise SystemExit(f"{command} {data}: {reply['text']}")
    return time.perf_counter() - begun


def measure(port: int, phones: int, events: int) -> dict[str, Estimate]:
    """Plays and prints the table; the estimates of the report."""
    listening = [SimulatedPhone(port) for _ in range(phones)]
    time.sleep(1.0)
    answers, sent = [], {}
    for n in range(1, events + 1):
        turn, second = divmod(n - 1, 2)
        words = [CALLS[turn % len(CALLS)]]
        event: dict[str, Any] = {"event": "heard", "words": words}
        if not second:
            event = {"event": "card_played", "player": NAMES[turn % 3], "card": "racketeer"}
        sent[n] = time.perf_counter()
        answers.append(post(port, "event", event))
        time.sleep(0.05)
    time.sleep(1.0)
    delays = [phone.arrived[n] - sent[n] for n in sent for phone in listening if n in phone.arrived]
    last = [max(phone.arrived[n] for phone in listening if n in phone.arrived) - sent[n] for n in sent]
    whole = min(len(phone.arrived) - 1 for phone in listening)
    print(f"| {phones} phones, {events} events | median / 95th percentile |\n|---|---|")
    print(f"| command to answer | {times(answers)} |")
    print(f"| command to a phone | {times(delays)} |")
    print(f"| command to the last phone | {times(last)} |")
    print(f"| changes that arrived at every phone | {whole} of {events} |")
    print(f"| bytes a change | {sum(phone.bytes for phone in listening) // phones // events} |")
    milliseconds = [1000 * delay for delay in delays]
    print(f"| the slowest change to any phone | {max(milliseconds):.0f} ms |")
    return {
        "pages/change": median(milliseconds),
        "pages/change-worst": Estimate(max(milliseconds), len(milliseconds)),
        "pages/change-arrived": share(whole, events),
    }


def refused(port: int, phones: int) -> Estimate:
    """How many of so many phones at once get no stream."""
    listening = [SimulatedPhone(port) for _ in range(phones)]
    turned_away = sum(phone.refused for phone in listening)
    for phone in listening:
        phone.leave()
    print(f"| of {phones} phones, without a stream | {turned_away} |")
    return Estimate(turned_away, phones)


@contextlib.contextmanager
def serving(folder: Path, game: Mapping[str, Any]) -> Iterator[int]:
    """A table without devices on which a game has begun; gives the port of its pages."""
    config = Config(pages=PagesConfig(host="127.0.0.1", port=0, open_to_all=True))
    app = App(config, DataFolder(folder), inputs=Inputs())
    app.start()
    pages = PagesServer(app)
    pages.start()
    try:
        post(pages.port, "new_game", dict(game))
        yield pages.port
    finally:
        app.stop()
        pages.stop()


def times(seconds: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    return f"{1000 * statistics.median(ordered):.0f} / {1000 * ordered[int(0.95 * len(ordered))]:.0f} ms"


def main() -> None:
    """Builds the service, measures, stops it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--events", type=int, default=60)
    results_option.add(parser)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder) / "refused", GAME) as port:
            found = {"pages/refused": refused(port, AT_ONCE)}
        with serving(Path(folder) / "change", GAME) as port:
            found |= measure(port, chosen.phones, chosen.events)
    record(chosen.results, found)


if __name__ == "__main__":
    main()
