"""Corrections of earlier events: `amended` replaces or removes an event, `overruled` cancels its verdicts.

Both play the whole game again with the one change. Events that are no longer legal are rejected and listed in
the correction's entry (`dropped`), so that the table can be asked about them; what was rejected before stays
rejected. A correction can be undone like any event.

    {"event": "amended", "n": 12, "replacement": {...} or null}    event 12 was really this, or did not happen
    {..., "rest": "as_entered"}                                    the table went on as the later events say
    {"event": "overruled", "n": 12}                                the table agrees otherwise about event 12

The game's rules define the effect of an overruled event (`Rulebook.pardon`): in The Nasty 7 a wrong call
counts as right and a late card as in time; in other games the verdict is dropped. Codes, in order:
`missing_field`, `bad_field`, `nothing_to_amend` or `nothing_to_overrule` (no such earlier event of the game
that counts, or no verdict there), then the codes of the replacement itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.core.errors import Rejected
from companion.core.events import Event
from companion.games.contract.fields import is_integer
from companion.games.contract.rulebook import Ruling, S
from companion.table.timeline import Entry, Timeline, is_correction

AS_ENTERED = "as_entered"
"""The table played on as the later events say, whatever the amended event would have led to."""


def corrected(record: Timeline[S], event: Event) -> Timeline[S]:
    """The record played again with the correction in force, up to and without the correction's own entry.

    Raises:
        Rejected: the correction is not possible.
    """
    if event["event"] == "overruled":
        return _overruled(record, event)
    target = _target(record, event, "nothing_to_amend")
    if "replacement" not in event:
        raise Rejected("missing_field")
    replacement, rest = event["replacement"], event.get("rest")
    if rest not in (None, AS_ENTERED):
        raise Rejected("bad_field")
    if replacement is None:
        return _again(record, target, None, record.pardoned - {target.n}, rest)
    if not isinstance(replacement, Mapping) or is_correction(replacement):
        raise Rejected("bad_field")
    other = _again(record, target, dict(replacement), record.pardoned - {target.n}, rest)
    code = other.entries[target.n - 1].code
    if code is not None:
        raise Rejected(code)
    return other


def _overruled(record: Timeline[S], event: Event) -> Timeline[S]:
    target = _target(record, event, "nothing_to_overrule")
    other = _again(record, target, target.event, record.pardoned | {target.n})
    if not target.findings or other.entries[target.n - 1].findings == target.findings:
        raise Rejected("nothing_to_overrule")
    return other


def _target(record: Timeline[S], event: Event, missing: str) -> Entry:
    """The entry that a correction names."""
    if "n" not in event:
        raise Rejected("missing_field")
    n = event["n"]
    if not is_integer(n):
        raise Rejected("bad_field")
    if not 1 <= n <= len(record.entries) or n in record.gone:
        raise Rejected(missing)
    target: Entry = record.entries[n - 1]
    if is_correction(target.event):
        raise Rejected(missing)
    return target


def _again(
    record: Timeline[S],
    target: Entry,
    replacement: Event | None,
    pardoned: frozenset[int],
    rest: str | None = None,
) -> Timeline[S]:
    """Plays everything again with another event in place of the target (None: without it).

    Args:
        rest: AS_ENTERED: whoever was to act next at the table is to act next.
    """
    at_table = _states(record) if rest == AS_ENTERED else {}
    other = Timeline(record.book, record.setup)
    other.pardoned = pardoned
    gone = record.gone | {target.n} if replacement is None else record.gone
    for entry in record.entries:
        if entry.n == target.n and target.n not in pardoned:
            if replacement is None:
                other.entries.append(Entry(entry.n, entry.event))
            else:
                if other.judge(entry.n, replacement).code is None:
                    _go_on_as_entered(other, entry.n, replacement, at_table)
        elif is_correction(entry.event) and entry.code is None:
            other.entries.append(entry)
        elif entry.n in gone:
            other.entries.append(msgspec.structs.replace(entry, findings=()))
        elif entry.code is not None:
            other.keep_rejected(entry, entry.n in pardoned)
        elif entry.n in pardoned:
            _pardon(other, entry)
        else:
            other.judge(entry.n, entry.event)
            _go_on_as_entered(other, entry.n, entry.event, at_table)
    other.gone = gone
    return other


def _states(record: Timeline[S]) -> dict[int, tuple[S, S]]:
    """Number of each accepted event that counts -> the states before and after it."""
    steps = [step for step in record.steps if step.past is None]
    following = [*(step.before for step in steps[1:]), record.state]
    return {step.n: (step.before, state) for step, state in zip(steps, following, strict=True)}


def _go_on_as_entered(record: Timeline[S], n: int, event: Event, at_table: Mapping[int, tuple[S, S]]) -> None:
    """Where the event that was just judged led elsewhere than at the table, goes on as the table did."""
    if n not in at_table:
        return
    book, (was, there) = record.book, at_table[n]
    entry = record.entries[-1]
    if entry.code is None and book.course(record.state) == book.course(there):
        return
    before = record.state if entry.code is not None else record.steps[-1].before
    state = book.went_on(before, event, was, there)
    if entry.code is not None:
        record.entries.pop()
        record.accept(n, event, Ruling(state))
    record.state = state


def _pardon(record: Timeline[S], entry: Entry) -> None:
    """Plays an event whose verdicts are cancelled; if it is no longer legal, it is judged like any other."""
    try:
        ruling = record.book.pardon(record.state, entry.event)
    except Rejected:
        record.judge(entry.n, entry.event)
        return
    record.accept(entry.n, entry.event, ruling)
