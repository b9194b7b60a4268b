"""The verifier: a second network that classifies whole words, in model folders that have one (`words.onnx`).

Vosk's acoustic model classifies states of 30 ms and is trained on few real voices. The verifier takes 0.9 s
of sound at a time. It starts from a network that is trained on very many voices, Google's speech embedding
(J. Lin et al., "Training keyword spotters with limited and synthesized speech data", ICASSP 2020), and is
fine-tuned to the numbers (models/speech/train/verifier.py). Neither network is better than the other in all
conditions, so both count: where they disagree, the posterior is lower (companion.speech.recognition.verdict).
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unavailable
from companion.speech.audio.dither import dithered
from companion.speech.audio.levels import FRAME_S, frame_levels, frames_above_background
from companion.speech.audio.wav import resample, to_int16

NETWORK_FILE = "words.onnx"
"""The network in a model folder."""
WORDS_FILE = "words.onnx.txt"
"""The words of the network's classes, one a line. Class 0 ("no word is centred here") has no line."""
RATE = 16000
"""Samples a second that the network works at."""
WINDOW, FRAME, HOP = 512, 400, 160
"""Samples of the Fourier transform, of the Hann window in its middle, and from one spectrum to the next."""
BANDS, LOW, HIGH = 32, 60.0, 3800.0
"""Number of mel bands, and their range in hertz."""
SPECTRA_PER_OUTPUT, OUTPUT_STEP = 76, 4
"""Spectra that the embedding takes for one output, and from one output to the next (40 ms)."""
OUTPUTS_PER_PASS, EDGE_OUTPUTS = 21, 2
"""Outputs of one pass of the network; so many at either end of a pass are not used, because the layers behind
the embedding lack their neighbours there."""
BEFORE_S, BEHIND_S = 0.4, 0.4
"""Seconds of silence added before and behind a piece."""
MAX_FROM_SOUND_S = 0.15
"""The network is evaluated only at times at most this far (s) from a frame above the background: no word is
centred elsewhere."""
MIN_REACH_S = 0.1
"""The centres of a word differ by up to so many seconds between Vosk and the verifier."""
HALF_WORD_S = 0.1
"""Half the length of the shortest word, in seconds."""
NO_WORD_WEIGHT = 0.3
"""Weight of the class "no word" against a word: near the end of a word, that class is right as well."""
PROBABILITY_FLOOR = 1e-4
"""Added to probabilities before the logarithm: smaller ones are not reliable."""


