"""How often the senses were right, by what the table said: corrections, answers and undo are the truth.

An event of a sense that still counts at the end of its game as it was reported was right. One that was
amended, removed or taken back was corrected; one that became an event by an answer of the table was asked. An
overruled finding counts as corrected by what it was about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.recording.reader import JudgedGame
from companion.store.rows import Line
from companion.table.record import Record, opened

SENSES = ("camera", "microphone", "buttons")


class SenseTruth(msgspec.Struct, frozen=True):
    """What became of the events of one sense."""

    sense: str
    right: int
    corrected: int
    asked: int
    refused: int
    """Reported, but against the rules: they changed nothing."""

    @property
    def events(self) -> int:
        """All events of the sense."""
        return self.right + self.corrected + self.asked + self.refused


def truth(
    games: Sequence[JudgedGame], earlier: Sequence[Sequence[Line]], answered: frozenset[int]
) -> tuple[SenseTruth, ...]:
    """Counts for each sense, over all games.

    Args:
        games: what was judged during the evening.
        earlier: for each of them its lines from before the recording began.
        answered: numbers in the journal (`seq`) of the lines that an answer of the table has made.
    """
    counts = {sense: dict.fromkeys(("right", "corrected", "asked", "refused"), 0) for sense in SENSES}
    for game, known in zip(games, earlier, strict=True):
        for line, fate in _fates(game, known, answered):
            if line.source in counts:
                counts[line.source][fate] += 1
    return tuple(SenseTruth(sense, **found) for sense, found in counts.items() if any(found.values()))


def _fates(game: JudgedGame, earlier: Sequence[Line], answered: frozenset[int]) -> list[tuple[Line, str]]:
    record: Record[Any] = opened(game.game.header())
    for line in (*earlier, *game.lines):
        record.push(line.event)
    corrected = record.undone() | record.overruled() | amended(record)
    return [(line, _fate(line, corrected, answered)) for line in game.lines]


def amended(record: Record[Any]) -> frozenset[int]:
    """Numbers of the entries that the table has replaced or removed, unless that was taken back."""
    gone = record.undone()
    return frozenset(
        entry.event["n"]
        for entry in record.entries
        if entry.event.get("event") == "amended" and entry.code is None and entry.n not in gone
    )


def _fate(line: Line, corrected: frozenset[int], answered: frozenset[int]) -> str:
    if line.seq in answered:
        return "asked"
    if line.n in corrected:
        return "corrected"
    return "refused" if line.code is not None else "right"
