"""The sound at the microphone: calls of synthetic voices, talk and music in the room.

The voices are variants of espeak-ng that no training has used, the throat sounds are synthesised. Each player
has a voice, a place in the room and so an echo; recordings are kept in a folder, so that they are made once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.evenings.script import Rng
from bench.paths import ROOT
from models.speech.train import sounds, voices, warp

RATE = 16000
KEPT = ROOT / "build" / "evenings" / "voices"
THROAT = "hmmrrr"
ACCENTS = ("en-us", "en-gb-x-rp", "en", "en-gb-scotland")
LOUD = 6000.0
"""Peak of a clear call, of 32768."""
SENTENCES = (
    "whose turn is it now",
    "I think I have a really good hand",
    "could you pass me the water please",
    "no way that was close",
    "my brother plays this all the time",
    "oh that is a lovely monster",
    "did you see the game on Sunday",
    "be careful with your glass",
)
Sound = NDArray[np.float32]


@dataclass(frozen=True)
class RoomNoise:
    """What else is heard: levels in decibels against the peak of a clear call; None: nothing of it."""

    hiss: float
    talk: float | None
    music: float | None


def drawn(rng: Rng) -> RoomNoise:
    """The noise of one evening."""
    return RoomNoise(
        hiss=float(rng.uniform(-58, -44)),
        talk=float(rng.uniform(-30, -18)) if rng.random() < 0.5 else None,
        music=float(rng.uniform(-38, -26)) if rng.random() < 0.35 else None,
    )


@dataclass
class VoiceBank:
    """Recordings of what players say, made when they are first needed."""

    folder: Path = KEPT
    _known: dict[str, Sound] = field(default_factory=dict)

    def say(self, voice: voices.SynthVoice, text: str, take: int) -> Sound:
        """The text in this voice, without silence at the ends, peak 1. Each take is a little different."""
        key = hashlib.sha1(f"{voice.speaker}|{text}|{take}".encode()).hexdigest()[:20]
        if key not in self._known:
            path = self.folder / f"{key}.npy"
            if not path.is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                rng = np.random.default_rng(int(key[:8], 16))
                made = sounds.throat(rng) if text == THROAT else voices.speak_all([(voice, text)], rng)[0]
                part = path.with_suffix(f".{int(rng.integers(1 << 30))}.npy")
                np.save(part, (made / max(1e-6, float(np.abs(made).max()))).astype(np.float32))
                part.rename(path)
            self._known[key] = np.asarray(np.load(path), np.float32)
        return self._known[key]


def voice_of(rng: Rng) -> voices.SynthVoice:
    """The voice of a player."""
    variant = voices.TEST_VARIANTS[int(rng.integers(len(voices.TEST_VARIANTS)))]
    accent = ACCENTS[int(rng.integers(len(ACCENTS)))]
    return voices.SynthVoice(
        "espeak", f"{accent}+{variant}", float(rng.integers(30, 70)), float(rng.integers(135, 185))
    )


class Room:
    """The microphone of one evening: `add` what is said, then take the sound block by block.

    Args:
        players: everybody gets a voice and a place.
        noise: what else is heard.
    """

    def __init__(self, players: tuple[str, ...], noise: RoomNoise, rng: Rng, bank: VoiceBank) -> None:
        self._rng = rng
        self._bank = bank
        self._voices = {player: voice_of(rng) for player in players}
        self._echoes = {player: _echo(rng) for player in players}
        self._far = {player: float(rng.uniform(0.45, 1.0)) for player in players}
        self._said: list[tuple[int, Sound]] = []
        ground = warp.coloured(rng, RATE * 12)
        self._ground = np.asarray(ground / ground.std() * (_level(noise.hiss) * LOUD / 3), np.float32)
        self._music = None if noise.music is None else _music(rng) * (_level(noise.music) * LOUD)
        self._talk = None if noise.talk is None else self._babble() * (_level(noise.talk) * LOUD)
        self._silent_talk = float(rng.uniform(4.0, 12.0))

    def add(self, t: float, player: str, words: tuple[str, ...], loudness: float) -> float:
        """The player says the words from `t` seconds on; when that ends."""
        take = int(self._rng.integers(3))
        voice = self._voices[player]
        if THROAT in words:
            gap = np.zeros(int(RATE * 0.25), np.float32)
            parts = [self._bank.say(voice, word, take + i) for i, word in enumerate(words)]
            spoken = np.concatenate([piece for part in parts for piece in (part, gap)][:-1])
        else:
            spoken = self._bank.say(voice, " ".join(words), take)
        sound = _convolved(spoken, self._echoes[player]) * (LOUD * self._far[player] * loudness)
        self._said.append((int(t * RATE), sound.astype(np.float32)))
        return t + spoken.size / RATE

    def block(self, t: float, count: int) -> NDArray[np.int16]:
        """`count` samples from `t` seconds on; earlier sounds are forgotten."""
        first = round(t * RATE)
        mixed = np.take(self._ground, np.arange(first, first + count), mode="wrap").astype(np.float64)
        for begin, sound in self._said:
            low, high = max(first, begin), min(first + count, begin + sound.size)
            if low < high:
                mixed[low - first : high - first] += sound[low - begin : high - begin]
        self._said = [one for one in self._said if one[0] + one[1].size > first]
        for ground, sounding in ((self._music, True), (self._talk, self._talking(t))):
            if ground is not None and sounding:
                mixed += np.take(ground, np.arange(first, first + count), mode="wrap")
        return np.clip(mixed, -32768, 32767).astype(np.int16)

    def _talking(self, t: float) -> bool:
        """People talk for six seconds, then less for a while."""
        return t % (6.0 + self._silent_talk) < 6.0

    def _babble(self) -> Sound:
        """Half a minute of somebody's sentences, peak 1."""
        parts: list[Sound] = []
        for index in self._rng.permutation(len(SENTENCES)):
            pause = np.zeros(int(RATE * self._rng.uniform(0.2, 1.2)), np.float32)
            parts += [self._bank.say(voice_of(self._rng), SENTENCES[int(index)], 0), pause]
        return _convolved(np.concatenate(parts), _echo(self._rng))


def _level(decibels: float) -> float:
    return float(10 ** (decibels / 20))


def _echo(rng: Rng) -> Sound:
    """The response of a small room, a quarter of a second."""
    response = warp.echo(rng)[: RATE // 4].astype(np.float32)
    response[1:] *= 0.3
    return np.asarray(response, np.float32)


def _convolved(sound: Sound, echo: Sound) -> Sound:
    size = warp.good_size(sound.size + echo.size)
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(echo, size), size)[: sound.size + echo.size]
    return np.asarray(wet / max(1e-6, float(np.abs(wet).max())), np.float32)


def _music(rng: Rng) -> Sound:
    """Eight bars of chords with a beat, peak 1."""
    roots = 110.0 * 2 ** (rng.choice([0, 3, 5, 7, 10], 8) / 12)
    bar = np.arange(RATE * 2) / RATE
    track = []
    for root in roots:
        chord = sum(np.sin(2 * np.pi * root * k * bar) / (1 + k) for k in (1, 1.25, 1.5, 2, 3))
        beat = np.exp(-((bar % 0.5) * 18)) * rng.normal(size=bar.size) * 0.6
        track.append(chord * (0.6 + 0.4 * np.exp(-(bar % 1.0) * 2)) + beat)
    whole = np.concatenate(track)
    return np.asarray(whole / np.abs(whole).max(), np.float32)
