"""Many phones on the event stream, read by one thread of this process.

The service runs in a process of its own, as phones are machines of their own: a thread for each phone here
would take the processor time that is measured there.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import threading
import time
import zlib

REQUEST = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept-Encoding: gzip\r\n\r\n"


class StreamingPhone:
    """A connection to /events, compressed as browsers ask for it, and what has arrived on it.

    Attributes:
        refused: whether there was no place for the stream.
        bytes: received so far.
    """

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.sendall(REQUEST.format(port).encode())
        header = b""
        while b"\r\n\r\n" not in header:
            header += self.socket.recv(2**12)
        header, _, self._rest = header.partition(b"\r\n\r\n")
        self.refused = header[9:12] != b"200"
        self.bytes = 0
        self._chunks: list[tuple[float, bytes]] = []

    def read(self) -> bool:
        """Takes the bytes that have arrived; False: the connection has ended."""
        data = self.socket.recv(2**18)
        now = time.perf_counter()
        self.bytes += len(data)
        self._rest += data
        while (after := self._rest.find(b"\r\n") + 2) > 1:  # a chunk: its length, itself, a line end
            end = after + int(self._rest[: after - 2], 16)
            if len(self._rest) < end + 2:
                break
            self._chunks.append((now, self._rest[after:end]))
            self._rest = self._rest[end + 2 :]
        return bool(data)

    def arrived(self) -> dict[int, float]:
        """When the log of the game first had each length. The service sends each message in one chunk."""
        found: dict[int, float] = {}
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        for moment, chunk in self._chunks:
            _, _, data = unpacker.decompress(chunk).partition(b"data: {")
            if data:
                log = json.loads(b"{" + data)["snapshot"]["log"]
                found.setdefault(log[-1]["n"] if log else 0, moment)
        return found


class ListeningPhones:
    """So many phones that listen until the block ends.

    Args:
        port: of the pages on this machine.
    """

    def __init__(self, port: int, count: int) -> None:
        self.phones = [StreamingPhone(port) for _ in range(count)]
        self._selector = selectors.DefaultSelector()
        for phone in self.phones:
            self._selector.register(phone.socket, selectors.EVENT_READ, phone)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> list[StreamingPhone]:
        self._thread.start()
        return self.phones

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._selector.close()
        for phone in self.phones:
            phone.socket.close()

    def _listen(self) -> None:
        while not self._over.is_set():
            for key, _ in self._selector.select(0.1):
                alive = False
                with contextlib.suppress(OSError):
                    alive = key.data.read()
                if not alive:
                    self._selector.unregister(key.fileobj)
