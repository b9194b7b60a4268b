"""The loop of a web server (waitress) on a thread of its own, which can be ended in order."""

from __future__ import annotations

import threading
from typing import Any


class ServerLoop:
    """Serves until it is stopped.

    The loop runs here instead of in waitress, whose own loop cannot be ended before its sockets are closed.
    """

    TURN_S = 0.2
    """Seconds after which the loop looks whether it should end."""

    def __init__(self, server: Any, sockets: dict[int, Any], name: str) -> None:
        """
        Args:
            server: made by waitress with `sockets` as its map.
            name: of the thread.
        """
        self._server = server
        self._sockets = sockets
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Starts to serve requests."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stops serving. Open event streams are cut; their owner may end them before."""
        from waitress import wasyncore

        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._server.task_dispatcher.shutdown(timeout=0.5)
        self._server.close()
        wasyncore.close_all(self._sockets, ignore_all=True)

    def _run(self) -> None:
        from waitress import wasyncore

        while not self._stopping.is_set():
            wasyncore.loop(timeout=self.TURN_S, use_poll=True, map=self._sockets, count=1)
