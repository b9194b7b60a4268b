"""Sorts observations by the time at which they happened, not by the time at which they were reported.

Eyes and ears report late, each with its own delay: a card is named once it no longer moves, a call after its
last word. An observation of time `t` is held until the watermark (`Watched`, `Listened`) of every live sense
has passed `t`, as stream processors order late data (Akidau et al., The Dataflow Model, VLDB 2015). The hold
is bounded: a sense that hangs must not stop the game. Nothing is dropped.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from companion.core.observations import (
    EARLY_S,
    Listened,
    Observation,
    SourceChanged,
    Utterance,
    Watched,
)

HOLD_S = 2.5
"""Longest hold of an observation in seconds: longer than a call and its recognition."""
DEADLINE_FACTOR = 4.0
"""A deadline is held this many times as long as an observation before it expires without a late sense."""

EYES, EARS = "camera", "microphone"
"""The senses that report watermarks, by the names of their sources."""
WEIGHING = "weighing"
"""Holds the inbox while a sound is being weighed that the table waits for."""

T = TypeVar("T")


class Held(Generic[T]):
    """Something that happened at `t`. It is held at least until `earliest` and until all senses have reported
    what happened up to `known`, at most until `until`.
    """

    def __init__(
        self, t: float, number: int, until: float, earliest: float, what: T, known: float | None = None
    ) -> None:
        self.t = t
        self.known = t if known is None else known
        self.number = number
        self.until = until
        self.earliest = earliest
        self.what = what

    def __lt__(self, other: Held[T]) -> bool:
        return (self.t, self.number) < (other.t, other.number)


class Inbox(Generic[T]):
    """The queue of one table, sorted by time of happening. It has no thread; time is a parameter.

    `T` is the type of what is held.
    """

    def __init__(self, hold_s: float = HOLD_S) -> None:
        self._hold_s = hold_s
        self._waiting: list[Held[T]] = []
        self._count = 0
        self._postponed: list[Held[T]] = []
        self._passed: dict[str, float | None] = {}

    def put(
        self, what: T, t: float, now: float, chord_window_s: float = 0.0, known: float | None = None
    ) -> None:
        """Takes something that happened at `t` and was noticed `now`.

        It is held at least `chord_window_s` seconds, for others that belong to it (see `take_matching`), and
        until everything up to `known` (None: `t`) has been reported (see `first_after`).
        """
        self._count += 1
        heapq.heappush(
            self._waiting, Held(t, self._count, now + self._hold_s, t + chord_window_s, what, known)
        )

    def hold(self) -> None:
        """Nothing with a time may go from now on until `go_on`, or until it was held too long."""
        self._passed[WEIGHING] = float("-inf")

    @property
    def on_hold(self) -> bool:
        """Whether `hold` holds everything."""
        return WEIGHING in self._passed

    def postpone(self, what: T, t: float, known: float) -> None:
        """Puts something back that could not be judged yet; it goes first after `go_on`. See `hold`."""
        self._postponed.append(Held(t, 0, t, t, what, known))
        self.hold()

    def go_on(self, now: float) -> None:
        """What was held or postponed may go."""
        self._passed.pop(WEIGHING, None)
        for held in self._postponed:
            held.until = now
            heapq.heappush(self._waiting, held)
        self._postponed = []

    def take_matching(self, until: float, belongs: Callable[[T], bool]) -> list[T]:
        """Takes out what happened next, up to `until`, as long as `belongs` holds for it."""
        found = []
        while self._waiting and self._waiting[0].t <= until and belongs(self._waiting[0].what):
            found.append(heapq.heappop(self._waiting).what)
        return found

    def first_after(self, t: float, belongs: Callable[[T], bool]) -> float | None:
        """When the first held thing after `t` happened for which `belongs` holds; None without one."""
        return min((held.t for held in self._waiting if held.t > t and belongs(held.what)), default=None)

    def mark(self, sense: str, t: float) -> None:
        """Sets the watermark of a sense: it has reported everything before `t`. It counts as live from now
        on."""
        known = self._passed.get(sense)
        self._passed[sense] = t if known is None else max(known, t)

    def live(self, sense: str, up: bool) -> None:
        """A sense came up or went down. Observations are held for it from its first watermark on."""
        if up:
            self._passed.setdefault(sense, None)
        else:
            self._passed.pop(sense, None)

    def waits(self, t: float) -> bool:
        """Whether something that happened up to `t` is still held."""
        return any(held.t <= t for held in (*self._waiting, *self._postponed))

    def settled(self, t: float, now: float) -> bool:
        """Whether everything up to `t` is known: all watermarks have passed it, or DEADLINE_FACTOR times the
        hold is over. It is longer than for an observation: a deadline costs a player something, and slow
        ears may have heard the call."""
        if self.waits(t):
            return False
        return self._all_passed(t) or now >= t + DEADLINE_FACTOR * self._hold_s

    def ready(self, now: float) -> Iterator[T]:
        """Takes out, in the order of happening, everything that need not be held any longer."""
        latest = max((held.t for held in self._waiting if held.until <= now), default=float("-inf"))
        while self._waiting and (self._waiting[0].t <= latest or self._may_go(self._waiting[0], now)):
            yield heapq.heappop(self._waiting).what

    def __len__(self) -> int:
        return len(self._waiting) + len(self._postponed)

    def _may_go(self, held: Held[T], now: float) -> bool:
        return held.earliest <= now and self._all_passed(held.known)

    def _all_passed(self, t: float) -> bool:
        return all(passed is None or passed >= t for passed in self._passed.values())


def moment_of(observation: Observation) -> float:
    """When it happened: an utterance at its start, as the rules order calls; everything else at its `t`."""
    return observation.start if isinstance(observation, Utterance) else observation.t


def known_from(observation: Observation) -> float:
    """Up to when everything must have been reported before it is handled. An utterance may be about a card
    that came down after its start."""
    if isinstance(observation, Utterance):
        return max(observation.end, observation.start + EARLY_S)
    return observation.t


def sense_of(mark: Watched | Listened | SourceChanged) -> str:
    """The sense that a watermark belongs to."""
    if isinstance(mark, SourceChanged):
        return mark.source
    return EYES if isinstance(mark, Watched) else EARS
