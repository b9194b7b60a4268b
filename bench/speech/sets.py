"""The recordings on which speech is measured: real digits alone, in room noise, in babble and in pairs.

Everything is drawn with a fixed seed from the Free Spoken Digit Dataset, the room noises beside it,
synthetic voices that no training has used, and real voices from Debian's packages that none has used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.speech.audio.wav import RATE, read_wav
from models.speech.train import prompts, voices
from models.speech.train.corpus import HELD_ROOMS
from models.speech.train.packages import PackageMissing
from models.speech.train.words import NUMBERS, TEST_WORDS

Sound = NDArray[np.float32]
SPEAKERS = tuple(HELD_ROOMS)
TALKERS = ("asterisk-it", "paola", "asterisk-ru", "tuberling-ru")
"""Real voices with other speech: Italian and Russian ones, which are not used in training."""
NAMERS = ("tuberling-en", "letters-en-gb")
"""Real voices with single English words and letters, which are not used in training."""


@dataclass(frozen=True)
class RealVoices:
    """Talk of `TALKERS` in pieces, and the words of `NAMERS`."""

    talk: list[Sound]
    words: list[Sound]


@dataclass(frozen=True)
class Item:
    """One recording and what is said in it."""

    sound: Sound
    said: tuple[str, ...]
    start: float = 0.0
    """Where the first word begins, in s."""
    end: float = 0.0


def digits(shared: Path, speaker: str, which: range) -> list[Item]:
    """The speaker's clips of the digits in `which`, as they were cut."""
    found = []
    for digit in which:
        for file in sorted((shared / "speech/fsdd").glob(f"{digit}_{speaker}_*.wav")):
            found.append(Item(read_wav(file).astype(np.float32) / 32768.0, (NUMBERS[digit],)))
    return found


def other_words(folder: Path) -> list[Sound]:
    """Ordinary English words by voices and of words that no training has met; kept in `folder`."""
    kept = folder / "other-words.npz"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(99)
        cast = voices.espeak_voices(rng, 12, list(voices.TEST_VARIANTS))
        cast += voices.flite_voices(rng, 8) + voices.festival_voices(rng, 3)
        jobs = [(cast[i % len(cast)], word) for i, word in enumerate(TEST_WORDS * 2)]
        said = [sound for sound in voices.speak_all(jobs, rng) if sound.size > RATE // 10]
        np.savez(kept, sound=np.concatenate(said), ends=np.cumsum([s.size for s in said]))
    with np.load(kept) as data:
        return [s / np.abs(s).max() * 0.5 for s in np.split(data["sound"], data["ends"][:-1])]


def real_voices(folder: Path) -> RealVoices:
    """The reserved real voices; fetched with apt into `folder` and kept there. Raises PackageMissing."""
    kept = folder / "real-voices.npz"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        by_name = {source.speaker: source for source in prompts.SOURCES}
        chosen = tuple(by_name[name] for name in TALKERS)
        talk = [piece.sound for piece in prompts.everything(folder, chosen) if not piece.word.isdigit()]
        words = [sound for name in NAMERS for sound in prompts.whole(by_name[name], folder)]
        ends = [np.cumsum([s.size for s in sounds]) for sounds in (talk, words)]
        np.savez(kept, talk=np.concatenate(talk), words=np.concatenate(words), t=ends[0], w=ends[1])
    with np.load(kept) as data:
        talk = np.split(data["talk"], data["t"][:-1])
        words = np.split(data["words"], data["w"][:-1])
    return RealVoices(*([s / np.abs(s).max() * 0.5 for s in sounds] for sounds in (talk, words)))


def real_voices_if_any(folder: Path) -> RealVoices | None:
    """As `real_voices`; where the packages cannot be fetched, that is said and their rows are left out."""
    try:
        return real_voices(folder)
    except PackageMissing as missing:
        print(f"without the rows of real voices: {missing}")
        return None


def real_conditions(
    shared: Path, speaker: str, real: RealVoices, every: int
) -> Iterator[tuple[str, list[Item]]]:
    """As `conditions`, with people who were recorded: talking round the table, and saying other words."""
    rng = np.random.default_rng(6)
    talk = babble(real.talk, rng)
    single = [Item(spaced(c.sound), c.said) for c in digits(shared, speaker, range(1, 8))[::every]]
    noisy = [Item(with_noise(i.sound, talk, 10, rng), i.said) for i in single]
    yield "babble of real voices, 10 dB", noisy
    yield "ordinary words by real voices: nothing", [Item(spaced(s), ()) for s in real.words[::every]]


def babble(words: list[Sound], rng: np.random.Generator, seconds: int = 60) -> Sound:
    """Five people talking at once."""
    total = np.zeros(RATE * seconds, np.float32)
    for _ in range(5):
        at = 0
        while at < total.size:
            sound = words[rng.integers(len(words))]
            piece = sound[: total.size - at]
            total[at : at + piece.size] += piece
            at += sound.size + int(rng.uniform(0, 0.2) * RATE)
    return total


def rooms(shared: Path, speaker: str) -> Sound:
    """The room noises that are held out together with this speaker."""
    files = [shared / "speech/noises" / f"{name}.wav" for name in HELD_ROOMS[speaker]]
    return np.concatenate([read_wav(file).astype(np.float32) / 32768.0 for file in files])


def spaced(sound: Sound, before: float = 0.5, behind: float = 0.7) -> Sound:
    """With silence on both sides."""
    ends = (np.zeros(int(RATE * before), np.float32), np.zeros(int(RATE * behind), np.float32))
    return np.concatenate([ends[0], sound, ends[1]])


def with_noise(sound: Sound, noise: Sound, decibels: float, rng: np.random.Generator) -> Sound:
    """Noise at so many dB below the loud part of the voice (above a tenth of its peak)."""
    start = int(rng.integers(noise.size - sound.size))
    piece = noise[start : start + sound.size]
    loud = sound[np.abs(sound) > 0.1 * np.abs(sound).max()]
    gain = np.sqrt((loud**2).mean() / ((piece**2).mean() + 1e-12) * 10 ** (-decibels / 10))
    return (sound + piece * gain).astype(np.float32)


def conditions(
    shared: Path, speaker: str, words: list[Sound], every: int
) -> Iterator[tuple[str, list[Item]]]:
    """Name and items of each condition; every `every`-th clip is used."""
    rng = np.random.default_rng(5)
    clips = digits(shared, speaker, range(1, 8))[::every]
    talk, room = babble(words, rng), rooms(shared, speaker)
    single = [Item(spaced(c.sound), c.said) for c in clips]
    yield "clean", single
    yield "room 20 dB", [Item(with_noise(i.sound, room, 20, rng), i.said) for i in single]
    yield "babble 10 dB", [Item(with_noise(i.sound, talk, 10, rng), i.said) for i in single]
    pairs = []
    for _ in range(200 // every):
        a, b = (clips[int(rng.integers(len(clips)))] for _ in range(2))
        pairs.append(Item(spaced(np.concatenate([a.sound, b.sound])), a.said + b.said))
    yield "pairs, no gap", pairs
    yield "pairs, babble 10 dB", [Item(with_noise(i.sound, talk, 10, rng), i.said) for i in pairs]
    strange = digits(shared, speaker, range(1)) + digits(shared, speaker, range(8, 10))
    yield "zero, eight, nine: nothing", [Item(spaced(c.sound), ()) for c in strange[::every]]
    yield "ordinary words: nothing", [Item(spaced(sound), ()) for sound in words[::every]]


def track(
    clips: list[Item], rng: np.random.Generator, count: int, noise: Sound | None, decibels: float
) -> tuple[Sound, list[Item]]:
    """`count` clips with pauses of 0.6 to 2.5 s as one recording, and where each begins and ends.

    A clip begins and ends where it exceeds 6 % of its peak.
    """
    parts: list[Sound] = []
    truth: list[Item] = []
    at = 0
    for index in rng.integers(len(clips), size=count):
        clip = clips[int(index)]
        pause = np.zeros(int(rng.uniform(0.6, 2.5) * RATE), np.float32)
        loud = np.flatnonzero(np.abs(clip.sound) > 0.06 * np.abs(clip.sound).max())
        at += pause.size
        truth.append(Item(clip.sound, clip.said, (at + loud[0]) / RATE, (at + loud[-1]) / RATE))
        parts += [pause, clip.sound]
        at += clip.sound.size
    sound = np.concatenate([*parts, np.zeros(RATE, np.float32)])
    return (sound if noise is None else with_noise(sound, noise, decibels, rng)), truth
