"""A lesson by sound that lasts while its page asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from companion.core.clock import Clock
from companion.core.errors import UsageError

WATCHED_S = 6.0
"""Seconds without a request of the page after which a lesson ends."""
LONGEST_NAME = 40
L = TypeVar("L")


def named(player: str) -> str:
    """The name without blanks round it.

    Raises:
        UsageError: nothing is left, or it is too long.
    """
    name = player.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise UsageError("teaching.no_player", longest=LONGEST_NAME)
    return name


class WatchedLesson(Generic[L]):
    """Holds one lesson at a time. Every method may be called from any thread.

    Args:
        on_listening: called with True when the use of sound begins and with False when it ends.
    """

    def __init__(self, clock: Clock, on_listening: Callable[[bool], None]) -> None:
        self._clock = clock
        self._on_listening = on_listening
        self._lock = threading.Lock()
        self._lesson: L | None = None
        self._until = 0.0

    def begin(self, lesson: L) -> None:
        """Takes the place of the lesson that there may be."""
        with self._lock:
            before, self._lesson = self._lesson, lesson
            self._until = self._clock() + WATCHED_S
        if before is None:
            self._on_listening(True)

    def hear(self, takes: Callable[[L], None], is_over: Callable[[L], bool]) -> None:
        """Gives the lesson a block of sound by `takes`; ends one that nobody watches."""
        if self._lesson is None:
            return
        with self._lock:
            lesson = self._lesson
            if lesson is None or is_over(lesson):
                return
            if self._clock() >= self._until:
                self._end()
            else:
                takes(lesson)

    def watched(self, is_over: Callable[[L], bool]) -> tuple[L | None, L | None]:
        """The page asks: the lesson that goes on, and the one that was over and has ended now."""
        with self._lock:
            self._until = self._clock() + WATCHED_S
            lesson = self._lesson
            if lesson is None or not is_over(lesson):
                return lesson, None
            self._end()
            return None, lesson

    def stop(self) -> None:
        """Ends the lesson; nothing of it is kept."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._lesson is not None:
            self._lesson = None
            self._on_listening(False)
