"""A way to the table that can stall, as a Wi-Fi does: connections stay open and carry nothing."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

CHUNK = 65536
PAUSE_S = 0.02


class StallingProxy:
    """Passes TCP connections on to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._flows = threading.Event()
        self._flows.set()
        self._stopped = False
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Nothing passes from now on."""
        self._flows.clear()

    def go_on(self) -> None:
        """What waited passes, and what comes."""
        self._flows.set()

    def stop(self) -> None:
        """Closes everything."""
        self._stopped = True
        self._flows.set()
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._server.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError), one, other:
            while not self._stopped and (data := one.recv(CHUNK)):
                while not self._flows.is_set():
                    time.sleep(PAUSE_S)
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def stalling(address: str) -> Iterator[tuple[str, StallingProxy]]:
    """A proxy of the table at this address; gives its own address."""
    proxy = StallingProxy(urlsplit(address).port or 80)
    try:
        yield f"http://127.0.0.1:{proxy.port}", proxy
    finally:
        proxy.stop()
