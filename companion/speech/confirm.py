"""What Vosk heard, looked at again as whole words: some are refused, renamed or added.

Used where nothing is expected; a call that is due is weighed instead (companion.speech.verdict).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from companion.observations import HeardWord
from companion.speech.levels import Levels, extent, stands_out
from companion.speech.verifier import Looks

REFUSED = 0.02
"""A word less likely than this to the verifier is not told. Two held-out speakers, all conditions of
`python -m bench.speech` (N = 522): from 0.05 on it costs four in a hundred clean calls."""
RENAMED = 0.6
"""Unless another word is so likely there: then it was that one."""
ADDED = 0.5
"""A word so likely where Vosk heard none is told. Less lets ordinary words pass for numbers: with 0.5 a half
of them do, with 0.2 six in ten."""
APART_S = 0.12
"""So far from every other word."""
WITHIN_S = 0.2
"""An added word's start and end are sought so far from its centre."""


def confirmed(
    words: Iterable[HeardWord], looks: Looks, among: Collection[str], levels: Levels
) -> tuple[HeardWord, ...]:
    """The words in order of their starts.

    Args:
        words: what was heard; times in seconds of the piece that `looks` and `levels` are of.
        among: the words that may be told.
    """
    kept: list[HeardWord] = []
    for word in words:
        if looks.chance(word.word, word.start, word.end) > REFUSED:
            kept.append(word)
            continue
        other, chance = looks.likeliest(word.start, word.end, among)
        if chance > RENAMED:
            kept.append(msgspec.structs.replace(word, word=other, confidence=chance))
    for name, time in looks.peaks(among, ADDED):
        if all(time < word.start - APART_S or time > word.end + APART_S for word in kept):
            span = extent(levels, max(0.0, time - WITHIN_S), time + WITHIN_S)
            if span is not None and stands_out(levels, *span):
                kept.append(HeardWord(name, *span, looks.chance(name, time, time)))
    return tuple(sorted(kept, key=lambda word: word.start))
