"""Aligns the states of each word with its clips: Viterbi training of one Gaussian a state.

Topology: optional silence, the word's states from left to right, each for at least `MIN_FRAMES` frames (as in
the decoder), optional silence. Features: 16 MFCC and their deltas, without the mean of each clip. The Viterbi
recursion runs on all clips of a word at once.
After L. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77 (1989), section III-IV.
"""

from __future__ import annotations

import numpy as np

from models.speech.train.corpus import AudioClip
from models.speech.train.features import SHIFT, WINDOW, mfcc
from models.speech.train.words import STATES, UNKNOWN

ITERATIONS = 8
"""Of alignment and estimation."""
MIN_FRAMES = 3
"""Shortest length of a state in frames of 10 ms: one output of the network."""
_IMPOSSIBLE = -1e9


def align(clips: list[AudioClip]) -> None:
    """Sets `bounds` of every clip; it stays empty if the clip is too short for its word."""
    for clip in clips:
        if clip.word == UNKNOWN:
            clip.bounds = loud_part(clip.sound)
    groups = {word: [c for c in clips if c.word == word] for word in STATES}
    silence = _silence_model([c for group in groups.values() for c in group[::7]])
    for word, group in groups.items():
        if group:
            _align_word(group, STATES[word], silence)


def loud_part(sound: np.ndarray, floor: float = 0.04) -> np.ndarray:
    """[start, end] in seconds of the part in which the peaks of 10 ms blocks exceed `floor` of the
    highest."""
    blocks = np.abs(sound[: sound.size // SHIFT * SHIFT]).reshape(-1, SHIFT).max(axis=1)
    loud = np.flatnonzero(blocks > floor * blocks.max())
    return np.array([loud[0], loud[-1] + 1], np.float32) * SHIFT / 16000


def _features(sound: np.ndarray) -> np.ndarray:
    base = mfcc(np.concatenate([sound, np.zeros(WINDOW - SHIFT, np.float32)]), 16)
    base = base - base.mean(axis=0)
    return np.hstack([base, np.gradient(base, axis=0) * 2.0]).astype(np.float32)


def _silence_model(clips: list[AudioClip]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the softest 6 % of frames of each clip."""
    quiet = []
    for clip in clips:
        frames = _features(clip.sound)
        quiet.append(frames[frames[:, 0] <= np.quantile(frames[:, 0], 0.06)])
    joined = np.concatenate(quiet)
    return joined.mean(axis=0), joined.var(axis=0) + 1.0


def _log_gauss(frames: np.ndarray, mean: np.ndarray, var: np.ndarray) -> np.ndarray:
    return -0.5 * (((frames - mean) ** 2 / var).sum(axis=-1) + np.log(var).sum())


def _align_word(clips: list[AudioClip], states: int, silence: tuple[np.ndarray, np.ndarray]) -> None:
    features = [_features(clip.sound) for clip in clips]
    kept = [i for i, f in enumerate(features) if len(f) >= states * MIN_FRAMES + 2]
    paths = {
        i: np.minimum(np.arange(len(features[i])) * states // len(features[i]), states - 1) + 1 for i in kept
    }
    for _ in range(ITERATIONS):
        models = [silence]
        for state in range(1, states + 1):
            own = np.concatenate([features[i][paths[i] == state] for i in kept])
            models.append((own.mean(axis=0), own.var(axis=0) + 0.5))
        models.append(silence)
        best = _viterbi([features[i] for i in kept], models, MIN_FRAMES)
        paths = dict(zip(kept, best, strict=True))
    for i in kept:
        starts = [float(np.argmax(paths[i] == state)) for state in range(1, states + 1)]
        end = float(np.flatnonzero(paths[i] <= states)[-1] + 1)
        # Frames of 25 ms every 10 ms: the boundary is midway between the centres of two frames.
        bounds = (np.array([*starts, end]) * SHIFT + (WINDOW - SHIFT) / 2) / 16000
        bounds[0] = starts[0] * SHIFT / 16000
        clips[i].bounds = bounds.astype(np.float32)


def _viterbi(
    features: list[np.ndarray], models: list[tuple[np.ndarray, np.ndarray]], least: int
) -> list[np.ndarray]:
    """The best state of each frame of each clip.

    The first and the last state are silence and optional; each of the others lasts at least `least` frames.
    """
    row = np.array([0, *np.repeat(np.arange(1, len(models) - 1), least), len(models) - 1])
    count, longest, last = len(features), max(map(len, features)), row.size - 1
    scores = np.full((count, longest, len(models)), 0.0, np.float32)
    for i, frames in enumerate(features):
        for state, (mean, var) in enumerate(models):
            scores[i, : len(frames), state] = _log_gauss(frames, mean, var)
    total = np.full((count, last + 1), _IMPOSSIBLE, np.float32)
    total[:, :2] = scores[:, 0, row[:2]]
    came = np.zeros((count, longest, last + 1), bool)
    ends = np.zeros((count, last + 1), np.float32)
    lengths = np.array([len(f) for f in features])
    ends[lengths == 1] = total[lengths == 1]
    # A self-loop is only in silence and in the last of the `least` frames of a state.
    stays = np.append(row[1:] != row[:-1], True)
    for t in range(1, longest):
        moved = np.hstack([np.full((count, 1), _IMPOSSIBLE, np.float32), total[:, :-1]])
        stayed = np.where(stays, total, _IMPOSSIBLE)
        came[:, t] = moved > stayed
        total = np.maximum(stayed, moved) + scores[:, t, row]
        ends[lengths == t + 1] = total[lengths == t + 1]
    paths = []
    for i, length in enumerate(lengths):
        place = last if ends[i, last] > ends[i, last - 1] else last - 1
        path = np.zeros(length, np.int64)
        for t in range(length - 1, -1, -1):
            path[t] = row[place]
            if t > 0 and came[i, t, place]:
                place -= 1
        paths.append(path)
    return paths
