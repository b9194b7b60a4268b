"""One player's turn at the microphone: the stream of sound is cut into the words that are asked for.

A word is what rises above the room and is followed by silence. It is taken, or asked for again if it was too
short, too long or drowned by noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.levels import FRAME_S, frame_levels, is_clear
from companion.speech.audio.onset import RISE_DB, OnsetDetector
from companion.speech.voices import dtw, profiles

ENDED_S = 0.45
"""So much silence ends a word."""
BEFORE_S, BEHIND_S = 0.25, 0.15
"""A word is cut out with so much of the room round it."""
CLICK = 4
"""Fewer loud frames than this are nothing that anybody said."""
WAIT_S = 8.0
"""SoundFeatures without a word is thrown away after this time."""


class Lesson:
    """Takes a player's words one after the other, each as often as it is to be learnt.

    Args:
        player: who speaks.
        words: what is to be said.
        rate: samples a second; another one in `hear` begins the lesson anew.
    """

    def __init__(self, player: str, words: Sequence[str], rate: int = 16000) -> None:
        self.player = player
        self.rate = rate
        self.finding = ""
        """What came of the latest word: `heard`, or `again` (too short or too long), `noisy`."""
        self._due = [word for _ in range(profiles.ROUNDS) for word in words]
        self._takes: list[tuple[str, NDArray[np.int16]]] = []
        self._onset = OnsetDetector(rate)
        self._sound: NDArray[np.int16] = np.zeros(0, np.int16)

    @property
    def word(self) -> str:
        """What is to be said now; empty: everything was said."""
        return self._due[len(self._takes)] if len(self._takes) < len(self._due) else ""

    @property
    def said(self) -> tuple[int, int]:
        """How many words were said, and of how many."""
        return len(self._takes), len(self._due)

    def hear(self, samples: NDArray[np.int16], rate: int) -> None:
        """Takes a block of sound."""
        if rate != self.rate:
            self.rate, self._takes = rate, []
            self._listen_afresh()
        self._onset.feed(samples)
        self._sound = np.concatenate([self._sound, samples])
        if ENDED_S <= self._onset.quiet_for() < math.inf:
            levels = frame_levels(self._sound, self.rate)
            threshold = max(self._onset.floor + RISE_DB, float(levels.max()) - dtw.LOUD_DB)
            loud = np.flatnonzero(levels >= threshold)
            if loud.size >= CLICK:
                self.finding = self._take(loud[0] * FRAME_S, (loud[-1] + 1) * FRAME_S)
            self._listen_afresh()
        elif self._onset.now > WAIT_S:
            self._listen_afresh()

    def voice(self) -> profiles.VoiceProfile:
        """What was learnt."""
        return profiles.learn(self.player, self._takes, self.rate)

    def _listen_afresh(self) -> None:
        self._onset = OnsetDetector(self.rate)
        self._sound = np.zeros(0, np.int16)

    def _take(self, begin: float, end: float) -> str:
        first = max(0.0, begin - BEFORE_S)
        piece = self._sound[round(first * self.rate) : round((end + BEHIND_S) * self.rate)]
        if dtw.features(piece, self.rate) is None or end - begin > dtw.LONGEST_S / 2:
            return "again"
        if not is_clear(frame_levels(piece, self.rate), [(begin - first, end - first)]):
            return "noisy"
        self._takes.append((self.word, piece))
        return "heard"
