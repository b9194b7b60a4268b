"""The pages' web server: listens on the port, passes requests to the Flask app, and can be stopped."""

from __future__ import annotations

import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from companion.announce.phrases import LOCALE
from companion.announce.render import TableRenderer
from companion.core.errors import Unavailable
from companion.runtime.app import App
from companion.table.story import phrases

if TYPE_CHECKING:
    from flask import Flask


class WebServer:
    """A web server (waitress) on threads of its own.

    The loop runs here instead of in waitress, whose own loop cannot be ended before its sockets are closed.
    """

    TURN_S = 0.2

    def __init__(self, pages: Flask, host: str, port: int, threads: int) -> None:
        """
        Args:
            port: 0 takes any free port.

        Raises:
            Unavailable: the port is in use or not allowed.
        """
        from waitress.server import create_server

        try:
            self._sockets: dict[int, Any] = {}
            self._server: Any = create_server(
                pages, map=self._sockets, host=host, port=port, threads=threads, ident="companion"
            )
        except (OSError, ValueError) as error:
            why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise Unavailable("pages.port_taken", port=port, why=why) from error
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)

    @property
    def port(self) -> int:
        """The port on which it listens."""
        server = self._server
        return int(getattr(server, "effective_port", None) or server.effective_listen[0][1])

    def start(self) -> None:
        """Starts to serve requests."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stops serving. The owner of open event streams must end them before, or the threads keep
        running."""
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


class PagesServer(WebServer):
    """The web server of an app's pages, as configured."""

    def __init__(self, app: App) -> None:
        """
        Raises:
            Unavailable: the port is in use or not allowed.
        """
        from web import create_app

        pages = app.config.pages
        wsgi = create_app(
            app.host,
            secret_key=app.data.key(),
            clock=app.clock,
            locale_dir=LOCALE,
            language=app.config.table.language,
            writer=TableRenderer(phrases),
        )
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        super().__init__(wsgi, pages.host, pages.port, pages.threads)
        app.host.address.port = self.port
