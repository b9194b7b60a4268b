"""Inserts the calls of a recording into the events of a script.

The game is played beside the script, because the calls that would be right are needed to recognise a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from companion.core.errors import Rejected
from companion.core.events import Event, MutableEvent
from companion.core.observations import HeardWord, Utterance
from companion.games.contract.event_times import event_time
from companion.games.contract.fields import Setup
from companion.games.contract.offers import Words
from companion.games.contract.rulebook import RejectedAfter, Rulebook


class CallSource(Protocol):
    """A recording of calls: companion.speech.recognition.recorded_calls.RecordedCalls."""

    def split(self, cuts: Sequence[float]) -> Iterator[Utterance]:
        """The calls in order, split at the moments in `cuts`."""

    def read(self, call: Utterance, right: Sequence[Sequence[str]]) -> tuple[HeardWord, ...]:
        """The words of a call, given the calls that would be right; none: ignore the call."""


def with_calls(
    book: Rulebook[Any], setup: Setup, events: Sequence[MutableEvent], source: CallSource
) -> list[MutableEvent]:
    """The events of a script with the calls of a recording as `heard` events, in order of time.

    Args:
        events: the script's events; its own `heard` events are left out.
        source: the calls; second 0 of the recording is t = 0 of the script.
    """
    game = _ParallelGame(book, setup)
    others = [event for event in events if event.get("event") != "heard"]
    merged: list[MutableEvent] = []
    calls = source.split(sorted(t for t in map(_time, others) if t is not None))
    waiting = next(calls, None)
    for event in [*others, None]:
        limit = None if event is None else _time(event)
        while waiting is not None and (event is None or (limit is not None and waiting.start < limit)):
            words = source.read(waiting, game.right_calls())
            if words:
                heard = _heard(words)
                merged.append(heard)
                game.push(heard)
            waiting = next(calls, None)
        if event is not None:
            merged.append(event)
            game.push(event)
    return merged


def _heard(words: Sequence[HeardWord]) -> MutableEvent:
    return {
        "event": "heard",
        "words": [word.word for word in words],
        "start": round(words[0].start, 3),
        "end": round(max(words[-1].end, words[0].start), 3),
    }


def _time(event: Event) -> float | None:
    """When the event happened; None without a time, or with an impossible one (the replay rejects it)."""
    try:
        return event_time(event) if isinstance(event.get("event"), str) else None
    except Rejected:
        return None


class _ParallelGame:
    """Plays the script's events only to know which calls would be right."""

    def __init__(self, book: Rulebook[Any], setup: Setup) -> None:
        self._book = book
        self._states = [book.start(setup)]

    def push(self, event: Event) -> None:
        """Plays the next event; ignores a rejected one."""
        if event.get("event") == "undone":
            if len(self._states) > 1:
                self._states.pop()
            return
        try:
            self._states.append(self._book.play(self._states[-1], event).state)
        except RejectedAfter as rejection:
            self._states[-1] = rejection.settled.state
        except Rejected:
            pass

    def right_calls(self) -> tuple[tuple[str, ...], ...]:
        """The calls that would be right now."""
        found: list[tuple[str, ...]] = []
        for offer in self._book.expects(self._states[-1]):
            words = offer.fields.get("words")
            if offer.event == "heard" and isinstance(words, Words):
                found += words.right
        return tuple(found)
