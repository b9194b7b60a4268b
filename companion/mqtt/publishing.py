"""What one table publishes: greeting, journal, state and status. No thread and no waiting."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Protocol

import msgspec

from companion.api.snapshot import Snapshot
from companion.core.clock import Clock
from companion.mqtt.broker import Acknowledged
from companion.mqtt.messages import (
    ResendRequest,
    TableForgotten,
    TableState,
    TableStatus,
    encoded,
    table_topic,
)
from companion.mqtt.sending import OutboxSender
from companion.mqtt.state import offline, online, state_of

logger = logging.getLogger(__name__)

STATE_EVERY_S = 1.0
"""The state is published at most once in so many seconds; the latest one always is."""
STATUS_EVERY_S = 5.0
"""The same for how far the broker has acknowledged the journal. A new connection says it at once."""

Retained = Sequence[tuple[str, bytes]]
"""Topics and payloads that are published, retained, at every connect."""


class PublishingConnection(Protocol):
    """What is needed of companion.mqtt.broker.BrokerConnection."""

    connects: int
    acknowledged: SimpleQueue[Acknowledged]

    @property
    def connected(self) -> bool: ...
    def publish(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int: ...


class TablePublisher:
    """Publishes one table whenever `publish` is called. Not for several threads at once.

    Args:
        name: of the table in topics.
        sender: sends the journal.
        key_of: number of a game in the journal -> its id.
        forgotten: the ids of deleted games.
        greeting: what else is published at every connect.
        takes_commands: whether the owner allows commands.
    """

    def __init__(
        self,
        name: str,
        connection: PublishingConnection,
        sender: OutboxSender,
        clock: Clock,
        *,
        key_of: Callable[[int], str],
        forgotten: Callable[[], tuple[str, ...]],
        greeting: Callable[[], Retained] = tuple,
        takes_commands: bool = False,
    ) -> None:
        self.complete = False
        """Whether the broker had acknowledged everything in the journal at the latest look."""
        self._name = name
        self._connection = connection
        self._sender = sender
        self._clock = clock
        self._key_of = key_of
        self._forgotten = forgotten
        self._greeting = greeting
        self._takes_commands = takes_commands
        self._greeted = 0
        self._status: TableStatus | None = None
        self._status_at = float("-inf")
        self._state: TableState | None = None
        self._state_at = float("-inf")

    @property
    def idle(self) -> bool:
        """Whether everything that was sent is acknowledged, and nothing has to be sent again."""
        return self._sender.idle

    def take_answers(self) -> None:
        """Takes what the broker has acknowledged since the last call."""
        self._sender.take(self._next_answer)

    def publish(self, snapshot: Callable[[], Snapshot]) -> None:
        """Publishes what is due; nothing without a connection.

        Args:
            snapshot: the present snapshot of the table.

        Raises:
            CompanionError: the journal cannot be read.
        """
        self.complete = False
        if not self._connection.connected:
            return
        if self._greeted != self._connection.connects:
            self._greeted = self._connection.connects
            self._greet()
        sent = self._sender.send(self._connection.publish) + self._sender.send_again(self._connection.publish)
        self._publish_state(snapshot)
        if not sent and self._sender.idle:
            self._publish_status()
            self.complete = True

    def resend(self, payload: bytes) -> None:
        """Takes a ResendRequest; one that is malformed is ignored.

        Raises:
            CompanionError: the journal cannot be read.
        """
        try:
            request = msgspec.json.decode(payload, type=ResendRequest)
        except msgspec.MsgspecError as error:
            logger.warning("a request to send again is not understood: %s", error)
            return
        if self._sender.resend(request.number, request.last, request.series):
            logger.info("messages %d to %s are sent again", request.number + 1, request.last or "the latest")

    def publish_offline(self) -> None:
        """Says that the table leaves, which the broker otherwise does when the connection is lost."""
        if self._connection.connected:
            self._publish_retained("status", encoded(offline(self._name)))

    def _next_answer(self) -> Acknowledged | None:
        try:
            return self._connection.acknowledged.get_nowait()
        except Empty:
            return None

    def _greet(self) -> None:
        self._status = self._state = None
        self._status_at = float("-inf")
        self._publish_status()
        self._publish_forgotten()
        for topic, payload in self._greeting():
            self._connection.publish(topic, payload, sure=True, retain=True)

    def _publish_status(self) -> None:
        now, known = self._clock(), self._status
        status = online(self._name, self._sender.acknowledged, self._takes_commands)
        rewritten = known is not None and status.series != known.series
        if status == known or (now - self._status_at < STATUS_EVERY_S and not rewritten):
            return
        if rewritten:
            self._publish_forgotten()
        self._status, self._status_at = status, now
        self._publish_retained("status", encoded(status))

    def _publish_forgotten(self) -> None:
        games = self._forgotten()
        if games:
            self._publish_retained("forgotten", encoded(TableForgotten(table=self._name, games=games)))

    def _publish_state(self, snapshot: Callable[[], Snapshot]) -> None:
        now = self._clock()
        if now - self._state_at < STATE_EVERY_S:
            return
        shown = snapshot()
        key = None if shown.game is None else self._key_of(shown.game.id)
        state = state_of(self._name, shown, key)
        if state != self._state:
            self._state, self._state_at = state, now
            self._publish_retained("state", encoded(state))

    def _publish_retained(self, level: str, payload: bytes) -> None:
        self._connection.publish(table_topic(self._name, level), payload, sure=True, retain=True)
