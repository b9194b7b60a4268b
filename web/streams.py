"""The open event streams: one thread hands each change to all of them.

With a thread for each stream every change woke them all, and the table's own thread waited for its turn among
them. Here the web server hands a connection over when the header of the response is written; from then on
this thread writes to it, and never waits for a phone.
"""

from __future__ import annotations

import queue
import threading
from typing import Protocol

from companion.api.snapshot import TableChange
from web.host import Host, Message, Subscription
from web.stream_messages import BYE, HEARTBEAT, ChangeMessages, Encoded, StreamEncoding, encoded

HAND_OVER = "companion.hand_over"
"""Key of the WSGI environment: a function that takes a `Taker`. The response has no body then."""
RETRY = encoded(b"retry: 1000\n\n")
"""How soon a browser tries again after the stream broke."""
UNREAD_BYTES = 64 * 1024
"""A phone that has more to read gets no further change until it has read them, and then the latest."""


class Connection(Protocol):
    """A connection that was handed over."""

    @property
    def unread(self) -> int:
        """Bytes that the phone has not taken yet."""

    def send_part(self, data: bytes) -> None:
        """Sends bytes, later if the phone does not read. Never waits; nothing happens on a closed one."""

    def end(self) -> None:
        """Closes the connection when everything is sent."""


class Taker(Protocol):
    """Who takes a connection over."""

    def begin(self, connection: Connection) -> None:
        """The header is sent: the connection is the taker's. Called once, or never if the phone has left."""

    def closed(self) -> None:
        """The connection is closed, whether it had begun or not. Called once."""


class PageStream:
    """One phone's stream. All but `end_soon` is called with `lock` held.

    Attributes:
        lock: held while the stream is written to.
        gone: whether its connection is closed.
    """

    def __init__(self, language: str, pictures: bool, since: int | None, gzip: bool) -> None:
        self.lock = threading.Lock()
        self.language, self.pictures, self.since = language, pictures, since
        self.gone = False
        self.ending = False
        self._encoding = StreamEncoding(gzip)
        self._connection: Connection | None = None
        self._from = 0
        self._behind = False

    def begin(self, connection: Connection, seq: int, snapshot: Encoded) -> None:
        """Sends the present snapshot."""
        self._connection, self._from = connection, seq
        connection.send_part(self._encoding.first(RETRY) + self._encoding.next(snapshot))

    def change(self, seq: int, message: Encoded) -> None:
        """Sends a change, unless the snapshot at the beginning was later or the phone does not read."""
        if self._connection is None or seq < self._from:
            return
        self._behind = self._connection.unread > UNREAD_BYTES
        if not self._behind:
            self._connection.send_part(self._encoding.next(message))

    def beat(self) -> None:
        """Says that the table is still there."""
        if self._connection is not None and self._connection.unread <= UNREAD_BYTES:
            self._connection.send_part(self._encoding.next(HEARTBEAT))

    @property
    def missed(self) -> bool:
        """Whether changes were left out, and the phone has read what it got before."""
        return self._behind and self._connection is not None and self._connection.unread == 0

    def end_soon(self) -> None:
        """Has the stream end with the next message: another address needs its place."""
        self.ending = True

    def end(self) -> None:
        """Says goodbye."""
        if self._connection is not None:
            self._connection.send_part(self._encoding.last(BYE))
            self._connection.end()
            self._connection = None


class EventStreams:
    """All streams. May be used from any thread. Its own thread runs while there are streams.

    Args:
        heartbeat_s: seconds between two messages of a table where nothing happens.
    """

    def __init__(self, host: Host, changes: ChangeMessages, heartbeat_s: float) -> None:
        self._host, self._changes, self._heartbeat_s = host, changes, heartbeat_s
        self._lock = threading.Lock()
        """Held for moments only; nothing else is locked meanwhile but what `Host.subscribe` locks."""
        self._streams: list[PageStream] = []
        self._running = False

    def join(self, stream: PageStream, connection: Connection) -> None:
        """Subscribes before it reads the snapshot: a change in between is sent twice rather than never."""
        with stream.lock:
            with self._lock:
                if stream.gone:
                    return
                self._streams.append(stream)
                if not self._running:
                    self._running = True
                    arguments = (self._host.subscribe(),)
                    threading.Thread(target=self._run, args=arguments, name="streams", daemon=True).start()
            now = self._host.snapshot()
            first = TableChange("snapshot", now, (), stream.since)
            stream.begin(
                connection, now.seq, self._changes.made((now.seq, first), stream.language, stream.pictures)
            )

    def leave(self, stream: PageStream) -> None:
        """Its connection is closed."""
        with self._lock:
            stream.gone = True
            self._streams = [one for one in self._streams if one is not stream]

    def _run(self, subscription: Subscription) -> None:
        latest: Message | None = None
        while not self._over(subscription):
            try:
                item = subscription.get(timeout=self._heartbeat_s)
            except queue.Empty:
                self._beat(latest)
                continue
            if item is None:
                self._end_all(subscription)
                return
            latest = item
            for stream in self._open():
                self._send(stream, item)

    def _open(self) -> tuple[PageStream, ...]:
        with self._lock:
            return tuple(self._streams)

    def _over(self, subscription: Subscription) -> bool:
        """Whether the last stream has left."""
        with self._lock:
            if self._streams:
                return False
            self._running = False
        self._host.unsubscribe(subscription)
        return True

    def _send(self, stream: PageStream, item: Message) -> None:
        with stream.lock:
            stream.change(item[0], self._changes.message(item, stream.language, stream.pictures))
            if stream.ending:
                stream.end()

    def _beat(self, latest: Message | None) -> None:
        for stream in self._open():
            if stream.missed and latest is not None:
                self._send(stream, latest)
                continue
            with stream.lock:
                stream.beat()
                if stream.ending:
                    stream.end()

    def _end_all(self, subscription: Subscription) -> None:
        """The service stops."""
        with self._lock:
            streams, self._streams, self._running = self._streams, [], False
        self._host.unsubscribe(subscription)
        for stream in streams:
            with stream.lock:
                stream.end()
