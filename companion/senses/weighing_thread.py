"""Weighs sounds on a thread of its own: the table's thread never waits for a decoding."""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict
from collections.abc import Callable

from msgspec.structs import replace

from companion.core.observations import Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.senses.thread import lower_priority

KEPT = 64
"""So many results are kept: more than the table asks for again."""

Weighing = tuple[Utterance, CallDue]


class WeighingThread:
    """Weighs one sound after the other.

    Args:
        weigh: weighs a sound; takes 30 to 300 ms on a desktop core. It raises nothing.
        done: called after each sound, on this thread.
    """

    def __init__(self, weigh: Callable[[Utterance, CallDue], WeighedCall], done: Callable[[], None]) -> None:
        self._weigh, self._done = weigh, done
        self._wanted: queue.SimpleQueue[Weighing | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._results: OrderedDict[Weighing, WeighedCall | None] = OrderedDict()
        self._thread = threading.Thread(target=self._run, name="weighing", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, timeout: float) -> None:
        """Ends the thread after the sounds in its queue."""
        self._wanted.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def weighed(self, utterance: Utterance, due: CallDue) -> WeighedCall | None:
        """What an utterance was. None: it is being weighed; `done` is called when that is known."""
        asked = (replace(utterance, landing=None), due)  # a landing that is reported later changes nothing
        with self._lock:
            if asked in self._results:
                return self._results[asked]
            self._results[asked] = None
            while len(self._results) > KEPT:
                self._results.popitem(last=False)
        self._wanted.put(asked)
        return None

    def _run(self) -> None:
        lower_priority()
        while (asked := self._wanted.get()) is not None:
            found = self._weigh(*asked)
            with self._lock:
                self._results[asked] = found
            self._done()
