"""Corrects Vosk's words with the verifier's posteriors: some are dropped, renamed or inserted.

Used where no call is due; a call that is due is scored instead (companion.speech.recognition.verdict).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, is_above_background, trim
from companion.speech.model.verifier import WordPosteriors

MIN_PROBABILITY = 0.02
"""A word no more likely than this to the verifier is dropped. Two held-out speakers, all conditions of
`python -m bench.speech` (N = 522): from 0.05 on it costs two to four in a hundred clean calls."""
RENAME_PROBABILITY, RENAME_RATIO = 0.4, 2.0
"""A word is renamed if another one is more likely than the first value, and more than the second value times
as likely as the word that Vosk heard. Two more of a hundred clean calls are right by that than if only
dropped words are renamed (each second clip of the same speakers, N = 2,344), and nothing gets worse;
ratios from 1.5 to 5 are nearly as good."""
INSERT_PROBABILITY = 0.5
"""A word at least this likely where Vosk heard none is inserted. A lower value lets ordinary words pass for
numbers: with 0.5 half of them do, with 0.2 six in ten."""
APART_S = 0.12
"""An inserted word is at least this far from every other word,"""
CENTRES_S = 0.24
"""or its centre is this far from the centre of a likely word: Vosk takes two words that run together for
one."""
WITHIN_S = 0.2
"""Start and end of an inserted word are looked for so far from its centre."""


def confirmed(
    words: Iterable[HeardWord], posteriors: WordPosteriors, among: Collection[str], levels: Levels
) -> tuple[HeardWord, ...]:
    """The corrected words in order of their starts.

    Args:
        words: what was heard; times in seconds from the start of `posteriors` and `levels`.
        among: the words that may be reported.
    """
    kept = [found for word in words if (found := _corrected(word, posteriors, among)) is not None]
    for name, time in posteriors.peaks(among, INSERT_PROBABILITY):
        if all(_is_apart(time, word, posteriors) for word in kept):
            span = trim(levels, max(0.0, time - WITHIN_S), time + WITHIN_S)
            if span is not None and is_above_background(levels, *span):
                kept.append(HeardWord(name, *span, posteriors.probability(name, time, time)))
    return tuple(sorted(kept, key=lambda word: word.start))


def _corrected(word: HeardWord, posteriors: WordPosteriors, among: Collection[str]) -> HeardWord | None:
    """The word that was said there; None for none."""
    own = posteriors.probability(word.word, word.start, word.end)
    other, probability = posteriors.most_likely(word.start, word.end, among)
    if probability > max(RENAME_PROBABILITY, RENAME_RATIO * own):
        return msgspec.structs.replace(word, word=other, confidence=probability)
    return word if own > MIN_PROBABILITY else None


def _is_apart(time: float, word: HeardWord, posteriors: WordPosteriors) -> bool:
    """Whether a word centred at `time` is another one than the word that was heard."""
    if time < word.start - APART_S or time > word.end + APART_S:
        return True
    centre, probability = posteriors.centre(word.word, word.start, word.end)
    return probability >= INSERT_PROBABILITY and abs(time - centre) >= CENTRES_S
