"""What all rulebooks share: the contract. An event's vocabulary is in `fields`, what may come next in
`offers`.

A rulebook is pure: it has no clock, no randomness and no I/O. Time arrives in the events, deadlines are
returned, and states are plain frozen values that can be compared, printed and written as JSON. Every game's
rulebook has its members in the order below.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final

import msgspec

from companion.core.errors import BadHeader, BadSetting, Rejected, Unreadable
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.carry_over import merged
from companion.games.contract.event_times import BAD_FIELD, ill_timed
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach, legal_part
from companion.games.contract.offers import Offer
from companion.games.contract.position import POSITION, agrees, position_sentence


class State(Protocol):
    """The members that every game's state has. States are frozen msgspec structs."""

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
    """The result of an accepted event: the new state and the verdicts in order."""

    state: S
    verdicts: tuple[Verdict, ...] = ()


class RejectedAfter(Rejected):
    """Rejected, but deadlines that expired before it count: `settled` is their ruling (The Nasty 7)."""

    def __init__(self, code: str, settled: Ruling[Any], rule: str = "") -> None:
        super().__init__(code, rule)
        self.settled = settled


COURSE = ("phase", "round", "trick", "turn", "leader")
"""The members of a state that say who is to do what."""

UNKNOWN_EVENT = Breach("unknown_event")
GAME_OVER = Breach("game_over")
TIME_REVERSED = Breach("time_reversed")

# Codes of malformed events in the order in which they are checked; the first that applies is reported.
_FIELD_CODES = ("unknown_player", "missing_field", "bad_field", "unknown_card")


