"""Takes the tables' messages from the broker, stores them in batches, and acknowledges them afterwards.

All of it runs on one thread. The broker keeps what was not acknowledged while the hub is away. What a broker
has lost all the same is found by its missing number, and asked for again.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import NamedTuple

from companion.core.clock import Clock, monotonic
from companion.core.config import Broker
from companion.core.errors import CompanionError
from companion.hub.gap_requests import GapRequests
from companion.hub.intake import TOPICS, MessageRefused, ReadMessage, read
from companion.hub.storing import ResultStore
from companion.hub.tournament.offers import SeatingPublisher
from companion.mqtt.broker import BrokerConnection, ReceivedMessage
from companion.mqtt.messages import ResendRequest, encoded, table_topic

logger = logging.getLogger(__name__)

CLIENT = "companion-hub"
SESSION_S = 7 * 24 * 3600
"""For how long the broker keeps messages for a hub that is away, in seconds."""
BATCH, WAIT_S = 2000, 0.25
"""Most messages in one transaction; seconds after which the thread looks for other work."""
PROGRESS_EVERY_S = 1.0
"""How far each table is stored, and its state, is written at most once in so many seconds."""
RETRY_S = 1.0
"""Seconds until a batch that could not be stored is tried again."""


class Waiting(NamedTuple):
    """A message that is not stored yet."""

    received: ReceivedMessage
    number: int
    connection: int
    """Which connection it came by: only there it can be acknowledged."""


class HubFigures:
    """What has happened since the start, for the metrics."""

    def __init__(self) -> None:
        self.messages = 0
        self.events = 0
        self.results = 0
        self.again = 0
        self.refused = 0
        self.asked = 0
        self.failures = 0


class Collector:
    """One thread. `start` and `stop` are called once.

    Raises:
        Unavailable: the broker's library, the password or a certificate is missing.
    """

    def __init__(
        self, broker: Broker, store: ResultStore, seatings: SeatingPublisher, clock: Clock = monotonic
    ) -> None:
        self._seatings = seatings
        self._store = store
        self._clock = clock
        self._arrived: list[Waiting] = []
        self._connection = BrokerConnection(
            broker, CLIENT, keeps_session_s=SESSION_S, by_hand=True, answers=False
        )
        self._connection.receive(
            [table_topic("+", level) for level in TOPICS], self._take, [table_topic("+", "state")]
        )
        self._progress_at = float("-inf")
        self._gaps = GapRequests()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._live, name="collector", daemon=True)
        self.figures = HubFigures()

    def start(self) -> None:
        """Connects and collects, on a thread of its own."""
        self._thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """Ends after the present batch; what is not stored is not acknowledged and comes again."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    @property
    def connected(self) -> bool:
        """Whether the broker is connected."""
        return self._connection.connected

    @property
    def waiting(self) -> int:
        """Messages that are not stored yet."""
        return len(self._arrived)

    def _take(self, received: ReceivedMessage, number: int) -> None:
        self._arrived.append(Waiting(received, number, self._connection.connects))

    def _live(self) -> None:
        while not self._stopping.is_set():
            self._connection.serve(WAIT_S, BATCH)
            batch, self._arrived = self._arrived, []
            while not self._stopping.is_set() and not self._stored(batch):
                self._stopping.wait(RETRY_S)
            self._ask_for_missing()
            self._publish_seatings()
        with contextlib.suppress(CompanionError):  # then the tables are asked for some messages again
            self._store.store([])
        self._connection.stop()

    def _stored(self, batch: list[Waiting]) -> bool:
        """Stores and acknowledges a batch; returns whether that is done."""
        now = self._clock()
        progress = now - self._progress_at >= PROGRESS_EVERY_S
        if not batch and not (progress and self._store.unwritten):
            return True
        try:
            stored = self._store.store(self._readable(batch), progress=progress)
            if progress:
                self._progress_at = now
        except CompanionError as error:
            self.figures.failures += 1
            logger.error("%d messages are not stored, they are tried again: %s", len(batch), error)
            return False
        except Exception:  # one message must not stop all tables: each is tried alone
            logger.exception("a batch of %d messages failed", len(batch))
            if len(batch) > 1:
                results = [self._stored([one]) for one in batch]
                return all(results)
            self.figures.refused += 1
            stored = None
        figures = self.figures
        figures.messages += len(batch)
        if stored is not None:
            figures.events += stored.events
            figures.results += stored.results
            figures.again += stored.again
        for one in batch:
            if one.connection == self._connection.connects:
                self._connection.done(one.number)
        return True

    def _readable(self, batch: list[Waiting]) -> list[ReadMessage]:
        found = []
        for one in batch:
            try:
                known = read(one.received)
            except MessageRefused as error:
                self.figures.refused += 1
                logger.warning("a message on %.100s is refused: %.200s", one.received.topic, error)
                continue
            if known.message is None:
                self.figures.refused += 1
                logger.warning("a message on %.100s is refused: %.200s", one.received.topic, known.why)
            found.append(known)
        return found

    def _ask_for_missing(self) -> None:
        if not self._connection.connected:
            return
        for one in self._gaps.due(self._store.tables, self._clock()):
            self.figures.asked += 1
            request = ResendRequest(series=one.series, number=one.number, last=one.last)
            self._connection.publish(table_topic(one.table, "resend"), encoded(request), sure=True)

    def _publish_seatings(self) -> None:
        """Offers the tables their games; tried again if the database fails."""
        if not self._connection.connected:
            return
        try:
            self._seatings.publish(
                self._connection.connects,
                lambda topic, payload: self._connection.publish(topic, payload, sure=True, retain=True),
            )
        except CompanionError as error:
            logger.error("the seatings are not published, they are tried again: %s", error)
