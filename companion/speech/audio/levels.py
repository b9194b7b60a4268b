"""How loud each hundredth of a second is, and where in it a word really lies.

Vosk's words begin at network outputs 30 ms apart and take in some of the room before a soft f or s. The level
tells where the word rises out of the room; a "word" that never does is the room itself (a tap, a fan).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAME_S = 0.01
QUIETEST = -75.0
"""dB of full scale; digital silence counts as this."""
BEFORE_S, BEHIND_S = 1.5, 0.5
"""The room is what is quietest so long before and behind a word."""
RISE = 7.0
"""dB by which a word's loudest 50 ms stand above the room's quietest 50 ms, at least."""
EDGE_ABOVE, EDGE_ROOM, EDGE_BELOW = 6.0, 7.0, 26.0
"""A word begins so many dB above the quietest moment about it, so many above the room, and not more than so
many below its own loudest frame. The middle one keeps babble from being taken for a word's beginning: onsets
of two held-out speakers at 10 dB were off by 80 ms on average without, by 35 ms with it."""
ROOM_S = 2.5
"""What lies so long before a word, and BEHIND_S behind it, tells how loud the room is about it."""
ROOM_SHARE = 30
"""Percent of that time that count as the room: seven calls in a row without any pause leave so much of dips
and soft consonants (at least 11 dB below the words, four speakers)."""
LEAST_ROOM = 30
"""So many frames of the room tell how loud it is."""
STANDS = 8.0
"""dB by which a word's loudest 50 ms stand above the room about it. Two held-out speakers, N = 118: with it
65 % instead of 45 % of the calls in babble at 10 dB are heard exactly, 52 instead of 27 % in babble of real
voices; clean calls and pairs are not touched, from 10 dB on pairs in babble lose words."""
NEARLY_STANDS = 5.0
"""The same for a frame before anything is known of a word: the room is not told as well there."""
EDGE_S = 0.05
"""So much of a piece at either end tells whether it was cut in mid-sound."""
TOLD_S = 1.0
"""So much sound tells at least how loud the room is."""
EARLY_S = 0.05
"""A word may begin so long before Vosk says so."""

Levels = NDArray[np.float32]


def frame_levels(samples: NDArray[np.int16], rate: int = 16000) -> Levels:
    """dB of full scale for each whole frame of 10 ms, without any constant offset, QUIETEST or more."""
    size = max(1, round(rate * FRAME_S))
    frames = samples[: samples.size // size * size].reshape(-1, size).astype(np.float32) / 32768.0
    power = frames.var(axis=1)
    levels: Levels = np.maximum(10.0 * np.log10(power + 1e-12), QUIETEST).astype(np.float32)
    return levels


def smoothed(levels: Levels) -> NDArray[np.floating[Any]]:
    """Means of 50 ms; of less than that, the levels as they are."""
    return np.convolve(levels, np.full(5, 0.2), "valid") if levels.size >= 5 else levels


def extent(levels: Levels, start: float, end: float, room: float = QUIETEST) -> tuple[float, float] | None:
    """Where a word is heard that Vosk puts between `start` and `end`; None if it is no louder than the room.

    Args:
        levels: from frame_levels; times are seconds from its first frame.
        room: how loud it is about the word, in dB, as far as that is known.
    """
    low, high = max(0, round((start - BEFORE_S) / FRAME_S)), round((end + BEHIND_S) / FRAME_S)
    first, last = max(0, round((start - EARLY_S) / FRAME_S)), min(levels.size, round(end / FRAME_S))
    if last - first < 5 or high <= low:
        return start, end
    smooth, inside = smoothed(levels[low:high]), smoothed(levels[first:last])
    floor = float(smooth.min()) if smooth.size else QUIETEST
    if float(inside.max()) - floor < RISE:
        return None
    word = levels[first:last]
    edge = max(floor + EDGE_ABOVE, room + EDGE_ROOM, float(word.max()) - EDGE_BELOW)
    loud = np.flatnonzero(word >= min(edge, float(word.max())))
    return (first + int(loud[0])) * FRAME_S, (first + int(loud[-1]) + 1) * FRAME_S


def loudest(levels: Levels, start: float, end: float) -> float:
    """The loudest 50 ms between two times, in dB.

    Args:
        levels: from frame_levels; times are seconds from its first frame.
    """
    first = max(0, round(start / FRAME_S))
    inside = levels[first : max(first + 5, round(end / FRAME_S))]
    return float(smoothed(inside).max()) if inside.size >= 5 else QUIETEST


def room_level(levels: Levels, start: float, end: float) -> float:
    """How loud the room is about what lies between two times, in dB of full scale.

    Args:
        levels: from frame_levels; times are seconds from its first frame.
    """
    return _softer_part(levels[_near(start, end)])


def stands_out(levels: Levels, start: float, end: float) -> bool:
    """Whether what lies between two times stands out of the room about it, STANDS or more."""
    return loudest(levels, start, end) - room_level(levels, start, end) > STANDS


def cut_off(levels: Levels, room: float) -> bool:
    """Whether a piece begins or ends in mid-sound: its first or last EDGE_S stand out of the room already."""
    edge = round(EDGE_S / FRAME_S)
    if levels.size < 2 * edge:
        return False
    return max(float(levels[:edge].mean()), float(levels[-edge:].mean())) - room > STANDS


def standing_out(levels: Levels) -> NDArray[np.bool_]:
    """For each frame whether the 50 ms about it may belong to a word that stands out of the room: they exceed
    what ROOM_SHARE percent of the frames so long before and behind do not by NEARLY_STANDS or more. All of
    them, where there is too little to know the room by (TOLD_S)."""
    if levels.size < TOLD_S / FRAME_S:
        return np.ones(levels.size, np.bool_)
    smooth = np.convolve(np.pad(levels, 2, "edge"), np.full(5, 0.2), "valid")
    before, behind, each = round(ROOM_S / FRAME_S), round(BEHIND_S / FRAME_S), 5
    near = np.lib.stride_tricks.sliding_window_view(
        np.pad(smooth, (before, behind), constant_values=np.nan), before + behind + 1
    )
    room = _softer_parts(near[::each])
    standing: NDArray[np.bool_] = smooth - np.repeat(room, each)[: smooth.size] > NEARLY_STANDS
    return standing


def _near(start: float, end: float) -> slice:
    """The frames about a word that tell how loud the room is."""
    return slice(max(0, round((start - ROOM_S) / FRAME_S)), max(0, round((end + BEHIND_S) / FRAME_S)))


def _softer_part(near: Levels) -> float:
    return float(np.percentile(smoothed(near), ROOM_SHARE)) if near.size else QUIETEST


def _softer_parts(near: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """What ROOM_SHARE percent of each row do not exceed, NaN left out: numpy's own goes row by row, which was
    a tenth of all that listening costs."""
    ranked = np.sort(near, axis=1)
    place = (np.count_nonzero(~np.isnan(near), axis=1) - 1) * (ROOM_SHARE / 100)
    below = np.floor(place).astype(np.intp)[:, None]
    low, high = (np.take_along_axis(ranked, below + step, axis=1)[:, 0] for step in (0, 1))
    return np.asarray(low + (high - low) * (place - below[:, 0]))


def placed(levels: Levels, words: list[tuple[float, float]]) -> list[tuple[float, float] | None]:
    """`extent` for words in order of time, none reaching into the one before it. The room is what lies
    between them, as far as there is enough of it."""
    result: list[tuple[float, float] | None] = []
    before, between = 0.0, np.ones(levels.size, bool)
    for start, end in words:
        between[max(0, round(start / FRAME_S)) : max(0, round(end / FRAME_S))] = False
    for start, end in words:
        near = _near(start, end)
        room = levels[near][between[near]]
        found = extent(levels, start, end, _softer_part(room) if room.size >= LEAST_ROOM else QUIETEST)
        if found is not None:
            begin = max(found[0], before)
            found = (begin, max(found[1], begin + FRAME_S))
            before = found[1]
        result.append(found)
    return result
