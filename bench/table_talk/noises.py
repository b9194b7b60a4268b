"""What else is heard at the table: dishes, rain, music, talk, laughter, numbers of other languages.

Development and report take different halves of the languages, of the talkers and of the recordings.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.evenings.room import Sound
from bench.evenings.script import Rng
from bench.paths import ROOT
from bench.speech import sets
from bench.table_talk.voices import Group, trimmed
from companion.speech.audio.wav import RATE, read_wav
from models.speech.train import sounds

KINDS = ("silence", "dishes", "rain", "music", "television", "five talkers", "laughter", "foreign numbers")
"""Every kind of noise; `silence` is the hiss of a quiet room."""
SECONDS = 60
WORK = ROOT / "build" / "speech"


class Noises:
    """Makes a minute of each kind of noise."""

    def __init__(self, shared: Path, group: Group) -> None:
        self._shared, self._group = shared, group
        self._talk: list[Sound] = []

    def make(self, kind: str, rng: Rng) -> Sound:
        """SECONDS of a kind, with a root mean square of 1 where it sounds.

        Raises:
            KeyError: there is no such kind.
        """
        makers = {
            "dishes": lambda: self._recorded("doing_the_dishes"),
            "rain": lambda: rain(rng),
            "music": lambda: music(rng),
            "television": lambda: spoken(self._talkers(), rng, 0.3),
            "five talkers": lambda: sets.babble(self._talkers(), rng, SECONDS),
            "laughter": lambda: spoken([sounds.laughter(rng) for _ in range(20)], rng, 1.5),
            "foreign numbers": lambda: spoken(self._foreign(), rng, 0.8),
        }
        sound = makers[kind]()
        loud = sound[np.abs(sound) > 0.1 * np.abs(sound).max()]
        return np.asarray(sound / np.sqrt((loud.astype(np.float64) ** 2).mean()), np.float32)

    def _recorded(self, name: str) -> Sound:
        sound = read_wav(self._shared / "speech" / "noises" / f"{name}.wav").astype(np.float32)
        half = sound.size // 2
        return sound[:half] if self._group == "development" else sound[half:]

    def _talkers(self) -> list[Sound]:
        """Recorded sentences: Italian ones for development, Russian ones for the report."""
        if not self._talk:
            talk = sets.real_voices(WORK).talk
            half = len(talk) // 2
            self._talk = talk[:half] if self._group == "development" else talk[half:]
        return self._talk

    def _foreign(self) -> list[Sound]:
        paths = sorted((self._shared / "speech" / "foreign_digits").glob("*.wav"))
        languages = sorted({path.stem.split("_")[0] for path in paths})
        mine = set(languages[0::2] if self._group == "development" else languages[1::2])
        return [trimmed(read_wav(path)) for path in paths if path.stem.split("_")[0] in mine]


def spoken(pieces: list[Sound], rng: Rng, pause_s: float) -> Sound:
    """Pieces in random order with pauses of up to twice `pause_s`."""
    total, parts = 0, []
    while total < SECONDS * RATE:
        piece = pieces[int(rng.integers(len(pieces)))]
        parts += [
            piece / max(1e-6, float(np.abs(piece).max())),
            np.zeros(int(RATE * rng.uniform(0, 2 * pause_s))),
        ]
        total += parts[-1].size + parts[-2].size
    return np.concatenate(parts)[: SECONDS * RATE].astype(np.float32)


def rain(rng: Rng) -> Sound:
    """A steady rush with drops: noise that falls by 3 dB an octave, and short bursts."""
    size = SECONDS * RATE
    spectrum = np.fft.rfft(rng.normal(size=size))
    spectrum /= np.sqrt(np.maximum(np.fft.rfftfreq(size, 1 / RATE), 100.0))
    rush = np.fft.irfft(spectrum, size)
    rush /= rush.std()
    for start in rng.integers(size - 800, size=SECONDS * 12):
        length = int(rng.integers(80, 500))
        rush[start : start + length] += rng.normal(size=length) * np.hanning(length) * rng.uniform(1, 4)
    return rush.astype(np.float32)


def music(rng: Rng) -> Sound:
    """Chords, a bass, a beat and a tune with vibrato, which the throat sound is often heard in."""
    time = np.arange(RATE * SECONDS) / RATE
    total = np.zeros(time.size)
    for start in range(0, SECONDS, 2):
        part = slice(start * RATE, (start + 2) * RATE)
        bar = time[part] - start
        root = 110.0 * 2 ** (float(rng.choice([0, 3, 5, 7, 10])) / 12)
        total[part] += sum(np.sin(2 * np.pi * root * k * bar) / (1 + k) for k in (0.5, 1, 1.25, 1.5, 2, 3))
        total[part] += np.exp(-((bar % 0.5) * 18)) * rng.normal(size=bar.size) * 0.7
        for note in range(4):
            tune = slice(part.start + note * RATE // 2, part.start + (note + 1) * RATE // 2)
            local = np.arange(RATE // 2) / RATE
            pitch = root * 2 ** (float(rng.choice([12, 14, 15, 17, 19, 22])) / 12)
            phase = 2 * np.pi * pitch * local + 1.5 * np.sin(2 * np.pi * 5.5 * local)
            voice = sum(np.sin(k * phase) / k for k in range(1, 7))
            total[tune] += 0.5 * voice * np.minimum(1, local / 0.03) * np.exp(-1.5 * local)
    return (total / np.abs(total).max()).astype(np.float32)
