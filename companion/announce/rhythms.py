"""Six rhythms for buzzer and lamps. Players tell them apart by their beats alone, not by pitch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

Rhythm = Literal["tick", "go", "stop", "right", "wrong", "too_late"]
"""Name of a rhythm."""

Beats = Sequence[tuple[float, float]]
"""(seconds on, seconds off), in order."""

RHYTHMS: Mapping[Rhythm, Beats] = {
    "tick": ((0.03, 0.0),),
    "go": ((0.08, 0.08), (0.08, 0.08), (0.35, 0.0)),
    "stop": ((0.90, 0.0),),
    "right": ((0.06, 0.06), (0.06, 0.0)),
    "wrong": ((0.30, 0.12), (0.30, 0.0)),
    "too_late": ((0.10, 0.25), (0.10, 0.25), (0.10, 0.25), (0.10, 0.0)),
}
"""The beats of each rhythm."""

LAMP: Mapping[Rhythm, tuple[float, float, float]] = {
    "tick": (0.3, 0.3, 0.3),
    "go": (0.0, 0.62, 0.45),
    "stop": (0.84, 0.37, 0.0),
    "right": (0.0, 0.62, 0.45),
    "wrong": (0.84, 0.37, 0.0),
    "too_late": (0.90, 0.62, 0.0),
}
"""Colour of an RGB lamp, red green blue from 0 to 1: green, vermilion and orange of Okabe and Ito, so that
also colour-blind eyes tell them apart; the lamp blinks in the same rhythm."""


def length(rhythm: Rhythm) -> float:
    """How long a rhythm lasts, in seconds."""
    return sum(on + off for on, off in RHYTHMS[rhythm])
