"""Watches a hub from outside: when a result is in its database, and how long its pages take meanwhile."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from statistics import median

from companion.core.errors import CompanionError
from companion.hub.database import HubDatabase

LOOK_EVERY_S = 0.05
"""Seconds between two looks: by so much a latency may be too great."""
OVERLAP_S = 5.0
"""A result may be seen so much later than it was received."""
SCREEN_EVERY_S = 2.0
"""Seconds after which a page of the hub asks again."""


class ResultWatch:
    """A thread that notes when each result can be read by others; from then on it is in the standings."""

    def __init__(self, database: str) -> None:
        self.seen: dict[str, float] = {}
        """Id of a game -> when its result was there, in seconds since 1970."""
        self._database = HubDatabase(database)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._stopping.set()
        self._thread.join()
        self._database.close()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_EVERY_S):
            since = (datetime.now(UTC) - timedelta(seconds=OVERLAP_S)).isoformat(timespec="milliseconds")
            try:
                rows = self._database.rows(
                    "SELECT game FROM hall_result WHERE received >= :since", since=since
                )
            except CompanionError:  # PostgreSQL is being killed, too
                continue
            now = time.time()
            for row in rows:
                self.seen.setdefault(row.game, now)


class HallScreen:
    """A thread that asks for a page again and again, as a screen in the hall does."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._times: list[float] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> dict[str, float]:
        """Ends the thread; returns the number of answers, and the median and the longest time of them in
        milliseconds."""
        self._stopping.set()
        self._thread.join()
        if not self._times:
            return {"answers": 0}
        return {
            "answers": len(self._times),
            "median_ms": round(median(self._times) * 1000, 1),
            "most_ms": round(max(self._times) * 1000, 1),
        }

    def _run(self) -> None:
        while not self._stopping.wait(SCREEN_EVERY_S):
            began = time.monotonic()
            connection = HTTPConnection("127.0.0.1", self._port, timeout=30)
            try:
                connection.request("GET", self._path)
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    self._times.append(time.monotonic() - began)
            except (OSError, HTTPException):  # the hub is being killed
                pass
            finally:
                connection.close()


def hub_messages(port: int) -> int:
    """How many messages the hub has read since its start."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
    finally:
        connection.close()
    [value] = [one.split()[1] for one in lines if one.startswith("companion_hub_messages_total ")]
    return int(value)
