"""Many addresses guess the code that makes a phone the referee's, while a screen at the table shows one."""

from __future__ import annotations

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor

from bench.hostile.target import Target

ADDRESSES = 300
AT_ONCE = 4
SCREEN_S = 1.0
"""Seconds between two requests of the screen for the code that it shows."""


class Guesses:
    """What the addresses did within the given time, and what the table noticed."""

    def __init__(self, running: Target) -> None:
        self._running = running
        self.found = 0
        """How many addresses became the referee."""
        self.sent = 0
        self.waiting = 0
        """How many codes were not looked at, because their addresses had to wait."""
        self.said_after: int | None = None
        """How many codes had been sent when the table announced that somebody guesses."""

    def run(self, seconds: float, per_s: float) -> None:
        """Sends codes from all addresses in turn for so many seconds, at most `per_s` a second; the codes
        are 0, 1, 2 and so on."""
        began = time.monotonic()
        screen = began
        with ThreadPoolExecutor(AT_ONCE) as pool:
            while (now := time.monotonic()) < began + seconds:
                if now >= screen:
                    self._running.request("GET", "/api/pairing/shown")
                    screen = now + SCREEN_S
                answers = list(pool.map(self._guess, range(self.sent, self.sent + AT_ONCE)))
                self.sent += len(answers)
                self.waiting += answers.count(429)
                self.found += answers.count(200)
                if self.said_after is None and self._announced():
                    self.said_after = self.sent
                time.sleep(max(0.0, began + self.sent / per_s - time.monotonic()))

    def _guess(self, number: int) -> int:
        place = number % ADDRESSES
        body = json.dumps({"code": f"{number % 1_000_000:06d}"}).encode()
        address = f"127.0.{1 + place // 200}.{1 + place % 200}"
        try:
            return self._running.request("POST", "/api/role", body, address=address)[0]
        except (OSError, http.client.HTTPException):
            return 0  # the server has closed the connection: a refusal

    def _announced(self) -> bool:
        latest = json.loads(self._running.request("GET", "/state.json")[1])["announcement"]
        return latest is not None and latest["code"] == "wrong_codes"
