"""Training streams: four seconds of simulated sound at a table, with an acoustic state every 30 ms.

A stream has one speaker, words with and without pauses between them, reverberation, noise, the frequency
response of a microphone, and a level. It is labelled with its speaker and its room noise, so that both can be
left out for measuring.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.speech.train import warp
from models.speech.train.corpus import AudioClip, is_human
from models.speech.train.features import bands
from models.speech.train.words import (
    COUGH,
    LAUGHTER,
    SILENCE,
    SOUNDS,
    STATES,
    THROAT,
    UNKNOWN,
    WORDS,
    pdf_table,
)

RATE, SECONDS = 16000, 4.0
"""Samples a second, and length of a stream."""
STEP, CENTRE = 480, 200
"""Samples from one label to the next, and from a feature frame's start to its centre."""


@dataclass
class Streams:
    """Features, acoustic states, speakers and room noises of streams.

    Attributes:
        features: [streams, frames, bands] float16, log mel bands.
        labels: [streams, frames // 3] int16, acoustic states.
        speakers: [streams] names.
        rooms: [streams] names of room noises; empty: none.
    """

    features: np.ndarray
    labels: np.ndarray
    speakers: np.ndarray
    rooms: np.ndarray


class Maker:
    """Makes random streams from a corpus. The same seed and number give the same stream.

    Args:
        clips: aligned.
        rooms: room noises by name, float32 at 16 kHz.
        analyse: from float32 sound to log bands [frames, bands], one frame each 10 ms, the first one centred
            at sample CENTRE.
    """

    def __init__(
        self,
        clips: list[AudioClip],
        rooms: dict[str, np.ndarray],
        seed: int,
        analyse: Callable[[np.ndarray], np.ndarray] = bands,
    ) -> None:
        self.seed, self.rooms, self.table, self.analyse = seed, rooms, pdf_table(), analyse
        usable = [clip for clip in clips if clip.bounds.size]
        self.by_word = {
            word: [c for c in usable if c.word == word and (word in SOUNDS or not c.human)]
            for word in (*STATES, UNKNOWN)
        }
        self.others = [c for c in usable if c.word == UNKNOWN and c.human]
        """Other speech by real voices."""
        self.by_speaker: dict[str, dict[str, list[AudioClip]]] = {}
        for clip in usable:
            if clip.word in WORDS or (clip.word == UNKNOWN and not clip.human):
                self.by_speaker.setdefault(clip.speaker, {}).setdefault(clip.word, []).append(clip)
        self.synthetic = [s for s, words in self.by_speaker.items() if not is_human(s) and len(words) > 10]
        self.natural = [s for s in self.synthetic if not s.startswith("espeak")]
        self.humans = sorted(filter(is_human, self.by_speaker))
        counts = [sum(map(len, self.by_speaker[s].values())) for s in self.humans]
        self.shares = np.cbrt(counts) / np.cbrt(counts).sum()

    def speaker(self, rng: np.random.Generator) -> str:
        """A random speaker: in half of the streams a real one.

        The probability of a real speaker grows with the cube root of the number of clips. Among the synthetic
        ones, flite and festival are preferred to espeak.
        """
        if rng.random() < 0.5:
            return str(rng.choice(self.humans, p=self.shares))
        return str(rng.choice(self.natural if rng.random() < 0.35 else self.synthetic))

    def pick(self, rng: np.random.Generator, speaker: str, wordless: bool) -> AudioClip:
        """The next clip; none of the known words if `wordless`."""
        own, kind = self.by_speaker[speaker], rng.random()
        if kind < 0.66 and not wordless:
            word = str(rng.choice(WORDS))
            choices = own.get(word) or (
                self.by_word[word] if rng.random() < 0.3 else own[str(rng.choice(list(own)))]
            )
        elif kind < 0.9:
            choices = self.other(rng, speaker)
        else:
            choices = self.by_word[THROAT if kind < 0.95 else COUGH if kind < 0.975 else LAUGHTER]
            real = [clip for clip in choices if clip.human]
            choices = real if real and rng.random() < 0.4 else choices
        return choices[rng.integers(len(choices))]

    def other(self, rng: np.random.Generator, speaker: str) -> list[AudioClip]:
        """Clips of other speech from which the next one in a stream of `speaker` is drawn."""
        own, real = self.by_speaker[speaker], rng.random() < (0.7 if is_human(speaker) else 0.35)
        if real and self.others:
            return self.others
        if is_human(speaker):
            return [self.nonsense(rng, own)] if rng.random() < 0.5 else self.by_word[UNKNOWN]
        return own.get(UNKNOWN, []) if rng.random() < 0.6 and UNKNOWN in own else self.by_word[UNKNOWN]

    def nonsense(self, rng: np.random.Generator, own: dict[str, list[AudioClip]]) -> AudioClip:
        """Other speech made of a real voice's words: one reversed, or the end of one and the start of
        another."""
        first, second = (own[str(rng.choice(list(own)))] for _ in range(2))
        a, b = first[rng.integers(len(first))], second[rng.integers(len(second))]
        if rng.random() < 0.5:
            sound = a.sound[::-1]
        else:
            cut, until = int(a.bounds[a.bounds.size // 2] * RATE), int(b.bounds[b.bounds.size // 2] * RATE)
            sound = np.concatenate([a.sound[cut:], b.sound[:until]])
        return AudioClip(sound, UNKNOWN, a.speaker, np.array([0.0, sound.size / RATE], np.float32))

    def stream(self, number: int) -> tuple[np.ndarray, np.ndarray, str, str]:
        """Features, labels, speaker and room noise of stream `number`."""
        rng = np.random.default_rng([self.seed, number])
        speaker = self.speaker(rng)
        ratio = rng.uniform(4, 22) if rng.random() < 0.65 else rng.uniform(20, 45)
        track, marks = self.track(rng, speaker, 8.0 if ratio > 14 else 3.0)
        sound, room = self.place(rng, track, ratio)
        features = self.analyse((np.clip(np.rint(sound * 32768), -32768, 32767) / 32768).astype(np.float32))
        centres = np.arange(0, len(features), 3) * (STEP // 3) + CENTRE
        return features.astype(np.float16), marks[np.minimum(centres, marks.size - 1)], speaker, room

    def track(self, rng: np.random.Generator, speaker: str, softer: float) -> tuple[np.ndarray, np.ndarray]:
        """The clean voice, and the acoustic state of each sample.

        Args:
            softer: clips are up to so many dB softer than the loudest.
        """
        size = int(RATE * SECONDS)
        track, marks = np.zeros(size, np.float32), np.full(size, SILENCE, np.int16)
        shift, tempo = rng.uniform(0.82, 1.24), rng.uniform(0.75, 1.3)
        keep_tempo, at = rng.random() < 0.4, int(RATE * rng.uniform(0, 0.7))
        wordless = rng.random() < 0.12
        while at < size:
            clip = self.pick(rng, speaker, wordless)
            factor = shift * rng.uniform(0.97, 1.03)
            sound = warp.faster(clip.sound, factor)
            if keep_tempo:
                sound = warp.stretched(sound, tempo * factor)
            sound = sound / (np.abs(sound).max() + 1e-6) * 10 ** (rng.uniform(-softer, 0) / 20)
            edges = at + (clip.bounds * (sound.size / clip.sound.size) * RATE).astype(int)
            until = min(size, at + sound.size)
            track[at:until] += sound[: until - at]
            states = self.table[clip.word]
            if len(states) == 1:
                marks[edges[0] : edges[-1]] = states[0]
            else:
                for state, begin, end in zip(states, edges[:-1], edges[1:], strict=True):
                    marks[begin:end] = state
            close = rng.random() < 0.4
            at += sound.size + int(RATE * (rng.uniform(-0.03, 0.08) if close else rng.uniform(0.08, 1.0)))
        return track, marks

    def place(self, rng: np.random.Generator, track: np.ndarray, ratio: float) -> tuple[np.ndarray, str]:
        """The voice with reverberation, noise, a microphone and a level; and the name of the room noise.

        Args:
            ratio: signal-to-noise ratio in dB.
        """
        size = warp.good_size(track.size + RATE // 2)
        spectrum = np.fft.rfft(track, size)
        if rng.random() < 0.55:
            spectrum = spectrum * np.fft.rfft(warp.echo(rng), size)
        response = warp.microphone(rng, size)
        voice = np.fft.irfft(spectrum * response, size)[: track.size]
        kind, room = rng.random(), ""
        if kind < 0.15:
            noise = np.zeros_like(voice)
        elif kind < 0.57:
            noise = self.babble(rng, track.size)
        elif kind < 0.83 and self.rooms:
            room = str(rng.choice(list(self.rooms)))
            start = rng.integers(self.rooms[room].size - track.size)
            noise = self.rooms[room][start : start + track.size]
        else:
            noise = warp.coloured(rng, track.size)
        loud = voice[np.abs(voice) > 0.1 * np.abs(voice).max()]
        power, level = (loud**2).mean() if loud.size else 1e-3, (noise**2).mean()
        mixed = voice + noise * np.sqrt(power / (level + 1e-12) * 10 ** (-ratio / 10)) * (level > 0)
        return mixed / (np.abs(mixed).max() + 1e-6) * 10 ** (rng.uniform(-32, -1) / 20), room

    def babble(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Two to eight voices at once with other speech: real ones, synthetic ones, or both."""
        total, real = np.zeros(size, np.float32), float(rng.choice((0.0, 0.6, 1.0)))
        for _ in range(int(rng.integers(2, 9))):
            at, gain = -int(rng.integers(RATE)), 10 ** (rng.uniform(-9, 0) / 20)
            while at < size:
                others = self.others if self.others and rng.random() < real else self.by_word[UNKNOWN]
                if rng.random() < 0.03:
                    others = self.by_word[LAUGHTER]
                sound = others[rng.integers(len(others))].sound
                begin, end = max(0, at), min(size, at + sound.size)
                if end > begin:
                    total[begin:end] += gain * sound[begin - at : end - at]
                at += sound.size + int(rng.uniform(0, 0.2) * RATE)
        return total


_maker: Maker | None = None


def _start(maker: Maker) -> None:
    global _maker
    _maker = maker


def _one(number: int) -> tuple[np.ndarray, np.ndarray, str, str]:
    assert _maker is not None
    return _maker.stream(number)


def make(maker: Maker, numbers: range, workers: int) -> Streams:
    """The streams of these numbers, made by `workers` processes."""
    with multiprocessing.get_context("fork").Pool(workers, _start, (maker,)) as pool:
        rows = pool.map(_one, numbers, chunksize=20)
    return Streams(
        np.stack([row[0] for row in rows]),
        np.stack([row[1] for row in rows]),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
    )
