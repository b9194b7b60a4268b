"""The calls in a recording of a whole game, recognised with the calls in mind that would be right.

The recording is first recognised as a whole. A call that does not fit is recognised a second time, as its own
piece of sound, against the calls that would be right (companion.speech.recognition.verdict).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.call_policy import NEVER_ASK, fits
from companion.core.observations import HeardWord, Utterance
from companion.speech.audio import levels, wav
from companion.speech.model import grammar, models
from companion.speech.recognition import calls, offline, verdict

MARGIN_S = 0.25
"""Seconds of sound before and after a call that are recognised with it the second time."""


class RecordedCalls:
    """The calls in a recording of one game.

    Args:
        language: of the calls, e.g. `en`.
        samples: the sound, 16 kHz.
        countdown: whether only the words of a countdown are listened for, otherwise all calls.
        one_by_one: whether each word is a call of its own.

    Raises:
        Unavailable: there is no speech model for the language.
    """

    def __init__(
        self, language: str, samples: NDArray[np.int16], *, countdown: bool, one_by_one: bool
    ) -> None:
        self._language = grammar.language(language)
        path = models.find_model(language)
        wanted = self._language.countdown() if countdown else self._language.calls()
        known = models.vocabulary(path)
        self._words = grammar.with_competing_words(wanted, known, self._language)
        self._unreported = grammar.competing_words(wanted, known)
        self._model = models.open_model(path)
        self._samples = samples
        self._levels = levels.frame_levels(samples)
        self._one_by_one = one_by_one

    @classmethod
    def of_file(
        cls, recording: Path | str, language: str, *, countdown: bool, one_by_one: bool
    ) -> RecordedCalls:
        """The calls in a WAV file of any rate.

        Raises:
            Unreadable: the file cannot be read.
            Unavailable: there is no speech model for the language.
        """
        return cls(language, wav.read_wav(recording), countdown=countdown, one_by_one=one_by_one)

    def split(self, cuts: Sequence[float]) -> Iterator[Utterance]:
        """The calls in order. A call that spans a moment in `cuts` (a card fell) is split there."""
        words = offline.recognise(self._samples, self._model, self._words, self._unreported)
        for call in calls.group(words, 0.0 if self._one_by_one else calls.PAUSE_S):
            part: list[HeardWord] = []
            for word in call.words:
                if part and any(part[-1].start < cut <= word.start for cut in cuts):
                    yield calls.utterance(part)
                    part = []
                part.append(word)
            yield calls.utterance(part)

    def read(self, call: Utterance, right: Sequence[Sequence[str]]) -> tuple[HeardWord, ...]:
        """The words of a call.

        Args:
            right: the calls that would be right.

        Returns:
            Its words; none if the call is to be ignored.
        """
        words = call.words
        if right and call.said not in {tuple(r) for r in right}:
            words = self._compared(call, right) or words
        decision = NEVER_ASK.decide(
            min(word.confidence for word in words),
            understood=True,
            fits=fits([word.word for word in words], right),
            due=bool(right),
        )
        return words if decision.is_heard else ()

    def _compared(self, call: Utterance, right: Sequence[Sequence[str]]) -> tuple[HeardWord, ...]:
        """The words of the second recognition; none if they are not a right call."""
        begin = max(0.0, call.start - MARGIN_S)
        piece = self._samples[int(begin * wav.RATE) : int((call.end + MARGIN_S) * wav.RATE)]
        found = verdict.score_call(
            piece,
            self._model,
            self._words,
            self._unreported,
            right,
            filler=self._language.throat,
            background_db=levels.background_level(self._levels, call.start, call.end),
        )
        if not found.fits:
            return ()
        return tuple(
            msgspec.structs.replace(word, start=begin + word.start, end=begin + word.end)
            for word in found.words
        )
