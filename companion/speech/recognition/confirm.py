"""Corrects Vosk's words with the verifier's posteriors: some are dropped, renamed or inserted.

Used for words that are not a call that is due: that one is scored instead
(companion.speech.recognition.verdict).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, is_above_background, trim
from companion.speech.model.verifier import WordPosteriors

MIN_PROBABILITY = 0.02
"""A word whose verifier probability is at most this is dropped. Two held-out speakers, all conditions of
`python -m bench.speech` (N = 522): values of 0.05 and more lose two to four in a hundred clean calls."""
RENAME_PROBABILITY, RENAME_RATIO = 0.4, 2.0
"""A word is renamed if another one is more likely than the first value, and more than the second value times
as likely as the word that Vosk recognised. Two more of a hundred clean calls are right than if only words
that would be dropped are renamed (every second clip of the same speakers, N = 2,344), and no condition gets
worse; ratios from 1.5 to 5 are nearly as good."""
INSERT_PROBABILITY = 0.5
"""A word at least this likely where Vosk recognised none is inserted. Of ordinary words, half are recognised
as numbers with 0.5, six in ten with 0.2."""
APART_S = 0.12
"""An inserted word is at least so many seconds from the start and end of every other word, ..."""
CENTRES_S = 0.24
"""... or its centre is so many seconds from the centre of a word of at least INSERT_PROBABILITY: Vosk
recognises two words without a pause as one."""
WITHIN_S = 0.2
"""Start and end of an inserted word are searched within so many seconds of its centre."""


def confirmed(
    words: Iterable[HeardWord], posteriors: WordPosteriors, among: Collection[str], levels: Levels
) -> tuple[HeardWord, ...]:
    """The corrected words in order of their starts.

    Args:
        words: recognised by Vosk; times in seconds from the start of `posteriors` and `levels`.
        among: the words that may be reported.
    """
    kept = [found for word in words if (found := _corrected(word, posteriors, among)) is not None]
    for name, time in posteriors.peaks(among, INSERT_PROBABILITY):
        if all(_is_apart(time, word, posteriors) for word in kept):
            span = trim(levels, max(0.0, time - WITHIN_S), time + WITHIN_S, one_word=False)
            if span is not None and is_above_background(levels, *span):
                kept.append(HeardWord(name, *span, posteriors.probability(name, time, time)))
    return tuple(sorted(kept, key=lambda word: word.start))


def _corrected(word: HeardWord, posteriors: WordPosteriors, among: Collection[str]) -> HeardWord | None:
    """The word that the verifier confirms or finds there; None if it finds none."""
    own = posteriors.probability(word.word, word.start, word.end)
    other, probability = posteriors.most_likely(word.start, word.end, among)
    if probability > max(RENAME_PROBABILITY, RENAME_RATIO * own):
        return msgspec.structs.replace(word, word=other, confidence=probability)
    return word if own > MIN_PROBABILITY else None


def _is_apart(time: float, word: HeardWord, posteriors: WordPosteriors) -> bool:
    """Whether a word centred at `time` (s) is a further word beside the recognised one."""
    if time < word.start - APART_S or time > word.end + APART_S:
        return True
    centre, probability = posteriors.centre(word.word, word.start, word.end)
    return probability >= INSERT_PROBABILITY and abs(time - centre) >= CENTRES_S
