"""From words to utterances: what one player says in answer to one card.

Words with short pauses between them belong together; a call of two words ("two three", the throat sound
twice) need not be said in one breath.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.observations import HeardWord, Utterance

PAUSE_S = 0.45
"""The longest pause inside a call, in seconds."""


def group(words: Iterable[HeardWord], pause: float = PAUSE_S) -> list[Utterance]:
    """Groups words in order of time: a pause longer than `pause` seconds ends an utterance."""
    groups: list[list[HeardWord]] = []
    for word in words:
        if groups and word.start - groups[-1][-1].end <= pause:
            groups[-1].append(word)
        else:
            groups.append([word])
    return [utterance(words) for words in groups]


def utterance(words: Iterable[HeardWord]) -> Utterance:
    """One utterance of at least one word; its confidence is that of the least certain word."""
    said = tuple(words)
    return Utterance(said, said[0].start, said[-1].end, min(word.confidence for word in said))
