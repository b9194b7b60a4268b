"""The processes with the tables, as `python -m bench.hall` sees them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.paths import ROOT

GAMES = 40
"""Random games that the tables of a process repeat."""


class TablesProcess:
    """One process with some of the tables.

    Args:
        module: bench.hall.worker or bench.hall.whole_worker.
        first: number of the first table.
    """

    def __init__(
        self, module: str, folder: Path, broker_port: int, first: int, count: int, speed: float
    ) -> None:
        arguments = {"folder": folder, "broker": broker_port, "first": first, "count": count}
        arguments |= {"games": GAMES, "speed": speed}
        command = [sys.executable, "-m", module]
        command += [word for key, value in arguments.items() for word in (f"--{key}", str(value))]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ended: dict[str, float] = {}
        """Id of each game that ended -> when, in seconds since 1970."""
        self.groups = 0
        self.report: dict[str, Any] = {}
        """What it said when everything was acknowledged."""
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
        with suppress(OSError):  # it has failed and ended
            self.send("exit")
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
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
                self.report = said
                self.drained.set()
