"""A request to end a program, as a signal handler may make it."""

from __future__ import annotations

import queue


class EndRequest:
    """Made by a signal handler or another thread, waited for by the main thread.

    Not a `threading.Event`: its lock is held for a moment in each `wait`, and a handler that calls `set` just
    then waits for ever for the thread that it interrupts. `SimpleQueue.put` may interrupt `get`.

    >>> request = EndRequest()
    >>> request.wait(0.0)
    False
    >>> request.make()
    >>> request.wait(10.0)
    True
    """

    def __init__(self) -> None:
        self._made: queue.SimpleQueue[None] = queue.SimpleQueue()

    def make(self) -> None:
        """Asks the program to end."""
        self._made.put(None)

    def wait(self, seconds: float) -> bool:
        """Waits so long for a request; whether there is one. Each request ends one wait."""
        try:
            self._made.get(timeout=seconds)
        except queue.Empty:
            return False
        return True
