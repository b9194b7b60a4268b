"""The web server of the hub's pages (waitress)."""

from __future__ import annotations

import threading
from typing import Any

from companion.core.errors import Unavailable
from companion.hub.settings import HubPages

TURN_S = 0.2
"""Seconds after which the loop looks whether it should end."""


class HubWebServer:
    """Serves on threads of its own. The loop runs here: waitress' own cannot be ended in order.

    Raises:
        Unavailable: the port is in use or not allowed.
    """

    def __init__(self, pages: Any, where: HubPages) -> None:
        from waitress.server import create_server

        self._sockets: dict[int, Any] = {}
        try:
            self._server: Any = create_server(
                pages,
                map=self._sockets,
                host=where.host,
                port=where.port,
                threads=where.threads,
                ident="companion-hub",
                channel_timeout=30,
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise Unavailable("pages.port_taken", port=where.port, why=why) from error
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub pages", daemon=True)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Starts to serve requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stops serving."""
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
            wasyncore.loop(timeout=TURN_S, use_poll=True, map=self._sockets, count=1)
