"""Between the table and the attention of the senses: records when the senses are directed, and in a service
that plays an evening again directs them when they were directed that evening.

The table needs some hundredths of a second until it has judged and stored what it got; only then do the ears
know which words may come next. A block of sound in between is heard with the words before.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

from companion.core.active_game import ActiveGame
from companion.core.clock import Clock
from companion.games.spotter import Expectation
from companion.senses.attention import Attention

LATEST_S = 0.5
"""Seconds after which the senses are directed although they were not that evening."""


class AttentionGate:
    """Listens to the table (companion.table.listener.TableListener) and passes its reports on.

    Args:
        attention: directs eyes, ears and evidence.
        directed: called after each time that it has directed them.
        clock: the moments of waiting reports.
    """

    def __init__(self, attention: Attention, directed: Callable[[], None], clock: Clock) -> None:
        self._attention = attention
        self._directed = directed
        self._clock = clock
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()
        self._due: deque[float] = deque()
        self.holds = False
        """Whether reports wait for `direct`, at most LATEST_S."""

    def game_changed(self, game: ActiveGame | None) -> None:
        """See TableListener."""
        self._pass(lambda: self._attention.game_changed(game))

    def expectation_changed(self, expectation: Expectation) -> None:
        """See TableListener."""
        self._pass(lambda: self._attention.expectation_changed(expectation))

    def finding_made(self, n: int, t: float) -> None:
        """See TableListener."""
        self._attention.finding_made(n, t)

    def direct(self) -> None:
        """Directs the senses: passes the oldest report on, or the next one when it comes."""
        self.release()
        if self._waiting:
            self._waiting.popleft()[1]()
        else:
            self._due.append(self._clock())

    def release(self) -> None:
        """Passes on what has waited for too long."""
        while self._waiting and self._waiting[0][0] + LATEST_S <= self._clock():
            self._waiting.popleft()[1]()
        while self._due and self._due[0] + LATEST_S <= self._clock():
            self._due.popleft()

    @property
    def next_release(self) -> float:
        """The moment at which the oldest report is passed on at the latest; infinite without one."""
        return self._waiting[0][0] + LATEST_S if self._waiting else math.inf

    def _pass(self, report: Callable[[], None]) -> None:
        if not self.holds:
            report()
            self._directed()
            return
        self.release()
        if self._due and not self._waiting:
            self._due.popleft()
            report()
        else:
            self._waiting.append((self._clock(), report))
