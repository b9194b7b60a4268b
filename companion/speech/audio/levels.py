"""Sound levels: how loud each hundredth of a second is, how loud the background is, and where a word begins.

Vosk's words begin at network outputs 30 ms apart and take in some of the background before a soft f or s. The
level tells where the word rises above the background; a "word" that never does is the background itself (a
tap, a fan). All levels are in dB of full scale, from FLOOR_DB to about 0; times are seconds from the first
frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAME_S = 0.01
"""Length of a frame in seconds."""
FLOOR_DB = -75.0
"""Lowest level; digital silence has it."""
BEFORE_S, BEHIND_S = 1.5, 0.5
"""The quietest moment about a word is looked for so long before and behind it."""
MIN_RISE_DB = 7.0
"""The loudest 50 ms of a word are at least this much above the quietest 50 ms about it."""
EDGE_ABOVE_QUIETEST_DB, EDGE_ABOVE_BACKGROUND_DB, EDGE_BELOW_PEAK_DB = 6.0, 7.0, 26.0
"""A word begins this much above the quietest moment about it, this much above the background, and at most
this much below its own loudest frame. The middle one keeps babble from being taken for a word's beginning."""
GAP_FRAMES = 8
"""What is louder in front of so many frames below that edge is noise, not the beginning of the word, if there
is noise. Four development speakers in noise, echo and babble (`python -m bench.speech.onsets`, N = 145):
onsets are off by 19 instead of 24 ms on average, by 87 instead of 114 ms in 5 of 100; clean ones as before.
Fewer frames cut the "s" off "six"."""
BACKGROUND_S = 2.5
"""The background is measured from so long before a word to BEHIND_S behind it."""
BACKGROUND_PERCENTILE = 30
"""This percentile of the levels is the background: seven calls in a row without any pause leave so much of
dips and soft consonants (at least 11 dB below the words, four speakers)."""
MIN_BACKGROUND_FRAMES = 30
"""Fewer frames between words do not tell the background."""
MIN_SNR_DB = 8.0
"""The loudest 50 ms of a word are more than this above the background. Two held-out speakers, N = 118: with
it 65 % instead of 45 % of the calls in babble at 10 dB are heard exactly, 52 instead of 27 % in babble of
real voices; clean calls and pairs are not touched, from 10 dB on pairs in babble lose words."""
MIN_FRAME_SNR_DB = 5.0
"""The same for one frame, before a word is known: the background is less certain there."""
FRAME_STEP = 5
"""The background of single frames is measured at every so-manieth frame."""
EDGE_S = 0.05
"""A piece is cut off in mid-sound if this much at either end is above the background."""
MIN_PIECE_S = 1.0
"""A shorter piece does not tell the background of its frames."""
EARLY_S = 0.05
"""A word may begin this much before the start that Vosk reports."""
PEAK_RANGE_DB = 20.0
"""The loud part of a word is within this much of its loudest frame."""
MIN_SURROUNDING_FRAMES = 8
"""Fewer frames around words do not tell whether they are clear."""
CLEAR_DB = 15.0
"""Words are clear if their loud part is at least this much above what surrounds them: in babble the examples
that a player recorded accuse wrongly more often than they help (`python -m bench.speech.taught`)."""

Levels = NDArray[np.float32]
Span = tuple[float, float]
"""Start and end in seconds."""


