"""A report for somebody who helps: versions, findings, settings and log, with nothing private in it.

No names, sound, pictures, addresses, codes or keys. Settings are named with their numbers and choices; a text
that the owner has entered is left out.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import platform
import socket
import subprocess
import zipfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.core.finding import Finding
from companion.core.version import VERSION
from companion.owner.scrubbing import scrubbed
from companion.owner.settings_fields import config_keys
from companion.store.folder import DataFolder
from companion.store.journal import read_journal

LINES = 2000
"""Lines of the log that a report holds at most."""
ABOUT = ("/proc/device-tree/model", "/etc/os-release", "/proc/meminfo", "/proc/uptime", "/proc/loadavg")
"""Files that describe the machine."""
JOURNALCTL = [
    "journalctl",
    "--unit=companion.service",
    f"--lines={LINES}",
    "--output=short-iso",
    "--no-hostname",
]


class RecentLog(logging.Handler):
    """Keeps the latest lines that this process has logged."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: deque[str] = deque(maxlen=LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a line."""
        with contextlib.suppress(Exception):  # a line that cannot be written must not stop what it is about
            self.lines.append(self.format(record))


class ReportService:
    """Every method may be called from any thread.

    Args:
        config: the settings in force.
        findings: what the doctor finds.
        log: the latest lines of this process.
        run: runs a command and returns its output. Raises OSError or subprocess.SubprocessError.
    """

    def __init__(
        self,
        config: Config,
        data: DataFolder,
        findings: Callable[[], Sequence[Finding]],
        log: RecentLog,
        wall: Callable[[], datetime],
        run: Callable[[Sequence[str]], str] | None = None,
    ) -> None:
        self._config = config
        self._data = data
        self._findings = findings
        self._log = log
        self._wall = wall
        self._run = run or _run

    def report(self) -> tuple[str, bytes]:
        """The name of the file, and its content: a zip of text files."""
        private = tuple(self._private())
        parts = {
            "about.txt": "\n".join(_about()),
            "findings.txt": "\n".join(map(_finding, self._findings())),
            "settings.txt": "\n".join(_settings(self._config)),
            "log.txt": self._journal(),
        }
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as report:
            for name, text in parts.items():
                report.writestr(name, scrubbed(text, private) + "\n")
        return f"companion-report-{self._wall():%Y-%m-%d}.zip", packed.getvalue()

    def _journal(self) -> str:
        """The log of the service since it was installed; that of this process where systemd has none."""
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            text = self._run(JOURNALCTL)
            if len(text.splitlines()) > 1:
                return text
        return "\n".join(self._log.lines)

    def _private(self) -> Iterator[str]:
        """The names of everybody who has played, and what names this machine and its networks."""
        with contextlib.suppress(CompanionError), read_journal(self._data.journal) as journal:
            for row in journal.games():
                yield from row.players
        if self._data.voices.is_dir():
            yield from (one.stem for one in self._data.voices.iterdir())
        if len(name := socket.gethostname()) > 2 and name not in ("companion", "localhost"):
            yield name
        for key in config_keys().values():
            section, _, field = key.key.partition(".")
            value = getattr(getattr(self._config, section), field)
            if key.kind == "text" and isinstance(value, str) and len(value) > 2:
                yield value


def _about() -> Iterator[str]:
    yield f"tabletop-companion {VERSION}"
    yield f"Python {platform.python_version()}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    for path in (
        "/proc/device-tree/model",
        "/etc/os-release",
        "/proc/meminfo",
        "/proc/uptime",
        "/proc/loadavg",
    ):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = Path(path).read_text(encoding="utf-8").strip("\0\n")
            yield f"--- {path}\n" + "\n".join(text.splitlines()[:6])
    yield f"--- groups: {len(os.getgroups())}"


def _finding(found: Finding) -> str:
    mark = "found  " if found.there else "missing"
    remedy = "" if found.remedy is None else f" -> {found.remedy}"
    return f"{mark}  {found.name}: {found.what}{remedy}"


def _settings(config: Config) -> Iterator[str]:
    """Each setting with its value; of texts only whether there is one."""
    values = msgspec.to_builtins(config)
    for key in config_keys().values():
        section, _, name = key.key.partition(".")
        value = values[section][name]
        shown = ("set" if value else "empty") if key.kind in ("text", "secret") else value
        yield f"{key.key} = {shown}"


def _run(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout
