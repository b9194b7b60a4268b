"""A second network that looks at every word as a whole, where a model folder has one (`words.onnx`).

Vosk hears in states of 30 ms and has learnt from few real voices. This network looks at 0.9 s at a time and
began as one that has heard very many: Google's speech embedding (J. Lin et al., "Training keyword spotters
with limited and synthesized speech data", ICASSP 2020), tuned to the numbers afterwards
(models/speech/train/verifier.py). Neither is the better ear alone; where they disagree, the companion is less
sure.
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

FILE = "words.onnx"
"""The network in a model folder, and NAMES the words that its outputs stand for after the first ("no word is
centred here"), one a line."""
NAMES = "words.onnx.txt"
RATE = 16000
WINDOW, FRAME, HOP = 512, 400, 160
"""Samples: of a spectrum, of what is looked at within it, and from one to the next."""
BANDS, LOW, HIGH = 32, 60.0, 3800.0
"""Bands of the spectrum and their range in hertz."""
SEEN, STEP, LOOKS, MARGIN = 76, 4, 21, 2
"""Spectra that one output looks at, from one output to the next, outputs of one pass, and how many at either
end of a pass lack a neighbour."""
BEFORE_S, BEHIND_S = 0.4, 0.4
"""Silence that is put round a piece."""
ABOUT_S = 0.15
"""A word's centre lies no farther than this from a moment that stands out of the room: the network looks
nowhere else."""
NEAR_S = 0.1
"""Vosk's words and the network's lie so close together."""
HALF_S = 0.1
"""No word is shorter than twice this."""
NOTHING = 0.3
"""What "no word is centred here" weighs against a word: near a word's end it is right as well."""
LEAST = 1e-4
"""Probabilities smaller than this say nothing more."""


class WordPosteriors(msgspec.Struct, frozen=True):
    """Posterior probabilities of a piece: `times` [n] in seconds, `probabilities` [n, words + 1] of each word
    being centred there, the first column for none."""

    words: tuple[str, ...]
    times: NDArray[np.float64]
    probabilities: NDArray[np.float32]

    def shifted(self, seconds: float) -> WordPosteriors:
        """The same, with times so much later."""
        return msgspec.structs.replace(self, times=self.times + seconds)

    def probability(self, word: str, start: float, end: float) -> float:
        """The probability, 0 to 1, that this word lies there; 1 for a word that was never learnt."""
        if word not in self.words:
            return 1.0
        return float(self._about(start, end).max(axis=0)[self.words.index(word) + 1])

    def most_likely(self, start: float, end: float, among: Collection[str]) -> tuple[str, float]:
        """Which of these words it rather is there, and its probability; no word and 0 if none is known."""
        return _best(self.words, self._about(start, end).max(axis=0), among)

    def centre(self, word: str, start: float, end: float) -> tuple[float, float]:
        """Where within a span (s) the word's centre most likely lies, and its probability there; the middle
        and 0 for a word that was never learnt."""
        middle = (start + end) / 2
        within = np.flatnonzero(np.abs(self.times - middle) <= max(NEAR_S, (end - start) / 2))
        if word not in self.words or within.size == 0:
            return middle, 0.0
        column = self.probabilities[within, self.words.index(word) + 1]
        return float(self.times[within[column.argmax()]]), float(column.max())

    def log_odds(self, call: Sequence[str], spans: Sequence[tuple[float, float]]) -> float:
        """The log odds of the words of a call, each in its span (s), against any other word or none there; of
        the one that speaks most against it. 0 where a word was never learnt."""
        return min((self._log_odds(word, *span) for word, span in zip(call, spans, strict=True)), default=0.0)

    def _log_odds(self, word: str, start: float, end: float) -> float:
        if word not in self.words:
            return 0.0
        near, own = self._about(start, end), self.words.index(word) + 1
        highest = near.max(axis=0)
        others = np.delete(highest, (0, own)).max() + NOTHING * near[:, 0].min()
        return float(np.log(highest[own] + LEAST) - np.log(others + LEAST))

    def places(self, call: Sequence[str]) -> list[tuple[float, float]]:
        """Where the words of a call most likely lie, one after the other: spans of 2 * HALF_S; none where one
        of them was never learnt, or the piece is too short for them all."""
        if not call or any(word not in self.words for word in call):
            return []
        logs = np.log(self.probabilities[:, [self.words.index(word) + 1 for word in call]] + LEAST)
        apart = max(1, round(2 * HALF_S / (self.times[1] - self.times[0]))) if self.times.size > 1 else 1
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
        return [(float(self.times[i]) - HALF_S, float(self.times[i]) + HALF_S) for i in at]

    def peaks(self, among: Collection[str], least: float) -> Iterator[tuple[str, float]]:
        """Words and the times of their centres, the likeliest first, each at least `least` likely; none
        within 2 * HALF_S of a likelier one."""
        columns = [i + 1 for i, word in enumerate(self.words) if word in among]
        highest = self.probabilities[:, columns].max(axis=1) if columns else np.zeros(self.times.size)
        taken: list[float] = []
        for i in np.argsort(-highest):
            if highest[i] < least:
                return
            time = float(self.times[i])
            if all(abs(time - other) > 2 * HALF_S for other in taken):
                taken.append(time)
                yield _best(self.words, self.probabilities[i], among)[0], time

    def _about(self, start: float, end: float) -> NDArray[np.float32]:
        """The probabilities about the middle."""
        away = np.abs(self.times - (start + end) / 2)
        near = away <= max(NEAR_S, (end - start) / 4)
        return self.probabilities[near if near.any() else away == away.min()]


def _best(
    words: Sequence[str], probabilities: NDArray[np.float32], among: Collection[str]
) -> tuple[str, float]:
    known = [(float(probabilities[i + 1]), word) for i, word in enumerate(words) if word in among]
    chance, word = max(known, default=(0.0, ""))
    return word, chance


def _running_best(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each place the place of the highest value up to it."""
    best = np.maximum.accumulate(values)
    return np.maximum.accumulate(np.where(values >= best, np.arange(values.size), 0))


class Verifier:
    """The network of a model folder. One user at a time.

    Raises:
        Unavailable: the network or its list of words cannot be read, or they do not belong together.
    """

    def __init__(self, folder: Path) -> None:
        import cv2

        try:
            self.words = tuple((folder / NAMES).read_text(encoding="utf-8").split())
            self._net: Any = cv2.dnn.readNetFromONNX(str(folder / FILE))
            given = self._pass(np.zeros((SEEN, BANDS), np.float32)).shape
        except (OSError, UnicodeDecodeError, cv2.error) as error:
            raise Unavailable("speech.no_verifier", path=folder / FILE) from error
        if given != (LOOKS, len(self.words) + 1):
            raise Unavailable("speech.wrong_verifier", path=folder / FILE, names=NAMES)

    def posteriors(self, samples: NDArray[np.int16], rate: int = RATE) -> WordPosteriors:
        """Looks at a piece of sound, int16 mono; a second of speech costs about 10 ms on a desktop core, a
        second of nothing but the room nearly nothing: no word is centred there."""
        bands = spectra(_padded(samples, rate))
        outputs = (len(bands) - SEEN) // STEP + 1
        probabilities = np.zeros((outputs, len(self.words) + 1), np.float32)
        probabilities[:, 0] = 1.0
        middles = (SEEN / 2 * HOP + (WINDOW - HOP) / 2 + np.arange(outputs) * (STEP * HOP)) / RATE
        for first in _passes(_near_sound(samples, rate, middles - BEFORE_S)):
            # passes overlap: what lacks a neighbour at the end of one is whole in the next
            logits = self._pass(bands[first * STEP : (first + LOOKS - 1) * STEP + SEEN])
            whole = slice(0 if first == 0 else MARGIN, min(LOOKS - MARGIN, outputs - first))
            probabilities[first + whole.start : first + whole.stop] = _softmax(logits[whole])
        return WordPosteriors(self.words, middles - BEFORE_S, probabilities)

    def _pass(self, bands: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logits [LOOKS, words + 1] of spectra [frames, BANDS], which may be too few."""
        missing = (LOOKS - 1) * STEP + SEEN - len(bands)
        self._net.setInput(np.pad(bands, ((0, missing), (0, 0)), "edge")[None, None])
        logits: NDArray[np.float32] = self._net.forward()[0]
        return logits


def _passes(wanted: NDArray[np.bool_]) -> Iterator[int]:
    """The first outputs of passes that give all of the wanted outputs with their neighbours."""
    done = 0
    for output in np.flatnonzero(wanted):
        if output >= done:
            first = max(0, int(output) - MARGIN)
            done = first + LOOKS - MARGIN
            yield first


def _near_sound(samples: NDArray[np.int16], rate: int, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of these times (s) lie about a moment that stands out of the room."""
    loud = np.flatnonzero(frames_above_background(frame_levels(samples, rate))) * FRAME_S
    if loud.size == 0:
        return np.zeros(times.size, np.bool_)
    after = np.searchsorted(loud, times)
    away = np.minimum(
        np.abs(times - loud[np.minimum(after, loud.size - 1)]), np.abs(times - loud[np.maximum(after - 1, 0)])
    )
    return away <= ABOUT_S


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def found_in(folder: Path) -> Verifier | None:
    """The verifier of a model folder; None where it has none (a model of somebody else)."""
    return Verifier(folder) if (folder / FILE).is_file() else None


def _padded(samples: NDArray[np.int16], rate: int) -> NDArray[np.int16]:
    sound = samples
    if rate != RATE:
        sound = to_int16(resample(samples.astype(np.float32) / 32768.0, rate, RATE))
    ends = np.zeros(round(BEFORE_S * RATE), np.int16), np.zeros(round(BEHIND_S * RATE), np.int16)
    return dithered(np.concatenate([ends[0], sound, ends[1]]))


def spectra(samples: NDArray[np.int16]) -> NDArray[np.float32]:
    """Loudness of bands [frames, BANDS], in bels of int16 power above -2, as the embedding was trained on."""
    count = 1 + (samples.size - WINDOW) // HOP
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP][:count]
    power = np.abs(np.fft.rfft(frames * _window(), axis=1)) ** 2
    bands: NDArray[np.float32] = np.log10(np.maximum(power.astype(np.float32) @ filters(), 1e-10)) + 2
    return bands


@functools.cache
def _window() -> NDArray[np.float32]:
    """A periodic Hann window in the middle of WINDOW samples."""
    inner = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
    margin = (WINDOW - FRAME) // 2
    return np.pad(inner, (margin, WINDOW - FRAME - margin)).astype(np.float32)


@functools.cache
def filters() -> NDArray[np.float32]:
    """Triangles [WINDOW // 2 + 1, BANDS] of equal area, evenly spaced on M. Slaney's mel scale (Auditory
    Toolbox, Interval Research 1998-010)."""
    edges = _hertz(np.linspace(_mel(LOW), _mel(HIGH), BANDS + 2))
    bins = np.arange(WINDOW // 2 + 1)[:, None] * RATE / WINDOW
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    triangles = np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (edges[2:] - edges[:-2])
    return triangles.astype(np.float32)


_KNEE, _LINEAR, _LOG = 1000.0, 200.0 / 3.0, np.log(6.4) / 27.0


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
