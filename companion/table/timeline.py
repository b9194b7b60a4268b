"""The events of a game, entry by entry, with the state before each accepted entry.

The part of a record that plays events: undo and corrections are in companion.table.record and
companion.table.amend.
"""

from __future__ import annotations

from typing import Any, Generic

import msgspec

from companion.api.snapshot import DroppedEntry
from companion.core.errors import Rejected
from companion.core.events import Event
from companion.games.contract.fields import Setup
from companion.games.contract.rulebook import RejectedAfter, Rulebook, Ruling, S, Verdict

CORRECTIONS = frozenset({"undone", "amended", "overruled"})
"""The events of the record itself: in every game they change earlier events."""

VerdictJson = dict[str, Any]
"""A verdict as `companion replay` prints it: n, player, verdict, then the parameters of its kind."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the script and its result, after all corrections."""

    n: int
    """Index of the line, from 1."""
    event: Event
    """An amended event in its latest form; empty for a line that is not a JSON object."""
    code: str | None = None
    """Why it was rejected; None if it was accepted."""
    findings: tuple[Verdict, ...] = ()
    rule: str = ""
    """Id of the rule that a rejection rests on, if one is named."""
    dropped: tuple[DroppedEntry, ...] = ()
    """For a correction: the later events that are no longer legal."""

    @property
    def verdicts(self) -> tuple[VerdictJson, ...]:
        """The findings as JSON."""
        return tuple(
            {"n": self.n, "player": one.player, "verdict": one.verdict, **one.details}
            for one in self.findings
        )


class Step(msgspec.Struct, Generic[S]):
    """An accepted event that can be undone: the state before it, and the entries rejected after it."""

    n: int
    before: S
    rejected: list[int]
    """Numbers of the entries rejected since, oldest first: their time passes again when this is undone."""
    past: EarlierRecord[S] | None = None
    """For a correction: the record that it replaced."""


class EarlierRecord(msgspec.Struct, Generic[S], frozen=True):
    """A record as it was before a correction, to be restored by an undo."""

    entries: tuple[Entry, ...]
    steps: tuple[Step[S], ...]
    state: S
    gone: frozenset[int]
    pardoned: frozenset[int]


class Timeline(Generic[S]):
    """The entries of one game and the state after the latest one."""

    def __init__(self, book: Rulebook[S], setup: Setup) -> None:
        self.book = book
        self.setup = setup
        self.state: S = book.start(setup)
        self.entries: list[Entry] = []
        self.steps: list[Step[S]] = []
        self.gone: frozenset[int] = frozenset()
        """Numbers of the events that were undone or removed by an amendment."""
        self.pardoned: frozenset[int] = frozenset()
        """Numbers of the events whose verdicts the table has cancelled."""

    def judge(self, n: int, event: Event) -> Entry:
        """Judges an event of the game and appends its entry."""
        try:
            ruling = self.book.play(self.state, event)
        except Rejected as rejected:
            settled = rejected.settled if isinstance(rejected, RejectedAfter) else None
            return self._reject(n, event, rejected.code, settled, rejected.rule)
        return self.accept(n, event, ruling)

    def accept(self, n: int, event: Event, ruling: Ruling[S]) -> Entry:
        """Appends an accepted event."""
        entry = Entry(n, event, None, ruling.verdicts)
        self.steps.append(Step(n, self.state, []))
        self.state = ruling.state
        self.entries.append(entry)
        return entry

    def keep_rejected(self, entry: Entry, pardoned: bool = False) -> None:
        """Appends an entry that stays rejected: only its time counts."""
        settled = self.book.lapse(self.state, entry.event, pardoned) if entry.event else None
        self._reject(entry.n, entry.event, entry.code or "", settled, entry.rule)

    def _reject(self, n: int, event: Event, code: str, settled: Ruling[S] | None, rule: str) -> Entry:
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


def is_correction(event: Event) -> bool:
    """Whether an event belongs to the record itself."""
    kind = event.get("event")
    return isinstance(kind, str) and kind in CORRECTIONS
