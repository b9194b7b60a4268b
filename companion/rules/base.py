"""What the five rulebooks share: the contract, the vocabulary of an event, and what may come next.

A rulebook is pure: it has no clock, no randomness and no I/O. Time arrives in the events, deadlines are
returned, and states are plain frozen values that can be compared, printed and written as JSON. Every game's
file follows the order of the members below, so that whoever knows one file knows all five.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from companion.errors import BadHeader, Rejected

Event = Mapping[str, Any]
"""One event as it stands in a script: a JSON object with `event` and the fields of docs/events.md."""


class Setup(msgspec.Struct, frozen=True):
    """A checked header: who plays, in seating order, and the game's own settings struct."""

    players: tuple[str, ...]
    settings: Any


class State(Protocol):
    """What every game's state has; the rest is the game's own. States are frozen msgspec structs."""

    @property
    def setup(self) -> Setup: ...
    @property
    def phase(self) -> str: ...
    @property
    def time(self) -> float:
        """Time of the last accepted event that had one, seconds since the start of the script."""


S = TypeVar("S", bound=State)


class Verdict(msgspec.Struct, frozen=True):
    """A finding of the referee. `details` are further keys of the JSON verdict (`expected`, `cards`)."""

    player: str
    verdict: str
    details: dict[str, Any] = {}
    rule: str = ""
    """Id of the rule it rests on, for the explanation; not part of the replay's JSON."""


class Ruling(msgspec.Struct, Generic[S], frozen=True):
    """What an accepted event brings about: the new state and the verdicts in the order they arise."""

    state: S
    verdicts: tuple[Verdict, ...] = ()


class RejectedAfter(Rejected):
    """Rejected, but the deadlines that ran out before it stand: `settled` is their ruling (The Nasty 7)."""

    def __init__(self, code: str, settled: Ruling[Any], rule: str = "") -> None:
        super().__init__(code, rule)
        self.settled = settled


# --- the fields of an event -------------------------------------------------------------------------------

Check = Callable[[Any, Setup], str | None]
"""Judges a field's value: None, or a code (`unknown_player`, `bad_field`, `unknown_card`)."""


def a_player(value: Any, setup: Setup) -> str | None:
    """The name of somebody at the table."""
    if not isinstance(value, str):
        return "bad_field"
    return None if value in setup.players else "unknown_player"


def a_time(value: Any, setup: Setup) -> str | None:
    """Seconds since the start of the script; its value is judged with the event's order in time."""
    return None if is_number(value) and value >= 0 else "bad_field"


def a_place(value: Any, setup: Setup) -> str | None:
    """[row, column], two integers of either sign."""
    good = isinstance(value, list) and len(value) == 2 and all(is_integer(v) for v in value)
    return None if good else "bad_field"


def some_words(value: Any, setup: Setup) -> str | None:
    """A list of at least one word."""
    good = isinstance(value, list) and len(value) > 0 and all(isinstance(word, str) for word in value)
    return None if good else "bad_field"


def a_boolean(value: Any, setup: Setup) -> str | None:
    """true or false."""
    return None if isinstance(value, bool) else "bad_field"


def is_integer(value: Any) -> bool:
    """JSON integer: Python's bool is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def identical(one: Any, other: Any) -> bool:
    """Equal as JSON values: true is not 1, 1 is not 1.0, and a tuple stands for a list."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


def is_number(value: Any) -> bool:
    """Finite JSON number: Python's bool, NaN and infinities are none."""
    return (is_integer(value) or isinstance(value, float)) and abs(value) != float("inf") and value == value


class Field(msgspec.Struct, frozen=True):
    """One field of an event kind."""

    name: str
    check: Check
    required: bool = True


class EventKind(msgspec.Struct, frozen=True):
    """One kind of event: its fields and the phases it belongs to."""

    fields: tuple[Field, ...]
    phases: frozenset[str]
    meaning: str = ""
    """One sentence for docs/events.md and the phones."""


HEARD = (
    Field("words", some_words),
    Field("start", a_time),
    Field("end", a_time),
    Field("player", a_player, required=False),
)
"""The fields of `heard`, the same in every game that listens."""

# Codes of malformed events in the order in which EVENTS.md has them checked.
_FIELD_CODES = ("unknown_player", "missing_field", "bad_field", "unknown_card")


# --- what may come next -----------------------------------------------------------------------------------


class Choice(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower, omit_defaults=True):
    """What one field of an offered event may be."""

    def allows(self, value: Any) -> bool:
        """Whether the value is one of those offered."""
        raise NotImplementedError


class OneOf(Choice, frozen=True):
    """One of the listed JSON values."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        return any(identical(value, v) for v in self.values)


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


class Words(Choice, frozen=True):
    """Any words; `right` lists those sequences that would be right (for the speech grammar)."""

    right: tuple[tuple[str, ...], ...] = ()

    def allows(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) > 0 and all(isinstance(word, str) for word in value)


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event that would be accepted now: the answer to "what may I do now?".

    An event matches if its kind is `event` and each of `fields` is present and allowed (a field that is
    `optional` may be absent). Fields that are not named are free. `by` is the last moment in time for it
    (seconds since the start of the script), None where there is no hurry; `rule` is why.
    """

    event: str
    fields: dict[str, Choice]
    optional: tuple[str, ...] = ()
    by: float | None = None
    rule: str = ""

    def matches(self, event: Event) -> bool:
        """Whether this event is the offered one."""
        if event.get("event") != self.event:
            return False
        for name, choice in self.fields.items():
            if name not in event:
                if name not in self.optional:
                    return False
            elif not choice.allows(event[name]):
                return False
        return True


