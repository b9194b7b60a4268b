"""Dither: soft noise that is added to all sound before it is recognised.

Cut or cleaned recordings hold digital silence. The logarithm of its power is far below that of any microphone
and of all training data; added noise prevents that. Kaldi's features do the same with `--dither`, but with
new noise each time; here it is the same for the same sample number, so that results can be repeated. Training
adds it to every stream (models/speech/train/augment.py).
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

LEVEL = 50.0
"""Standard deviation in int16 steps: -56 dB of full scale, as in a quiet room. Two held-out speakers, share
of clean single calls (N = 118) and of pairs (N = 66) recognised exactly: 91 and 79 % with 15, 95 and 91 %
with 45, 97 and 89 % with 60; in noise there is no difference. Less is better for a voice far from the
microphone."""
_PERIOD = 1 << 16
"""Samples after which the noise repeats."""


@functools.cache
def _noise() -> NDArray[np.int16]:
    """[2 * _PERIOD] Two periods, so that a whole one can start at any sample."""
    drawn = np.random.default_rng(7).normal(0.0, LEVEL, _PERIOD)
    return np.tile(np.rint(drawn).astype(np.int16), 2)


def dithered(samples: NDArray[np.int16], first: int = 0) -> NDArray[np.int16]:
    """The samples with the noise added.

    Args:
        samples: int16, mono, at any rate.
        first: number of the first sample, counted from the start of the stream.
    """
    begin = first % _PERIOD
    mixed = np.resize(_noise()[begin : begin + _PERIOD], samples.size).astype(np.int32)
    mixed += samples
    clipped: NDArray[np.int16] = np.clip(mixed, -32768, 32767).astype(np.int16)
    return clipped
