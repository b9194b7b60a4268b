"""What the five rulebooks share: the contract, the vocabulary of an event, and what may come next.

A rulebook is pure: it has no clock, no randomness and no I/O. Time arrives in the events, deadlines are
returned, and states are plain frozen values that can be compared, printed and written as JSON. Every game's
file follows the order of the members below, so that whoever knows one file knows all five.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeGuard, TypeVar

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


def is_integer(value: Any) -> TypeGuard[int]:
    """JSON integer: Python's bool is none."""
    return type(value) is int


def identical(one: Any, other: Any) -> bool:
    """Equal as JSON values: true is not 1, 1 is not 1.0, and a tuple stands for a list."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


def is_number(value: Any) -> TypeGuard[float]:
    """Finite JSON number within a double's range: Python's bool, NaN and infinities are none."""
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is int and -(10**300) < value < 10**300


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
    """What the fields must be together (a joker needs a column); asked beside the fields' own checks."""


HEARD = (
    Field("words", some_words),
    Field("start", a_time),
    Field("end", a_time),
    Field("player", a_player, required=False),
)
"""The fields of `heard`, the same in every game that listens."""

# Codes of malformed events in the order in which they are checked; the first that applies is reported.
_FIELD_CODES = ("unknown_player", "missing_field", "bad_field", "unknown_card")

TIME_TOLERANCE = 1e-9
"""Two times closer than this, in seconds, are the same moment: decimal times have no exact binary form."""


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


class Several(Choice, frozen=True):
    """A list of at least one of the listed values, each at most once."""

    values: tuple[Any, ...]

    def allows(self, value: Any) -> bool:
        if not isinstance(value, list) or not value:
            return False
        places = [next((i for i, v in enumerate(self.values) if identical(one, v)), None) for one in value]
        return None not in places and len(set(places)) == len(places)


class Words(Choice, frozen=True):
    """Any words; `right` lists those sequences that would be right (for the speech grammar)."""

    right: tuple[tuple[str, ...], ...] = ()

    def allows(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) > 0 and all(isinstance(word, str) for word in value)


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event that would be accepted now: the answer to "what may I do now?".

    An event matches if its kind is `event`, each of `fields` is present and allowed (a field that is
    `optional` may be absent) and it happens in time. Fields that are not named are free. `by` is the last
    moment for it (seconds since the start of the script), None where there is no hurry. `after` is set on
    what becomes possible only when a deadline has run out: it is not on offer before that moment has passed.
    `rule` is why.
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
            from companion.rules.remedies import remedy

            raise BadHeader("bad_settings", f"{error}{remedy(str(error), self.settings_type)}") from error
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
        """The kind of an event, None for one unknown to the game. A game may tell variants of one apart."""
        name = event.get("event")
        return self.events.get(name) if isinstance(name, str) else None

    def admit(self, state: S, event: Event) -> None:
        """The common checks: kind, game over, time, players, fields, cards. Phase and turn are the game's.

        Raises:
            Rejected: with the first code that applies.
        """
        self.check_fields(self.timely(state, event), state, event)

    def timely(self, state: S, event: Event) -> EventKind:
        """The checks that come before an event's time counts: kind, game over, a time in order.

        Raises:
            Rejected: `unknown_event`, `game_over`, `bad_field` or `time_reversed`.
        """
        kind = self.kind_of(event)
        if kind is None:
            raise Rejected("unknown_event")
        if state.phase == "over":
            raise Rejected("game_over")
        when = event_time(event)
        if when is not None and when < state.time:
            raise Rejected("time_reversed")
        return kind

    def check_fields(self, kind: EventKind, state: S, event: Event) -> None:
        """The checks of the fields.

        Raises:
            Rejected: `unknown_player`, `missing_field`, `bad_field` or `unknown_card`: the first in this
                order that any field deserves.
        """
        setup = state.setup
        found: str | None = None
        for field in kind.fields:
            if field.name in event:
                code = field.check(event[field.name], setup)
            else:
                code = "missing_field" if field.required else None
            if code is not None:
                found = _earlier(found, code)
        if kind.together is not None:
            found = _earlier(found, kind.together(event, setup))
        if found is not None:
            raise Rejected(found)

    def lapse(self, state: S, event: Event, pardoned: bool = False) -> Ruling[S] | None:
        """What the time of an event alone brings about (deadlines run out), whatever becomes of the event.

        With `pardoned` the table forgives what ran out: the time starts again at the event. None if the time
        has no effect, which is so in every game whose rejected events change nothing.
        """
        return None

    def pardon(self, state: S, event: Event) -> Ruling[S]:
        """Judges an event as `play` does, with what it was blamed for set aside by agreement of the table.

        Where a finding is a remark and nothing follows from it, the event counts and the remark is dropped.
        """
        return Ruling(self.play(state, event).state)

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
        for name in ("start", "end"):
            if name in event and not (is_number(event[name]) and event[name] >= 0):
                raise Rejected("bad_field")
        start, end = event.get("start"), event.get("end")
        if not event.get("words") or (start is not None and end is not None and end < start):
            raise Rejected("bad_field")
        return start
    if "t" not in event:
        return None
    when = event["t"]
    if not (is_number(when) and when >= 0):
        raise Rejected("bad_field")
    return float(when)


def _earlier(one: str | None, other: str | None) -> str | None:
    """Of two codes of fields the one that is checked first."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=_FIELD_CODES.index)


def seat_after(players: tuple[str, ...], player: str, steps: int = 1) -> str:
    """The player `steps` seats clockwise of `player`."""
    return players[(players.index(player) + steps) % len(players)]