class WordPosteriors(msgspec.Struct, frozen=True):
    """Posterior probabilities, over time, that a word is centred at a moment."""

    words: tuple[str, ...]
    """The words of the verifier."""
    times: NDArray[np.float64]
    """[n] Seconds from the start of the piece, rising."""
    probabilities: NDArray[np.float32]
    """[n, len(words) + 1] Each row adds up to 1. Column 0: no word is centred there."""

    def shifted(self, seconds: float) -> WordPosteriors:
        """The posteriors with times `seconds` later."""
        return msgspec.structs.replace(self, times=self.times + seconds)

    def probability(self, word: str, start: float, end: float) -> float:
        """The probability, 0 to 1, of a word in a span (s); 1 for a word that the verifier does not know."""
        if word not in self.words:
            return 1.0
        return float(self._near_middle(start, end).max(axis=0)[self.words.index(word) + 1])

    def most_likely(self, start: float, end: float, among: Collection[str]) -> tuple[str, float]:
        """The most likely of some words in a span (s), and its probability; ("", 0) if none is known."""
        return _best(self.words, self._near_middle(start, end).max(axis=0), among)

    def centre(self, word: str, start: float, end: float) -> tuple[float, float]:
        """The most likely time (s) of a word's centre within a span (s), and the probability there.

        For a word that the verifier does not know: the middle of the span, and 0.
        """
        middle = (start + end) / 2
        within = np.flatnonzero(np.abs(self.times - middle) <= max(MIN_REACH_S, (end - start) / 2))
        if word not in self.words or within.size == 0:
            return middle, 0.0
        column = self.probabilities[within, self.words.index(word) + 1]
        return float(self.times[within[column.argmax()]]), float(column.max())

    def log_odds(self, call: Sequence[str], spans: Sequence[tuple[float, float]]) -> float:
        """The log odds of a call: the lowest of its words' log odds against another word or none in the same
        span (s). 0 for a word that the verifier does not know.

        Args:
            call: the words.
            spans: start and end of each word, as many as there are words.
        """
        return min((self._log_odds(word, *span) for word, span in zip(call, spans, strict=True)), default=0.0)

    def _log_odds(self, word: str, start: float, end: float) -> float:
        if word not in self.words:
            return 0.0
        near, own = self._near_middle(start, end), self.words.index(word) + 1
        highest = near.max(axis=0)
        others = np.delete(highest, (0, own)).max() + NO_WORD_WEIGHT * near[:, 0].min()
        return float(np.log(highest[own] + PROBABILITY_FLOOR) - np.log(others + PROBABILITY_FLOOR))

    def places(self, call: Sequence[str]) -> list[tuple[float, float]]:
        """The most likely spans (s) of the words of a call in their order, each 2 * HALF_WORD_S long.

        Empty if the verifier does not know one of the words, or the piece is too short for all of them.

        The sum of the log probabilities is maximised by dynamic programming.
        """
        if not call or any(word not in self.words for word in call):
            return []
        logs = np.log(
            self.probabilities[:, [self.words.index(word) + 1 for word in call]] + PROBABILITY_FLOOR
        )
        apart = max(1, round(2 * HALF_WORD_S / (self.times[1] - self.times[0]))) if self.times.size > 1 else 1
        best, came = logs[:, 0], []
        for column in logs.T[1:]:
            before = np.concatenate([np.full(apart, -np.inf), best[:-apart]])[: best.size]
            came.append(_running_best(before))
            best = column + before[came[-1]]
        at = [int(best.argmax())]
        for earlier in reversed(came):
            at.insert(0, int(earlier[at[0]]) - apart)
        if min(at) < 0:
            return []
        return [(float(self.times[i]) - HALF_WORD_S, float(self.times[i]) + HALF_WORD_S) for i in at]

    def peaks(self, among: Collection[str], least: float) -> Iterator[tuple[str, float]]:
        """Words and the times (s) of their centres, most likely first.

        Args:
            among: the words to look for.
            least: lowest probability. Peaks within 2 * HALF_WORD_S of a more likely one are left out.
        """
        columns = [i + 1 for i, word in enumerate(self.words) if word in among]
        highest = self.probabilities[:, columns].max(axis=1) if columns else np.zeros(self.times.size)
        taken: list[float] = []
        for i in np.argsort(-highest):
            if highest[i] < least:
                return
            time = float(self.times[i])
            if all(abs(time - other) > 2 * HALF_WORD_S for other in taken):
                taken.append(time)
                yield _best(self.words, self.probabilities[i], among)[0], time

    def _near_middle(self, start: float, end: float) -> NDArray[np.float32]:
        """The rows near the middle of a span (s), at least one."""
        away = np.abs(self.times - (start + end) / 2)
        near = away <= max(MIN_REACH_S, (end - start) / 4)
        return self.probabilities[near if near.any() else away == away.min()]


def _best(
    words: Sequence[str], probabilities: NDArray[np.float32], among: Collection[str]
) -> tuple[str, float]:
    known = [(float(probabilities[i + 1]), word) for i, word in enumerate(words) if word in among]
    chance, word = max(known, default=(0.0, ""))
    return word, chance


