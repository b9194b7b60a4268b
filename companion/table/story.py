"""The story of a game in a language: sentence by sentence what happened and why, with the rules behind it.

The one source for `companion replay --explain` and `--story`, the history and the voice. A game names its
sentences by code (`Rulebook.story`); their texts are in the folder `story` of its package, one file a
language. A sentence without a translation is English.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import msgspec

from companion.announce.phrases import LOCALE, Phrases
from companion.core.errors import Rejected
from companion.core.sentence import Sentence
from companion.games import game_named
from companion.games.contract.event_times import event_time
from companion.games.contract.rulebook import RejectedAfter, Ruling
from companion.table.record import Record

COMMON = "companion.games"


class StoryLine(msgspec.Struct, frozen=True):
    """One sentence of the story in a language."""

    n: int
    """Number of the event in the script."""
    code: str
    text: str
    rules: tuple[str, ...]


def sentences_of(record: Record[Any]) -> list[tuple[int, tuple[Sentence, ...]]]:
    """The story without a language: for each event that counts its number and sentences.

    Undone and rejected events are left out; of a rejected one only the effects of its time are told. A
    corrected event counts in its corrected form.
    """
    book = record.book
    found: list[tuple[int, tuple[Sentence, ...]]] = []
    steps = [step for step in record.steps if step.past is None]
    # A correction is left out: the entry that it changed is listed in its present form.
    following = [*(step.before for step in steps[1:]), record.state]
    for step, after in zip(steps, following, strict=False):  # without a step there is nothing to tell
        event = record.entries[step.n - 1].event
        judge = book.pardon if step.n in record.pardoned else book.play
        try:
            ruling = judge(step.before, event)
        except Rejected:  # after a correction the table went on with it all the same
            ruling = Ruling(after)
        found.append((step.n, book.story(step.before, event, ruling)))
        state = ruling.state
        for n in step.rejected:
            settled = _settled(record, n, state)
            if settled is not None:
                found.append((n, time_story(record, n, state, settled)))
                state = settled.state
    return found


def time_story(record: Record[Any], n: int, state: Any, settled: Ruling[Any]) -> tuple[Sentence, ...]:
    """The story of the time of rejected entry `n`.

    Args:
        state: before the entry.
        settled: the effects of its time.
    """
    passed = {"event": "time_passed", "t": event_time(record.entries[n - 1].event)}
    return record.book.story(state, passed, settled)


def _settled(record: Record[Any], n: int, state: Any) -> Ruling[Any] | None:
    """The effects of a rejected event's time: deadlines that expired before it."""
    if not record.entries[n - 1].findings:
        return None
    try:
        record.book.play(state, record.entries[n - 1].event)
    except RejectedAfter as rejected:
        return rejected.settled
    except Rejected:
        return None
    return None


def story(record: Record[Any], language: str) -> list[StoryLine]:
    """The story of a record in a language."""
    game, written = record.book.name, phrases(language)
    return [
        StoryLine(n, sentence.code, written.sentence(game, sentence.code, sentence.params), sentence.rules)
        for n, sentences in sentences_of(record)
        for sentence in sentences
    ]


def phrases(language: str) -> Phrases:
    """What says codes, events and the games' stories in a language."""
    return Phrases(language, LOCALE, templates)


@functools.cache
def templates(game: str, language: str) -> Mapping[str, str]:
    """Code -> sentence with blanks, of a game and the common ones."""
    package = game_named(game).package
    found: dict[str, str] = {}
    for spoken in ("en", language):
        found |= _read(COMMON, f"common_story/{spoken}.toml")
        found |= _read(package, f"story/{spoken}.toml")
    return found


def _read(package: str, name: str) -> dict[str, str]:
    file = resources.files(package).joinpath(name)
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
