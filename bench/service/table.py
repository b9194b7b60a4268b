"""How fast the table writes, judges and comes back: `python -m bench.service.table`.

The journal is written to a temporary folder: its figures are those of that disk.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.report import options as results_option
from bench.report.estimates import median, single
from bench.report.results import record
from companion.api.commands import Caller, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.core.observations import Press
from companion.store.journal import Journal
from companion.table.table import Table

TIMES = 300


def median_and_95th(seconds: list[float]) -> str:
    """ "1.2 / 3.4 ms"."""
    ordered = sorted(seconds)
    middle, high = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"{middle * 1000:.1f} / {high * 1000:.1f} ms"


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def appending(folder: Path) -> list[float]:
    """Seconds of each durable append."""
    journal = Journal(folder / "append.sqlite")
    game = journal.begin_game("nasty_7", ["Ida", "Jo"], {}).id
    event = {"event": "card_played", "player": "Ida", "card": "racketeer", "t": 1.25}
    seconds = [
        timed(lambda n=n: journal.append(game, n, 0.0, event, source="camera")) for n in range(1, TIMES)
    ]
    journal.close()
    return seconds


def playing(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds from a phone's command to its answer, and from a press to its announcement."""
    table = Table(lambda: Journal(folder / "play.sqlite"), monotonic)
    table.start()
    game = {"game": "nasty_7", "players": ("Ida", "Jo"), "settings": {"deck_size": 2 * TIMES}}
    table.command(NewGame(**game), Caller("referee"))
    commands = []
    for i in range(TIMES):
        event = {"event": "card_played", "player": ("Ida", "Jo")[i % 2], "card": "gun"}
        commands.append(timed(lambda event=event: table.command(EnterEvent(event), Caller("referee"))))
    changes, presses = table.subscribe(), []
    for _ in range(TIMES // 2):
        begun = time.perf_counter()
        table.submit(Press(monotonic(), "referee"))
        changes.get(timeout=10)
        presses.append(time.perf_counter() - begun)
    table.stop()
    return commands, presses


def resuming(folder: Path) -> float:
    """Seconds until a game of TIMES and more lines is on the table again."""
    table = Table(lambda: Journal(folder / "play.sqlite"), monotonic)
    seconds = timed(table.start)
    table.stop()
    return seconds


def serving(folder: Path) -> tuple[float, float]:
    """Seconds from the command line to "ready", and megabytes of memory then, without devices."""
    arguments = ["serve", "--simulated", "--port", "0", "--data", str(folder / "service")]
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", "from companion.commands.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
    ) as service:
        assert service.stdout is not None
        service.stdout.readline()
        ready = time.perf_counter() - begun
        status = Path(f"/proc/{service.pid}/status").read_text(encoding="utf-8")
        resident = re.search(r"VmRSS:\s+(\d+) kB", status)
        service.terminate()
    return ready, int(resident[1]) / 1024 if resident else float("nan")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    results_option.add(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = appending(folder)
        commands, presses = playing(folder)
        again = resuming(folder)
        ready, memory = serving(folder)
    print("| table | median / 95th percentile |")
    print("|---|---|")
    print(f"| an event onto the disk (WAL, synchronous=FULL) | {median_and_95th(written)} |")
    print(f"| a phone's event, judged, written and answered | {median_and_95th(commands)} |")
    print(f"| a press, judged, written and announced | {median_and_95th(presses)} |")
    print(f"| a game of {TIMES + TIMES // 2} lines taken up after a power cut | {again * 1000:.0f} ms |")
    print(f"| `companion serve --simulated` from cold to ready | {ready:.2f} s |")
    print(f"| its memory then | {memory:.0f} MB |")
    record(
        asked.results,
        {
            "service/append": median([1000 * second for second in written]),
            "service/command": median([1000 * second for second in commands]),
            "service/resume": single(1000 * again),
            "service/ready": single(ready),
        },
    )


if __name__ == "__main__":
    main()
