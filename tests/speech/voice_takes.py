"""The committed recordings (models/demo/calls) and tracks put together from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.wav import RATE, read_wav

CALLS = Path(__file__).resolve().parents[2] / "models" / "demo" / "calls"
Samples = NDArray[np.int16]


def file_of(voice: str, call: str) -> Path:
    return CALLS / voice / f"{call.replace(' ', '-')}.wav"


def take(voice: str, call: str) -> Samples:
    return read_wav(file_of(voice, call))


def room(seconds: float, seed: int = 0) -> Samples:
    """Quiet room noise."""
    rng = np.random.default_rng(seed)
    return (rng.normal(size=int(seconds * RATE)) * 26).astype(np.int16)


def track(seconds: float, takes: list[tuple[float, Samples]]) -> Samples:
    """A recording of `seconds` with takes laid in at the given times."""
    mixed = room(seconds).astype(np.int32)
    for at, samples in takes:
        begin = int(at * RATE)
        mixed[begin : begin + samples.size] += samples
    return np.clip(mixed, -32768, 32767).astype(np.int16)
