"""What the checks have at hand inside the virtual machine: camera, lines, service, pages."""

from __future__ import annotations

import contextlib
import json
import queue
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRACING = Path("/sys/kernel/tracing")
EDGE = re.compile(r"([0-9.]+): gpio_value: ([0-9]+) set ([01])")
PLATFORM = Path("/sys/devices/platform/gpio-sim.0")
URL = "http://127.0.0.1:8080"
UNIT = "companion.service"
SLOW = Path("/etc/systemd/system/companion.service.d/slow.conf")
"""What guest.sh says for an emulated processor."""


def now() -> float:
    """Seconds on CLOCK_MONOTONIC."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class LoopbackCamera:
    """What the camera sees: raw pictures written into the loopback device over and over (film.py)."""

    def __init__(self) -> None:
        self._writer: subprocess.Popen[bytes] | None = None

    def shows(self, name: str, fps: float = 10.0, stays: int = 0) -> None:
        self.unplug()
        film = Path("/run") / name
        if not film.exists():  # the share is slow
            film.write_bytes((Path("/hil/pictures") / name).read_bytes())
        command = [sys.executable, "/hil/film.py", str(film), str(fps), "50", "YU12", str(stays)]
        self._writer = subprocess.Popen(command)

    def unplug(self) -> None:
        if self._writer is not None:
            self._writer.kill()
            self._writer.wait()
            self._writer = None


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
    def gpio(self) -> int:
        """The kernel's own number of the line."""
        base = next(PLATFORM.glob("gpio/gpiochip*/base"))
        return int(base.read_text()) + self._number

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
    """Writes down when a line that the program drives rises and falls: the kernel's own notes of it, which
    cost the emulated processor nothing (a loop that looks every millisecond would take half of it)."""

    def __init__(self, line: Line) -> None:
        self.rising: list[float] = []
        self.falling: list[float] = []
        self._gpio = line.gpio

    def __enter__(self) -> Edges:
        (TRACING / "trace").write_text("")
        return self

    def __exit__(self, *_: object) -> None:
        self.look()

    @staticmethod
    def note() -> None:
        """The kernel begins to take notes. Once and for all, and without the names of processes: for those it
        rewrites its own scheduler, and an emulated second processor may stumble over half of it."""
        (TRACING / "options/record-cmd").write_text("0")
        (TRACING / "trace_clock").write_text("mono")
        (TRACING / "events/gpio/gpio_value/enable").write_text("1")

    def look(self) -> Edges:
        """Reads what has been written down so far."""
        self.rising, self.falling = [], []
        level = 0
        for found in EDGE.finditer((TRACING / "trace").read_text()):
            t, gpio, value = float(found[1]), int(found[2]), int(found[3])
            if gpio == self._gpio and value != level:
                level = value
                (self.rising if value else self.falling).append(t)
        return self


class Page:
    """A phone's stream of changes, and when each arrived."""

    def __init__(self) -> None:
        self.changes: queue.SimpleQueue[tuple[float, dict[str, Any]]] = queue.SimpleQueue()
        self._answer = urllib.request.urlopen(f"{URL}/events", timeout=60)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._answer:
                if line.startswith(b"data: {"):
                    self.changes.put((now(), json.loads(line[6:])))
        except (OSError, ValueError, AttributeError):
            return  # the page was left

    def until(self, what: Callable[[dict[str, Any]], bool], limit: float, why: str) -> float:
        """The moment at which a change arrived that shows it."""
        end = now() + limit
        while now() < end:
            with contextlib.suppress(queue.Empty):
                moment, change = self.changes.get(timeout=max(0.01, end - now()))
                if what(change["snapshot"]):
                    return moment
        raise AssertionError(f"{why}: not within {limit} s")

    def close(self) -> None:
        self._answer.close()


class Service:
    """The shipped unit under systemd."""

    def start(self) -> float:
        """Starts it; seconds until it was ready."""
        begun = now()
        subprocess.run(["systemctl", "start", UNIT], check=True)
        return now() - begun

    def as_shipped(self) -> None:
        """From its next start on the watchdog waits no longer than the shipped unit says."""
        if SLOW.exists():
            lines = SLOW.read_text().splitlines(keepends=True)
            SLOW.write_text("".join(line for line in lines if not line.startswith("Watchdog")))
            subprocess.run(["systemctl", "daemon-reload"], check=True)

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

    def until_ready(self, pid: str, begun: float, limit: float) -> float:
        """Waits until another process than `pid` is ready; seconds since `begun`, as systemd noted it.

        It is asked late and seldom: its answers cost an emulated processor as much as the start itself.
        """
        until(lambda: not Path(f"/proc/{pid}").exists(), limit, "the old process ends")
        until(_answered, limit, "the pages are there", pause=0.2)
        until(lambda: self.show("ActiveState") == "active", limit, "systemd calls it active", pause=0.5)
        assert self.show("MainPID") not in (pid, "0")
        return int(self.show("ActiveEnterTimestampMonotonic")) / 1e6 - begun

    def log(self) -> str:
        command = ["journalctl", "-u", UNIT, "-o", "short-monotonic", "--no-pager"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _answered() -> bool:
    """Whether somebody listens on the port of the pages."""
    try:
        socket.create_connection(("127.0.0.1", 8080), timeout=1.0).close()
    except OSError:
        return False
    return True


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


def until(what: Callable[[], Any], limit: float, why: str, pause: float = 0.05) -> float:
    """Waits until `what()` is true, which is asked every `pause` seconds; seconds it took."""
    begun = now()
    while now() - begun < limit:
        if what():
            return now() - begun
        time.sleep(pause)
    raise AssertionError(f"{why}: not within {limit} s")


def source(name: str) -> bool:
    """Whether a source is up."""
    return bool(state()["sources"].get(name, {}).get("up"))


def play(name: str) -> str:
    """Into the end of the loopback at whose other end the service records; which end that was."""
    open_ones = [
        one.parent
        for one in Path("/proc/asound/Loopback").glob("pcm[01]c/sub*/hw_params")
        if one.read_text().strip() != "closed"
    ]
    assert len(open_ones) == 1, open_ones
    device, part = open_ones[0].parent.name[3], open_ones[0].name[3:]
    end = f"plughw:Loopback,{1 - int(device)},{part}"
    command = ["aplay", "-q", "-D", end, "--buffer-time=2000000", f"/hil/sound/{name}"]
    subprocess.run(command, check=True, timeout=60)
    return end
