"""When an event happened, and whether it carries a time that can be."""

from __future__ import annotations

from typing import Any

from companion.games.contract.fields import Event, is_number
from companion.games.contract.legality import Breach

BAD_FIELD = Breach("bad_field")
JUST_AFTER_S = 0.001
"""Seconds after a deadline at which its event is dated: exactly at the limit is in time."""


def ill_timed(event: Event) -> bool:
    """Whether a time is negative or no number, or a `heard` has no words or ends before it starts."""
    if event["event"] != "heard":
        return "t" in event and not _is_time(event["t"])
    for name in ("start", "end"):
        if name in event and not _is_time(event[name]):
            return True
    start, end = event.get("start"), event.get("end")
    return not event.get("words") or (start is not None and end is not None and end < start)


def _is_time(value: Any) -> bool:
    return is_number(value) and value >= 0


def event_time(event: Event) -> float | None:
    """When the event happened: `start` of a `heard`, otherwise `t`; None if it carries no time.

    Raises:
        Rejected: `bad_field` for a time that is negative or no number, or a `heard` without words or that
            ends before it starts.
    """
    if ill_timed(event):
        raise BAD_FIELD.rejected()
    return moment_of(event)


def moment_of(event: Event) -> float | None:
    """When a well-formed event happened: `start` of a `heard`, otherwise `t`; None if it carries no time."""
    when = event.get("start" if event["event"] == "heard" else "t")
    return None if when is None else float(when)


def run_out(deadline: float) -> Event:
    """The event of a deadline that has expired, in seconds of the game."""
    return {"event": "time_passed", "t": round(deadline + JUST_AFTER_S, 3)}
