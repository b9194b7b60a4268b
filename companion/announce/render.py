"""Writes the sentences of a snapshot, a change or a reply in a reader's language.

The table publishes codes and parameters; this module alone turns them into text for the pages.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from companion.announce.phrases import Phrases
from companion.api.commands import AmendPreview, Refusal, Reply
from companion.api.snapshot import (
    Announced,
    DroppedEntry,
    EntryVerdict,
    GameOnTable,
    LogEntry,
    PointSums,
    Snapshot,
    SourceState,
    TableChange,
    TableQuestion,
)
from companion.core.message import Message

WrittenLog = dict[int, tuple[LogEntry, LogEntry]]
"""Number -> the entry, and the same with its sentences in one language."""
T = TypeVar("T", Announced, Refusal, TableQuestion)


class TableRenderer:
    """Writes what the table publishes. Every method may be called from any thread.

    A change is written once in each language, however many phones read it.

    Args:
        make: makes the phrases of a language; called once each.
    """

    def __init__(self, make: Callable[[str], Phrases]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._phrases: dict[str, Phrases] = {}
        self._latest: dict[str, tuple[TableChange, TableChange]] = {}
        self._log: dict[str, WrittenLog] = {}

    def snapshot(self, snapshot: Snapshot, language: str) -> Snapshot:
        """The snapshot with its sentences."""
        phrases, latest = self._of(language), snapshot.announcement
        return replace(
            snapshot,
            log=self._entries(snapshot, language, phrases),
            sums=tuple(_sums(one, snapshot.game, phrases) for one in snapshot.sums),
            questions=tuple(_question(one, phrases) for one in snapshot.questions),
            announcement=None if latest is None else _coded(latest, phrases),
            sources={name: _source(one, phrases) for name, one in snapshot.sources.items()},
        )

    def _entries(self, snapshot: Snapshot, language: str, phrases: Phrases) -> tuple[LogEntry, ...]:
        """The log with its sentences. An entry that is as it was the last time is not written again."""
        if snapshot.game is None:
            return ()
        known, found = self._log.get(language, {}), {}
        for entry in snapshot.log:
            before = known.get(entry.n)
            if before is not None and before[0] == entry:
                found[entry.n] = before
            else:
                found[entry.n] = entry, _entry(entry, snapshot.game.name, phrases)
        self._log[language] = found
        return tuple(written for _, written in found.values())

    def entries(self, entries: Sequence[LogEntry], game: str, language: str) -> tuple[LogEntry, ...]:
        """Entries of a game's log with their sentences."""
        phrases = self._of(language)
        return tuple(_entry(one, game, phrases) for one in entries)

    def change(self, change: TableChange, language: str) -> TableChange:
        """The change with its sentences."""
        known = self._latest.get(language)
        if known is not None and known[0] is change:
            return known[1]
        phrases = self._of(language)
        written = replace(
            change,
            snapshot=self.snapshot(change.snapshot, language),
            announcements=tuple(_coded(one, phrases) for one in change.announcements),
        )
        self._latest[language] = (change, written)
        return written

    def reply(self, reply: Reply, language: str) -> Reply:
        """The reply with its sentences."""
        phrases = self._of(language)
        if isinstance(reply, AmendPreview):
            return replace(reply, dropped=tuple(_dropped(one, phrases) for one in reply.dropped))
        return _coded(reply, phrases) if isinstance(reply, Refusal) else reply

    def _of(self, language: str) -> Phrases:
        with self._lock:
            if language not in self._phrases:
                self._phrases[language] = self._make(language)
            return self._phrases[language]


def _coded(one: T, phrases: Phrases) -> T:
    """The message with its text, which is made of its code and parameters."""
    return replace(one, text=phrases.text(one.code, one.params or {}))


def _source(source: SourceState, phrases: Phrases) -> SourceState:
    if source.code is None:
        return source
    return replace(source, why=phrases.written(Message(source.code, dict(source.params))))


def _entry(entry: LogEntry, game: str, phrases: Phrases) -> LogEntry:
    why = None
    if entry.rejected is not None:
        why = phrases.text(entry.rejected, {**entry.event, "turn": entry.turn})
    sentences = entry.sentences or ()
    lines = [phrases.sentence(game, one.code, one.params) for one in sentences]
    if entry.rejected is not None or not sentences:
        lines.insert(0, phrases.event(entry.event))
    return replace(
        entry,
        sentences=UNSET,
        text="\n".join(lines),
        rules=tuple(dict.fromkeys(rule for one in sentences for rule in one.rules)),
        why=why,
        verdicts=tuple(_verdict(one, phrases) for one in entry.verdicts),
    )


def _sums(sums: PointSums, game: GameOnTable | None, phrases: Phrases) -> PointSums:
    name = "" if game is None else game.name
    lines = tuple(phrases.sentence(name, one.code, one.params) for one in sums.sentences or ())
    return replace(sums, sentences=UNSET, lines=lines)


def _verdict(verdict: EntryVerdict, phrases: Phrases) -> EntryVerdict:
    return replace(verdict, text=phrases.text(verdict.verdict, verdict.params))


def _question(question: TableQuestion, phrases: Phrases) -> TableQuestion:
    options = tuple(replace(one, label=phrases.option(one.card, one.words)) for one in question.options)
    return replace(_coded(question, phrases), options=options)


def _dropped(one: DroppedEntry, phrases: Phrases) -> DroppedEntry:
    event = one.event or {}
    why = phrases.text(one.code, {**event, "turn": one.turn or None})
    return replace(one, text=phrases.event(event), why=why)
