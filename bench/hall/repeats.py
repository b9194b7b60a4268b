"""Publishes some messages of the tables once more, later: what a consumer must count only once."""

from __future__ import annotations

import queue
import threading
from random import Random

from companion.core.config import Broker
from companion.mqtt.broker import BrokerConnection, ReceivedMessage

SHARE = 0.05
"""Share of the messages that come twice."""
KEPT = 500
"""Messages among which the repeated ones are drawn."""


class Repeats:
    """Runs on threads of its own until it is closed."""

    def __init__(self, broker_port: int, random: Random) -> None:
        self.sent = 0
        self._random = random
        self._arrived: queue.SimpleQueue[ReceivedMessage] = queue.SimpleQueue()
        self._connection = BrokerConnection(
            Broker(host="127.0.0.1", port=broker_port, tls=False), "companion-repeats"
        )
        topics = ["companion/+/event", "companion/+/result/+"]
        self._connection.receive(topics, lambda one, _number: self._arrived.put(one))
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._connection.start()
        self._thread.start()

    def close(self) -> None:
        """Stops."""
        self._stopping.set()
        self._thread.join()
        self._connection.stop()

    def _run(self) -> None:
        kept: list[ReceivedMessage] = []
        while not self._stopping.is_set():
            try:
                kept.append(self._arrived.get(timeout=0.2))
            except queue.Empty:
                continue
            if len(kept) > KEPT:
                del kept[0]
            if self._random.random() < SHARE and self._connection.connected:
                one = self._random.choice(kept)
                self._connection.publish(one.topic, one.payload, sure=True)
                self.sent += 1
