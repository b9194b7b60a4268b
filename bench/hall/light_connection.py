"""The connection of a simulated table to the broker, without a thread: one selector serves all of them."""

from __future__ import annotations

import selectors
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from bench.hall import wire
from companion.mqtt.broker import KEEP_ALIVE_S, RETRY_S, Acknowledged, LastWill, ReceivedMessage

UNANSWERED = 100
"""Most messages that are sent and not acknowledged; the broker takes 200."""
_NUMBERS = 65_535


class LightConnection:
    """Does what companion.mqtt.broker.BrokerConnection does, on the thread of its caller.

    Args:
        port: of the broker, on this machine.
        selector: `ready` is called when it reports this object's socket, with this object as its data.
        received: gets each message on one of the topics.
    """

    def __init__(
        self,
        port: int,
        selector: selectors.BaseSelector,
        name: str,
        will: LastWill,
        topics: list[str],
        received: Callable[[ReceivedMessage], None],
    ) -> None:
        self.acknowledged: SimpleQueue[Acknowledged] = SimpleQueue()
        self.connects = 0
        self.connected = False
        self.retry_at: float | None = 0.0
        """When the connection has to be made, a moment of the clock; None: it is made, or the network is
        cut."""
        self._port = port
        self._selector = selector
        self._hello = wire.connect(name.encode(), KEEP_ALIVE_S, will.topic.encode(), will.payload)
        self._topics = [one.encode() for one in topics]
        self._received = received
        self._socket: socket.socket | None = None
        self._incoming, self._outgoing = bytearray(), bytearray()
        self._open: dict[int, bytes] = {}
        """Messages that are sent and not acknowledged, by number."""
        self._held: deque[int] = deque()
        """Messages that are sent when others have been acknowledged."""
        self._number = 0
        self._wait_s = float(RETRY_S[0])
        self._writing = False
        self._sent_at = 0.0

    def connect(self) -> None:
        """Begins to connect."""
        self.retry_at = None
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.connect_ex(("127.0.0.1", self._port))
        self._incoming.clear()
        self._outgoing[:] = self._hello
        self._writing = True
        self._selector.register(self._socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def cut(self) -> None:
        """Ends the connection as a network that fails does; it is not made again before `mend`."""
        self._lost(0.0)
        self.retry_at = None

    def mend(self) -> None:
        """The network is there again."""
        if self._socket is None:
            self.retry_at, self._wait_s = 0.0, float(RETRY_S[0])

    def forget(self) -> None:
        """Ends the connection and forgets what is not acknowledged; it is made again."""
        cut = self.retry_at is None and self._socket is None
        self._lost(0.0)
        self._open.clear()
        self._held.clear()
        self.acknowledged = SimpleQueue()
        self.retry_at = None if cut else 0.0

    def close(self) -> None:
        """Leaves the broker."""
        if self._socket is not None:
            self._outgoing += wire.DISCONNECT
            with suppress(OSError):
                self._socket.send(self._outgoing)
        self.cut()

    def publish(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int:
        """See BrokerConnection.publish; only quality 1."""
        assert sure
        number = self._next_number()
        packet = wire.publish(topic.encode(), payload, number, retain=retain)
        if self.connected and len(self._open) - len(self._held) < UNANSWERED:
            self._outgoing += packet
        else:
            self._held.append(number)
        self._open[number] = packet
        return number

    def flush(self, now: float) -> None:
        """Sends what is waiting, and a sign of life if nothing was sent for long."""
        if self._socket is None or self._writing:
            return
        if not self._outgoing:
            if not self.connected or now - self._sent_at < KEEP_ALIVE_S * 0.7:
                return
            self._outgoing += wire.PING
        self._sent_at = now
        self._send(now)

    def ready(self, events: int, now: float) -> None:
        """The socket can be read or written."""
        if events & selectors.EVENT_READ:
            self._read(now)
        if events & selectors.EVENT_WRITE and self._socket is not None:
            self._send(now)

    def _next_number(self) -> int:
        while True:
            self._number = self._number % _NUMBERS + 1
            if self._number not in self._open:
                return self._number

    def _send(self, now: float) -> None:
        assert self._socket is not None
        try:
            del self._outgoing[: self._socket.send(self._outgoing)]
        except BlockingIOError:
            pass
        except OSError:
            self._lost(now)
            return
        writing = bool(self._outgoing)
        if writing != self._writing:
            self._writing = writing
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writing else 0)
            self._selector.modify(self._socket, events, self)

    def _read(self, now: float) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost(now)
            return
        self._incoming += data
        for first, body in wire.packets(self._incoming):
            self._take(first, body)

    def _take(self, first: int, body: bytes) -> None:
        kind = first & 0xF0
        if kind == wire.PUBACK:
            number, reason = wire.acknowledged(body)
            if self._open.pop(number, None) is not None:
                self.acknowledged.put(Acknowledged(number, reason < wire.FAILED, f"reason {reason}"))
            while self._held and len(self._open) - len(self._held) < UNANSWERED:
                self._outgoing += self._open[self._held.popleft()]
        elif kind == wire.PUBLISH:
            message = wire.published(first, body)
            if message.number:
                self._outgoing += wire.acknowledge(message.number)
            self._received(ReceivedMessage(message.topic, message.payload, bool(first & 1)))
        elif kind == wire.CONNACK:
            self._admitted(body[1])

    def _admitted(self, reason: int) -> None:
        assert reason < wire.FAILED, f"the broker refuses a simulated table: {reason}"
        self.connected = True
        self.connects += 1
        self._wait_s = float(RETRY_S[0])
        self._outgoing += wire.subscribe(self._next_number(), self._topics)
        numbers = list(self._open)
        self._held = deque(numbers[UNANSWERED:])
        for number in numbers[:UNANSWERED]:
            self._outgoing += wire.again(self._open[number])

    def _lost(self, now: float) -> None:
        """The connection has ended; it is made again after a while."""
        self.connected = False
        if self._socket is not None:
            self._selector.unregister(self._socket)
            self._socket.close()
            self._socket = None
        self.retry_at = now + self._wait_s
        self._wait_s = min(self._wait_s * 2, float(RETRY_S[1]))
