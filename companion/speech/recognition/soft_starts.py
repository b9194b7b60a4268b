"""How much of a word's beginning noise hides: a soft "th" is gone long before the vowel behind it is.

Where noise decides where a word seems to begin (companion.speech.audio.levels.trim), its beginning lies
earlier: in proportion to how much of the word's own range of levels the noise covers, and to how slowly the
word begins. `python -m bench.speech.onsets --fit 6` gives the numbers, from the development speakers in the
noise of a room and in babble.
"""

from __future__ import annotations

HIDDEN_S = {
    "one": 0.0004,
    "two": 0.0002,
    "three": 0.002,
    "four": 0.0002,
    "five": 0.0008,
    "six": 0.0006,
    "seven": 0.0002,
}
"""Seconds of an English word's beginning that each decibel hides. What is not listed begins at once."""


def hidden_s(word: str) -> float:
    """The seconds that each decibel of noise hides of a word's beginning."""
    return HIDDEN_S.get(word, 0.0)
