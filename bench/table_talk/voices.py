"""The callers: recorded numbers of real speakers, and the throat sound, which is synthetic."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from bench.evenings.room import THROAT, Sound
from bench.evenings.script import Rng
from companion.speech.audio.wav import RATE, read_wav
from models.speech.train import sounds
from models.speech.train.words import NUMBERS

Group = Literal["development", "report"]
"""Speakers and noises for choosing constants, and those for reporting."""
SPEAKERS: dict[Group, tuple[str, ...]] = {
    "development": ("v00", "v01", "v02", "v03"),
    "report": ("v04", "v05", "v06", "v07"),
}
"""Of shared/speech/more_voices; no model is trained on any of them."""
LOUD = 7000.0
"""Peak of a clear call, of 32768."""
LONGEST_S = 1.0
LONGEST_THROAT_S = 0.7


def recordings(shared: Path, speaker: str, number: int) -> list[Sound]:
    """All takes of a number by a speaker, without the silence at their ends, peak 1."""
    folder = shared / "speech" / "more_voices"
    return [trimmed(read_wav(path)) for path in sorted(folder.glob(f"{number}_{speaker}_*.wav"))]


def trimmed(samples: np.ndarray) -> Sound:
    """The loudest LONGEST_S of a recording from where it rises above a twentieth of its peak."""
    sound = samples.astype(np.float32) / 32768.0
    most = int(LONGEST_S * RATE)
    if sound.size > most:
        energy = np.convolve(sound.astype(np.float64) ** 2, np.ones(RATE // 4), "same")
        start = min(max(0, int(energy.argmax()) - most // 2), sound.size - most)
        sound = sound[start : start + most]
    sound = sound / max(1e-6, float(np.abs(sound).max()))
    loud = np.flatnonzero(np.abs(sound) > 0.05)
    return np.asarray(sound[max(0, loud[0] - 160) : loud[-1] + 800], np.float32)


class CallerVoice:
    """One player's voice: speaker, loudness, and the speaker's takes."""

    def __init__(self, shared: Path, speaker: str, rng: Rng) -> None:
        self._takes = {
            word: recordings(shared, speaker, number) for number, word in enumerate(NUMBERS) if number < 8
        }
        self._rng = rng
        self.gain = LOUD * float(rng.uniform(0.7, 1.0))

    def say(self, words: tuple[str, ...]) -> Sound:
        """A call: one take a word; 0.02 to 0.2 s between two numbers, 0.15 to 0.35 s between two sounds."""
        parts: list[Sound] = []
        for word in words:
            if parts:
                low, high = (0.15, 0.35) if word == THROAT else (0.02, 0.2)
                parts.append(np.zeros(int(RATE * self._rng.uniform(low, high)), np.float32))
            if word == THROAT:
                made = sounds.throat(self._rng).astype(np.float32)
                while made.size > LONGEST_THROAT_S * RATE:
                    made = sounds.throat(self._rng).astype(np.float32)
                parts.append(made / max(1e-6, float(np.abs(made).max())))
            else:
                parts.append(self._takes[word][int(self._rng.integers(len(self._takes[word])))])
        return np.concatenate(parts) * self.gain
