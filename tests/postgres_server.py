"""A real PostgreSQL for tests, in a folder of its own, reached by a socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


class PostgresServer:
    """Install it where it is missing: `apt install postgresql`. It refuses to run as root, so root starts it
    as the user `postgres`."""

    def __init__(self) -> None:
        assert PLACES, "the tests need PostgreSQL: apt install postgresql"
        self._folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # a socket's path must be short
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "hub", "--no-sync", "-E", "UTF8")
        options = f"-k {self._folder} -h '' -c fsync=off"
        self._run("pg_ctl", "-D", self._data, "-o", options, "-l", str(self._folder / "log"), "-w", "start")
        self._databases = 0

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def database(self) -> str:
        """The address of a new, empty database."""
        self._databases += 1
        name = f"hub{self._databases}"
        self._run("createdb", "-h", str(self._folder), "-U", "hub", name)
        return f"postgresql+psycopg://hub@/{name}?host={self._folder}"

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        shutil.rmtree(self._folder)

    def _run(self, program: str, *arguments: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*user, str(PLACES[-1] / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/tmp", timeout=120)
