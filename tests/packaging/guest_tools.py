#!/usr/bin/python3
"""What the checks inside a container or virtual machine have in common, with Python's own library only."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

OUT = Path("/out")
"""Here the checks leave what they find."""


def run(*command: str, good: bool = True) -> str:
    """What a command prints; if `good`, it must end with the exit status 0."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert not good or done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def until(what: Callable[[], Any], limit_s: float, why: str, pause_s: float = 0.5) -> float:
    """Waits until `what()` is true; the seconds that it took."""
    begun = time.monotonic()
    while time.monotonic() - begun < limit_s:
        if what():
            return round(time.monotonic() - begun, 1)
        time.sleep(pause_s)
    raise AssertionError(f"{why}: not within {limit_s} s")


def show(key: str, unit: str = "companion.service") -> str:
    """A property of a unit."""
    return run("systemctl", "show", "--value", "-p", key, unit).strip()


def in_namespace(namespace: str, *command: str, good: bool = True) -> str:
    """What a command prints that is run in a network namespace: another machine in the same network."""
    return run("ip", "netns", "exec", namespace, *command, good=good).strip()


def resolved(namespace: str, address: str) -> str:
    """The address of companion.local as the machine of a namespace, at `address`, learns it; "": none."""
    found = in_namespace(namespace, sys.executable, __file__, "resolve", address, good=False)
    return found if found.count(".") == 3 else ""


def _resolve(own: str) -> str:
    """Asks by multicast DNS for companion.local."""
    name = b"\x09companion\x05local\0"
    question = struct.pack("!6H", 7, 0, 1, 0, 0, 0) + name + struct.pack("!2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
        phone.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
        phone.settimeout(5)
        phone.sendto(question, ("224.0.0.251", 5353))
        answer = phone.recv(9000)
    at = answer.index(struct.pack("!H", 4), len(question))
    return socket.inet_ntoa(answer[at + 2 : at + 6])


def carried_out(checks: tuple[Callable[[], None], ...], figures: Mapping[str, Any]) -> int:
    """Runs the checks one after the other and writes log, figures and the system's journal; the number of
    checks that failed."""
    failed = 0
    os.chdir("/root")
    with (OUT / "checks.log").open("w", buffering=1) as log:
        for check in checks:
            begun = time.monotonic()
            try:
                check()
                result = "passed"
            except Exception:
                failed += 1
                result = "FAILED"
                log.write("".join(traceback.format_exc().splitlines(keepends=True)[-4:]))
            log.write(f"{result}  {check.__name__}  {time.monotonic() - begun:.1f} s\n")
        log.write(json.dumps(figures) + "\n")
    journal = run("journalctl", "--boot", "--no-pager", "-o", "short-monotonic", good=False)
    (OUT / "journal.log").write_text(journal)
    (OUT / "failed").write_text(str(failed))
    return failed


if __name__ == "__main__":
    print(_resolve(sys.argv[2]))
