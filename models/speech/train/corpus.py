"""The training corpus as single clips: real digits, synthetic words, talk, throat sounds, coughs,
laughter."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.speech.audio.wav import read_wav
from models.speech.train import prompts as prompt_sources
from models.speech.train import sounds, voices
from models.speech.train.words import (
    COUGH,
    FOREIGN,
    LAUGHTER,
    NEAR_WORDS,
    NUMBERS,
    OTHER_WORDS,
    SAYABLE,
    TABLE_TALK,
    THROAT,
    UNKNOWN,
    WORDS,
)  # fmt: skip

RATE = voices.RATE
HUMANS = ("george", "lucas", "nicolas", "yweweler")
HELD_ROOMS = {
    "george": ("dude_miaowing", "exercise_bike"),
    "lucas": ("dude_miaowing", "exercise_bike"),
    "nicolas": ("doing_the_dishes", "running_tap"),
    "yweweler": ("doing_the_dishes", "running_tap"),
}
"""The room noises that are held out together with each speaker."""
THROAT_SPELLINGS = ("[[h@m@r]]", "[[hm@3:]]", "[[h@mR]]", "[[x@m]]", "[[hVmr-]]", "[[@hm]]")
"""espeak-ng phonemes similar to "hmmrrr"."""
REAL = "real:"
"""Prefix of the names of speakers from Debian's packages (models/speech/train/prompts.py)."""


@dataclass
class AudioClip:
    """One recording of one word or of other speech.

    Attributes:
        sound: float32 within +-1 at 16 kHz.
        bounds: start of each of the word's states and end of the last one, in seconds; set by the alignment.
    """

    sound: np.ndarray
    word: str
    speaker: str
    bounds: np.ndarray = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def human(self) -> bool:
        return is_human(self.speaker)


def is_human(speaker: str) -> bool:
    """Whether the speaker is a real one."""
    return speaker in HUMANS or speaker.startswith(REAL)


def human_digits(folder: Path) -> list[AudioClip]:
    """The Free Spoken Digit Dataset: `{digit}_{speaker}_{take}.wav`, 8 kHz."""
    files = sorted((folder / "fsdd").glob("*.wav"))
    if not files:
        raise SystemExit(
            f"no recordings in {folder / 'fsdd'}: hand in the folder that holds fsdd/ and noises/"
        )
    clips = []
    for file in files:
        digit, speaker, _ = file.stem.split("_")
        clips.append(AudioClip(read_wav(file).astype(np.float32) / 32768.0, NUMBERS[int(digit)], speaker))
    return clips


def noises(folder: Path) -> dict[str, np.ndarray]:
    """Room noises by name, float32 at 16 kHz."""
    found = sorted((folder / "noises").glob("*.wav"))
    return {file.stem: read_wav(file).astype(np.float32) / 32768.0 for file in found}


def synthetic(rng: np.random.Generator, scale: float = 1.0) -> list[AudioClip]:
    """Every known word by many voices; as `[unk]` ordinary words, words similar to the known ones, sentences,
    and words of other languages.

    Args:
        scale: factor of the number of voices.
    """
    variants = [v for v in voices.VARIANTS if v not in voices.TEST_VARIANTS]
    cast = voices.espeak_voices(rng, int(150 * scale), [str(v) for v in rng.permutation(variants)])
    cast += voices.flite_voices(rng, int(60 * scale))
    cast += voices.festival_voices(rng, int(24 * scale))
    jobs: list[tuple[voices.SynthVoice, str]] = []
    labels: list[str] = []
    for voice in cast:
        for word in WORDS:
            jobs += [(voice, SAYABLE[word])] * 2
            labels += [word] * 2
        others = _strings(rng, OTHER_WORDS, 24) + _strings(rng, NEAR_WORDS, 16) + _strings(rng, TABLE_TALK, 2)
        others += [" ".join(_strings(rng, OTHER_WORDS, int(rng.integers(3, 7)))) for _ in range(3)]
        jobs += [(voice, text) for text in others]
        labels += [UNKNOWN] * len(others)
    for voice in voices.foreign_voices(rng, list(FOREIGN), max(1, int(6 * scale))):
        words = FOREIGN[voice.name.split("+")[0]].split()
        jobs += [(voice, text) for text in _strings(rng, words, 14)]
        labels += [UNKNOWN] * 14
    return _said(jobs, labels, rng)


def _strings(rng: np.random.Generator, words: tuple[str, ...] | list[str], count: int) -> list[str]:
    return [str(word) for word in rng.choice(words, count, replace=False)]


def _said(
    jobs: list[tuple[voices.SynthVoice, str]], labels: list[str], rng: np.random.Generator
) -> list[AudioClip]:
    said = voices.speak_all(jobs, rng)
    return [
        AudioClip(sound, word, voice.speaker)
        for sound, word, (voice, _) in zip(said, labels, jobs, strict=True)
        if sound.size > RATE // 10
    ]


def drawn_sounds(rng: np.random.Generator, count: int) -> list[AudioClip]:
    """Throat sounds (three in four from `sounds`, the others from espeak-ng), coughs and laughter."""
    clips = [AudioClip(sounds.throat(rng), THROAT, f"throat{i}") for i in range(count)]
    clips += [AudioClip(sounds.cough(rng), COUGH, f"cough{i}") for i in range(count // 2)]
    clips += [AudioClip(sounds.laughter(rng), LAUGHTER, f"laughter{i}") for i in range(count // 2)]
    variants = [
        "croak",
        "klatt",
        "klatt2",
        "klatt3",
        "m1",
        "m3",
        "f1",
        "Gene",
        "max",
        "grandpa",
        "steph",
        "Hugo",
    ]
    cast = voices.espeak_voices(rng, count // 3, variants)
    spelt = [(voice, str(rng.choice(THROAT_SPELLINGS))) for voice in cast]
    clips += [
        AudioClip(sound, THROAT, voice.speaker)
        for sound, (voice, _) in zip(voices.speak_all(spelt, rng), spelt, strict=True)
        if sound.size > RATE // 10
    ]
    return clips


def prompts(work: Path, language: str = "en", reserved: bool = False) -> list[AudioClip]:
    """The real voices of Debian's packages: numbers in `language`, other speech in any, laughter and coughs.

    Numbers of other languages are left out: many sound like English ones. The result is cached in `work`.

    Args:
        reserved: those for measuring; else those for training.
    """
    kept = work / f"prompts-{language}{'-reserved' if reserved else ''}.npz"
    if not kept.exists():
        work.mkdir(parents=True, exist_ok=True)
        chosen = tuple(s for s in prompt_sources.SOURCES if prompt_sources.reserved(s) == reserved)
        clips = []
        for piece in prompt_sources.everything(work, chosen):
            word = piece.word
            if word.isdigit():
                if piece.source.language != language:
                    continue
                word = NUMBERS[int(word)]
            clips.append(AudioClip(piece.sound, word, REAL + piece.source.speaker))
        save(kept, clips)
    return load(kept)


def backgrounds(folder: Path, work: Path) -> dict[str, np.ndarray]:
    """Background noises by name: those of `folder`, and crowds, traffic, machines and music from Debian."""
    kept = work / "backgrounds.npz"
    if not kept.exists():
        work.mkdir(parents=True, exist_ok=True)
        np.savez(kept, **{name: as_int16(sound) for name, sound in prompt_sources.rooms(work).items()})
    with np.load(kept) as data:
        found = {name: data[name].astype(np.float32) / 32768.0 for name in data.files}
    return noises(folder) | found


def as_int16(sound: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(sound * 32768.0), -32768, 32767).astype(np.int16)


def save(path: Path, clips: list[AudioClip]) -> None:
    """Writes the clips to one file, so that they need not be synthesised again."""
    np.savez(
        path,
        sound=as_int16(np.concatenate([clip.sound for clip in clips])),
        ends=np.cumsum([clip.sound.size for clip in clips]),
        word=[clip.word for clip in clips],
        speaker=[clip.speaker for clip in clips],
    )


def load(path: Path) -> list[AudioClip]:
    """The clips that `save` wrote."""
    with np.load(path) as data:
        sound = data["sound"]
        if sound.dtype == np.int16:
            sound = sound.astype(np.float32) / 32768.0
        pieces = np.split(sound, data["ends"][:-1])
        return [
            AudioClip(sound, str(word), str(speaker))
            for sound, word, speaker in zip(pieces, data["word"], data["speaker"], strict=True)
        ]
