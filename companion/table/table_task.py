"""What arrives at the table: observations, commands, and functions to be called on its thread."""

from __future__ import annotations

import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.core.observations import Observation
from companion.table.pending_command import PendingCommand
from companion.table.referee import Referee


@dataclass(frozen=True)
class TableTask:
    """A function that is called on the table's thread, between two events."""

    run: Callable[[Referee], Any]
    answer: Future[Any]

    def call(self, referee: Referee) -> Callable[[], None]:
        """Calls it. What this returns gives its result, or its error, as the answer, once what it has changed
        is published."""
        try:
            return partial(self.answer.set_result, self.run(referee))
        except Exception as error:  # whoever waits for the answer gets it
            return partial(self.answer.set_exception, error)


Observations = queue.SimpleQueue[Observation | PendingCommand | TableTask | None]
"""What has arrived and has not been judged yet. Any thread may put an observation into it."""
