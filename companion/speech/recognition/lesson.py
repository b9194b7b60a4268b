"""Recording of one player's examples: cuts a stream of sound into single words.

A word is sound above the noise floor that is followed by silence. It is kept, or has to be repeated if it is
too short, too long or not clear of the background noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FRAME_S, frame_levels, is_clear
from companion.speech.audio.onset import RISE_DB, OnsetDetector
from companion.speech.voices import dtw, profiles

SILENCE_AFTER_WORD_S = 0.45
"""A word ends after so many seconds without a loud frame."""
BEFORE_S, BEHIND_S = 0.25, 0.15
"""Seconds kept before and behind a word that is cut out."""
MIN_LOUD_FRAMES = 4
"""A sound with fewer loud frames (10 ms) than this is a click, not a word."""
MAX_WITHOUT_WORD_S = 8.0
"""Sound without the end of a word is discarded after so many seconds."""


class Lesson:
    """Records a player's words in order, each profiles.EXAMPLES_PER_WORD times.

    Args:
        player: who speaks.
        words: to be said, in this order.
        rate: samples a second; if `hear` gets another one, the recordings start from the first word again.
    """

    def __init__(self, player: str, words: Sequence[str], rate: int = 16000) -> None:
        self.player = player
        self.rate = rate
        self.finding = ""
        """Result of the latest word, if any: `heard`, `noisy`, or `again` (too short or too long)."""
        self._due = [word for _ in range(profiles.EXAMPLES_PER_WORD) for word in words]
        self._takes: list[tuple[str, NDArray[np.int16]]] = []
        self._onset = OnsetDetector(rate)
        self._sound: NDArray[np.int16] = np.zeros(0, np.int16)

    @property
    def word(self) -> str:
        """The word to say now; empty: all are recorded."""
        return self._due[len(self._takes)] if len(self._takes) < len(self._due) else ""

    @property
    def said(self) -> tuple[int, int]:
        """How many recordings there are, and how many there will be."""
        return len(self._takes), len(self._due)

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes the next samples, int16 mono."""
        if rate != self.rate:
            self.rate, self._takes = rate, []
            self._discard_sound()
        self._onset.feed(samples)
        self._sound = np.concatenate([self._sound, samples])
        if SILENCE_AFTER_WORD_S <= self._onset.quiet_for() < math.inf:
            levels = frame_levels(self._sound, self.rate)
            threshold = max(self._onset.floor + RISE_DB, float(levels.max()) - dtw.LOUD_RANGE_DB)
            loud = np.flatnonzero(levels >= threshold)
            if loud.size >= MIN_LOUD_FRAMES:
                self.finding = self._take(loud[0] * FRAME_S, (loud[-1] + 1) * FRAME_S)
            self._discard_sound()
        elif self._onset.now > MAX_WITHOUT_WORD_S:
            self._discard_sound()

    def voice(self) -> profiles.VoiceProfile:
        """The profile of what is recorded so far."""
        return profiles.learn(self.player, self._takes, self.rate)

    def _discard_sound(self) -> None:
        self._onset = OnsetDetector(self.rate)
        self._sound = np.zeros(0, np.int16)

    def _take(self, begin: float, end: float) -> str:
        first = max(0.0, begin - BEFORE_S)
        piece = self._sound[round(first * self.rate) : round((end + BEHIND_S) * self.rate)]
        if dtw.features(piece, self.rate) is None or end - begin > dtw.MAX_LENGTH_S / 2:
            return "again"
        if not is_clear(frame_levels(piece, self.rate), [(begin - first, end - first)]):
            return "noisy"
        self._takes.append((self.word, piece))
        return "heard"