class Rulebook(abc.ABC, Generic[S]):
    """One game's rules. Instances hold no state: `play` takes a state and returns another."""

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    """The possible numbers of players."""
    settings_type: ClassVar[type[msgspec.Struct]]
    """Frozen struct that forbids unknown fields; impossible values raise ValueError in `__post_init__`."""
    state_type: ClassVar[type[msgspec.Struct]]
    """Frozen struct of the game's state; `decode` reads it from JSON."""
    events: ClassVar[Mapping[str, EventKind]]
    """The vocabulary: kind -> fields and phases (`undone`, `amended`, `overruled` belong to the record)."""
    sums: ClassVar[frozenset[str]] = frozenset()
    """Codes of the story's sentences that say how points came about, e.g. of a display."""

    def header(self, players: Any, settings: Any) -> Setup:
        """Checks a script's first line.

        Raises:
            BadHeader: `bad_players` or `bad_settings`.
        """
        good = isinstance(players, list) and all(isinstance(name, str) and name for name in players)
        if not good or len(set(players)) != len(players) or len(players) not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            raise BadHeader("bad_players", "header.players", title=self.title, low=low, high=high)
        try:
            checked = msgspec.convert({} if settings is None else settings, self.settings_type)
            setup = Setup(tuple(players), checked)
            self.check_settings(setup)
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            from companion.games.contract.remedies import explained

            raise BadHeader("bad_settings", explained(error, self.settings_type)) from error
        return setup

    def check_settings(self, setup: Setup) -> None:
        """Judges settings that depend on the players (`first_player`, cards per player).

        Raises:
            BadSetting: a setting is impossible with these players.
        """
        first = getattr(setup.settings, "first_player", None)
        if first is not None and first not in setup.players:
            raise BadSetting("setting.first_player")

    @abc.abstractmethod
    def start(self, setup: Setup) -> S:
        """The state before the first event."""

    def play(self, state: S, event: Event) -> Ruling[S]:
        """Judges one event: the common checks in the order of EVENTS.md, then the game's; then its effects.

        Raises:
            Rejected: with the first code that applies; nothing has changed.
            RejectedAfter: the same, but deadlines that expired before it count.
        """
        breach = self.malformed(state, event)
        if breach is None:
            if event["event"] == "position":
                return Ruling(self.agreed(state, event))
            state = self.timed(state, event)
            breach = self.breach(state, event)
            if breach is None:
                return self.effects(state, event)
        raise breach.rejected()

    def refusal(self, state: S, event: Event) -> Breach | None:
        """Why `play` refuses an event of the game; None if it is legal."""
        return self.malformed(state, event) or self.breach(self.timed(state, event), event)

    def agreed(self, state: S, event: Event) -> S:
        """The state after a checked `position`.

        Raises:
            Rejected: `bad_position`: it is impossible in the game, or lacks a required key.
        """
        given = event["state"]
        try:
            after = self.placed(state, {**self.view(state), **given}, given)
        except (KeyError, TypeError, ValueError):
            raise Rejected("bad_position") from None
        if "t" in event:
            after = msgspec.structs.replace(after, time=float(event["t"]))  # type: ignore[type-var]
        if not agrees(given, self.view(after)):
            raise Rejected("bad_position")
        return after

    def kind_of(self, event: Event) -> EventKind | None:
        """The kind of an event, or the variant that its fields name; None for one unknown to the game."""
        name = event.get("event")
        try:
            kind = self.events[name]  # type: ignore[index]
            return kind.of(event) if kind.by else kind
        except (KeyError, TypeError):  # no such name, or no text
            return POSITION if name == "position" else None

    def malformed(self, state: S, event: Event) -> Breach | None:
        """The common checks: kind, game over, time, players, fields, cards. Phase and turn are the game's."""
        kind = self.kind_of(event)
        breach = self.untimely(kind, state, event)
        return breach if breach is not None else self.ill_formed(kind, state, event)

    def untimely(self, kind: EventKind | None, state: S, event: Event) -> Breach | None:
        """The checks that come before an event's time counts: kind, game over, a time in order."""
        if kind is None:
            return UNKNOWN_EVENT
        if state.phase == "over":
            return GAME_OVER
        heard = event["event"] == "heard"
        if not heard and "t" not in event:
            return None
        if ill_timed(event):
            return BAD_FIELD
        when = event.get("start") if heard else event["t"]
        return TIME_REVERSED if when is not None and when < state.time else None

    def ill_formed(self, kind: EventKind | None, state: S, event: Event) -> Breach | None:
        """The checks of the fields: `unknown_player`, `missing_field`, `bad_field` or `unknown_card`, the
        first in this order that applies to any field."""
        fault = None if kind is None else self.fault(kind, state.setup, event)
        return None if fault is None else Breach(fault[0])

    def fault(self, kind: EventKind, setup: Setup, event: Event) -> tuple[str, str] | None:
        """The first code, in the order of checking, that applies to a field, and the field's name.

        The name is "" if the fields are wrong only in combination.
        """
        found: list[tuple[str, str]] = []
        for name, check, required in kind.checks:
            if name in event:
                code = check(event[name], setup)
                if code is not None:
                    found.append((code, name))
            elif required:
                found.append(("missing_field", name))
        if kind.together is not None:
            code = kind.together(event, setup)
            if code is not None:
                found.append((code, ""))
        return min(found, key=lambda one: _FIELD_CODES.index(one[0])) if found else None

    def lapse(self, state: S, event: Event, pardoned: bool = False) -> Ruling[S] | None:
        """The effect of an event's time alone (deadlines expire), whether or not the event is accepted.

        With `pardoned` the table cancels the expiry: the time starts again at the event. None if the time has
        no effect, as in every game in which rejected events change nothing.
        """
        return None

    def pardon(self, state: S, event: Event) -> Ruling[S]:
        """Judges an event as `play` does, but without its verdicts: the table has overruled them.

        If a verdict has no effect on the state, the event counts and the verdict is dropped.
        """
        return Ruling(self.play(state, event).state)

    def course(self, state: S) -> tuple[Any, ...]:
        """Who is to do what: where it is the same, the next events are the same."""
        return tuple(getattr(state, name, None) for name in COURSE)

    def went_on(self, state: S, event: Event, was: S, there: S) -> S:
        """The state after an event, if the table went on as in the state `there`, whatever the rules say.

        Its effect at the table is carried over to the corrected game; where the result is impossible, the
        table is as it was.

        Args:
            state: before the event, in the corrected game.
            was: before the event, as the table believed when an earlier event was misread.
            there: after it, as the table believed.
        """
        return self.carried_over(state, was, there) or there

    def carried_over(self, state: S, was: S, there: S, without: frozenset[str] = frozenset()) -> S | None:
        """`state` with the effect of the event that led from `was` to `there`; None if that is impossible.

        Args:
            without: keys of the view that follow from others.
        """
        before, after = self.view(was), self.view(there)
        shown = merged(before, after, self.view(state))
        shown |= {key: after[key] for key in COURSE if key in after}
        try:
            given = {key: value for key, value in shown.items() if key not in without}
            placed = self.placed(state, shown, given)
        except (KeyError, TypeError, ValueError, Rejected):
            return None
        return msgspec.structs.replace(placed, time=there.time)  # type: ignore[type-var]

    def outcome(self, state: S, event: Event) -> S | None:
        """The state if the table counts an event that the rules refuse; None if it cannot be worked out."""
        from companion.games.contract.outcome import outcome_of

        return outcome_of(self, state, event)

    def waivers(self, state: S, event: Event) -> Iterable[Mapping[str, Any]]:
        """Positions, as the keys that differ, in which a refused event may be possible.

        Other turns and phases are tried for every game; a game names what else its checks depend on.
        """
        return ()

    def forced(self, state: S, event: Event) -> S | None:
        """The state after an event without the game's checks of place and column; None: not possible.

        Raises:
            Rejected: another check fails.
        """
        return None

    def timed(self, state: S, event: Event) -> S:
        """The state at the time of an event: what time alone changes, before the event is judged."""
        if "t" not in event:
            return state
        return msgspec.structs.replace(state, time=float(event["t"]))  # type: ignore[type-var]

    @abc.abstractmethod
    def breach(self, state: S, event: Event) -> Breach | None:
        """The rule that a well-formed event would break: phase, turn, then the game's codes in their order.

        It alone decides what is legal: `play` and `expects` both ask it. It never raises.
        """

    @abc.abstractmethod
    def effects(self, state: S, event: Event) -> Ruling[S]:
        """What a legal event does. It cannot be refused any more."""

    @abc.abstractmethod
    def placed(self, state: S, shown: Mapping[str, Any], given: Mapping[str, Any]) -> S:
        """The state of a position: `shown` is the whole of it in the form of `view`, `given` what the event
        names of it.

        Raises:
            Rejected: `bad_position`.
        """

    def story(self, before: S, event: Event, ruling: Ruling[S]) -> tuple[Sentence, ...]:
        """What an accepted event meant, in sentences without a language, then the end of the game.

        Games define `explained` for their own events; this method adds a position and the end.
        """
        if event["event"] == "position":
            sentences: tuple[Sentence, ...] = (position_sentence(event),)
        else:
            sentences = self.explained(before, event, ruling)
        winner = self.winner(ruling.state)
        if winner and not self.winner(before):
            sentences += (Sentence("won" if len(winner) == 1 else "shared", {"winner": winner}),)
        return sentences

    def explained(self, before: S, event: Event, ruling: Ruling[S]) -> tuple[Sentence, ...]:
        """The sentences of one of the game's own events; at least one for each event."""
        kind = str(event["event"]).replace("_", " ")
        if "player" in event:
            return (Sentence("event", {"player": event["player"], "event": kind}),)
        return (Sentence("event_alone", {"event": kind}),)

    @final
    def expects(self, state: S) -> list[Offer]:
        """All events that would be accepted now, and no other: what is legal of the game's proposals.

        An offer that `play` refuses cannot be written: see companion.games.contract.legality.
        """
        if state.phase == "over":
            return []
        legal = (self.legal(state, proposal) for proposal in self.proposals(state))
        return [offer for offer in legal if offer is not None]

    @final
    def legal(self, state: S, proposal: Offer) -> Offer | None:
        """What is legal of a proposal; None if nothing is."""
        return legal_part(
            proposal, self.events[proposal.event], state.time, functools.partial(self.refusal, state)
        )

    @abc.abstractmethod
    def proposals(self, state: S) -> Iterable[Offer]:
        """Offers that hold at least all events which are legal now; `expects` leaves out what is not.

        The fields of a proposal do not depend on each other.
        """

    @abc.abstractmethod
    def deadline(self, state: S) -> float | None:
        """The moment after which time alone changes the game, seconds since the start of the script."""

    def decode(self, data: bytes | str) -> S:
        """Reads a state from the JSON that `msgspec.json.encode` made of it.

        The result equals the state that was encoded: settings, sets and tuples have their types again.

        Raises:
            Unreadable: it is not JSON, not a state of this game, or its settings are impossible.
        """
        try:
            state: Any = msgspec.json.decode(data, type=self.state_type)
            settings = msgspec.convert(state.setup.settings, self.settings_type)
            setup = msgspec.structs.replace(state.setup, settings=settings)
            decoded: S = msgspec.structs.replace(state, setup=setup)
            return decoded
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable("game.no_state", title=self.title, why=str(error)) from error

    @abc.abstractmethod
    def view(self, state: S) -> StateView:
        """The JSON state of docs/events.md."""

    @abc.abstractmethod
    def scores(self, state: S) -> dict[str, int]:
        """Points per player (Bugs & Co: only players already counted)."""

    @abc.abstractmethod
    def winner(self, state: S) -> list[str]:
        """The winners: empty until the game is decided, several for a shared win."""