def _running_best(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each index, the index of the highest value up to it."""
    best = np.maximum.accumulate(values)
    return np.maximum.accumulate(np.where(values >= best, np.arange(values.size), 0))


class Verifier:
    """The network of a model folder. Not safe to use from two threads at a time.

    Raises:
        Unavailable: the network or its list of words cannot be read, or they do not belong together.
    """

    def __init__(self, folder: Path) -> None:
        import cv2

        try:
            self.words = tuple((folder / WORDS_FILE).read_text(encoding="utf-8").split())
            self._net: Any = cv2.dnn.readNetFromONNX(str(folder / NETWORK_FILE))
            given = self._pass(np.zeros((SPECTRA_PER_OUTPUT, BANDS), np.float32)).shape
        except (OSError, UnicodeDecodeError, cv2.error) as error:
            raise Unavailable("speech.no_verifier", path=folder / NETWORK_FILE) from error
        if given != (OUTPUTS_PER_PASS, len(self.words) + 1):
            raise Unavailable("speech.wrong_verifier", path=folder / NETWORK_FILE, names=WORDS_FILE)

    def posteriors(self, samples: NDArray[np.int16], rate: int = RATE) -> WordPosteriors:
        """The posteriors of a piece of sound.

        A second of speech takes about 10 ms on a desktop core. Where nothing is above the background, the
        network is not evaluated, and the probability of "no word" is 1.

        Args:
            samples: int16, mono.
            rate: samples a second; another one than RATE is resampled.
        """
        bands = spectra(_padded(samples, rate))
        outputs = (len(bands) - SPECTRA_PER_OUTPUT) // OUTPUT_STEP + 1
        probabilities = np.zeros((outputs, len(self.words) + 1), np.float32)
        probabilities[:, 0] = 1.0
        middles = (
            SPECTRA_PER_OUTPUT / 2 * HOP + (WINDOW - HOP) / 2 + np.arange(outputs) * (OUTPUT_STEP * HOP)
        ) / RATE
        for first in _passes(_is_near_sound(samples, rate, middles - BEFORE_S)):
            # passes overlap by the outputs that are not used
            logits = self._pass(
                bands[first * OUTPUT_STEP : (first + OUTPUTS_PER_PASS - 1) * OUTPUT_STEP + SPECTRA_PER_OUTPUT]
            )
            whole = slice(
                0 if first == 0 else EDGE_OUTPUTS, min(OUTPUTS_PER_PASS - EDGE_OUTPUTS, outputs - first)
            )
            probabilities[first + whole.start : first + whole.stop] = _softmax(logits[whole])
        return WordPosteriors(self.words, middles - BEFORE_S, probabilities)

    def _pass(self, bands: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logits [OUTPUTS_PER_PASS, words + 1] of spectra [frames, BANDS]; missing frames repeat the last."""
        missing = (OUTPUTS_PER_PASS - 1) * OUTPUT_STEP + SPECTRA_PER_OUTPUT - len(bands)
        self._net.setInput(np.pad(bands, ((0, missing), (0, 0)), "edge")[None, None])
        logits: NDArray[np.float32] = self._net.forward()[0]
        return logits


def _passes(wanted: NDArray[np.bool_]) -> Iterator[int]:
    """The index of the first output of each pass, so that the passes give all wanted outputs."""
    done = 0
    for output in np.flatnonzero(wanted):
        if output >= done:
            first = max(0, int(output) - EDGE_OUTPUTS)
            done = first + OUTPUTS_PER_PASS - EDGE_OUTPUTS
            yield first


def _is_near_sound(samples: NDArray[np.int16], rate: int, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of these times are at most MAX_FROM_SOUND_S from a frame above the background."""
    loud = np.flatnonzero(frames_above_background(frame_levels(samples, rate))) * FRAME_S
    if loud.size == 0:
        return np.zeros(times.size, np.bool_)
    after = np.searchsorted(loud, times)
    away = np.minimum(
        np.abs(times - loud[np.minimum(after, loud.size - 1)]), np.abs(times - loud[np.maximum(after - 1, 0)])
    )
    return away <= MAX_FROM_SOUND_S


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def find_verifier(folder: Path) -> Verifier | None:
    """The verifier of a model folder; None if it has none, as in models of other makers.

    Raises:
        Unavailable: as Verifier.
    """
    return Verifier(folder) if (folder / NETWORK_FILE).is_file() else None


def _padded(samples: NDArray[np.int16], rate: int) -> NDArray[np.int16]:
    sound = samples
    if rate != RATE:
        sound = to_int16(resample(samples.astype(np.float32) / 32768.0, rate, RATE))
    ends = np.zeros(round(BEFORE_S * RATE), np.int16), np.zeros(round(BEHIND_S * RATE), np.int16)
    return dithered(np.concatenate([ends[0], sound, ends[1]]))


def spectra(samples: NDArray[np.int16]) -> NDArray[np.float32]:
    """Mel spectra [frames, BANDS] as the embedding is trained on: 2 + log10 of the power of int16 samples."""
    count = 1 + (samples.size - WINDOW) // HOP
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP][:count]
    power = np.abs(np.fft.rfft(frames * _window(), axis=1)) ** 2
    bands: NDArray[np.float32] = np.log10(np.maximum(power.astype(np.float32) @ filters(), 1e-10)) + 2
    return bands


@functools.cache
def _window() -> NDArray[np.float32]:
    """[WINDOW] A periodic Hann window of FRAME samples, with zeros on both sides."""
    inner = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
    margin = (WINDOW - FRAME) // 2
    return np.pad(inner, (margin, WINDOW - FRAME - margin)).astype(np.float32)


@functools.cache
def filters() -> NDArray[np.float32]:
    """Mel filters [WINDOW // 2 + 1, BANDS]: triangles of equal area, evenly spaced on M. Slaney's mel scale
    (Auditory Toolbox, Interval Research Corporation, technical report 1998-010)."""
    edges = _hertz(np.linspace(_mel(LOW), _mel(HIGH), BANDS + 2))
    bins = np.arange(WINDOW // 2 + 1)[:, None] * RATE / WINDOW
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    triangles = np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (edges[2:] - edges[:-2])
    return triangles.astype(np.float32)


_KNEE, _LINEAR, _LOG = 1000.0, 200.0 / 3.0, np.log(6.4) / 27.0
"""The scale is linear below _KNEE (Hz) with _LINEAR hertz a mel, and logarithmic above it."""


def _mel(hertz: float) -> float:
    if hertz < _KNEE:
        return hertz / _LINEAR
    return float(_KNEE / _LINEAR + np.log(hertz / _KNEE) / _LOG)


def _hertz(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    knee = _KNEE / _LINEAR
    hertz: NDArray[np.float64] = np.where(
        mels < knee, mels * _LINEAR, _KNEE * np.exp(_LOG * (np.maximum(mels, knee) - knee))
    )
    return hertz
