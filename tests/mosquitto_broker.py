"""A real Mosquitto for tests: started and killed at will, with passwords and access rules."""

from __future__ import annotations

import os
import queue
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
from free_port import free_port

from companion.core.config import Mqtt
from companion.mqtt.broker import BrokerConnection, ReceivedMessage

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/opt/homebrew/sbin") or ""
PASSWORDS = shutil.which("mosquitto_passwd", path="/usr/bin:/usr/local/bin:/opt/homebrew/bin") or ""


class Mosquitto:
    """A broker on a port of its own. Install it where it is missing: `apt install mosquitto`."""

    def __init__(self, folder: Path, *lines: str, users: dict[str, str] | None = None) -> None:
        assert PROGRAM, "the tests need Mosquitto: apt install mosquitto"
        self.port = free_port()
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        text = [f"listener {self.port} 127.0.0.1", "max_queued_messages 0", "persistence true"]
        text += [f"persistence_location {folder}/", "autosave_interval 1800"]
        if users is None:
            text.append("allow_anonymous true")
        else:
            self._write_passwords(users)
            text.append(f"password_file {folder / 'passwords'}")
        if os.geteuid() == 0:
            text.append("user root")  # else it becomes another user, who cannot read this folder
        (folder / "mosquitto.conf").write_text("\n".join([*text, *lines]) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _write_passwords(self, users: dict[str, str]) -> None:
        path = self.folder / "passwords"
        path.touch(mode=0o600)
        for name, password in users.items():
            subprocess.run([PASSWORDS, "-b", path, name, password], check=True, capture_output=True)

    def start(self) -> None:
        log = (self.folder / "mosquitto.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [PROGRAM, "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log
            )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.5).close()
                return
            except OSError:
                assert self._process.poll() is None, (self.folder / "mosquitto.log").read_text()
                time.sleep(0.02)
        raise AssertionError("Mosquitto does not listen")

    def kill(self, *, forget: bool = True) -> None:
        """Kills it as a power cut does: what it has not saved is lost; `forget`: what it has saved, too."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if forget:
            (self.folder / "mosquitto.db").unlink(missing_ok=True)

    def config(self, **changes: Any) -> Mqtt:
        """How a table reaches it."""
        return Mqtt(**{"host": "127.0.0.1", "port": self.port, "tls": False, "table": "window", **changes})


class Consumer:
    """A client that keeps everything it receives, in order."""

    def __init__(self, config: Mqtt, *topics: str, name: str = "consumer") -> None:
        self.messages: list[ReceivedMessage] = []
        self._arrived: queue.SimpleQueue[ReceivedMessage] = queue.SimpleQueue()
        self._connection = BrokerConnection(config, name)
        self._connection.receive(list(topics), lambda one, _number: self._arrived.put(one))
        self._connection.start()
        until(lambda: self._connection.connected)

    def on(self, level: str) -> list[dict[str, Any]]:
        """The payloads on a topic below that of a table, oldest first."""
        while not self._arrived.empty():
            self.messages.append(self._arrived.get())
        found = [one for one in self.messages if one.topic.split("/", 2)[2].startswith(level)]
        return [msgspec.json.decode(one.payload) for one in found]

    def send(self, topic: str, payload: bytes = b"", retain: bool = False) -> None:
        self._connection.publish(topic, payload, sure=True, retain=retain)

    def refused(self) -> bool:
        """Whether the broker refused the latest message that was sent."""
        return not self._connection.acknowledged.get(timeout=5).ok

    def close(self) -> None:
        self._connection.stop()


def until(condition: Any, seconds: float = 15.0) -> None:
    """Waits until a condition is true; fails after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this did not happen in time"
        time.sleep(0.02)
