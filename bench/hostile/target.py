"""The service that is attacked or measured: a process of its own, with its data in a temporary folder."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.store.pairing import PairingFile

GAME = {"game": "seven_merry_monsters", "players": ["Ida", "Jo", "Kai"], "settings": {"tracking": "scan"}}


class Target:
    """A running service and its referee's phone."""

    def __init__(self, data: Path) -> None:
        self.data = data
        run = "import sys; from companion.commands.cli import main; sys.exit(main())"
        options = ("--simulated", "--no-browser", "--port", "0", "--data", str(data))
        self.process = subprocess.Popen(
            [sys.executable, "-c", run, "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", said)
        if found is None:
            raise SystemExit(f"the service does not start: {said}")
        self.port = int(found[1])
        self.cookie = ""

    def pair(self) -> None:
        """Makes the phone behind `post` the referee's."""
        code, _ = PairingFile(self.data).fresh()
        status, _, headers = self.request("POST", "/api/role", json.dumps({"code": code}).encode())
        assert status == 200
        self.cookie = headers["set-cookie"].split(";")[0]

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        address: str = "127.0.0.1",
        timeout: float = 10.0,
    ) -> tuple[int, bytes, dict[str, str]]:
        """Sends a request from an address of this machine; status, body and headers of the answer."""
        sent = {"Origin": f"http://127.0.0.1:{self.port}", **({"Cookie": self.cookie} if self.cookie else {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout, (address, 0))
        try:
            connection.request(method, path, body or None, {**sent, **(headers or {})})
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, answer.read(), found
        finally:
            connection.close()

    def post(self, path: str, **data: Any) -> dict[str, Any]:
        """A POST of the referee's phone."""
        reply: dict[str, Any] = json.loads(self.request("POST", path, json.dumps(data).encode())[1])
        return reply

    def memory_mb(self) -> float:
        """Resident memory of the service without its processes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * 4096 / 2**20

    def written_bytes(self) -> int:
        """Bytes that the service has written to disk."""
        text = Path(f"/proc/{self.process.pid}/io").read_text()
        found = re.search(r"write_bytes: (\d+)", text)
        return int(found[1]) if found else 0

    def answer_s(self, address: str = "127.0.0.9") -> float:
        """Seconds until a newcomer has the state."""
        began = time.perf_counter()
        status, _, _ = self.request("GET", "/state.json", address=address, timeout=30.0)
        assert status == 200, status
        return time.perf_counter() - began

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.communicate()

    def close(self) -> None:
        """Ends the service."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.communicate(timeout=10)
        self.process.kill()


@contextlib.contextmanager
def target(data: Path, settings: str = "") -> Iterator[Target]:
    """A service without a camera until the block ends; `settings`: more sections of its configuration."""
    data.mkdir(parents=True, exist_ok=True)
    (data / "config.toml").write_text(f'[camera]\nbackend = "none"\n{settings}')
    running = Target(data)
    try:
        yield running
    finally:
        running.close()
