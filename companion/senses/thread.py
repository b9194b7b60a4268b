"""What the threads of eyes and ears share: their start, and the report of faults."""

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

BEHIND = 5
"""Niceness of the senses' threads."""

Submit = Callable[[Observation], None]


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
    """What a sense does first on its thread: it steps behind the table and loads what it will need. What is
    missing is told when a game needs it."""
    after_the_table()
    try:
        prepare()
    except (CompanionError, ImportError, OSError) as error:
        logger.info("%s cannot be loaded beforehand: %s", threading.current_thread().name, error)


def after_the_table() -> None:
    """Lets this thread wait for the others where the processor is busy: a press and a tick of the countdown
    come before the next picture. Linux counts niceness by thread; other systems by process, so not there."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)
