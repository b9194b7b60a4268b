"""The table as an MQTT device: one thread that publishes what the table and its journal hold.

The table never waits for it: it reads the table's published changes and the journal's file, and whatever
happens to the network happens here only.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from companion.api.commands import Caller, Reply, Request
from companion.api.snapshot import SeatingOffer, Snapshot
from companion.core.clock import Clock, monotonic
from companion.core.config import Mqtt
from companion.core.errors import CompanionError
from companion.mqtt.broker import BrokerConnection, LastWill, ReceivedMessage
from companion.mqtt.cursor import CursorFile
from companion.mqtt.messages import LARGEST_BYTES, TableSeating, encoded, table_topic
from companion.mqtt.outbox import JournalOutbox
from companion.mqtt.publishing import Retained, TablePublisher
from companion.mqtt.remote import RemoteCommands
from companion.mqtt.sending import OutboxSender
from companion.mqtt.state import offline
from companion.store.forgetting import forgotten_games
from companion.store.journal import read_journal
from companion.table import seating
from companion.table.publisher import Subscription
from companion.table.referee import Referee

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

SENDING_S, IDLE_S = 0.05, 0.5
"""Seconds between two looks at the broker's answers while some are missing, and while none is."""
CURSOR = "mqtt-cursor.json"
"""File in the data folder that holds how far the journal is acknowledged."""


class MqttTable(Protocol):
    """What the device needs of the table. Every method may be called from any thread."""

    def subscribe(self) -> Subscription: ...
    def unsubscribe(self, subscription: Subscription) -> None: ...
    def snapshot(self) -> Snapshot: ...
    def command(self, request: Request, caller: Caller, key: str = "") -> Reply: ...
    def call(self, run: Callable[[Referee], _T]) -> _T: ...


class MqttDevice:
    """Publishes one table. `start` and `stop` are called once.

    Args:
        config: with a host.
        journal: the journal's file.
        data: folder for the cursor.
        greeting: what else is published at every connect, such as the discovery of Home Assistant.

    Raises:
        CompanionError: the broker's library, the password or a certificate is missing.
    """

    def __init__(
        self,
        config: Mqtt,
        table: MqttTable,
        journal: Path,
        data: Path,
        *,
        clock: Clock = monotonic,
        greeting: Callable[[], Retained] = tuple,
    ) -> None:
        self.name = table_name(config)
        self._table = table
        self._journal = journal
        self._commands = RemoteCommands(self.name, table.command, clock) if config.commands else None
        will = LastWill(table_topic(self.name, "status"), encoded(offline(self.name)))
        self._connection = BrokerConnection(config, f"companion-{self.name}", will)
        self._publisher = TablePublisher(
            self.name,
            self._connection,
            OutboxSender(JournalOutbox(self.name, journal), CursorFile(data / CURSOR), clock),
            clock,
            key_of=self._key_of,
            forgotten=lambda: forgotten_games(journal),
            greeting=greeting,
            takes_commands=config.commands,
        )
        self._received: queue.SimpleQueue[ReceivedMessage] = queue.SimpleQueue()
        topics = [table_topic(self.name, "resend"), table_topic(self.name, "seating")]
        if self._commands is not None:
            topics.append(table_topic(self.name, "command", "+"))
        self._connection.receive(topics, lambda received, _number: self._take(received))
        self._keys: dict[int, str] = {}
        self._stopping = threading.Event()
        self._changes: Subscription = table.subscribe()
        self._thread = threading.Thread(target=self._live, name="mqtt", daemon=True)

    def start(self) -> None:
        """Starts the thread; returns at once, whether there is a broker or not."""
        self._connection.start()
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Says that the table goes offline and disconnects; what is not sent stays in the journal."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout)
        self._table.unsubscribe(self._changes)
        self._publisher.publish_offline()
        self._connection.stop()

    @property
    def connected(self) -> bool:
        """Whether the broker is connected."""
        return self._connection.connected

    @property
    def pending(self) -> bool:
        """Whether messages wait for the broker's answer."""
        return not self._publisher.idle

    @property
    def complete(self) -> bool:
        """Whether the broker had acknowledged everything in the journal at the latest look."""
        return self._publisher.complete

    # --- the thread ---------------------------------------------------------------------------------------

    def _live(self) -> None:
        while not self._stopping.is_set():
            try:
                self._step()
            except CompanionError as error:  # the journal is being replaced, or its disk fails
                logger.warning("nothing can be published now: %s", error)
                self._stopping.wait(IDLE_S)
            except Exception:  # a fault here must not end the device
                logger.exception("publishing failed")
                self._stopping.wait(IDLE_S)

    def _step(self) -> None:
        self._wait()
        self._publisher.take_answers()
        while (received := _next(self._received)) is not None:
            self._handle(received)
        self._publisher.publish(self._table.snapshot)

    def _take(self, received: ReceivedMessage) -> None:
        """Queues a message and wakes the thread (on the library's thread)."""
        self._received.put(received)
        with contextlib.suppress(queue.Full):  # then the thread is awake
            self._changes.put_nowait(None)

    def _wait(self) -> None:
        """Waits for a change or a message, or until it is time to look at the broker's answers."""
        try:
            self._changes.get(timeout=IDLE_S if self._publisher.idle else SENDING_S)
            while True:
                self._changes.get_nowait()
        except queue.Empty:
            pass

    def _key_of(self, number: int) -> str:
        if number not in self._keys:
            with read_journal(self._journal) as journal:
                self._keys = {number: journal.game(number).key}
        return self._keys[number]

    def _handle(self, received: ReceivedMessage) -> None:
        """Takes a message of the broker; one that is too long or malformed is ignored, and a stored one that
        is no seating."""
        level = received.topic.split("/")[2:]
        stored = received.retained and level != ["seating"]
        if stored or len(received.payload) > LARGEST_BYTES:
            logger.warning("a message on %s is ignored", received.topic)
            return
        if level == ["seating"]:
            self._offer(received.payload)
        elif level == ["resend"]:
            self._publisher.resend(received.payload)
        elif self._commands is not None and level[:1] == ["command"]:
            reply = self._commands.run(level[1])
            if reply is not None:
                topic = table_topic(self.name, "reply")
                self._connection.publish(topic, encoded(reply), sure=False)

    def _offer(self, payload: bytes) -> None:
        try:
            planned = planned_game(payload)
        except msgspec.MsgspecError as error:
            logger.warning("a seating is not understood: %s", error)
            return
        if not self._table.call(lambda referee: seating.offer(referee, planned)):
            logger.warning("the planned game %s is not offered", "" if planned is None else planned.id)


def planned_game(payload: bytes) -> SeatingOffer | None:
    """The game in a message on `seating`; None: nothing is planned.

    Raises:
        MsgspecError: it is malformed.
    """
    if not payload:
        return None
    found = msgspec.json.decode(payload, type=TableSeating)
    return SeatingOffer(found.id, found.tournament, found.round, found.name, "", found.players)


def table_name(config: Mqtt) -> str:
    """The table's name in topics: the configured one, otherwise made of the name of this machine."""
    if config.table:
        return config.table
    host = re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().split(".")[0].lower()).strip("-_")
    return host[:40] or "table"


def _next(waiting: queue.SimpleQueue[_T]) -> _T | None:
    try:
        return waiting.get_nowait()
    except queue.Empty:
        return None
