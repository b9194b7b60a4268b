"""The vocabulary of an event: its kind, its fields, and how the value of each is checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import msgspec

from companion.core.events import Event as Event


class Setup(msgspec.Struct, frozen=True):
    """A checked header: who plays, in seating order, and the game's own settings struct."""

    players: tuple[str, ...]
    settings: Any


Check = Callable[[Any, Setup], str | None]
"""Judges a field's value: None, or a code (`unknown_player`, `bad_field`, `unknown_card`)."""


def a_player(value: Any, setup: Setup) -> str | None:
    """The name of a player."""
    if not isinstance(value, str):
        return "bad_field"
    return None if value in setup.players else "unknown_player"


def a_time(value: Any, setup: Setup) -> str | None:
    """Seconds since the start of the script; its value is judged with the event's order in time."""
    return None if is_number(value) and value >= 0 else "bad_field"


def a_place(value: Any, setup: Setup) -> str | None:
    """[row, column], two integers of either sign."""
    good = isinstance(value, list) and len(value) == 2 and is_integer(value[0]) and is_integer(value[1])
    return None if good else "bad_field"


def some_words(value: Any, setup: Setup) -> str | None:
    """A list of at least one word."""
    good = isinstance(value, list) and len(value) > 0 and all(isinstance(word, str) for word in value)
    return None if good else "bad_field"


def a_boolean(value: Any, setup: Setup) -> str | None:
    """true or false."""
    return None if isinstance(value, bool) else "bad_field"


def is_integer(value: Any) -> TypeGuard[int]:
    """JSON integer; Python's bool is not one."""
    return type(value) is int


def identical(one: Any, other: Any) -> bool:
    """Equal as JSON values: true is not 1, 1 is not 1.0, and a tuple equals a list."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


LARGEST = 10**300
"""Integers from here on count as none: a double holds hardly more."""


def is_number(value: Any) -> TypeGuard[float]:
    """Finite JSON number within a double's range; Python's bool, NaN and infinities are not."""
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is int and -LARGEST < value < LARGEST


class Field(msgspec.Struct, frozen=True):
    """One field of an event kind."""

    name: str
    check: Check
    required: bool = True


Together = Callable[[Event, Setup], str | None]
"""Judges fields that depend on each other; None, or a code of those a field may have."""


class EventKind(msgspec.Struct, frozen=True):
    """One kind of event: its fields and the phases it belongs to."""

    fields: tuple[Field, ...]
    phases: frozenset[str]
    meaning: str = ""
    """One sentence for docs/events.md and the phones."""
    together: Together | None = None
    """Checks conditions on several fields (a joker needs a column), besides the checks of each field."""
    by: str = ""
    """The field that names a variant."""
    variants: Mapping[str, EventKind] = {}
    """Kinds with fields and phases of their own, by the value of the field `by`."""
    checks: tuple[tuple[str, Check, bool], ...] = ()
    """(name, check, whether it is required) of each field: what is asked for every event."""

    def __post_init__(self) -> None:
        checks = tuple((field.name, field.check, field.required) for field in self.fields)
        msgspec.structs.force_setattr(self, "checks", checks)

    def of(self, event: Event) -> EventKind:
        """The variant that an event names, or this kind itself."""
        value = event.get(self.by) if self.by else None
        return self.variants.get(value, self) if isinstance(value, str) else self


HEARD = (
    Field("words", some_words),
    Field("start", a_time),
    Field("end", a_time),
    Field("player", a_player, required=False),
)
"""The fields of `heard`, the same in every game with calls."""

TIME_TOLERANCE = 1e-9
"""Two times closer than this, in seconds, are the same moment: decimal times have no exact binary form."""


def seat_after(players: tuple[str, ...], player: str, steps: int = 1) -> str:
    """The player `steps` seats clockwise of `player`."""
    return players[(players.index(player) + steps) % len(players)]
