"""Settings saved from a phone are in force after a restart, and the phone is still known."""

import http.cookiejar
import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from free_port import free_port

from companion.core.config import load
from companion.games import game_names

CLI = [sys.executable, "-c", "from companion.commands.cli import main; main()"]
STARTS_S = 60.0


class Phone:
    """A phone with its cookies."""

    def __init__(self, base: str) -> None:
        self.base = base
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar)

    def get(self, path: str) -> Any:
        with self.opener.open(self.base + path, timeout=30) as answer:
            return json.load(answer)

    def post(self, path: str, data: object) -> Any:
        headers = {"Content-Type": "application/json", "Origin": self.base}
        request = urllib.request.Request(self.base + path, json.dumps(data).encode(), headers)
        with self.opener.open(request, timeout=30) as answer:
            return json.load(answer)

    def until_run_after(self, run: str) -> Any:
        """The settings, as soon as another run of the service shows them."""
        deadline = time.monotonic() + STARTS_S
        while time.monotonic() < deadline:
            try:
                found = self.get("/api/settings")
            except (urllib.error.URLError, OSError):
                found = None
            if found and found["run"] != run:
                return found
            time.sleep(0.2)
        raise AssertionError("the service has not started again")


def test_the_service_takes_new_settings_over(tmp_path: Path) -> None:
    port = free_port()
    data = tmp_path / "data"
    data.mkdir()
    (data / "config.toml").write_text('[camera]\nbackend = "none"  # no camera here\n')
    arguments = ["serve", "--simulated", "--port", str(port), "--data", str(data), "--no-browser"]
    with subprocess.Popen([*CLI, *arguments], stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            said = service.stdout.readline()
            phone = Phone(f"http://127.0.0.1:{port}")
            phone.post("/api/role", {"code": said.split("code ")[1][:6]})
            before = phone.get("/api/settings")
            assert phone.get("/api/devices")["buttons"] == []
            values = {"buttons.seats": [5, 6], "table.language": "de"}
            saved = phone.post("/api/settings/save", {"values": values, "version": before["version"]})
            assert saved == {"ok": True, "run": before["run"]}
            after = phone.until_run_after(before["run"])
            assert {one["key"]: one["value"] for one in after["fields"]}["table.language"] == "de"
            assert [one["gpio"] for one in phone.get("/api/devices")["buttons"]] == [5, 6]
            assert "# no camera here" in (data / "config.toml").read_text()
            assert load(data / "config.toml", game_names()).buttons.seats == [5, 6]
        finally:
            service.send_signal(signal.SIGTERM)
            assert service.wait(30) == 0
