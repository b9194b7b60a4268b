"""Supervises one source: a thread opens the device and passes items on; it is restarted when it fails.

A watchdog as in video recorders: the reader may hang inside a driver for ever, so the thread that watches it
never uses the device itself. A reader that hangs is abandoned (a daemon thread whose items are ignored) and a
new one is started.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from companion.core.clock import Clock
from companion.core.errors import reason
from companion.core.message import Message, message
from companion.core.observations import SourceChanged
from hardware.streams import Stream

T = TypeVar("T")

RETRY_S = 1.0
"""Pause before a device that failed is opened again."""


class Supervised(Generic[T]):
    """Keeps one source running.

    Args:
        name: the source's name in SourceChanged: `camera`, `microphone`.
        open_stream: opens the device.
        deliver: takes each item, on the reader's thread; must not block for long.
        report: takes SourceChanged when the source goes down or comes up.
        stall_s: seconds without an item after which the source counts as hanging; None: the stream itself
            raises Stalled.
    """

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], Stream[T]],
        deliver: Callable[[T], None],
        report: Callable[[SourceChanged], None],
        clock: Clock,
        *,
        stall_s: float | None = None,
        retry_s: float = RETRY_S,
    ) -> None:
        self.name = name
        self._open = open_stream
        self._deliver = deliver
        self._report = report
        self._clock = clock
        self._stall_s = stall_s
        self._retry_s = retry_s
        self._stopping = threading.Event()
        self._changed = threading.Condition()
        self._reader = 0
        self._latest = 0.0
        self._up: bool | None = None
        self._done = False
        self._keeper = threading.Thread(target=self._keep, name=f"{name} keeper", daemon=True)

    def start(self) -> None:
        """Starts the source; `report` gets the result."""
        self._keeper.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Stops the source; a reader that hangs in its driver is abandoned."""
        self._stopping.set()
        with self._changed:
            self._reader += 1
            self._changed.notify_all()
        if self._keeper.is_alive():
            self._keeper.join(timeout)

    @property
    def up(self) -> bool:
        """Whether the source delivers."""
        return self._up is True

    @property
    def ended(self) -> bool:
        """Whether a recording has ended."""
        return self._done

    @property
    def alive(self) -> bool:
        """Whether the supervising thread runs (for the service's watchdog)."""
        return self._keeper.is_alive() or self._done

    # --- the keeper's thread ------------------------------------------------------------------------------

    def _keep(self) -> None:
        while not self._stopping.is_set() and not self._done:
            with self._changed:
                self._reader += 1
                number = self._reader
                self._latest = self._clock()
            reader = threading.Thread(
                target=self._read, args=(number,), name=f"{self.name} reader {number}", daemon=True
            )
            reader.start()
            self._watch(reader, number)
            if not self._done:
                self._stopping.wait(self._retry_s)

    def _watch(self, reader: threading.Thread, number: int) -> None:
        """Returns when the reader has ended or hangs."""
        while reader.is_alive() and not self._stopping.is_set():
            reader.join(0.05 if self._stall_s is None else min(0.25, self._stall_s / 4))
            silent = self._clock() - self._latest
            if self._stall_s is not None and reader.is_alive() and silent > self._stall_s:
                with self._changed:
                    self._reader += 1
                self._say(False, message("source.stalled", seconds=round(silent, 1)))
                return
        if self._stopping.is_set():
            reader.join(0.5)

    # --- the reader's thread ------------------------------------------------------------------------------

    def _read(self, number: int) -> None:
        try:
            stream = self._open()
        except Exception as error:  # any error of a driver is reported, and the device opened again
            self._fail(number, error)
            return
        try:
            for item in stream:
                if not self._mine(number):
                    return
                self._latest = self._clock()
                self._say(True)
                self._deliver(item)
            if self._mine(number):
                self._done = True
                self._say(False, message("source.recording_ended"))
        except Exception as error:  # see above
            self._fail(number, error)
        finally:
            stream.close()

    def _mine(self, number: int) -> bool:
        with self._changed:
            return number == self._reader and not self._stopping.is_set()

    def _fail(self, number: int, error: Exception) -> None:
        if self._mine(number):
            self._say(False, reason(error))

    def _say(self, up: bool, why: Message | None = None) -> None:
        if self._up is not up:
            self._up = up
            self._report(SourceChanged(self._clock(), self.name, up, why))
