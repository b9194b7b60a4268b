"""The record of a game: every event with what came of it, and the way back through all of them.

Pure: no clock, no file. The table and `companion replay` keep the same record, so that a recorded evening
gives the same result when it is replayed.

Taking back is structural: the state before each accepted event is kept (states share what has not changed).
`undone` gives exactly what the script without the undone event and without the `undone` would give, with the
one difference that what was rejected stays rejected. So a rejected event after the undone one is not tried
again; only its time passes once more, on the earlier state, because in The Nasty 7 time alone is an event.
An `undone` is no event of the game: it is possible after the game is over, settles no deadline and does not
advance the time, though a time that it carries must be in order like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadHeader, Rejected
from companion.games import rulebook
from companion.games.contract.fields import Event, Setup, is_number
from companion.games.contract.rulebook import RejectedAfter, Rulebook, Ruling, S, Verdict

CORRECTIONS = frozenset({"undone", "amended", "overruled"})
"""The events of the record itself: they change the past, in every game."""

Json = dict[str, Any]


class Entry(msgspec.Struct, frozen=True):
    """One line of the script and what came of it, as it stands after all corrections."""

    n: int
    """Index of the line, from 1."""
    event: Json
    """As it counts: an amended event in its latest form; empty for a line that is no JSON object."""
    code: str | None = None
    """Why it was rejected; None if it was accepted."""
    findings: tuple[Verdict, ...] = ()
    rule: str = ""
    """Id of the rule that a rejection rests on, if one is named."""
    dropped: tuple[Json, ...] = ()
    """Of a correction: the later events that no longer fit, as {"n", "code"}."""

    @property
    def verdicts(self) -> tuple[Json, ...]:
        """The findings as JSON: n, player, verdict, then what belongs to the kind."""
        return tuple(
            {"n": self.n, "player": one.player, "verdict": one.verdict, **one.details}
            for one in self.findings
        )


class Step(msgspec.Struct, Generic[S]):
    """An accepted event that can be taken back: the state before it, and who was rejected after it."""

    n: int
    before: S
    rejected: list[int]
    """Numbers of the entries rejected since, oldest first: their time passes again when this is undone."""
    past: Past[S] | None = None
    """Of a correction: all that it replaced."""


class Past(msgspec.Struct, Generic[S], frozen=True):
    """A record as it was, to be put back."""

    entries: tuple[Entry, ...]
    steps: tuple[Step[S], ...]
    state: S
    gone: frozenset[int]
    pardoned: frozenset[int]


class Record(Generic[S]):
    """One game from its header to now."""

    def __init__(self, book: Rulebook[S], setup: Setup) -> None:
        self.book = book
        self.setup = setup
        self.state: S = book.start(setup)
        self.entries: list[Entry] = []
        self.steps: list[Step[S]] = []
        self.gone: frozenset[int] = frozenset()
        """Numbers of the events that were taken back or amended away."""
        self.pardoned: frozenset[int] = frozenset()
        """Numbers of the events whose verdicts the table has set aside."""

    # --- what happens -------------------------------------------------------------------------------------

    def push(self, event: Event | str) -> Entry:
        """Judges the next line of the script. A bad event is recorded as rejected, never raised.

        `event` is a JSON object, or the line as it stands in the script (`bad_json` if it is no object).
        """
        parsed = parse(event) if isinstance(event, str) else dict(event)
        n = len(self.entries) + 1
        if parsed is None:
            entry = Entry(n, {}, "bad_json")
        elif parsed.get("event") == "undone":
            entry = self._undo(n, parsed)
        elif is_correction(parsed):
            entry = self._correct(n, parsed)
        else:
            return self.judge(n, parsed)
        self.entries.append(entry)
        if entry.code is not None:
            self._note_rejected(n)
        return entry

    def judge(self, n: int, event: Json) -> Entry:
        """Judges an event of the game and appends its entry."""
        try:
            ruling = self.book.play(self.state, event)
        except Rejected as rejected:
            settled = rejected.settled if isinstance(rejected, RejectedAfter) else None
            return self._reject(n, event, rejected.code, settled, rejected.rule)
        return self.accept(n, event, ruling)

    def accept(self, n: int, event: Json, ruling: Ruling[S]) -> Entry:
        """Appends an accepted event."""
        entry = Entry(n, event, None, ruling.verdicts)
        self.steps.append(Step(n, self.state, []))
        self.state = ruling.state
        self.entries.append(entry)
        return entry

    def keep_rejected(self, entry: Entry, pardoned: bool = False) -> None:
        """Appends an entry that stays rejected: nothing of it counts but its time."""
        settled = self.book.lapse(self.state, entry.event, pardoned) if entry.event else None
        self._reject(entry.n, entry.event, entry.code or "", settled, entry.rule)

    def _reject(self, n: int, event: Json, code: str, settled: Ruling[S] | None, rule: str) -> Entry:
        findings: tuple[Verdict, ...] = ()
        if settled is not None:
            self.state, findings = settled.state, settled.verdicts
        entry = Entry(n, event, code, findings, rule)
        self.entries.append(entry)
        self._note_rejected(n)
        return entry

    def _note_rejected(self, n: int) -> None:
        if self.steps:
            self.steps[-1].rejected.append(n)

    # --- corrections --------------------------------------------------------------------------------------

    def _undo(self, n: int, event: Json) -> Entry:
        """Takes back the latest accepted event; its line stays, without verdicts."""
        code = self.bad_time(event)
        if code is None and not self.steps:
            code = "nothing_to_undo"
        if code is not None:
            return Entry(n, event, code)
        step = self.steps.pop()
        self.gone |= {step.n}
        if step.past is not None:
            self._put_back(step)
        self.state = step.before
        self._set(replace(self.entries[step.n - 1], findings=(), dropped=()))
        for number in step.rejected:
            self._pass_time_again(number)
        return Entry(n, event)

    def _put_back(self, step: Step[S]) -> None:
        """Undoes a correction: all that was before it is as it was before it."""
        past = step.past
        assert past is not None
        self.entries[: len(past.entries)] = past.entries
        self.steps = list(past.steps)
        since = {n for n in self.gone if n > step.n}
        self.gone, self.pardoned = past.gone | {step.n} | since, past.pardoned

    def _pass_time_again(self, number: int) -> None:
        """What a rejected event settles now that the event before it is gone."""
        entry = self.entries[number - 1]
        pardoned = number in self.pardoned
        settled = self.book.lapse(self.state, entry.event, pardoned) if entry.event else None
        if settled is not None:
            self.state = settled.state
        self._set(replace(entry, findings=settled.verdicts if settled is not None else ()))
        self._note_rejected(number)

    def _set(self, entry: Entry) -> None:
        self.entries[entry.n - 1] = entry

    def _correct(self, n: int, event: Json) -> Entry:
        """`amended` and `overruled`: see companion.table.amend."""
        from companion.table.amend import corrected

        code = self.bad_time(event)
        if code is not None:
            return Entry(n, event, code)
        try:
            other = corrected(self, event)
        except Rejected as rejected:
            return Entry(n, event, rejected.code)
        past = Past(tuple(self.entries), tuple(self.steps), self.state, self.gone, self.pardoned)
        dropped = tuple(
            {"n": new.n, "code": new.code}
            for old, new in zip(self.entries, other.entries, strict=True)
            if old.code is None and new.code is not None
        )
        self.entries, self.steps, self.state = other.entries, other.steps, other.state
        self.gone, self.pardoned = other.gone, other.pardoned
        self.steps.append(Step(n, past.state, [], past))
        return Entry(n, event, dropped=dropped)

    def bad_time(self, event: Event) -> str | None:
        """The code for a correction's own time, which is optional: it has to be in order like any other."""
        if "t" not in event:
            return None
        if not (is_number(event["t"]) and event["t"] >= 0):
            return "bad_field"
        return "time_reversed" if event["t"] < self.state.time else None

    # --- what is known ------------------------------------------------------------------------------------

    @property
    def verdicts(self) -> list[Json]:
        """All findings that stand, as JSON, in the order in which they arose."""
        return [verdict for entry in self.entries if entry.findings for verdict in entry.verdicts]

    @property
    def rejected(self) -> list[Json]:
        """All events that were not accepted, as {"n", "code"}."""
        return [{"n": entry.n, "code": entry.code} for entry in self.entries if entry.code is not None]

    def undone(self) -> frozenset[int]:
        """Numbers of the entries that were accepted once and do not count any more."""
        return self.gone

    def overruled(self) -> frozenset[int]:
        """Numbers of the entries whose verdicts the table has set aside."""
        return self.pardoned

    def effective(self) -> list[Json]:
        """The events of the game that count, oldest first."""
        return [
            entry.event
            for entry in self.entries
            if entry.code is None and entry.n not in self.gone and not is_correction(entry.event)
        ]

    def turn_at(self, n: int) -> str | None:
        """Whose turn it was when entry `n` came, after all corrections of earlier ones."""
        met = (step.before for step in self.steps if step.n >= n and step.past is None)
        turn: str | None = self.book.view(next(met, self.state)).get("turn")
        return turn

    def scores(self) -> dict[str, int]:
        """Points as they stand."""
        return self.book.scores(self.state)

    def winner(self) -> list[str]:
        """Who has won, empty until it is decided."""
        return self.book.winner(self.state)

    def result(self) -> Json:
        """The JSON object that `companion replay` prints; `overruled` is there only if something was."""
        result: Json = {
            "state": self.book.view(self.state),
            "verdicts": self.verdicts,
            "rejected": self.rejected,
            "scores": self.scores(),
            "winner": self.winner(),
        }
        if self.pardoned:
            result["overruled"] = sorted(self.pardoned)
        return result


def is_correction(event: Event) -> bool:
    """Whether an event belongs to the record itself."""
    kind = event.get("event")
    return isinstance(kind, str) and kind in CORRECTIONS


def parse(line: str) -> Json | None:
    """A line of a script as an object, None if it is no JSON object."""
    try:
        value = msgspec.json.decode(line)
    except msgspec.ValidationError:
        value = _beyond_range(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _beyond_range(line: str) -> Any:
    """JSON with a number that no double holds: it is JSON, and the number an infinite one."""
    import json

    try:
        return json.loads(line)
    except ValueError:
        return None


FIRST_LINE = '{"game": ..., "players": [...], "settings": {...}}'
"""What the first line of a script looks like."""


def opened(header: Any) -> Record[Any]:
    """The record of the game that a script's first line names.

    Raises:
        BadHeader: `bad_game`, `bad_players` or `bad_settings`.
    """
    if not isinstance(header, Mapping):
        raise BadHeader("bad_game", "header.first_line", example=FIRST_LINE)
    book = rulebook(header.get("game"))
    settings = header.get("settings", {})
    if settings is None:
        book.header(header.get("players"), {})
        raise BadHeader("bad_settings", "header.settings_object")
    return Record(book, book.header(header.get("players"), settings))
