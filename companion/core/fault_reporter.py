"""Reports faults of senses and outputs to the table as observations."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.errors import Impaired, reason
from companion.core.observations import Observation, SourceChanged

ReportFault = Callable[[str, Exception | None], None]
"""Takes a source's name and what failed; None: it works again; Impaired: it works in part."""


class FaultReporter:
    """Turns an error of a source into `SourceChanged`. May be called from any thread.

    Args:
        submit: takes the observation.
        clock: gives its time.
    """

    def __init__(self, submit: Callable[[Observation], None], clock: Clock) -> None:
        self._submit = submit
        self._clock = clock

    def __call__(self, source: str, error: Exception | None) -> None:
        """Reports that `source` failed with `error`, works in part (Impaired), or (None) works again."""
        why = None if error is None else reason(error)
        up = error is None or isinstance(error, Impaired)
        self._submit(SourceChanged(self._clock(), source, up, why))
