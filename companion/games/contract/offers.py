"""Offers: the events that would be accepted now, and the allowed values of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import msgspec

from companion.games.contract.fields import TIME_TOLERANCE, Event, identical, is_integer, is_number


class Choice(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, omit_defaults=True):
    """The allowed values of one field of an offered event."""

    def allows(self, value: Any) -> bool:
        """Whether the value is allowed."""
        raise NotImplementedError

    def examples(self) -> Sequence[Any]:
        """All listed values; without a list one allowed value, or none if there is none."""
        raise NotImplementedError

    def only(self, examples: Sequence[Any]) -> Self:
        """The offer with only these of its listed values; a choice without a list stays as it is."""
        return self


class OneOf(Choice, frozen=True):
    """One of the listed JSON values."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        return any(identical(value, v) for v in self.values)

    def examples(self) -> Sequence[Any]:
        return self.values

    def only(self, examples: Sequence[Any]) -> Self:
        return type(self)(tuple(examples))


class Integer(Choice, frozen=True):
    """An integer from `low` to `high` (None: no bound)."""

    low: int | None = None
    high: int | None = None

    def allows(self, value: Any) -> bool:
        return (
            is_integer(value)
            and (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
        )

    def examples(self) -> Sequence[Any]:
        if self.low is not None and self.high is not None and self.low > self.high:
            return ()
        return (next((bound for bound in (self.low, self.high) if bound is not None), 0),)


class Several(Choice, frozen=True):
    """A list of at least one of the listed values, each at most once."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or not value:
            return False
        places = [next((i for i, v in enumerate(self.values) if identical(one, v)), None) for one in value]
        return None not in places and len(set(places)) == len(places)

    def examples(self) -> Sequence[Any]:
        return [[value] for value in self.values]

    def only(self, examples: Sequence[Any]) -> Self:
        return type(self)(tuple(value for (value,) in examples))


class Words(Choice, frozen=True):
    """Any words; `right` lists those sequences that would be right (for the speech grammar)."""

    right: tuple[tuple[str, ...], ...] = ()

    def allows(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) > 0 and all(isinstance(word, str) for word in value)

    def examples(self) -> Sequence[Any]:
        return ([*(self.right[0] if self.right else ("?",))],)


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event that would be accepted now: the answer to "what may I do now?".

    An event matches if its kind is `event`, each of `fields` is present and allowed (a field that is
    `optional` may be absent) and it happens in time. Fields that are not named are free. `by` is the last
    moment for it (seconds since the start of the script), None without a limit. `after` is set on an event
    that becomes possible only after a deadline: it is accepted only after that moment. `rule` is the id of
    the rule that allows it.
    """

    event: str
    fields: Mapping[str, Choice]
    optional: tuple[str, ...] = ()
    by: float | None = None
    rule: str = ""
    after: float | None = None

    def matches(self, event: Event) -> bool:
        """Whether this event is the offered one."""
        if event.get("event") != self.event:
            return False
        when = event.get("start" if self.event == "heard" else "t")
        if is_number(when):
            if self.by is not None and when > self.by + TIME_TOLERANCE:
                return False
            if self.after is not None and when <= self.after + TIME_TOLERANCE:
                return False
        for name, choice in self.fields.items():
            if name not in event:
                if name not in self.optional:
                    return False
            elif not choice.allows(event[name]):
                return False
        return True
