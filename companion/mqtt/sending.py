"""Sends the outbox in order until the broker has acknowledged it, and remembers how far it has."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.mqtt.broker import Acknowledged
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.outbox import OutgoingEntry

logger = logging.getLogger(__name__)

WINDOW = 100
"""The most entries that are sent and not acknowledged."""
RETRY_REFUSED_S = 30.0
"""Seconds until messages that the broker refused (its access rules, a full disk) are sent again."""


class Publish(Protocol):
    """How a message is sent; returns its number."""

    def __call__(self, topic: str, payload: bytes, *, sure: bool, retain: bool = False) -> int: ...


class EntrySource(Protocol):
    """What has to be sent (companion.mqtt.outbox.JournalOutbox)."""

    def after(self, position: OutboxPosition, most: int) -> list[OutgoingEntry] | None: ...
    def position_of(self, number: int, series: str) -> OutboxPosition: ...


class PositionStore(Protocol):
    """Keeps how far the broker has acknowledged (companion.mqtt.cursor.CursorFile)."""

    def read(self) -> OutboxPosition: ...
    def restart(self) -> OutboxPosition: ...
    def write(self, position: OutboxPosition) -> None: ...


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

    def __init__(self, outbox: EntrySource, cursor: PositionStore, clock: Clock) -> None:
        self._outbox = outbox
        self._cursor = cursor
        self._clock = clock
        self.acknowledged: OutboxPosition = cursor.read()
        """Everything up to here is with the broker."""
        self._sent: OutboxPosition = self.acknowledged
        self._open: deque[SentEntry] = deque()
        self._stored = self.acknowledged
        self._not_before = float("-inf")
        self._again: OutboxPosition | None = None
        self._again_last = 0
        """Entries after `_again` up to this number are sent once more."""

    @property
    def idle(self) -> bool:
        """Whether everything that was sent is acknowledged, and nothing has to be sent again."""
        return not self._open and self._again is None

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

    def resend(self, number: int, last: int | None, series: str) -> bool:
        """Lets `send_again` send the messages after `number` up to `last` (None: all) again, as far as they
        are acknowledged; returns whether there are any in the present series.

        Raises:
            CompanionError: the journal cannot be read.
        """
        now = self.acknowledged
        end = now.number if last is None else min(last, now.number)
        if series != now.series or number >= end or self._outbox.after(now, 0) is None:
            return False
        self._again, self._again_last = self._outbox.position_of(number, series), end
        return True

    def send_again(self, publish: Publish) -> int:
        """Sends some of what was asked for once more; returns how many entries. Nobody waits for the broker's
        answers: whoever still misses one asks again.

        Raises:
            CompanionError: the journal cannot be read.
        """
        if self._again is None:
            return 0
        entries = self._outbox.after(self._again, min(WINDOW, self._again_last - self._again.number)) or []
        for entry in entries:
            for topic, payload in entry.messages:
                publish(topic, payload, sure=True)
        done = not entries or entries[-1].position.number >= self._again_last
        self._again = None if done else entries[-1].position
        return len(entries)

    def _begin(self, position: OutboxPosition) -> None:
        self.acknowledged = self._sent = position
        self._open.clear()
        self._again = None

    def _refused(self, answer: Acknowledged) -> None:
        if not any(answer.id in one.open for one in self._open):
            return
        logger.warning("the broker refuses a message: %s; it is sent again later", answer.reason)
        self._sent = self.acknowledged
        self._open.clear()
        self._not_before = self._clock() + RETRY_REFUSED_S