def frame_levels(samples: NDArray[np.int16], rate: int = 16000) -> Levels:
    """The level of each whole frame of 10 ms, without any constant offset.

    >>> frame_levels(np.zeros(480, np.int16)).tolist()
    [-75.0, -75.0, -75.0]
    """
    size = max(1, round(rate * FRAME_S))
    frames = samples[: samples.size // size * size].reshape(-1, size).astype(np.float32) / 32768.0
    power = frames.var(axis=1)
    levels: Levels = np.maximum(10.0 * np.log10(power + 1e-12), FLOOR_DB).astype(np.float32)
    return levels


def smoothed(levels: Levels) -> NDArray[np.floating[Any]]:
    """Moving averages over 50 ms; of less than that, the levels as they are."""
    return np.convolve(levels, np.full(5, 0.2), "valid") if levels.size >= 5 else levels


def trim(
    levels: Levels,
    start: float,
    end: float,
    background_db: float = FLOOR_DB,
    *,
    one_word: bool = True,
    hidden_s: float = 0.0,
) -> Span | None:
    """Where a word is audible that Vosk puts between `start` and `end`; None if it never rises above the
    quietest moment about it by MIN_RISE_DB. Noise hides how long a soft consonant lasts: in noise the word
    ends where Vosk puts its end, so that nobody's time begins within a word.

    Args:
        background_db: level of the background about the word, as far as it is known.
        one_word: it has no gap before its loudest frame; False: it may be several words or sounds.
        hidden_s: seconds of its beginning that each decibel hides that noise is above its softest part.
    """
    first, last = _frames(levels, start, end)
    if last - first < 5:
        return start, end
    word, quietest = levels[first:last], _quietest(levels, start, end)
    if float(smoothed(word).max()) - quietest < MIN_RISE_DB:
        return None
    peak = float(word.max())
    noise_db = _noise_db(quietest, background_db)
    lost_db = _hidden_db(peak, noise_db)
    loud = np.flatnonzero(word >= min(peak - EDGE_BELOW_PEAK_DB + lost_db, peak))
    if not one_word or lost_db == 0:
        over = _with_soft_end(word, int(loud[-1]), noise_db) if one_word else int(loud[-1])
        return (first + int(loud[0])) * FRAME_S, (first + over + 1) * FRAME_S
    return max(0.0, (first + _without_noise(word, loud)) * FRAME_S - hidden_s * lost_db), end


def hidden_db(levels: Levels, start: float, end: float, background_db: float) -> float:
    """How far the noise about a word is above the word's softest part, in dB; 0 if it hides nothing of it.

    Args:
        background_db: level of the background about the word.
    """
    first, last = _frames(levels, start, end)
    peak = float(levels[first:last].max(initial=FLOOR_DB))
    return _hidden_db(peak, _noise_db(_quietest(levels, start, end), background_db))


def _hidden_db(peak_db: float, noise_db: float) -> float:
    """`hidden_db` by the levels of a word's loudest frame and of the noise about it."""
    return max(0.0, noise_db - (peak_db - EDGE_BELOW_PEAK_DB))


def _noise_db(quietest_db: float, background_db: float) -> float:
    """The level up to which what is heard is noise, by that of the quietest moment about a word and that of
    the background."""
    return max(quietest_db + EDGE_ABOVE_QUIETEST_DB, background_db + EDGE_ABOVE_BACKGROUND_DB)


def _with_soft_end(word: Levels, last: int, noise_db: float) -> int:
    """The last frame of a word in a quiet room whose last loud frame is `last`: that of the soft sound behind
    it, if the level rises again and not only falls, as in an echo. The "s" of "six" lies behind a moment of
    silence, and may be 30 dB softer than the vowel."""
    tail = smoothed(word[last + 1 :])
    rises = tail - np.minimum.accumulate(tail) >= MIN_RISE_DB
    if not (rises & (tail >= noise_db)).any():
        return last
    return last + 1 + int(np.flatnonzero(word[last + 1 :] >= noise_db)[-1])


def _frames(levels: Levels, start: float, end: float) -> tuple[int, int]:
    """The frames among which a word begins and ends that Vosk puts between `start` and `end`."""
    return max(0, round((start - EARLY_S) / FRAME_S)), min(levels.size, round(end / FRAME_S))


def _quietest(levels: Levels, start: float, end: float) -> float:
    """The level of the quietest 50 ms about a word."""
    low, high = max(0, round((start - BEFORE_S) / FRAME_S)), round((end + BEHIND_S) / FRAME_S)
    near = smoothed(levels[low:high])
    return float(near.min()) if near.size else FLOOR_DB


def _without_noise(word: Levels, loud: NDArray[np.intp]) -> int:
    """The first of the loud frames of a word behind the last gap before its loudest frame."""
    before = loud[loud <= word.argmax()]
    gaps = np.flatnonzero(np.diff(before) > GAP_FRAMES)
    return int(before[gaps[-1] + 1] if gaps.size else before[0])


def trim_words(
    levels: Levels, words: Sequence[Span], hidden_s: Sequence[float] | None = None
) -> list[Span | None]:
    """`trim` for words in order of time, none overlapping the one before it. The background is measured
    between them, as far as there is enough of it.

    Args:
        hidden_s: of each word, as in `trim`; None: nothing of them is hidden.
    """
    result: list[Span | None] = []
    before, between = 0.0, np.ones(levels.size, bool)
    for start, end in words:
        between[max(0, round(start / FRAME_S)) : max(0, round(end / FRAME_S))] = False
    hidden = [0.0] * len(words) if hidden_s is None else hidden_s
    for (start, end), lost in zip(words, hidden, strict=True):
        near = _around(start, end)
        quiet = levels[near][between[near]]
        known = quiet.size >= MIN_BACKGROUND_FRAMES
        found = trim(levels, start, end, _percentile(quiet) if known else FLOOR_DB, hidden_s=lost)
        if found is not None:
            begin = max(found[0], before)
            found = (begin, max(found[1], begin + FRAME_S))
            before = found[1]
        result.append(found)
    return result


def loudest(levels: Levels, start: float, end: float) -> float:
    """The level of the loudest 50 ms between two times."""
    first = max(0, round(start / FRAME_S))
    inside = levels[first : max(first + 5, round(end / FRAME_S))]
    return float(smoothed(inside).max()) if inside.size >= 5 else FLOOR_DB


def background_level(levels: Levels, start: float, end: float) -> float:
    """The level of the background about what is between two times."""
    return _percentile(levels[_around(start, end)])


def is_above_background(levels: Levels, start: float, end: float) -> bool:
    """Whether what is between two times is more than MIN_SNR_DB above the background about it."""
    return loudest(levels, start, end) - background_level(levels, start, end) > MIN_SNR_DB


def is_cut_off(levels: Levels, background_db: float) -> bool:
    """Whether a piece begins or ends in mid-sound: its first or last EDGE_S are above the background."""
    edge = round(EDGE_S / FRAME_S)
    if levels.size < 2 * edge:
        return False
    return max(float(levels[:edge].mean()), float(levels[-edge:].mean())) - background_db > MIN_SNR_DB


def is_clear(levels: Levels, words: Iterable[Span]) -> bool:
    """Whether the loud part of words is CLEAR_DB or more above what surrounds them; False if too little
    surrounds them."""
    inside = np.zeros(levels.size, bool)
    for start, end in words:
        inside[max(0, round(start / FRAME_S)) : round(end / FRAME_S)] = True
    said, around = levels[inside], levels[~inside]
    if said.size == 0 or around.size < MIN_SURROUNDING_FRAMES:
        return False
    return _mean_power(said[said > said.max() - PEAK_RANGE_DB]) - _mean_power(around) >= CLEAR_DB


def frames_above_background(levels: Levels) -> NDArray[np.bool_]:
    """For each frame whether the 50 ms about it may belong to a word: they are more than MIN_FRAME_SNR_DB
    above the background. True for all frames of a piece shorter than MIN_PIECE_S."""
    if levels.size < MIN_PIECE_S / FRAME_S:
        return np.ones(levels.size, np.bool_)
    smooth = np.convolve(np.pad(levels, 2, "edge"), np.full(5, 0.2), "valid")
    before, behind = round(BACKGROUND_S / FRAME_S), round(BEHIND_S / FRAME_S)
    near = np.lib.stride_tricks.sliding_window_view(
        np.pad(smooth, (before, behind), constant_values=np.nan), before + behind + 1
    )
    background = np.repeat(_percentiles(near[::FRAME_STEP]), FRAME_STEP)[: smooth.size]
    above: NDArray[np.bool_] = smooth - background > MIN_FRAME_SNR_DB
    return above


def _around(start: float, end: float) -> slice:
    """The frames about a word that tell the background."""
    first = max(0, round((start - BACKGROUND_S) / FRAME_S))
    return slice(first, max(0, round((end + BEHIND_S) / FRAME_S)))


def _mean_power(levels: Levels) -> float:
    """The level of the mean power."""
    return float(10.0 * np.log10(np.mean(10.0 ** (levels.astype(np.float64) / 10.0))))


def _percentile(levels: Levels) -> float:
    return float(np.percentile(smoothed(levels), BACKGROUND_PERCENTILE)) if levels.size else FLOOR_DB


def _percentiles(levels: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """BACKGROUND_PERCENTILE of each row, NaN left out. numpy's own function works row by row, which took a
    tenth of the time of all listening."""
    ranked = np.sort(levels, axis=1)
    place = (np.count_nonzero(~np.isnan(levels), axis=1) - 1) * (BACKGROUND_PERCENTILE / 100)
    below = np.floor(place).astype(np.intp)[:, None]
    low, high = (np.take_along_axis(ranked, below + step, axis=1)[:, 0] for step in (0, 1))
    return np.asarray(low + (high - low) * (place - below[:, 0]))
