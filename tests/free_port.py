"""A port for a server that a test starts."""

from __future__ import annotations

import random
import socket


def free_port() -> int:
    """A port that nobody listens on, below those that the system gives to outgoing connections: one of these
    may be taken by another test before a server of this one listens on it."""
    chosen = random.SystemRandom()
    while True:
        port = chosen.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
