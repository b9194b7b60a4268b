"""Augments every stream anew in every epoch, in the domain of log mel bands, where that is fast.

The time axis is warped. Noise and voices are added as powers; interference is not modelled. The frequency
axis is warped as by vocal tracts of other lengths (N. Jaitly and G. Hinton, "Vocal tract length perturbation
improves speech recognition", ICML workshop 2013), and bands are masked (D. Park et al., "SpecAugment",
Interspeech 2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.speech.audio.dither import dithered
from models.speech.train.features import BINS, HIGH, LOW, bands, mel
from models.speech.train.streams import RATE, Maker
from models.speech.train.words import SILENCE

DECIBEL = np.float32(np.log(10) / 10)
"""One decibel as a difference of natural logarithms of power."""


@dataclass(frozen=True)
class Augment:
    """Augmentation of streams.

    Attributes:
        hiss: [frames, bands] log mel bands of the dither noise.
        babble: [frames, bands] log mel bands of many voices.
        warps: [kinds, bands, bands] matrices that warp the frequency axis.
    """

    hiss: np.ndarray
    babble: np.ndarray
    warps: np.ndarray

    def __call__(
        self, batch: np.ndarray, labels: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Augmented streams and their labels.

        Args:
            batch: [streams, frames, bands] log mel bands.
            labels: [streams, frames // 3] acoustic states.
        """
        result, moved = np.empty(batch.shape, np.float32), labels.copy()
        for i, (stream, states) in enumerate(zip(batch.astype(np.float32), labels, strict=True)):
            if rng.random() < 0.6:
                stream, moved[i] = self.unevenly(stream, states, rng)
            result[i] = self.one(stream, moved[i], rng)
        return result, moved

    def unevenly(
        self, stream: np.ndarray, states: np.ndarray, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """The stream and its states with a randomly warped time axis, at the same length."""
        knots = np.exp(rng.uniform(-0.22, 0.22) + rng.normal(0, 0.12, 9))
        speed = np.interp(np.arange(len(stream)), np.linspace(0, len(stream), 9), knots)
        place = np.clip(np.cumsum(speed) - speed[0], 0, len(stream) - 1)
        low = np.minimum(place.astype(int), len(stream) - 2)
        share = (place - low)[:, None].astype(np.float32)
        at = np.minimum(np.rint(place[::3] / 3).astype(int), len(states) - 1)
        return stream[low] * (1 - share) + stream[low + 1] * share, states[at[: len(states)]]

    def one(self, stream: np.ndarray, states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Augments one stream [frames, bands] with its states [frames // 3]; the length stays."""
        if rng.random() < 0.6:
            stream = stream @ self.warps[rng.integers(len(self.warps))]
        stream = stream + rng.uniform(-6, 6) * DECIBEL
        if rng.random() < 0.4:
            stream = self.talked_over(stream, states, rng)
        bins = stream.shape[1]
        stream = stream + _slope(rng, bins)
        stream = np.logaddexp(stream, _piece(self.hiss, len(stream), rng) + rng.uniform(-2, 10) * DECIBEL)
        if rng.random() < 0.3:
            first = int(rng.integers(bins - 6))
            hidden = slice(first, first + int(rng.integers(2, 7)))
            stream[:, hidden] = stream[:, hidden].mean()
        return stream

    def talked_over(self, stream: np.ndarray, states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Adds babble, 3 to 25 dB below the speech of the stream."""
        speaks = np.repeat(states != SILENCE, 3)[: len(stream)]
        if not speaks.any():
            return stream
        other = _piece(self.babble, len(stream), rng)
        gap = _level(stream[: len(speaks)][speaks]) - _level(other) - rng.uniform(3, 25) * DECIBEL
        return np.logaddexp(stream, other + gap + _slope(rng, stream.shape[1]))


def _piece(row: np.ndarray, frames: int, rng: np.random.Generator) -> np.ndarray:
    first = int(rng.integers(len(row) - frames))
    return row[first : first + frames].astype(np.float32)


def _level(piece: np.ndarray) -> np.float32:
    """Mean power of all bands, as a natural logarithm."""
    return np.float32(np.log(np.exp(piece).sum(axis=1).mean()))


def _slope(rng: np.random.Generator, bins: int) -> np.ndarray:
    """A random frequency response: a linear and a quadratic term over the bands."""
    x = np.linspace(-1, 1, bins, dtype=np.float32)
    return (rng.normal(0, 2.0) * x + rng.normal(0, 1.5) * (x * x - 1 / 3)).astype(np.float32) * DECIBEL


def made(
    maker: Maker,
    seconds: int,
    seed: int,
    analyse: Callable[[np.ndarray], np.ndarray] = bands,
    hertz: np.ndarray | None = None,
) -> Augment:
    """Makes an augmentation.

    Args:
        maker: makes the babble.
        seconds: length of the babble.
        analyse: from sound to log mel bands [frames, bands].
        hertz: centres of those bands; None: of the acoustic model's features.
    """
    rng = np.random.default_rng([seed, 77])
    silence = dithered(np.zeros(RATE * 20, np.int16)).astype(np.float32) / 32768
    talk = []
    for _ in range(seconds // 6):
        sound = maker.babble(rng, RATE * 6)
        talk.append(analyse((sound / np.abs(sound).max() * 0.3).astype(np.float32)).astype(np.float16))
    return Augment(analyse(silence), np.concatenate(talk), warps(hertz))


def warps(hertz: np.ndarray | None = None) -> np.ndarray:
    """[14, bands, bands]: warps for vocal tracts from an eighth longer to an eighth shorter."""
    if hertz is None:
        hertz = 700.0 * np.expm1(np.linspace(mel(np.array(LOW)), mel(np.array(HIGH)), BINS + 2)[1:-1] / 1127)
    return np.stack([_warp(factor, hertz) for factor in np.linspace(0.88, 1.14, 14)])


def _warp(factor: float, hertz: np.ndarray) -> np.ndarray:
    """[bands, bands]: log bands times this matrix are those of a vocal tract shorter by `factor`."""
    bins = np.arange(hertz.size)
    place = np.interp(mel(hertz / factor), mel(hertz), bins)
    low = np.minimum(place.astype(int), hertz.size - 2)
    share = place - low
    matrix = np.zeros((hertz.size, hertz.size), np.float32)
    matrix[low, bins] = 1 - share
    matrix[low + 1, bins] += share
    return matrix
