"""Which of several near readings was said, given what would have been right.

The question at the table is not "which number was it?" but "was it the right call?". Vosk's lattice yields
the best readings of one utterance with their log-likelihoods. The right call is believed when it is among
them and within `LEAN` nats of the best: a clear wrong number stays wrong, a doubtful one goes to the player.
The likelihood-ratio test with a prior, after J. Neyman and E. S. Pearson (1933); `LEAN` is the prior's log
odds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.observations import HeardWord
from companion.speech.levels import extent, frame_levels

LEAN = 2.0
"""How many nats of (scaled) log-likelihood the right call may lie behind the best reading."""
COUNT = 10
BEFORE_S, BEHIND_S = 0.3, 0.4


class Reading(msgspec.Struct, frozen=True):
    """One way to read an utterance. `score` is its log-likelihood in nats, comparable within the utterance;
    `share` its part of the probability of all readings found, 0 to 1."""

    words: tuple[HeardWord, ...]
    score: float
    share: float

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(word.word for word in self.words)


def readings(
    samples: NDArray[np.int16],
    model: Any,
    words: Sequence[str],
    unreported: frozenset[str],
    rate: int = 16000,
) -> list[Reading]:
    """The distinct readings of a short piece of sound, best first; times are seconds of the piece.

    Readings that differ in unreported words alone count as one. There is at least one, perhaps without words.
    """
    import vosk

    before, behind = int(rate * BEFORE_S), int(rate * BEHIND_S)
    piece = np.concatenate([np.zeros(before), samples, np.zeros(behind)]).astype(np.int16)
    ear = vosk.KaldiRecognizer(model, float(rate), json.dumps(list(words)))
    ear.SetWords(True)
    ear.SetMaxAlternatives(COUNT)
    parts = []
    if ear.AcceptWaveform(piece.tobytes()):
        parts.append(json.loads(ear.Result())["alternatives"])
    parts.append(json.loads(ear.FinalResult())["alternatives"])
    best: dict[tuple[str, ...], tuple[float, tuple[HeardWord, ...]]] = {}
    for score, items in _joined(parts):
        kept = tuple(
            HeardWord(item["word"], max(0.0, item["start"] - BEFORE_S), max(0.0, item["end"] - BEFORE_S), 1.0)
            for item in items
            if item["word"] not in unreported
        )
        said = tuple(word.word for word in kept)
        if said not in best or score > best[said][0]:
            best[said] = (score, kept)
    ordered = sorted(best.values(), key=lambda entry: -entry[0])
    total = sum(math.exp(score - ordered[0][0]) for score, _ in ordered)
    result = []
    loudness = frame_levels(samples, rate)
    for score, kept in ordered:
        share = math.exp(score - ordered[0][0]) / total
        spans = [extent(loudness, word.start, word.end) or (word.start, word.end) for word in kept]
        told = tuple(HeardWord(w.word, *span, share) for w, span in zip(kept, spans, strict=True))
        result.append(Reading(told, score, share))
    return result


def _joined(parts: list[list[dict[str, Any]]]) -> list[tuple[float, list[dict[str, Any]]]]:
    """Alternatives of successive stretches as alternatives of the whole."""
    whole: list[tuple[float, list[dict[str, Any]]]] = [(0.0, [])]
    for part in parts:
        options = [(float(p["confidence"]), p.get("result", [])) for p in part] or [(0.0, [])]
        whole = [(a + b, [*x, *y]) for a, x in whole for b, y in options]
        whole = sorted(whole, key=lambda entry: -entry[0])[: COUNT * 2]
    return whole


def choose(found: Sequence[Reading], right: Iterable[Sequence[str]], lean: float = LEAN) -> Reading:
    """The best reading that is right or begins a right call, if it is near enough; else the best."""
    wanted = [tuple(call) for call in right]
    for reading in found:
        said = reading.said
        if found[0].score - reading.score > lean:
            break
        if said and any(call[: len(said)] == said for call in wanted):
            return reading
    return found[0]
