"""Decodes one piece of sound with Vosk, several times with different vocabularies.

Each decoding gives the words of the best path and its log-likelihood, so that two vocabularies can be
compared. Vosk's own list of alternatives does not serve: its lattice is pruned to one path for nearly
every clear word, and holds no useful alternative for an unclear one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.observations import HeardWord
from companion.speech.audio.dither import dithered
from companion.speech.audio.levels import MIN_SNR_DB, background_level, frame_levels, loudest, trim
from companion.speech.model import grammar
from companion.speech.model.models import Model
from companion.speech.model.verifier import WordPosteriors
from companion.speech.recognition.soft_starts import hidden_s

BEFORE_S, BEHIND_S = 0.3, 0.4
"""Seconds of silence added before and behind a piece: the acoustic model needs context."""


class Decoding(msgspec.Struct, frozen=True):
    """The best path with one vocabulary."""

    score: float
    """Log-likelihood in nats; comparable between decodings of the same piece only."""
    words: tuple[HeardWord, ...]
    """The words that are above the background, with confidence 1; times are seconds of the piece."""
    competing: tuple[str, ...] = ()
    """The unreported words on the path: other speech, coughs, laughter, other numbers."""

    @property
    def said(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(word.word for word in self.words)


class Decoder:
    """Decodes one piece of sound.

    Args:
        samples: int16, mono.
        model: opened, with a runtime grammar.
        unreported: the competing words (grammar.competing_words).
        rate: samples a second.
        background_db: level of the background about the piece, dB of full scale (see
            companion.speech.audio.levels.background_level); words less than MIN_SNR_DB above it are not
            reported. None: it is measured in the piece itself.
    """

    def __init__(
        self,
        samples: NDArray[np.int16],
        model: Model,
        unreported: frozenset[str],
        rate: int = 16000,
        background_db: float | None = None,
    ) -> None:
        ends = np.zeros(int(rate * BEFORE_S), np.int16), np.zeros(int(rate * BEHIND_S), np.int16)
        self._data = dithered(np.concatenate([ends[0], samples, ends[1]])).tobytes()
        self._levels = frame_levels(samples, rate)
        if background_db is None:
            background_db = background_level(self._levels, 0.0, samples.size / rate)
        self.background_db = background_db
        """Level of the background about the piece, dB of full scale."""
        self.samples, self.rate = samples, rate
        self._known: dict[tuple[str, ...], Decoding] = {}
        self._model = model
        self.unreported = unreported

    def decode(self, phrases: Sequence[str]) -> Decoding:
        """The best path with these words and phrases; takes about 10 ms for a call the first time."""
        listed = tuple(phrases)
        if listed not in self._known:
            self._known[listed] = self._decoded(listed)
        return self._known[listed]

    def _decoded(self, phrases: Sequence[str]) -> Decoding:
        import vosk

        listed = grammar.vosk_grammar(phrases, self.unreported)
        recogniser = vosk.KaldiRecognizer(self._model.for_pieces, float(self.rate), listed)
        recogniser.SetWords(True)
        recogniser.SetMaxAlternatives(1)
        parts = [recogniser.Result()] if recogniser.AcceptWaveform(self._data) else []
        best = [json.loads(part)["alternatives"][0] for part in (*parts, recogniser.FinalResult())]
        items = [item for part in best for item in part.get("result", [])]
        words = (self._trimmed(item) for item in items if item["word"] not in self.unreported)
        return Decoding(
            sum(float(part["confidence"]) for part in best),
            tuple(word for word in words if self._is_audible(word)),
            tuple(item["word"] for item in items if item["word"] in self.unreported),
        )

    def word(self, name: str, start: float, end: float) -> HeardWord:
        """A word near this span of the piece (s), trimmed to where it is audible; confidence 1."""
        lost = hidden_s(name)
        span = trim(self._levels, start, end, self.background_db, hidden_s=lost) or (start, end)
        return HeardWord(name, *span, 1.0)

    @functools.cached_property
    def posteriors(self) -> WordPosteriors | None:
        """What the verifier says of the piece; None without a verifier."""
        verifier = self._model.verifier
        return None if verifier is None else verifier.posteriors(self.samples, self.rate)

    def _trimmed(self, item: dict[str, Any]) -> HeardWord:
        return self.word(item["word"], max(0.0, item["start"] - BEFORE_S), max(0.0, item["end"] - BEFORE_S))

    def _is_audible(self, word: HeardWord) -> bool:
        return loudest(self._levels, word.start, word.end) - self.background_db > MIN_SNR_DB
