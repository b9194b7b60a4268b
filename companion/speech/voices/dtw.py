"""How alike two short sounds are, whoever makes them: for words and noises that no model knows.

In the nasty rounds the first phone card sets a sound of somebody's own invention, and everybody has to make
it. What carries over between voices is its frames: rhythm, voicing, and how the spectrum moves, not its
pitch or its timbre. So each sound becomes a sequence of frames (cepstra without their mean, so that voice
and microphone drop out; loudness; voicing), two sequences are laid on each other by dynamic time warping
(H. Sakoe and S. Chiba, 1978), and the mean distance along the way is turned into a probability that was
fitted on voices not used here (`python -m bench.speech.invented`). Two short noises can be alike by chance:
the probability says so.
"""

from __future__ import annotations

import functools
import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FLOOR_DB, frame_levels

HOP_S, WINDOW_S = 0.02, 0.032
BANDS, CEPSTRA = 24, 10
LOWEST_HZ, HIGHEST_HZ = 120.0, 3800.0
LOUD_DB = 24.0
"""A sound lasts while it is at most so many dB below its own loudest hundredth of a second."""
SHORTEST_S, LONGEST_S = 0.1, 3.0
STRETCH = 2.2
"""A sound that is longer or shorter than another by more than this factor is another sound."""
MIDDLE, STEEPNESS = 1.08, 12.4
"""Distance at which two sounds are as likely the same as not, and how fast that changes around it."""

FeatureFrames = NDArray[np.float32]
"""Frames of a sound (n, CEPSTRA + 3): cepstra, loudness, its change, voicing."""


class SoundFeatures(msgspec.Struct, frozen=True):
    """A sound by its course; `seconds` is how long it lasts."""

    frames: FeatureFrames
    seconds: float


def features(samples: NDArray[np.int16], rate: int = 16000) -> SoundFeatures | None:
    """The course of the loud part of a recording; None if nothing in it is long and loud enough."""
    levels = frame_levels(samples, rate)
    if levels.size == 0 or float(levels.max()) <= FLOOR_DB + 6.0:
        return None
    loud = np.flatnonzero(levels >= float(levels.max()) - LOUD_DB)
    first, last = int(loud[0] * 0.01 * rate), int((loud[-1] + 1) * 0.01 * rate)
    seconds = (last - first) / rate
    if not SHORTEST_S <= seconds <= LONGEST_S:
        return None
    margin = int(WINDOW_S * rate)
    piece = samples[max(0, first - margin // 2) : last + margin].astype(np.float32) / 32768.0
    return SoundFeatures(_course(piece, rate), seconds)


def distance(one: SoundFeatures, other: SoundFeatures) -> float:
    """How far two sounds are from each other, 0 the same; infinite where one is far longer than the other."""
    ratio = max(one.seconds, other.seconds) / min(one.seconds, other.seconds)
    if ratio > STRETCH:
        return math.inf
    costs = np.sqrt(((one.frames[:, None, :] - other.frames[None, :, :]) ** 2).mean(axis=2))
    return _warped(costs) + 0.25 * math.log(ratio)


def probability(away: float) -> float:
    """Of two sounds at this distance: how likely they are the same, if both answers were as likely before."""
    if math.isinf(away):
        return 0.0
    return 1.0 / (1.0 + math.exp(max(-40.0, min(40.0, STEEPNESS * (away - MIDDLE)))))


def match_probability(examples: list[SoundFeatures], candidate: SoundFeatures) -> float:
    """Probability that the candidate is the sound of the examples; with several, the nearest two decide."""
    away = sorted(distance(example, candidate) for example in examples)
    return probability(sum(away[:2]) / len(away[:2])) if away else 0.0


# --- inside -----------------------------------------------------------------------------------------------


def _course(piece: NDArray[np.float32], rate: int) -> FeatureFrames:
    size, hop = int(WINDOW_S * rate), int(HOP_S * rate)
    count = max(1, 1 + (piece.size - size) // hop)
    padded = np.pad(piece, (0, max(0, size + (count - 1) * hop - piece.size)))
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]
    power = np.abs(np.fft.rfft(frames * np.hanning(size), axis=1)) ** 2
    bands = np.log(power @ _filters(size, rate) + 1e-7)
    cepstra = bands @ _cosines()
    cepstra = (cepstra - cepstra.mean(axis=0)) / (cepstra.std(axis=0).mean() + 1e-3)
    loud = np.log(power.sum(axis=1) + 1e-9)
    loud = (loud - loud.mean()) / (loud.std() + 0.5)
    change = np.gradient(loud) if loud.size > 1 else np.zeros_like(loud)
    voiced = np.array([_voicing(frame, rate) for frame in frames])
    parts = [cepstra, 1.5 * loud[:, None], 1.5 * change[:, None], 2.5 * (voiced[:, None] - 0.5)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _voicing(frame: NDArray[np.float32], rate: int) -> float:
    """How periodic a frame is at the pitch of voices (70 to 400 Hz), 0 to 1: its autocorrelation's peak."""
    frame = frame - frame.mean()
    energy = float(frame @ frame)
    if energy < 1e-7:
        return 0.0
    spectrum = np.fft.rfft(frame, 2 * frame.size)
    correlation = np.fft.irfft(spectrum * np.conj(spectrum))[: frame.size]
    low, high = rate // 400, min(frame.size - 1, rate // 70)
    taper = 1.0 - np.arange(low, high) / frame.size
    return float(np.clip((correlation[low:high] / (energy * taper)).max(), 0.0, 1.0))


@functools.lru_cache(maxsize=4)
def _filters(size: int, rate: int) -> NDArray[np.float64]:
    """Triangular bands, evenly spaced on the mel scale (size // 2 + 1, BANDS)."""
    low, high = (2595 * math.log10(1 + hz / 700) for hz in (LOWEST_HZ, HIGHEST_HZ))
    edges = 700 * (10 ** (np.linspace(low, high, BANDS + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / rate)
    rising = (bins[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    return np.asarray(np.clip(np.minimum(rising, falling), 0.0, None))


@functools.lru_cache(maxsize=1)
def _cosines() -> NDArray[np.float64]:
    """The cosine transform from bands to cepstra 1 ... CEPSTRA (BANDS, CEPSTRA)."""
    band, order = np.arange(BANDS)[:, None] + 0.5, np.arange(1, CEPSTRA + 1)[None, :]
    return np.asarray(np.cos(np.pi * band * order / BANDS) * math.sqrt(2.0 / BANDS))


def _warped(costs: NDArray[np.float32]) -> float:
    """Mean cost along the cheapest way from corner to corner; a step across costs its frame twice."""
    rows, columns = costs.shape
    best = np.full((rows + 1, columns + 1), np.inf)
    best[0, 0] = 0.0
    for i in range(1, rows + 1):
        row = costs[i - 1]
        above = np.minimum(best[i - 1, :-1] + 2.0 * row, best[i - 1, 1:] + row)
        running = np.inf
        for j in range(columns):
            running = min(above[j], running + row[j])
            best[i, j + 1] = running
    return float(best[rows, columns] / (rows + columns))
