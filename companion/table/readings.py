"""What the senses reported in a game, and what the players made of it.

A reading is one report of a sense that counted, or should have: it was right, it was corrected, the sense was
not sure and asked, or it missed what a phone then entered. Pure: a game's journal in, readings out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from companion.core.events import Event
from companion.games import game_named
from companion.store.rows import AskedQuestion, GameRow, Line
from companion.table.record import Record, opened
from companion.table.timeline import Entry, is_correction

SENSES = ("camera", "microphone", "buttons")
"""The sources whose reports can be wrong."""
REENTERED = 4
"""A report that was taken back was wrong if a phone enters the same kind of event within so many entries."""

Outcome = Literal["right", "corrected", "asked", "missed"]


class Reading(msgspec.Struct, frozen=True):
    """One report of a sense."""

    sense: str
    outcome: Outcome
    player: str | None = None
    """Of a call: who made it; None if that is not known."""
    card: str = ""
    """Of the camera: the first word of the card that it really was, e.g. `yellow`."""


def readings_of(row: GameRow, lines: Sequence[Line], asked: Sequence[AskedQuestion]) -> list[Reading]:
    """The readings of one game, in no particular order."""
    record: Record[Any] = opened(row.header())
    callers: dict[int, str] = {}
    for line in lines:
        entry = record.push(line.event)
        if entry.findings:
            callers[line.n] = entry.findings[-1].player
    by_answer = {n for one in asked for n in range(one.n + 1, one.n + one.events + 1)}
    found = [_asked(one) for one in asked if one.source in SENSES and not one.about]
    for line in lines:
        entry = record.entries[line.n - 1]
        if is_correction(line.event) or line.event.get("event") == "position" or line.code is not None:
            continue
        if line.source == "phone":
            found += _missed(line, lines)
        elif line.source in SENSES and line.n not in by_answer:
            found += _reported(line, entry, record, lines, callers.get(line.n))
    if game_named(row.name).hears(row.settings):
        found += _unheard(record, lines, callers)
    return found


def _asked(one: AskedQuestion) -> Reading:
    player = one.player if one.source == "microphone" else None
    return Reading(one.source, "asked", player, _word(one.answer) if one.source == "camera" else "")


def _reported(
    line: Line, entry: Entry, record: Record[Any], lines: Sequence[Line], caller: str | None
) -> Iterator[Reading]:
    """What a sense reported and the rules accepted. A call counts once it was judged."""
    call = line.event.get("event") == "heard"
    if call and caller is None:
        return
    if line.n in record.undone() and not _removed_by_amendment(line.n, lines, record):
        again = _entered_again(line, lines)
        if again is not None:
            yield Reading(line.source, "corrected", caller if call else None, _card(again))
        return
    wrong = line.n in record.undone() or entry.event != line.event or (call and line.n in record.overruled())
    yield Reading(
        line.source, "corrected" if wrong else "right", caller if call else None, _card(entry.event)
    )


def _removed_by_amendment(n: int, lines: Sequence[Line], record: Record[Any]) -> bool:
    """Whether the table said that this did not happen."""
    return any(
        line.event.get("event") == "amended"
        and line.event.get("n") == n
        and line.event.get("replacement", 0) is None
        and line.code is None
        and line.n not in record.undone()
        for line in lines
    )


def _entered_again(line: Line, lines: Sequence[Line]) -> Event | None:
    """The event that a phone entered in place of one that was taken back."""
    for later in lines[line.n : line.n + REENTERED]:
        same = later.event.get("event") == line.event.get("event")
        if same and later.source == "phone" and later.code is None:
            return later.event if later.event.get("player") == line.event.get("player") else None
    return None


def _missed(line: Line, lines: Sequence[Line]) -> Iterator[Reading]:
    """What a phone entered although a sense reported events of the same kind before and after it."""
    kind = line.event.get("event")
    before = {one.source for one in lines[: line.n - 1] if one.event.get("event") == kind}
    after = {one.source for one in lines[line.n :] if one.event.get("event") == kind}
    taken_back = any(one.event.get("event") == "undone" for one in lines[max(0, line.n - REENTERED) : line.n])
    for sense in SENSES:
        if sense in before & after and not taken_back:
            player = line.event.get("player") if sense == "microphone" else None
            yield Reading(sense, "missed", player, _card(line.event) if sense == "camera" else "")


def _unheard(record: Record[Any], lines: Sequence[Line], callers: Mapping[int, str]) -> Iterator[Reading]:
    """Calls that were made and not heard: the table set aside that there was none, or that it came late."""
    for n in record.overruled():
        line = lines[n - 1]
        if line.event.get("event") != "heard" and n in callers:
            yield Reading("microphone", "missed", callers[n])


def _card(event: Event) -> str:
    card = event.get("card")
    if isinstance(card, Mapping):
        return _word(str(card.get("monster", "")))
    return _word(card) if isinstance(card, str) else ""


def _word(label: str | None) -> str:
    """The first word of a card's label: its monster or colour."""
    return "" if label is None or label == "none" else label.partition(" ")[0]
