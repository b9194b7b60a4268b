"""Connections of phones: how many there may be, how long a request may take to arrive, how long its body
may be.

waitress alone stops accepting at its limit, so that one address with many idle connections shuts newcomers
out. Here a newcomer is always let in: the address with the most connections loses the one that has been
idle for longest.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge, ServerNotImplemented

from web.streams import HAND_OVER, Taker

MOST = 600
"""Connections in all."""
MOST_PER_ADDRESS = 256
"""Connections of one address."""
MOST_UPLOADS = 4
"""Bodies longer than UPLOAD_BYTES that may arrive at the same time."""
UPLOAD_BYTES = 256 * 1024
AT_ONCE = 64
"""Connections that are accepted in one turn of the loop."""
IDLE_S = 60.0
"""Seconds after which a connection without a request is closed."""
HEADER_S = 10.0
"""Seconds within which the header of a request must have arrived."""
SLOWEST_BYTES_PER_S = 16_000.0
"""A body must arrive this fast, after HEADER_S."""
UNREAD_S = 20.0
"""Seconds after which a phone that does not read its answer is given up."""
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 39\r\n\r\n"
    b"Too many phones at once. Try again soon"
)

BodyLimit = Callable[[str, str], int]
"""Method and path of a request -> the most bytes of its body."""


class TooBusy(Error):  # type: ignore[misc]
    """Too many uploads at once."""

    code = 503
    reason = "Service Unavailable"


class LimitedParser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses a body by its size before it is stored anywhere."""

    error: Error | None
    limit: BodyLimit
    may_upload: Callable[[], bool]

    def received(self, data: bytes) -> int:
        """Takes bytes from the connection; returns how many belong to this request."""
        before = self.headers_finished
        consumed: int = super().received(data)
        if isinstance(self.error, ServerNotImplemented):  # a Transfer-Encoding that no browser sends
            self.error = BadRequest(self.error.body)
        if not self.headers_finished or self.error is not None:
            return consumed
        most = self.limit(self.command, self.path)
        if max(self.content_length, self.body_bytes_received) > most:
            self._refuse(RequestEntityTooLarge(f"exceeds {most} bytes"))
        elif not before and self.content_length > UPLOAD_BYTES and not self.may_upload():
            self._refuse(TooBusy("too many pictures at once: try again in a few seconds"))
        return consumed

    def _refuse(self, error: Error) -> None:
        self.error = error
        self.completed = True


class HandingTask(WSGITask):  # type: ignore[misc]
    """One request. Its connection may be handed over: the response goes on without a thread then."""

    taker: Taker | None = None

    def get_environment(self) -> dict[str, Any]:
        """The WSGI environment, with the function that hands the connection over."""
        return {**super().get_environment(), HAND_OVER: self._hand_over}

    def _hand_over(self, taker: Taker) -> None:
        self.taker = taker

    def service(self) -> None:
        """Serves the request. A connection that broke before it was handed over is closed for its taker."""
        try:
            super().service()
        finally:
            if self.taker is not None:
                self.taker.closed()

    def finish(self) -> None:
        """Ends the response, or hands it over."""
        if self.taker is None:
            super().finish()
            return
        if not self.wrote_header:
            self.write(b"")
        taker, self.taker = self.taker, None
        self.close_on_finish = False
        self.channel.hand_over(taker, self.chunked_response)


class LimitedChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, with its times on the monotonic clock.

    One that was handed over is a `Connection` of web.streams.
    """

    task_class = HandingTask

    def __init__(self, server: LimitedServer, *rest: Any, **named: Any) -> None:
        self.answered = time.monotonic()
        """When the latest request was complete; before the first one, when the connection was made."""
        self.began: float | None = None
        """When the first byte of the present request came; None between two requests."""
        self.sent = self.answered
        """When the phone last took bytes of an answer."""
        self._taker: Taker | None = None
        self._chunked = False
        super().__init__(server, *rest, **named)

    def parser_class(self, adj: Any) -> LimitedParser:
        """The parser of the next request."""
        parser = LimitedParser(adj)
        parser.limit, parser.may_upload = self.server.limit, self.server.may_upload
        return parser

    def hand_over(self, taker: Taker, chunked: bool) -> None:
        """Makes the connection the taker's; `chunked`: the body has HTTP's chunks."""
        with self.outbuf_lock:
            alive, self._chunked = self.connected, chunked
            if alive:
                self._taker = taker
        if alive:
            taker.begin(self)
        else:
            taker.closed()

    @property
    def unread(self) -> int:
        """Bytes that the phone has not taken yet."""
        return int(self.total_outbufs_len)

    def send_part(self, data: bytes) -> None:
        """Sends a part of the body. Nothing happens on a closed connection."""
        self._write(b"%X\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    def end(self) -> None:
        """Closes the connection when everything is sent."""
        if self._chunked:
            self._write(b"0\r\n\r\n")
        self.close_when_flushed = True
        self.server.pull_trigger()

    def _write(self, data: bytes) -> None:
        if not self.total_outbufs_len:
            self.sent = time.monotonic()
        with contextlib.suppress(ClientDisconnected):
            self.write_soon(data)

    def handle_close(self) -> None:
        """The connection is closed."""
        super().handle_close()
        taker, self._taker = self._taker, None
        if taker is not None:
            taker.closed()

    def received(self, data: bytes) -> bool:
        """Takes bytes from the connection; a phone has nothing to say on a stream."""
        if self._taker is not None:
            return False
        done: bool = super().received(data)
        if self.request is None:
            self.answered, self.began = time.monotonic(), None
        elif self.began is None:
            self.began = time.monotonic()
        return done

    def handle_write(self) -> None:
        """Sends what waits to be sent."""
        before = self.total_outbufs_len
        # waitress takes no lock here without a request, but another thread writes to a stream
        with contextlib.nullcontext() if self._taker is None else self.outbuf_lock:
            super().handle_write()
        if self.total_outbufs_len < before or not before:
            self.sent = time.monotonic()

    @property
    def idle(self) -> bool:
        """Whether no complete request is being answered."""
        return self._taker is None and not self.requests and not self.total_outbufs_len

    @property
    def uploads(self) -> bool:
        """Whether a long body is arriving."""
        return self.request is not None and self.request.content_length > UPLOAD_BYTES

    def overdue(self, now: float) -> bool:
        """Whether the connection should be closed: idle, too slow, or not reading."""
        if self.total_outbufs_len and now - self.sent > UNREAD_S:
            return True
        if not self.idle:
            return False
        if self.began is None:
            return now - self.answered > IDLE_S
        allowed = HEADER_S
        if self.request is not None and self.request.headers_finished:
            allowed += min(self.request.content_length, 2**25) / SLOWEST_BYTES_PER_S
        return now - self.began > allowed


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """A listening socket of the pages.

    Args:
        limit: the most bytes of a request's body.
    """

    channel_class = LimitedChannel

    def __init__(self, *rest: Any, limit: BodyLimit, **named: Any) -> None:
        self.limit = limit
        self._checked = time.monotonic()
        self._pulling = threading.Lock()
        self._is_closed = False
        super().__init__(*rest, **named)

    def pull_trigger(self) -> None:
        """Wakes the loop. Nothing happens once the server is closed: its pipe is closed too, and another
        file may have the number of the pipe already."""
        with self._pulling:
            if not self._is_closed:
                super().pull_trigger()

    def close(self) -> None:
        """Closes the socket that listens, and the pipe that wakes the loop."""
        with self._pulling:
            self._is_closed = True
        super().close()

    def readable(self) -> bool:
        """Always accepts; closes overdue connections once a second."""
        now = time.monotonic()
        if now - self._checked >= 1.0:
            self._checked = now
            for channel in self._channels():
                if channel.overdue(now):
                    channel.will_close = True
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Takes new connections, and makes room for them."""
        for _ in range(AT_ONCE):
            if not self._accept_one():
                return

    def _accept_one(self) -> bool:
        try:
            taken = self.accept()
            if taken is None:
                return False
            connection, address = taken
            self.set_socket_options(connection)
        except OSError:
            return False
        if self._make_room(address[0]):
            self.channel_class(self, connection, self.fix_addr(address), self.adj, map=self._map)
            return True
        with contextlib.suppress(OSError):
            connection.setblocking(False)
            connection.send(BUSY)
        connection.close()
        return True

    def may_upload(self) -> bool:
        """Whether one more long body may arrive."""
        return sum(channel.uploads for channel in self._channels()) <= MOST_UPLOADS

    def _channels(self) -> list[LimitedChannel]:
        return list(self.active_channels.values())

    def _make_room(self, address: str) -> bool:
        """Whether there is room for one more connection of this address, after closing an idle one."""
        channels = [channel for channel in self._channels() if not channel.will_close]
        counts = Counter(channel.addr[0] for channel in channels)
        if counts[address] >= MOST_PER_ADDRESS:
            return _close_longest_idle(channel for channel in channels if channel.addr[0] == address)
        if len(channels) < MOST:
            return True
        for other, count in counts.most_common():
            if count <= counts[address]:
                break
            if _close_longest_idle(channel for channel in channels if channel.addr[0] == other):
                return True
        return _close_longest_idle(channel for channel in channels if channel.addr[0] == address)


def _close_longest_idle(channels: Iterable[LimitedChannel]) -> bool:
    """Closes one of these connections; False if all of them are being answered."""
    idle = [channel for channel in channels if channel.idle]
    if not idle:
        return False
    oldest = min(idle, key=lambda channel: channel.answered)
    oldest.will_close = True  # closed in the next turn of the loop, which still holds events of this one
    return True
