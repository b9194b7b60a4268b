"""What each entry of a running game meant: its sentences, computed once, when the entry is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.sentence import Sentence
from companion.games.contract.rulebook import Ruling
from companion.table.record import Record
from companion.table.story import sentences_of, time_story
from companion.table.timeline import Entry, is_correction

NONE: tuple[Sentence, ...] = ()


class EntrySentences:
    """Number of an entry -> its sentences, for every entry that has any.

    Sentences that only repeat a verdict are left out: the log shows the verdict itself. An entry that was
    taken back keeps the sentences that it had.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Sentence, ...]] = {}
        self._sums: dict[int, tuple[Sentence, ...]] = {}

    def of(self, n: int) -> tuple[Sentence, ...]:
        """The sentences of entry `n`; none for a refused event and for a correction."""
        return self._known.get(n, NONE)

    def sums(self, record: Record[Any]) -> tuple[tuple[int, tuple[Sentence, ...]], ...]:
        """How points came about: (number of an entry that counts, its sentences), oldest first."""
        gone = record.undone()
        return tuple((n, told) for n, told in sorted(self._sums.items()) if n not in gone)

    def note(self, record: Record[Any], entry: Entry, before: Any) -> None:
        """Keeps the sentences of the record's latest entry.

        Args:
            before: the state of the game before it.
        """
        if is_correction(entry.event):
            if entry.code is None:
                self._renew(record)
        elif entry.code is None:
            ruling = Ruling(record.state, entry.findings)
            self._keep(record, entry, record.book.story(before, entry.event, ruling))
        elif entry.findings:
            ruling = Ruling(record.state, entry.findings)
            self._keep(record, entry, time_story(record, entry.n, before, ruling))

    def _renew(self, record: Record[Any]) -> None:
        """After a correction every entry that counts may mean something else."""
        self._known = {n: told for n, told in self._known.items() if n in record.undone()}
        self._sums = {}
        for n, sentences in sentences_of(record):
            self._keep(record, record.entries[n - 1], sentences)

    def _keep(self, record: Record[Any], entry: Entry, sentences: Sequence[Sentence]) -> None:
        said = {one.verdict for one in entry.findings}
        if entry.code is not None:
            said.add("time_passed")
        self._known[entry.n] = tuple(one for one in sentences if one.code not in said)
        sums = tuple(one for one in sentences if one.code in record.book.sums)
        if sums:
            self._sums[entry.n] = sums
