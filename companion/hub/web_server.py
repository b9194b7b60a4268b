"""The web server of the hub's pages (waitress)."""

from __future__ import annotations

from typing import Any

from companion.core.errors import Unavailable
from companion.core.serving import ServerLoop
from companion.hub.settings import HubPages


class HubWebServer(ServerLoop):
    """Serves the hub's pages on threads of its own."""

    def __init__(self, pages: Any, where: HubPages) -> None:
        """
        Raises:
            Unavailable: the port is in use or not allowed.
        """
        from waitress.server import create_server

        sockets: dict[int, Any] = {}
        try:
            server = create_server(
                pages,
                map=sockets,
                host=where.host,
                port=where.port,
                threads=where.threads,
                ident="companion-hub",
                channel_timeout=30,
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise Unavailable("hub.port_taken", port=where.port, why=why) from error
        super().__init__(server, sockets, "hub pages")
