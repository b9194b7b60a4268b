"""Counts the open event streams, and shares them fairly between addresses."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable

from companion.core.clock import Clock

LEAST_WAIT_S, MOST_WAIT_S = 2, 30
"""Seconds between two questions of a page that has no stream."""
POLLS_PER_S = 20.0
"""So many questions a second may come; with more pages each waits longer."""


class Listeners:
    """The open event streams. May be used from any thread.

    At the limit a newcomer takes the place of an address that has more streams than its own, so that
    nobody can hold all of them.

    Args:
        most: streams in all.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._open: list[tuple[str, Callable[[], None]]] = []

    def join(self, address: str, end: Callable[[], None]) -> bool:
        """Counts one more stream; False if the limit is reached.

        Args:
            address: of the phone.
            end: ends this stream soon, when another address needs the place.
        """
        with self._lock:
            if len(self._open) >= self._most:
                if not self._open:
                    return False
                counts = Counter(other for other, _ in self._open)
                address_with_most, count = counts.most_common(1)[0]
                if count <= counts[address] + 1:
                    return False
                place = next(i for i, (other, _) in enumerate(self._open) if other == address_with_most)
                _, end_other = self._open.pop(place)
                end_other()
            self._open.append((address, end))
            return True

    def leave(self, end: Callable[[], None]) -> None:
        """Counts one stream less; harmless for one that had to make room."""
        with self._lock:
            self._open = [one for one in self._open if one[1] != end]


class Polls:
    """How often pages without a stream ask for the state. May be used from any thread."""

    WINDOW_S = 10.0

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._asked: deque[float] = deque(maxlen=int(POLLS_PER_S * self.WINDOW_S) * 10)

    def wait_s(self) -> int:
        """Counts a question; seconds until this page should ask again."""
        now = self._clock()
        with self._lock:
            while self._asked and now - self._asked[0] > self.WINDOW_S:
                self._asked.popleft()
            self._asked.append(now)
            per_s = len(self._asked) / self.WINDOW_S
        return max(LEAST_WAIT_S, min(MOST_WAIT_S, round(LEAST_WAIT_S * per_s / POLLS_PER_S)))
