"""Shared by the threads of eyes and ears: start-up and the report of faults."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable

from companion.core.errors import CompanionError
from companion.core.fault_reporter import ReportFault
from companion.core.observations import Observation

logger = logging.getLogger(__name__)

NICENESS = 5
"""Niceness of the senses' threads."""

Submit = Callable[[Observation], None]
Worked = Callable[[float, bool], None]
"""Gets the time of a picture or block, and False before it is analysed, True after its reports."""


def ignore_work(t: float, done: bool) -> None:
    """Does nothing."""


class Health:
    """Whether a sense works; reports when that changes."""

    def __init__(self, name: str, report_fault: ReportFault) -> None:
        self._name = name
        self._report_fault = report_fault
        self._failing = False

    def failed(self, error: Exception) -> None:
        if not self._failing:
            if not isinstance(error, CompanionError):
                logger.exception("%s: the program failed", self._name)
            self._failing = True
            self._report_fault(self._name, error)

    def works(self) -> None:
        if self._failing:
            self._failing = False
            self._report_fault(self._name, None)


def begin(prepare: Callable[[], None]) -> None:
    """Start-up of a sense on its thread: lowers its priority and loads what it needs. What is missing is
    reported when a game needs it."""
    lower_priority()
    try:
        prepare()
    except (CompanionError, ImportError, OSError) as error:
        logger.info("%s cannot be preloaded: %s", threading.current_thread().name, error)


def lower_priority() -> None:
    """Lowers the priority of this thread: a press and a tick of the countdown are more urgent than the next
    picture. A service that was started with a lower one keeps it: only root may raise it. Linux only:
    elsewhere niceness applies to the whole process."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        if os.getpriority(os.PRIO_PROCESS, thread) < NICENESS:
            os.setpriority(os.PRIO_PROCESS, thread, NICENESS)
