"""Selects the words of a Vosk result to report: those above the background and above other voices."""

from __future__ import annotations

import json

from companion.core.observations import HeardWord
from companion.speech.audio.levels import Levels, is_above_background, loudest, trim_words
from companion.speech.recognition.soft_starts import hidden_s

MAX_DROP_DB = 12.0
"""Words of one result this much softer than its loudest word are not reported: they are background, or by
somebody else. Four held-out speakers, calls in room noise at 20 dB (N = 156): 85 % are recognised exactly
without this limit, 90 % with it, and no pair of 88 is lost."""


def heard_words(
    result: str, unreported: frozenset[str], offset: float, levels: Levels
) -> tuple[HeardWord, ...]:
    """The words to report of one of Vosk's results, trimmed to where they are audible.

    Args:
        result: JSON of Result() or FinalResult().
        unreported: words to leave out (grammar.competing_words).
        offset: where Vosk's times start, in seconds from the first frame of `levels`.
        levels: of the sound.

    Returns:
        Words with times in seconds from the first frame of `levels`, and Vosk's confidences within 0 and 1.
    """
    items = [i for i in json.loads(result).get("result", []) if i["word"] not in unreported]
    spans = [(max(0.0, i["start"] + offset), max(0.0, i["end"] + offset)) for i in items]
    hidden = [hidden_s(i["word"]) for i in items]
    found = [
        (item, span)
        for item, span in zip(items, trim_words(levels, spans, hidden), strict=True)
        if span is not None and is_above_background(levels, *span)
    ]
    peaks = [loudest(levels, *span) for _, span in found]
    return tuple(
        HeardWord(item["word"], span[0], span[1], min(1.0, max(0.0, item["conf"])))
        for (item, span), peak in zip(found, peaks, strict=True)
        if peak > max(peaks) - MAX_DROP_DB
    )
