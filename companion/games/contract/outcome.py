"""The outcome of an event that the rules refuse, if the table agrees to count it ("we play it so").

The refused check is set aside: the event is judged in a position that differs from the present one as little
as possible (the turn, the phase, or what the game names), or the game applies it without its own check of
places and columns. Every outcome is a position that the game accepts, so that no law is ever broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from companion.core.errors import Rejected
from companion.games.contract.fields import Event, identical

if TYPE_CHECKING:
    from companion.games.contract.rulebook import Rulebook, State

    S = TypeVar("S", bound=State)

Waiver = Mapping[str, Any]
"""Keys of a position that differ from the present state, so that a refused event becomes possible."""


def outcome_of(book: Rulebook[S], state: S, event: Event) -> S | None:
    """The state after a refused event that the table counts; None if it cannot be worked out.

    The event's time is moved up to the state's time where it is earlier.
    """
    kind = book.kind_of(event)
    if kind is None or state.phase == "over" or event.get("event") == "position":
        return None
    event = _in_time(state, event)
    if book.fault(kind, state.setup, event) is not None:
        return None
    starts = [start for start in (_agreed(book, state, waiver) for waiver in _waivers(book, state, event))
              if start is not None]  # fmt: skip
    for judge in (_pardoned, _forced):
        for start in starts:
            after = judge(book, start, event)
            if after is not None and (settled := _settled(book, state, after)) is not None:
                return settled
    return None


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a position that differ from another, each with its new value."""
    return {
        key: value for key, value in after.items() if key not in before or not identical(before[key], value)
    }


def plain(shown: Mapping[str, Any]) -> dict[str, Any]:
    """A position as it is after it has gone through JSON."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(shown), type=dict)
    return decoded


def _waivers(book: Rulebook[S], state: S, event: Event) -> Iterator[Waiver]:
    """The present position, then those of the game, then other turns and phases."""
    yield {}
    player = event.get("player")
    turn: Waiver = {"turn": player} if isinstance(player, str) else {}
    if turn:
        yield turn
    for waiver in book.waivers(state, event):
        yield waiver
        yield {**waiver, **turn}
    kind = book.kind_of(event)
    for phase in sorted(kind.phases - {state.phase, "over"}) if kind is not None else ():
        yield {"phase": phase}
        yield {"phase": phase, **turn}


def _in_time(state: S, event: Event) -> Event:
    times = {name: event[name] for name in ("t", "start", "end") if name in event}
    try:
        return {**event, **{name: max(state.time, value) for name, value in times.items()}}
    except TypeError:  # no number: the fields are judged next
        return event


def _agreed(book: Rulebook[S], state: S, waiver: Waiver) -> S | None:
    try:
        return book.agreed(state, {"event": "position", "state": dict(waiver)})
    except Rejected:
        return None


def _pardoned(book: Rulebook[S], state: S, event: Event) -> S | None:
    try:
        return book.pardon(state, event).state
    except Rejected:
        return None


def _forced(book: Rulebook[S], state: S, event: Event) -> S | None:
    try:
        return book.forced(state, event)
    except Rejected:
        return None


def _settled(book: Rulebook[S], state: S, after: S) -> S | None:
    """The outcome as a position reaches it from the present state; None if no position does."""
    wanted = plain(book.view(after))
    reached = _agreed(book, state, differences(plain(book.view(state)), wanted))
    return reached if reached is not None and plain(book.view(reached)) == wanted else None
