"""One address that holds idle, trickling and listening connections, and a guest that floods: what others
notice."""

from __future__ import annotations

import contextlib
import json
import socket
import time

from bench.hostile.target import GAME, Target

HOG = "127.0.0.2"


def newcomers(running: Target, count: int = 12) -> list[float]:
    """Seconds until each of some newcomers has the state while one address holds 500 idle and 100 trickling
    connections and opens 60 event streams."""
    request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        socks = []
        for number in range(660):
            with contextlib.suppress(OSError):
                sock = held.enter_context(socket.create_connection(("127.0.0.1", running.port), 5, (HOG, 0)))
                socks.append(sock)
                if 500 <= number < 600:
                    sock.sendall(request[:10])
                elif number >= 600:
                    sock.sendall(request)
        found = []
        for number in range(count):
            for sock in socks[500:600]:
                with contextlib.suppress(OSError):
                    sock.sendall(b"x")
            found.append(running.answer_s(f"127.0.1.{number + 1}"))
        return found


def flood(running: Target) -> tuple[float, float]:
    """A guest claims a player and sends 70 large events that the rules refuse. Bytes of a change at
    another phone afterwards, as a multiple of those before, and megabytes written meanwhile."""
    running.pair()
    running.post("/api/command/new_game", **GAME)
    before, written = _change_bytes(running), running.written_bytes()
    referee, running.cookie = running.cookie, ""
    _, _, headers = running.request("POST", "/api/me", b'{"player": "Ida"}', address="127.0.0.3")
    running.cookie = headers["set-cookie"].split(";")[0]
    for size in (60_000, 7_000):
        event = {"event": "display_scanned", "player": "Ida", "display": {}, "note": "x" * size}
        for _ in range(35):
            with contextlib.suppress(OSError):
                running.request("POST", "/api/command/event", json.dumps(event).encode(), address="127.0.0.3")
    running.cookie = referee
    return _change_bytes(running) / before, (running.written_bytes() - written) / 2**20


def _change_bytes(running: Target) -> float:
    return float(len(running.request("GET", "/state.json")[1]))


def pages(running: Target, count: int = 500) -> tuple[int, float]:
    """So many phones open the board, a stream, or ask for the state: how many get an answer, and the
    memory in MB that the service takes more."""
    before, answered = running.memory_mb(), 0
    request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        socks = []
        for number in range(count):
            address = (f"127.0.{2 + number // 200}.{1 + number % 200}", 0)
            sock = held.enter_context(socket.create_connection(("127.0.0.1", running.port), 10, address))
            sock.sendall(request)
            socks.append(sock)
        for sock in socks:
            with contextlib.suppress(OSError):
                sock.settimeout(10.0)
                answered += sock.recv(100).startswith((b"HTTP/1.1 200", b"HTTP/1.1 503"))
        time.sleep(1.0)
        return answered, running.memory_mb() - before
