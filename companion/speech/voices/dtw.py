"""Dynamic time warping: the distance between two short sounds, also by different voices.

It serves sounds that no model knows: in the nasty rounds of The Nasty 7 a player invents a sound, and
everybody has to repeat it. Different voices share its rhythm, its voicing and the movement of its spectrum,
but not its pitch or timbre. So each sound becomes a sequence of feature frames: cepstra without their mean
(which removes most of the voice and the microphone), loudness, change of loudness, and voicing. Two sequences
are aligned by dynamic time warping (H. Sakoe and S. Chiba, "Dynamic programming algorithm optimization for
spoken word recognition", 1978). The mean distance along the alignment becomes a probability by a logistic
function that is fitted on separate voices (`python -m bench.speech.invented`).
"""

from __future__ import annotations

import functools
import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FLOOR_DB, frame_levels

HOP_S, WINDOW_S = 0.02, 0.032
"""Seconds from one frame to the next, and length of a frame."""
BANDS, CEPSTRA = 24, 10
"""Number of mel bands, and of cepstral coefficients (without the first)."""
LOWEST_HZ, HIGHEST_HZ = 120.0, 3800.0
"""Range of the mel bands."""
LOUD_RANGE_DB = 24.0
"""The loud part of a sound: all from the first to the last 10 ms within this much of the loudest 10 ms."""
MIN_LENGTH_S, MAX_LENGTH_S = 0.1, 3.0
"""Shortest and longest sound, in seconds."""
MAX_LENGTH_RATIO = 2.2
"""Two sounds whose lengths differ by more than this factor are different."""
EVEN_DISTANCE, LOG_ODDS_PER_DISTANCE = 1.08, 12.4
"""Distance at which two sounds are the same with probability 0.5, and the slope of the log odds there
(fitted by `python -m bench.speech.invented`)."""

FeatureFrames = NDArray[np.float32]
"""[n, CEPSTRA + 3] Cepstra, loudness, change of loudness, voicing; each scaled to a similar spread."""


class SoundFeatures(msgspec.Struct, frozen=True):
    """The feature frames of a sound."""

    frames: FeatureFrames
    seconds: float
    """Length of the loud part."""


def features(samples: NDArray[np.int16], rate: int = 16000) -> SoundFeatures | None:
    """The feature frames of the loud part of a recording.

    None if the recording is silent, or its loud part is not MIN_LENGTH_S to MAX_LENGTH_S long.
    """
    levels = frame_levels(samples, rate)
    if levels.size == 0 or float(levels.max()) <= FLOOR_DB + 6.0:
        return None
    loud = np.flatnonzero(levels >= float(levels.max()) - LOUD_RANGE_DB)
    first, last = int(loud[0] * 0.01 * rate), int((loud[-1] + 1) * 0.01 * rate)
    seconds = (last - first) / rate
    if not MIN_LENGTH_S <= seconds <= MAX_LENGTH_S:
        return None
    margin = int(WINDOW_S * rate)
    piece = samples[max(0, first - margin // 2) : last + margin].astype(np.float32) / 32768.0
    return SoundFeatures(_frames(piece, rate), seconds)


def distance(one: SoundFeatures, other: SoundFeatures) -> float:
    """The distance of two sounds: 0 for equal ones; below EVEN_DISTANCE they are probably the same.

    Infinite if their lengths differ by more than MAX_LENGTH_RATIO.
    """
    ratio = max(one.seconds, other.seconds) / min(one.seconds, other.seconds)
    if ratio > MAX_LENGTH_RATIO:
        return math.inf
    costs = np.sqrt(((one.frames[:, None, :] - other.frames[None, :, :]) ** 2).mean(axis=2))
    return _path_cost(costs) + 0.25 * math.log(ratio)


def probability(separation: float) -> float:
    """The probability, with a prior of 0.5, that two sounds at this distance are the same."""
    if math.isinf(separation):
        return 0.0
    return 1.0 / (1.0 + math.exp(max(-40.0, min(40.0, LOG_ODDS_PER_DISTANCE * (separation - EVEN_DISTANCE)))))


def match_probability(examples: list[SoundFeatures], candidate: SoundFeatures) -> float:
    """Probability that the candidate is the sound of the examples, from the mean distance of the nearest two.

    0 without examples.
    """
    distances = sorted(distance(example, candidate) for example in examples)
    return probability(sum(distances[:2]) / len(distances[:2])) if distances else 0.0


# --- inside -----------------------------------------------------------------------------------------------


def _frames(piece: NDArray[np.float32], rate: int) -> FeatureFrames:
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
    """How periodic a frame is, 0 to 1: peak of the autocorrelation at 70 to 400 Hz, the pitch of voices."""
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
    """[size // 2 + 1, BANDS] Triangular filters, evenly spaced on the mel scale."""
    low, high = (2595 * math.log10(1 + hz / 700) for hz in (LOWEST_HZ, HIGHEST_HZ))
    edges = 700 * (10 ** (np.linspace(low, high, BANDS + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / rate)
    rising = (bins[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    return np.asarray(np.clip(np.minimum(rising, falling), 0.0, None))


@functools.lru_cache(maxsize=1)
def _cosines() -> NDArray[np.float64]:
    """[BANDS, CEPSTRA] The cosine transform from bands to cepstral coefficients 1 to CEPSTRA."""
    band, order = np.arange(BANDS)[:, None] + 0.5, np.arange(1, CEPSTRA + 1)[None, :]
    return np.asarray(np.cos(np.pi * band * order / BANDS) * math.sqrt(2.0 / BANDS))


def _path_cost(costs: NDArray[np.float32]) -> float:
    """Mean cost of the cheapest path from the first to the last frames; diagonal steps count twice."""
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
