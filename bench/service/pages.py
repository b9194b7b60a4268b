"""The pages under a full table: many phones on the event stream while one of them plays.

    python -m bench.service.pages                 50 phones, 60 events of The Nasty 7, then 60 phones
    python -m bench.service.pages --phones 8

Everything is real: `companion serve` in a process of its own with its journal in a temporary folder, one
HTTP connection a phone. Measured is the time from sending a command until the change has arrived at each
phone, and how many of 60 phones get no stream.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.hostile.target import Target, target
from bench.report import options as results_option
from bench.report.estimates import Estimate, median, share
from bench.report.results import record
from bench.service.phones import ListeningPhones

CALLS = ("one", "two", "three", "four", "five", "six", "seven", "six", "five", "four", "three", "two")
NAMES = ["Ida", "Jo", "Kai"]
GAME = {"game": "nasty_7", "players": NAMES, "settings": {"hesitation_s": 60.0}}
AT_ONCE = 60


def send(running: Target, command: str, data: Mapping[str, Any]) -> float:
    """Sends a command; returns how long the answer took, in seconds."""
    begun = time.perf_counter()
    reply = running.post(f"/api/command/{command}", **data)
    if not reply["ok"]:
        raise SystemExit(f"{command} {data}: {reply['text']}")
    return time.perf_counter() - begun


def measure(running: Target, count: int, events: int) -> dict[str, Estimate]:
    """Plays and prints the table; the estimates of the report."""
    answers, sent = [], {}
    with ListeningPhones(running.port, count) as phones:
        time.sleep(1.0)
        for n in range(1, events + 1):
            turn, second = divmod(n - 1, 2)
            event: dict[str, Any] = {"event": "heard", "words": [CALLS[turn % len(CALLS)]]}
            if not second:
                event = {"event": "card_played", "player": NAMES[turn % 3], "card": "racketeer"}
            sent[n] = time.perf_counter()
            answers.append(send(running, "event", event))
            time.sleep(0.05)
        time.sleep(1.0)
    arrived = [phone.arrived() for phone in phones]
    delays = [one[n] - sent[n] for n in sent for one in arrived if n in one]
    last = [max(one[n] for one in arrived if n in one) - sent[n] for n in sent]
    whole = min(len(one.keys() & sent.keys()) for one in arrived)
    print(f"| {count} phones, {events} events | median / 95th percentile |\n|---|---|")
    print(f"| command to answer | {times(answers)} |")
    print(f"| command to a phone | {times(delays)} |")
    print(f"| command to the last phone | {times(last)} |")
    print(f"| changes that arrived at every phone | {whole} of {events} |")
    print(f"| bytes a change | {sum(phone.bytes for phone in phones) // count // events} |")
    milliseconds = [1000 * delay for delay in delays]
    print(f"| the slowest change to any phone | {max(milliseconds):.0f} ms |")
    return {
        "pages/change": median(milliseconds),
        "pages/change-worst": Estimate(max(milliseconds), len(milliseconds)),
        "pages/change-arrived": share(whole, events),
    }


def refused(running: Target, count: int) -> Estimate:
    """How many of so many phones at once get no stream."""
    with ListeningPhones(running.port, count) as phones:
        turned_away = sum(phone.refused for phone in phones)
    print(f"| of {count} phones, without a stream | {turned_away} |")
    return Estimate(turned_away, count)


@contextlib.contextmanager
def serving(folder: Path, game: Mapping[str, Any]) -> Iterator[Target]:
    """A table without devices on which a game has begun."""
    with target(folder, "[pages]\nopen_to_all = true\n") as running:
        send(running, "new_game", game)
        yield running


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
        with serving(Path(folder) / "refused", GAME) as running:
            found = {"pages/refused": refused(running, AT_ONCE)}
        with serving(Path(folder) / "change", GAME) as running:
            found |= measure(running, chosen.phones, chosen.events)
    record(chosen.results, found)


if __name__ == "__main__":
    main()
