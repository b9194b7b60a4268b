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


HEADER_BYTES = 16 * 1024
"""The longest header of a request."""
UNREAD_BYTES = 256 * 1024
"""Bytes that wait for a phone that reads slowly; more is written when it has read them."""


class WebServer:
    """A web server (waitress) on threads of its own.

    The loop runs here instead of in waitress, whose own loop cannot be ended before its sockets are closed.
    """

    TURN_S = 0.2

    def __init__(self, pages: Flask, host: str, port: int, threads: int) -> None:
        """
        Args:
            host: address to listen on; of a name with several addresses, the first.
            port: 0 takes any free port.

        Raises:
            Unavailable: the port is in use or not allowed.
        """
        from waitress.adjustments import Adjustments

        from companion.runtime.connections import LimitedServer
        from web.routes import body_limit

        try:
            self._sockets: dict[int, Any] = {}
            adjustments = Adjustments(
                host=host,
                port=port,
                threads=threads,
                ident="companion",
                max_request_header_size=HEADER_BYTES,
                outbuf_high_watermark=UNREAD_BYTES,
                backlog=256,
            )
            self._server: Any = LimitedServer(
                pages, map=self._sockets, adj=adjustments, sockinfo=adjustments.listen[0], limit=body_limit
            )
        except (OSError, ValueError) as error:
            why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise Unavailable("pages.port_taken", port=port, why=why) from error
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pages", daemon=True)

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
