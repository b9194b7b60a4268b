"""Hands out the latest snapshot on request and sends each change to every subscriber."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.api.snapshot import Snapshot, TableChange
from companion.core.clock import Clock

Message = tuple[int, TableChange]
"""(number of the journal's latest line, what has changed)."""
Subscription = queue.Queue[Message | None]

UNSEEN = 100
"""Most changes that are queued for a phone that does not read; after that it gets the latest only."""


class Publisher:
    """The latest snapshot and the subscribers. Every method may be called from any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._latest: tuple[Snapshot, float | None] = (Snapshot(0), None)
        self._subscribers: list[Subscription] = []

    def publish(self, seq: int, snapshot: Snapshot, due: float | None, said: Sequence[Announcement]) -> None:
        """Makes a snapshot the latest and sends it to every subscriber; never blocks.

        Args:
            due: when its deadline expires, a moment of the clock; None: it has none.
            said: what was announced with it.
        """
        self._latest = (snapshot, due)
        message = TableChange("change", self.snapshot(), tuple(one.announced() for one in said))
        with self._lock:
            for subscriber in self._subscribers:
                _put(subscriber, (seq, message))

    def snapshot(self) -> Snapshot:
        """The latest snapshot with the seconds left to its deadline."""
        snapshot, due = self._latest
        if due is None or snapshot.deadline is None:
            return msgspec.structs.replace(snapshot, deadline=None)
        left = round(max(0.0, due - self._clock()), 3)
        deadline = msgspec.structs.replace(snapshot.deadline, left=left)
        return msgspec.structs.replace(snapshot, deadline=deadline)

    def subscribe(self) -> Subscription:
        """A queue that gets every change from now on.

        The sequence number is that of the journal's latest line, so several changes may share one.
        """
        subscriber: Subscription = queue.Queue(UNSEEN)
        with self._lock:
            self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscription) -> None:
        """Ends a subscription; harmless if it has ended."""
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

    def close(self) -> None:
        """Ends every subscription with None."""
        with self._lock:
            for subscriber in self._subscribers:
                _put(subscriber, None)
            self._subscribers.clear()


def _put(subscriber: Subscription, message: Message | None) -> None:
    """A subscriber that does not read loses changes in between, not the latest state."""
    while True:
        try:
            subscriber.put_nowait(message)
            return
        except queue.Full:
            try:
                subscriber.get_nowait()
            except queue.Empty:
                continue
