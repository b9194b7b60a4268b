"""What Vosk heard, looked at again as whole words: some are refused, renamed or added.

Used where nothing is expected; a call that is due is weighed instead (companion.speech.recognition.verdict).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, extent, stands_out
from companion.speech.model.verifier import WordPosteriors

REFUSED = 0.02
"""A word less likely than this to the verifier is not told. Two held-out speakers, all conditions of
`python -m bench.speech` (N = 522): from 0.05 on it costs two to four in a hundred clean calls."""
RENAMED, TIMES = 0.4, 2.0
"""It was another word if that one is so likely there, and so many times as likely as the one that Vosk heard.
Two more of a hundred clean calls are right by that than if only refused words are renamed (each second clip
of the same speakers, N = 2,344), and nothing gets worse; 1.5 to 5 times are nearly as good."""
ADDED = 0.5
"""A word so likely where Vosk heard none is told. Less lets ordinary words pass for numbers: with 0.5 a half
of them do, with 0.2 six in ten."""
APART_S = 0.12
"""So far from every other word,"""
CENTRES_S = 0.24
"""or so far from the centre of one that is likely as well: Vosk takes two words that run together for one."""
WITHIN_S = 0.2
"""An added word's start and end are sought so far from its centre."""


def confirmed(
    words: Iterable[HeardWord], looks: WordPosteriors, among: Collection[str], levels: Levels
) -> tuple[HeardWord, ...]:
    """The words in order of their starts.

    Args:
        words: what was heard; times in seconds of the piece that `looks` and `levels` are of.
        among: the words that may be told.
    """
    kept = [found for word in words if (found := _named(word, looks, among)) is not None]
    for name, time in looks.peaks(among, ADDED):
        if all(_beside(time, word, looks) for word in kept):
            span = extent(levels, max(0.0, time - WITHIN_S), time + WITHIN_S)
            if span is not None and stands_out(levels, *span):
                kept.append(HeardWord(name, *span, looks.chance(name, time, time)))
    return tuple(sorted(kept, key=lambda word: word.start))


def _named(word: HeardWord, looks: WordPosteriors, among: Collection[str]) -> HeardWord | None:
    """The word that was said there; None for none."""
    own = looks.chance(word.word, word.start, word.end)
    other, chance = looks.likeliest(word.start, word.end, among)
    if chance > max(RENAMED, TIMES * own):
        return msgspec.structs.replace(word, word=other, confidence=chance)
    return word if own > REFUSED else None


def _beside(time: float, word: HeardWord, looks: WordPosteriors) -> bool:
    """Whether something centred at this moment is not the word that was heard."""
    if time < word.start - APART_S or time > word.end + APART_S:
        return True
    centre, chance = looks.centre(word.word, word.start, word.end)
    return chance >= ADDED and abs(time - centre) >= CENTRES_S
