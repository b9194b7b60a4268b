"""The pages' web server: listens on the port, passes requests to the Flask app, and can be stopped."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.announce.phrases import LOCALE
from companion.announce.render import TableRenderer
from companion.core.errors import Unavailable
from companion.core.serving import ServerLoop
from companion.host.pages_address import HTTP_PORT
from companion.runtime.app import App
from companion.table.story import phrases

if TYPE_CHECKING:
    from flask import Flask


HEADER_BYTES = 16 * 1024
"""The longest header of a request."""
UNREAD_BYTES = 256 * 1024
"""Bytes that wait for a phone that reads slowly; more is written when it has read them."""


THREADS = 16
"""Threads that answer requests; streams need none."""
NOT_STREAMS = 8
"""The configured number of threads less this is that of streams: each once had a thread of its own."""


class WebServer(ServerLoop):
    """A web server (waitress) on threads of its own."""

    def __init__(
        self, pages: Flask, host: str, port: int, threads: int, inherited: Sequence[socket.socket] = ()
    ) -> None:
        """
        Args:
            host: address to listen on; of a name with several addresses, the first.
            port: 0 takes any free port.
            inherited: sockets that listen already, e.g. on port 80, which needs a privilege.

        Raises:
            Unavailable: the port is in use or not allowed.
        """
        from waitress.adjustments import Adjustments

        from companion.runtime.connections import LimitedServer
        from web.routes import body_limit

        try:
            sockets: dict[int, Any] = {}
            adjustments = Adjustments(
                host=host,
                port=port,
                threads=threads,
                ident="companion",
                max_request_header_size=HEADER_BYTES,
                outbuf_high_watermark=UNREAD_BYTES,
                backlog=256,
            )
            main: Any = LimitedServer(
                pages, map=sockets, adj=adjustments, sockinfo=adjustments.listen[0], limit=body_limit
            )
            for each in inherited:
                server: Any = LimitedServer(
                    pages,
                    map=sockets,
                    adj=adjustments,
                    sockinfo=adjustments.listen[0],
                    limit=body_limit,
                    _sock=each,
                    bind_socket=False,
                    dispatcher=main.task_dispatcher,
                )
                server.active_channels = main.active_channels  # the limits are for both together
        except (OSError, ValueError) as error:
            why = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise Unavailable("pages.port_taken", port=port, why=why) from error
        super().__init__(main, sockets, "pages")


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
            listeners=pages.threads - NOT_STREAMS,
            writer=TableRenderer(phrases),
        )
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        inherited = inherited_sockets(os.environ)
        super().__init__(wsgi, pages.host, pages.port, THREADS, inherited)
        ports = [int(each.getsockname()[1]) for each in inherited]
        app.host.address.port = HTTP_PORT if HTTP_PORT in ports else self.port


FIRST_INHERITED = 3
"""The file descriptor of the first socket that systemd passes (sd_listen_fds(3))."""


def inherited_sockets(environ: Mapping[str, str]) -> list[socket.socket]:
    """The listening sockets that systemd has opened for this process."""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(environ.get("LISTEN_FDS", "0"))
    found = [socket.socket(fileno=FIRST_INHERITED + i) for i in range(count)]
    for each in found:
        each.setblocking(False)
        os.set_inheritable(each.fileno(), False)
    return found
