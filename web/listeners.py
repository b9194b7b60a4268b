"""Counts the open event streams, so that idle phones cannot use up the server's threads."""

from __future__ import annotations

import threading


class Listeners:
    """A counter with a limit, for the open event streams. May be used from any thread."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    def join(self) -> bool:
        """Counts one more stream; False if the limit is reached."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Counts one stream less."""
        self._free.release()
