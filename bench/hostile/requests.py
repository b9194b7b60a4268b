"""Hostile requests: every address with broken paths, headers, bodies and values, as a guest."""

from __future__ import annotations

import json
import random
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.hostile.target import Target
from web.route import Route
from web.routes import ROUTES

SLOW_S = 10.0
"""An answer that takes longer counts as a hang."""
STRINGS = (
    "", "Ida", "Zoe", "\x00", "\ud83d\ude00", "x" * 3000, "../../key", "<script>", "%s%n", "{0.__class__}",
    "' OR 1=1 --", "\u202e", "NaN", "-0", "1e400", "\n\r\n", "__proto__", "card_played", "display_scanned",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63), 10**40, 1.5, 1e308, True, None)
HEADERS = (
    ("Origin", "http://["),
    ("Origin", "null"),
    ("Origin", ""),
    ("Host", "["),
    ("Host", "a" * 70 + ".local"),
    ("Host", "evil.example.org"),
    ("Cookie", "companion=forged.forged"),
    ("Cookie", "companion=" + "A" * 3000),
    ("Accept-Language", "x" * 2000),
    ("Accept-Language", "de;q=nan"),
    ("If-None-Match", '"' + "x" * 900),
    ("Last-Event-ID", "9" * 400),
    ("Idempotency-Key", "\u00e4"),
    ("Idempotency-Key", "k" * 400),
    ("Content-Type", "multipart/form-data; boundary="),
    ("Content-Type", "application/x-www-form-urlencoded"),
    ("Content-Length", "-1"),
    ("Content-Length", "99999999999999999999"),
    ("Transfer-Encoding", "gzip, chunked"),
    ("Range", "bytes=-1"),
    ("Expect", "nonsense"),
    ("Sec-Fetch-Site", "cross-site"),
    ("X-Forwarded-For", "::"),
)
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "G\u00cbT", "")
SEGMENTS = ("1", "-1", "0", "p1", "..%2f..%2fkey", "%00", "a" * 400, "9" * 30, "1.zip", "%ff")


class Attack:
    """Makes the requests of one thread from a seed; counts what comes back."""

    def __init__(self, running: Target, seed: int) -> None:
        self._running = running
        self._random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def run(self, requests: int) -> Counter[str]:
        """Sends so many requests, one after the other."""
        for _ in range(requests):
            self._one()
        return self.counts

    def _one(self) -> None:
        route = self._random.choice(ROUTES)
        while route.path == "/events":
            route = self._random.choice(ROUTES)
        raw = self._request(route)
        try:
            status = self._send(raw)
        except TimeoutError:
            self.counts["hang"] += 1
            self.faults.append(f"hang {raw[:200]!r}")
            return
        except OSError:
            status = 0  # the server has closed the connection: a refusal
        self.counts[str(status)] += 1
        if status == 500 or status > 503:
            self.counts["fault"] += 1
            self.faults.append(f"{status} {raw[:300]!r}")
        if route.access == "referee" and raw.startswith(route.method.encode() + b" " + route.path.encode()):
            self.counts["rights"] += 200 <= status < 300 and route.method == "POST"

    def _request(self, route: Route) -> bytes:
        choose = self._random.choice
        method = route.method if self._random.random() < 0.9 else choose(METHODS)
        path = route.path
        for name in ("photo_id", "name", "game"):
            path = path.replace("{" + name + "}", self._segment())
        if self._random.random() < 0.1:
            path += choose(("?", "?x=%ff", "/", "%00", "?game=" + "x" * 900, "#", ";a=b", "//"))
        body = self._body(route)
        headers = {
            "Host": f"127.0.0.1:{self._running.port}",
            "Origin": f"http://127.0.0.1:{self._running.port}",
            "Connection": "close",
            "Content-Length": str(len(body)),
        }
        for _ in range(self._random.choice((0, 0, 1, 2))):
            headers.update([choose(HEADERS)])
        fields = [f"{name}: {value}" for name, value in headers.items()]
        lines = [f"{method} {path} HTTP/1.{choose('1111109')}", *fields]
        return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + body

    def _segment(self) -> str:
        return self._random.choice(SEGMENTS)

    def _body(self, route: Route) -> bytes:
        kind = self._random.random()
        if route.method == "GET":
            return b""
        if kind < 0.1:
            return self._random.randbytes(self._random.choice((1, 20, 900)))
        if kind < 0.15:
            return b"[" * 900
        if route.form and kind < 0.6:
            return b"--b\r\nContent-Disposition: form-data; name=picture\r\n\r\n\xff\xd8\xff\r\n--b--"
        body = json.dumps(self._object(route)).encode()
        if kind > 0.95:
            place = self._random.randrange(len(body))
            body = body[:place] + self._random.randbytes(1) + body[place + 1 :]
        return body

    def _object(self, route: Route) -> Any:
        fields = getattr(route.body, "__struct_fields__", ("event", "player", "card", "t"))
        return {name: self._value(3) for name in fields if self._random.random() < 0.9}

    def _value(self, depth: int) -> Any:
        kind = self._random.random()
        if depth == 0 or kind < 0.4:
            return self._random.choice(STRINGS)
        if kind < 0.7:
            return self._random.choice(NUMBERS)
        if kind < 0.85:
            return [self._value(depth - 1) for _ in range(self._random.randrange(4))]
        names = self._random.sample(STRINGS, self._random.randrange(4))
        return {name: self._value(depth - 1) for name in names}

    def _send(self, raw: bytes) -> int:
        address = f"127.0.{self._random.randrange(4)}.{self._random.randrange(1, 250)}"
        with socket.create_connection(("127.0.0.1", self._running.port), SLOW_S, (address, 0)) as sock:
            sock.sendall(raw)
            sock.shutdown(socket.SHUT_WR)
            head = sock.recv(200)
        parts = head.split(b" ", 2)
        return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0


def attack(running: Target, requests: int, seed: int, threads: int = 4) -> tuple[Counter[str], list[str]]:
    """Sends hostile requests from many addresses; what came back, and the requests that caused faults."""
    attacks = [Attack(running, seed + number) for number in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        counts = list(pool.map(lambda one: one.run(requests // threads), attacks))
    return sum(counts, Counter()), [fault for one in attacks for fault in one.faults]
