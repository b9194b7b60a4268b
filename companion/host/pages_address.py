"""The address under which phones reach the pages."""

from __future__ import annotations

import socket


class PagesAddress:
    """The configured address, else this machine's own with the port of the web server.

    Args:
        url: the configured address; "": none.
        port: the configured port; 0: any free one, which the web server sets once it listens.
    """

    def __init__(self, url: str, port: int) -> None:
        self._url = url
        self.port = port
        """The port that the pages are served on."""

    @property
    def url(self) -> str:
        """E.g. `http://192.168.1.20:8080/`."""
        return self._url or f"http://{own_address()}:{self.port}/"


def own_address() -> str:
    """This machine's address in its network. Reads the routing table only: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 of RFC 5737: an address that no machine has
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
