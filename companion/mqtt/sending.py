"""Sends the outbox in order until the broker has acknowledged it, and remembers how far it has."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.mqtt.broker import Acknowledged
from companion.mqtt.cursor import CursorFile, OutboxPosition
from companion.mqtt.outbox import JournalOutbox, OutgoingEntry

logger = logging.getLogger(__name__)

WINDOW = 100
"""The most entries that are sent and not acknowledged."""
RETRY_REFUSED_S = 30.0
"""Seconds until messages that the broker refused (its access rules, a full disk) are sent again."""


class Publish(Protocol):
    """How a message is sent; returns its number."""

    def __call__(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int: ...


class SentEntry:
    """An entry of which not every message is acknowledged yet."""

    def __init__(self, entry: OutgoingEntry) -> None:
        self.position = entry.position
        self.open: set[int] = set()
        """Numbers of its messages that are not acknowledged."""


class OutboxSender:
    """Not for several threads at once.

    Args:
        cursor: holds the acknowledged position.
        clock: for RETRY_REFUSED_S.
    """

    def __init__(self, outbox: JournalOutbox, cursor: CursorFile, clock: Clock) -> None:
        self._outbox = outbox
        self._cursor = cursor
        self._clock = clock
        self.acknowledged: OutboxPosition = cursor.read()
        """Everything up to here is with the broker."""
        self._sent: OutboxPosition = self.acknowledged
        self._open: deque[SentEntry] = deque()
        self._stored = self.acknowledged
        self._not_before = float("-inf")

    @property
    def idle(self) -> bool:
        """Whether everything that was sent is acknowledged."""
        return not self._open

    def send(self, publish: Publish) -> int:
        """Sends as many entries of the journal as the window allows; returns their number.

        Raises:
            CompanionError: the journal cannot be read.
        """
        room = WINDOW - len(self._open)
        if room <= 0 or self._clock() < self._not_before:
            return 0
        entries = self._outbox.after(self._sent, room)
        if entries is None:
            logger.info("the journal was written anew: its messages are sent from the beginning")
            self._begin(self._cursor.restart())
            return 0
        for entry in entries:
            one = SentEntry(entry)
            self._open.append(one)
            for topic, payload in entry.messages:
                one.open.add(publish(topic, payload, sure=True))
            self._sent = entry.position
        return len(entries)

    def take(self, next_answer: Callable[[], Acknowledged | None]) -> None:
        """Takes the broker's answers until there is none, and stores how far the journal is acknowledged."""
        while (answer := next_answer()) is not None:
            if not answer.ok:
                self._refused(answer)
                continue
            for one in self._open:
                if answer.id in one.open:
                    one.open.discard(answer.id)
                    break
        while self._open and not self._open[0].open:
            self.acknowledged = self._open.popleft().position
        if self.acknowledged != self._stored:
            try:
                self._cursor.write(self.acknowledged)
                self._stored = self.acknowledged
            except CompanionError as error:  # a full disk: messages may be sent twice after a restart
                logger.warning("%s", error)

    def resend_after(self, number: int, series: str) -> bool:
        """Sends everything after message `number` again, if this is the present series and the number is
        acknowledged; returns whether it is so.

        Raises:
            CompanionError: the journal cannot be read.
        """
        now = self.acknowledged
        if series != now.series or number >= now.number or self._outbox.after(now, 0) is None:
            return False
        self._begin(self._outbox.position_of(number, series))
        return True

    def _begin(self, position: OutboxPosition) -> None:
        self.acknowledged = self._sent = position
        self._open.clear()

    def _refused(self, answer: Acknowledged) -> None:
        if not any(answer.id in one.open for one in self._open):
            return
        logger.warning("the broker refuses a message: %s; it is sent again later", answer.reason)
        self._sent = self.acknowledged
        self._open.clear()
        self._not_before = self._clock() + RETRY_REFUSED_S
