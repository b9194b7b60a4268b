"""kill -9 at any moment while commands are sent; each is sent again after the restart: how many count
twice."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from companion.api.commands import Caller, EnterEvent, NewGame
from companion.core.clock import monotonic
from companion.store.healing import open_journal
from companion.store.journal import read_journal
from companion.table.table import Table

SENDER = """
import sys
from pathlib import Path
from companion.api.commands import Caller, EnterEvent
from companion.core.clock import monotonic
from companion.store.healing import open_journal
from companion.table.table import Table

table = Table(lambda: open_journal(Path(sys.argv[1])), monotonic)
table.start()
print("up", flush=True)
for line in sys.stdin:
    player, first = line.split()
    for number in range(int(first), int(first) + 200):
        event = {"event": "tile_played", "player": player, "n": number}
        table.command(EnterEvent(event), Caller("referee"), f"key-{number}")
        print(number, flush=True)
"""
REFEREE = Caller("referee")


def kills(folder: Path, count: int, seed: int) -> tuple[int, int]:
    """Kills so many times. Returns how many commands were sent again, and how many of them counted twice."""
    path, rng = folder / "journal.sqlite", random.Random(seed)
    table = Table(lambda: open_journal(path), monotonic)
    table.start()
    table.command(NewGame("bugs_and_co", ("Ida", "Jo")), REFEREE, "new")
    table.stop()
    again = 0
    for kill in range(count):
        first = kill * 200
        arguments = [sys.executable, "-c", SENDER, str(path)]
        with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdin is not None
            assert service.stdout is not None
            service.stdout.readline()
            service.stdin.write(f"Ida {first}\n")
            service.stdin.flush()
            told = [int(service.stdout.readline()) for _ in range(rng.randrange(1, 8))]
            service.kill()
        table = Table(lambda: open_journal(path), monotonic)
        table.start()
        for number in range(first, told[-1] + 3):  # those that were answered, and those that may have been
            event = EnterEvent({"event": "tile_played", "player": "Ida", "n": number})
            table.command(event, REFEREE, f"key-{number}")
            again += 1
        table.stop()
    return again, _doubled(path)


def _doubled(path: Path) -> int:
    with read_journal(path) as journal:
        numbers = [line.event["n"] for _, line in journal.since(0)]
    return len(numbers) - len(set(numbers))
