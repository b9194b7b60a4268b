"""What the checks have at hand inside the virtual machine: the lines, the service, the pages."""

from __future__ import annotations

import json
import subprocess
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

PLATFORM = Path("/sys/devices/platform/gpio-sim.0")
URL = "http://127.0.0.1:8080"
UNIT = "companion.service"


def now() -> float:
    """Seconds on CLOCK_MONOTONIC."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class Line:
    """One GPIO line, seen from its wire."""

    def __init__(self, number: int) -> None:
        self._number = number

    @property
    def _folder(self) -> Path:
        chip = next(path for path in PLATFORM.iterdir() if path.name.startswith("gpiochip"))
        return chip / f"sim_gpio{self._number}"

    def pull(self, high: bool) -> float:
        """Connects the wire; returns the moment."""
        (self._folder / "pull").write_text("pull-up" if high else "pull-down")
        return now()

    @property
    def high(self) -> bool:
        """What the program gives out; nothing where there are no lines (a container)."""
        return PLATFORM.is_dir() and (self._folder / "value").read_text().strip() == "1"

    def press(self, seconds: float = 0.08) -> float:
        """A button to ground is pressed and let go; the moment of the contact."""
        moment = self.pull(False)
        time.sleep(seconds)
        self.pull(True)
        return moment


class Edges:
    """Writes down when a line rises and falls."""

    def __init__(self, line: Line) -> None:
        self.rising: list[float] = []
        self.falling: list[float] = []
        self._line = line
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Edges:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        was = self._line.high
        while not self._done.is_set():
            high = self._line.high
            if high is not was:
                (self.rising if high else self.falling).append(now())
                was = high
            time.sleep(0.001)


class Service:
    """The shipped unit under systemd."""

    def start(self) -> float:
        """Starts it; seconds until it was ready."""
        begun = now()
        subprocess.run(["systemctl", "start", UNIT], check=True)
        return now() - begun

    def stop(self) -> None:
        subprocess.run(["systemctl", "stop", UNIT], check=True)

    def kill(self, signal: str) -> None:
        subprocess.run(["systemctl", "kill", "--kill-whom=main", f"--signal={signal}", UNIT], check=True)

    def show(self, key: str) -> str:
        command = ["systemctl", "show", "--value", "-p", key, UNIT]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    @property
    def memory_mb(self) -> float:
        return int(self.show("MemoryCurrent")) / 2**20

    @property
    def cpu_s(self) -> float:
        return int(self.show("CPUUsageNSec")) / 1e9

    def until_ready(self, pid: str, limit: float) -> float:
        """Waits until another process than `pid` is ready; seconds it took."""
        begun = now()
        while now() - begun < limit:
            if self.show("MainPID") not in (pid, "0") and self.show("ActiveState") == "active":
                return now() - begun
            time.sleep(0.1)
        raise AssertionError(f"not ready within {limit} s: {self.show('ActiveState')}")

    def log(self) -> str:
        command = ["journalctl", "-u", UNIT, "-o", "cat", "--no-pager", "-n", "400"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def state() -> dict[str, Any]:
    """What the pages know."""
    with urllib.request.urlopen(f"{URL}/state.json", timeout=30) as answer:
        shown: dict[str, Any] = json.load(answer)
        return shown.get("snapshot", shown)


def command(name: str, **data: Any) -> dict[str, Any]:
    """What a phone asks for."""
    request = urllib.request.Request(
        f"{URL}/api/command/{name}",
        json.dumps(data).encode(),
        {"Content-Type": "application/json", "Origin": URL, "Sec-Fetch-Site": "same-origin"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        reply: dict[str, Any] = json.load(answer)
        return reply


def until(what: Any, limit: float, why: str) -> float:
    """Waits until `what()` is true; seconds it took."""
    begun = now()
    while now() - begun < limit:
        if what():
            return now() - begun
        time.sleep(0.05)
    raise AssertionError(f"{why}: not within {limit} s")


def source(name: str) -> bool:
    """Whether a source is up."""
    return bool(state()["sources"].get(name, {}).get("up"))
