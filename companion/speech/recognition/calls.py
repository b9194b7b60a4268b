"""From words to calls: what one player says in answer to one card.

Words with short pauses between them belong to one call; a call of two words ("two three", the throat sound
twice) need not be said in one breath.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.core.observations import HeardWord, Utterance

PAUSE_S = 0.45
"""The longest pause inside a call, in seconds."""


class Call(msgspec.Struct, frozen=True):
    """What was said in one go. `confidence` is that of its least certain word."""

    words: tuple[HeardWord, ...]

    @property
    def start(self) -> float:
        return self.words[0].start

    @property
    def end(self) -> float:
        return self.words[-1].end

    @property
    def confidence(self) -> float:
        return min(word.confidence for word in self.words)

    @property
    def said(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(word.word for word in self.words)


def group(words: Iterable[HeardWord], pause: float = PAUSE_S) -> list[Call]:
    """Words in order of time to calls: a pause longer than `pause` seconds ends a call."""
    calls: list[list[HeardWord]] = []
    for word in words:
        if calls and word.start - calls[-1][-1].end <= pause:
            calls[-1].append(word)
        else:
            calls.append([word])
    return [Call(tuple(call)) for call in calls]


def utterance(call: Call, evidence: str = "") -> Utterance:
    """The call as the ears report it to the table."""
    return Utterance(call.words, call.start, call.end, call.confidence, evidence)