# --- the contract -----------------------------------------------------------------------------------------


class Rulebook(abc.ABC, Generic[S]):
    """One game's rules. Instances hold no state: `play` takes a state and returns another."""

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    """How many players there may be."""
    settings_type: ClassVar[type[msgspec.Struct]]
    """Frozen struct that forbids unknown fields; impossible values raise ValueError in `__post_init__`."""
    events: ClassVar[Mapping[str, EventKind]]
    """The vocabulary: kind -> fields and phases (`undone`, `amended`, `overruled` belong to the record)."""

    def header(self, players: Any, settings: Any) -> Setup:
        """Checks a script's first line.

        Raises:
            BadHeader: `bad_players` or `bad_settings`.
        """
        good = isinstance(players, list) and all(isinstance(name, str) and name for name in players)
        if not good or len(set(players)) != len(players) or len(players) not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            raise BadHeader("bad_players", f"{self.title} needs {low} to {high} players, distinct names")
        try:
            checked = msgspec.convert({} if settings is None else settings, self.settings_type)
            setup = Setup(tuple(players), checked)
            self.check_settings(setup)
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            raise BadHeader("bad_settings", str(error)) from error
        return setup

    def check_settings(self, setup: Setup) -> None:
        """Judges settings that depend on the players (`first_player`, cards per player).

        Raises:
            ValueError: what is impossible about them.
        """
        first = getattr(setup.settings, "first_player", None)
        if first is not None and first not in setup.players:
            raise ValueError("first_player is not at the table")

    @abc.abstractmethod
    def start(self, setup: Setup) -> S:
        """The state before the first event."""

    def play(self, state: S, event: Event) -> Ruling[S]:
        """Judges one event: checks it in the order of EVENTS.md, then hands it to the game's own `apply`.

        Raises:
            Rejected: with the first code that applies; nothing has changed.
            RejectedAfter: the same, but deadlines that ran out before it stand.
        """
        self.admit(state, event)
        return self.apply(state, event)

    def kind_of(self, event: Event) -> EventKind | None:
        """The kind of an event, None for one unknown to the game. A game may tell variants of a kind apart."""
        name = event.get("event")
        return self.events.get(name) if isinstance(name, str) else None

    def admit(self, state: S, event: Event) -> None:
        """The common checks: kind, game over, time, players, fields, cards. Phase and turn are the game's.

        Raises:
            Rejected: with the first code that applies.
        """
        kind = self.kind_of(event)
        if kind is None:
            raise Rejected("unknown_event")
        if state.phase == "over":
            raise Rejected("game_over")
        when = event_time(event)
        if when is not None and when < state.time:
            raise Rejected("time_reversed")
        found: str | None = None
        for field in kind.fields:
            if field.name in event:
                code = field.check(event[field.name], state.setup)
            else:
                code = "missing_field" if field.required else None
            if code is not None and (found is None or _FIELD_CODES.index(code) < _FIELD_CODES.index(found)):
                found = code
        if found is not None:
            raise Rejected(found)

    @abc.abstractmethod
    def apply(self, state: S, event: Event) -> Ruling[S]:
        """Judges an admitted event: phase, turn and the game's own codes, then its effects."""

    @abc.abstractmethod
    def expects(self, state: S) -> list[Offer]:
        """All events that would be accepted now, and no other."""

    @abc.abstractmethod
    def deadline(self, state: S) -> float | None:
        """The moment after which time alone changes the game, seconds since the start of the script."""

    @abc.abstractmethod
    def view(self, state: S) -> dict[str, Any]:
        """The JSON state of docs/events.md."""

    @abc.abstractmethod
    def scores(self, state: S) -> dict[str, int]:
        """Points per player (Bugs & Co: only players already counted)."""

    @abc.abstractmethod
    def winner(self, state: S) -> list[str]:
        """Who has won: empty until the game is decided, several names for a shared win."""


def event_time(event: Event) -> float | None:
    """When the event happened: `start` of a `heard`, otherwise `t`; None if it carries no time.

    Raises:
        Rejected: `bad_field` for a time that is negative or no number, or a `heard` without words or that
            ends before it starts.
    """
    if event["event"] == "heard":
        start, end = event.get("start"), event.get("end")
        for value in (start, end):
            if value is not None and not (is_number(value) and value >= 0):
                raise Rejected("bad_field")
        if start is not None and end is not None and end < start:
            raise Rejected("bad_field")
        if "words" in event and not event["words"]:
            raise Rejected("bad_field")
        return start
    if "t" not in event:
        return None
    if not (is_number(event["t"]) and event["t"] >= 0):
        raise Rejected("bad_field")
    return float(event["t"])


def seat_after(players: tuple[str, ...], player: str, steps: int = 1) -> str:
    """The player `steps` seats clockwise of `player`."""
    return players[(players.index(player) + steps) % len(players)]
