"""A recording of a whole game, listened to as the table listens: as far as the script has come."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.core.observations import EARLY_S, Listened, Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.speech.audio.wav import RATE, read_wav
from companion.speech.model import grammar, models
from companion.speech.recognition.recogniser import Listener

BLOCK_S = 0.06
"""The listener gets so many seconds at a time, as from a microphone."""


class RecordedCalls:
    """The calls in a recording of one game.

    Args:
        language: of the calls, e.g. `en`.
        samples: the sound, 16 kHz; its first sample is t = 0.
        countdown: whether only the words of a countdown are listened for, otherwise all calls.

    Raises:
        Unavailable: there is no speech model for the language.
    """

    def __init__(self, language: str, samples: NDArray[np.int16], *, countdown: bool) -> None:
        lang = grammar.language(language)
        path = models.find_model(language)
        words = lang.countdown() if countdown else lang.calls()
        known = models.vocabulary(path)
        self._listener = Listener(path, [word for word in words if word in known], RATE, language)
        self._samples = samples
        self._next = 0
        self._listened = 0.0

    @classmethod
    def of_file(cls, recording: Path | str, language: str, *, countdown: bool) -> RecordedCalls:
        """The calls in a WAV file of any rate.

        Raises:
            Unreadable: the file cannot be read.
            Unavailable: there is no speech model for the language.
        """
        return cls(language, read_wav(recording), countdown=countdown)

    def until(self, t: float) -> list[Utterance]:
        """The utterances that were not returned yet, in order, among them all that begin before `t` (s)."""
        found: list[Utterance] = []
        while self._listened < t + EARLY_S and not math.isinf(self._listened):
            size = round(BLOCK_S * RATE)
            block = self._samples[self._next : self._next + size]
            if block.size:
                reports = self._listener.feed(block, self._next / RATE)
            else:
                reports = self._listener.flush()
                self._listened = math.inf
            self._next += size
            for report in reports:
                if isinstance(report, Utterance):
                    found.append(report)
                elif isinstance(report, Listened):
                    self._listened = max(self._listened, report.t)
        return found

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """What an utterance was."""
        return self._listener.weigh(utterance, due)
