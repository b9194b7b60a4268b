"""The words of a whole recording, without a stream and without an expectation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.core.observations import HeardWord
from companion.speech.audio.dither import dithered
from companion.speech.audio.levels import frame_levels
from companion.speech.model import grammar
from companion.speech.model.models import Model
from companion.speech.recognition.confirm import confirmed
from companion.speech.recognition.word_filter import heard_words

RATE = 16000
"""Samples a second."""
BEFORE_S, BEHIND_S = 0.5, 0.7
"""Silence that is put before and behind a recording, in seconds: people cut recordings close."""
BLOCK_S = 0.1
"""Vosk gets the sound in blocks of so many seconds."""


def recognise(
    samples: NDArray[np.int16], model: Model, words: tuple[str, ...], unreported: frozenset[str]
) -> tuple[HeardWord, ...]:
    """The words of a recording, in order; times are seconds of the recording.

    Args:
        samples: int16, mono, at 16 kHz.
        model: opened, with a runtime grammar.
        words: what to listen for, competing words included (grammar.with_competing_words).
        unreported: the competing words among them; they are left out of what is returned.
    """
    import vosk

    ends = np.zeros(int(RATE * BEFORE_S), np.int16), np.zeros(int(RATE * BEHIND_S), np.int16)
    data = dithered(np.concatenate([ends[0], samples, ends[1]])).tobytes()
    recogniser = vosk.KaldiRecognizer(model.vosk, float(RATE), grammar.vosk_grammar(words, unreported))
    recogniser.SetWords(True)
    size = 2 * round(RATE * BLOCK_S)
    blocks = (data[at : at + size] for at in range(0, len(data), size))
    results = [recogniser.Result() for block in blocks if recogniser.AcceptWaveform(block)]
    levels = frame_levels(samples)
    found: list[HeardWord] = []
    for result in [*results, recogniser.FinalResult()]:
        found += heard_words(result, unreported, -BEFORE_S, levels)
    if model.verifier is None:
        return tuple(found)
    return confirmed(found, model.verifier.posteriors(samples), frozenset(words) - unreported, levels)
