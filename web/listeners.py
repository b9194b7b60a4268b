"""Counts the open event streams, so that idle phones cannot use up the server's threads."""

from __future__ import annotations

import threading


class Listeners:
    """A fixed number of places, one for each open stream."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    def join(self) -> bool:
        """Takes a place; False if all are taken."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Gives the place back."""
        self._free.release()
