"""The broker and the hub as processes that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from bench.paths import ROOT

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin") or ""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class KillableService:
    """A process that listens on a port."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        self._command = command
        self.port = port
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    def start(self, patience_s: float = 300.0) -> None:
        """Starts it; returns when it listens."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=ROOT)
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.5).close()
                return
            except OSError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"{self._command[0]} does not listen: {self._log.read_text()[-2000:]}")

    def kill(self) -> None:
        """Kills it as a power cut does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None
            self.kills += 1

    def restart(self) -> None:
        """Kills it and starts it again."""
        self.kill()
        self.start()

    @property
    def resident_mb(self) -> float:
        """Memory in use, in MB."""
        if self._process is None:
            return 0.0
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def cpu_s(self) -> float:
        """Processor time since its latest start, in seconds."""
        if self._process is None:
            return 0.0
        words = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def broker(folder: Path) -> KillableService:
    """Mosquitto as docs/hub.md configures it, without TLS and passwords."""
    if not MOSQUITTO:
        raise SystemExit("bench.hall needs Mosquitto: apt install mosquitto")
    port = free_port()
    lines = [
        f"listener {port} 127.0.0.1",
        "allow_anonymous true",
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 60",
        "max_queued_messages 0",
        "max_inflight_messages 2000",
        "message_size_limit 65536",
    ]
    if os.geteuid() == 0:
        lines.append("user root")
    path = folder / "mosquitto.conf"
    path.write_text("\n".join(lines) + "\n")
    return KillableService([MOSQUITTO, "-c", str(path)], port, folder / "mosquitto.log")


def hub(folder: Path, broker_port: int, database: str) -> KillableService:
    """`companion hub` with a database of its own."""
    port = free_port()
    path = folder / "hub.toml"
    path.write_text(
        f'[broker]\nhost = "127.0.0.1"\nport = {broker_port}\ntls = false\n'
        f'[pages]\nhost = "127.0.0.1"\nport = {port}\n[database]\nurl = "{database}"\n'
    )
    code = "import sys; from companion.commands.cli import main; sys.exit(main())"
    return KillableService(
        [sys.executable, "-c", code, "hub", "--config", str(path)], port, folder / "hub.log"
    )
