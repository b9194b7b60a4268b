"""Tells everybody who watches: the latest snapshot to whoever asks, each change to whoever has subscribed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from typing import Any

from companion.announce.announcement import Announcement
from companion.announce.phrases import Phrases
from companion.core.clock import Clock

Json = dict[str, Any]
Message = tuple[int, Json]
Subscription = queue.Queue[Message | None]

UNSEEN = 100
"""So many changes wait for a phone that does not read; then it gets the latest only."""


class Publisher:
    """The latest snapshot and the subscribers. Every method may be called from any thread."""

    def __init__(self, clock: Clock, phrases: Phrases) -> None:
        self._clock = clock
        self._phrases = phrases
        self._lock = threading.Lock()
        self._latest: tuple[Json, float | None] = ({}, None)
        self._subscribers: list[Subscription] = []

    def publish(self, seq: int, snapshot: Json, due: float | None, said: Sequence[Announcement]) -> None:
        """Makes a snapshot the latest and sends it to every subscriber; never blocks.

        Args:
            snapshot: is not changed any more by anybody.
            due: when its deadline runs out, a moment of the clock; None: it has none.
            said: what was announced with it.
        """
        self._latest = (snapshot, due)
        message: Json = {
            "kind": "change",
            "snapshot": self.snapshot(),
            "announcements": [one.as_json(self._phrases) for one in said],
        }
        with self._lock:
            for subscriber in self._subscribers:
                _put(subscriber, (seq, message))

    def snapshot(self) -> Json:
        """The latest snapshot with what is left of its deadline."""
        snapshot, due = self._latest
        if due is None:
            return {**snapshot, "deadline": None}
        left = round(max(0.0, due - self._clock()), 3)
        return {**snapshot, "deadline": {**snapshot["deadline"], "in": left}}

    def subscribe(self) -> Subscription:
        """A queue that gets every change from now on, (sequence, {"kind", "snapshot", "announcements"}).

        The sequence is that of the journal's latest line, so several changes may share one.
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
    """Who does not read loses the changes in between, not the latest state."""
    while True:
        try:
            subscriber.put_nowait(message)
            return
        except queue.Full:
            try:
                subscriber.get_nowait()
            except queue.Empty:
                continue
