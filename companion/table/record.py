"""The record of a game: every event with its verdicts, and undo for each of them.

Pure: no clock, no file. The table and `companion replay` keep the same record, so that a recorded evening
gives the same result when it is replayed.

Undo restores the state that was kept before each accepted event (states share what has not changed). `undone`
gives exactly the result of the script without the undone event and without the `undone`, except that rejected
events stay rejected. A rejected event after the undone one is not judged again; only its time is applied to
the earlier state, because in The Nasty 7 time alone has effects.
An `undone` is not an event of the game: it is possible after the game is over, expires no deadline and does
not advance the time. A time that it carries must still be in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.api.snapshot import DroppedEntry
from companion.core.errors import BadHeader, Rejected
from companion.core.events import Event, StateView
from companion.games import rulebook
from companion.games.contract.fields import is_number
from companion.games.contract.rulebook import S
from companion.table.amend import corrected
from companion.table.timeline import EarlierRecord, Entry, Step, Timeline, VerdictJson, is_correction


class Preview(msgspec.Struct, frozen=True):
    """The effect that an event or a correction would have."""

    code: str | None
    """Why it is not possible; None if it is."""
    scores: dict[str, int]
    winner: tuple[str, ...]
    dropped: tuple[DroppedEntry, ...]
    """Later events that would no longer be legal, each with whose turn it would be then."""
    view: StateView
    """The game's state then."""


class Record(Timeline[S]):
    """One game from its header to now, with undo and corrections."""

    # --- what happens -------------------------------------------------------------------------------------

    def push(self, event: Event | str) -> Entry:
        """Judges the next line of the script. A bad event is recorded as rejected, never raised.

        `event` is a JSON object, or a line of the script as text (`bad_json` if it is no object).
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

    # --- corrections --------------------------------------------------------------------------------------

    def _undo(self, n: int, event: Event) -> Entry:
        """Takes back the latest accepted event; its line stays, without verdicts."""
        code = self.bad_time(event)
        if code is None and not self.steps:
            code = "nothing_to_undo"
        if code is not None:
            return Entry(n, event, code)
        step = self.steps.pop()
        self.gone |= {step.n}
        if step.past is not None:
            self._restore_before(step)
        self.state = step.before
        self._set(replace(self.entries[step.n - 1], findings=(), dropped=()))
        for number in step.rejected:
            self._pass_time_again(number)
        return Entry(n, event)

    def _restore_before(self, step: Step[S]) -> None:
        """Undoes a correction: restores the record from before it."""
        past = step.past
        assert past is not None
        self.entries[: len(past.entries)] = past.entries
        self.steps = list(past.steps)
        since = {n for n in self.gone if n > step.n}
        self.gone, self.pardoned = past.gone | {step.n} | since, past.pardoned

    def _pass_time_again(self, number: int) -> None:
        """Applies the time of a rejected event again, now that the event before it is undone."""
        entry = self.entries[number - 1]
        pardoned = number in self.pardoned
        settled = self.book.lapse(self.state, entry.event, pardoned) if entry.event else None
        if settled is not None:
            self.state = settled.state
        self._set(replace(entry, findings=settled.verdicts if settled is not None else ()))
        self._note_rejected(number)

    def _set(self, entry: Entry) -> None:
        self.entries[entry.n - 1] = entry

    def _correct(self, n: int, event: Event) -> Entry:
        """`amended` and `overruled`: see companion.table.amend."""
        code = self.bad_time(event)
        if code is not None:
            return Entry(n, event, code)
        try:
            other = corrected(self, event)
        except Rejected as rejected:
            return Entry(n, event, rejected.code)
        past = EarlierRecord(tuple(self.entries), tuple(self.steps), self.state, self.gone, self.pardoned)
        dropped = tuple(
            DroppedEntry(new.n, new.code)
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

    def preview(self, event: Event) -> Preview:
        """The effect that an event or a correction would have; changes nothing."""
        trial = Record(self.book, self.setup)
        trial.entries = list(self.entries)
        trial.steps = [replace(step, rejected=list(step.rejected)) for step in self.steps]
        trial.state, trial.gone, trial.pardoned = self.state, self.gone, self.pardoned
        entry = trial.push(event)
        dropped = tuple(replace(one, turn=trial.turn_at(one.n)) for one in entry.dropped)
        return Preview(
            entry.code, trial.scores(), tuple(trial.winner()), dropped, self.book.view(trial.state)
        )

    # --- what is known ------------------------------------------------------------------------------------

    @property
    def verdicts(self) -> list[VerdictJson]:
        """All verdicts that count, as JSON, in the order in which they were given."""
        return [verdict for entry in self.entries if entry.findings for verdict in entry.verdicts]

    @property
    def rejected(self) -> list[dict[str, int | str]]:
        """All events that were not accepted, as {"n", "code"}."""
        return [{"n": entry.n, "code": entry.code} for entry in self.entries if entry.code is not None]

    def undone(self) -> frozenset[int]:
        """Numbers of the entries that were accepted and do not count any more."""
        return self.gone

    def overruled(self) -> frozenset[int]:
        """Numbers of the entries whose verdicts the table has cancelled."""
        return self.pardoned

    def effective(self) -> list[Event]:
        """The events of the game that count, oldest first."""
        return [self.entries[n - 1].event for n in self.effective_numbers()]

    def effective_numbers(self) -> list[int]:
        """The numbers of the events that count, oldest first."""
        return [
            entry.n
            for entry in self.entries
            if entry.code is None and entry.n not in self.gone and not is_correction(entry.event)
        ]

    def turn_at(self, n: int) -> str | None:
        """Whose turn it was when entry `n` came, after all corrections of earlier ones."""
        turn: str | None = self.book.view(self.state_at(n)).get("turn")
        return turn

    def state_at(self, n: int) -> S:
        """The state before entry `n`, after all corrections of earlier ones."""
        return next((step.before for step in self.steps if step.n >= n and step.past is None), self.state)

    def scores(self) -> dict[str, int]:
        """Points of each player now."""
        return self.book.scores(self.state)

    def winner(self) -> list[str]:
        """The winners; empty until the game is decided."""
        return self.book.winner(self.state)

    def result(self) -> dict[str, Any]:
        """The JSON object that `companion replay` prints; it has `overruled` only if an entry was
        overruled."""
        result: dict[str, Any] = {
            "state": self.book.view(self.state),
            "verdicts": self.verdicts,
            "rejected": self.rejected,
            "scores": self.scores(),
            "winner": self.winner(),
        }
        if self.pardoned:
            result["overruled"] = sorted(self.pardoned)
        return result


def parse(line: str) -> dict[str, Any] | None:
    """A line of a script as an object; None if it is not a JSON object."""
    try:
        value = msgspec.json.decode(line)
    except msgspec.ValidationError:
        value = _beyond_range(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _beyond_range(line: str) -> Any:
    """Reads JSON with a number beyond a double's range; the number becomes infinite."""
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
