"""A player's own voice: a few examples of each call, which say what the model cannot know.

A model learns how people speak, not how this player does. Said by one and the same voice, two "five" are
closer to each other than a "five" and a "nine", so a handful of examples and dynamic time warping
(companion.speech.voices.dtw) judge apart from the model's own doubts; both together are a better judge than
either (fusion of log odds after N. Brümmer and J. du Preez, 2006). What the examples say is worth `SCALE`
log odds for each unit of distance, fitted on the four real speakers (`python -m bench.speech.taught --fit`),
and never more than `MOST`.

Kept are courses of spectra, no sound: nobody can be listened to from them. They lie in one file a player, on
this device only.
"""

from __future__ import annotations

import hashlib
import logging
import math
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unavailable, Unreadable, UsageError
from companion.core.message import Message, message
from companion.speech.voices import dtw
from companion.speech.voices.dtw import SoundFeatures

logger = logging.getLogger(__name__)

ROUNDS = 3
"""So often each word is said."""
SCALE = 16.0
"""Log odds for each unit of distance by which the nearest example of the right word is nearer."""
MOST = 3.0
"""The examples move the judge by at most so many log odds: it is the model that hears."""
STRANGE = 1.1
"""A sound farther than this from every example is another word, another voice, or noise: nothing is said."""
ENOUGH = 0.85
"""So many of the examples must be known again by the others, or the voice is not used."""

SecondOpinion = Callable[[Sequence[str], Sequence[NDArray[np.int16]]], float]
"""A second opinion on a call: the right words and the sound of each, to a shift of the log odds."""


class ProfileCheck(msgspec.Struct, frozen=True):
    """How well a voice's examples are known again, each by the others."""

    right: int
    of: int
    mixed_up: tuple[tuple[str, str], ...] = ()
    """What was said, and what it was taken for."""
    rare: tuple[str, ...] = ()
    """Words with fewer than two examples."""

    @property
    def helps(self) -> bool:
        """Whether the voice is to be used."""
        return not self.rare and self.of > 0 and self.right >= ENOUGH * self.of

    @property
    def message(self) -> Message:
        """What came of it and what to do."""
        if self.rare:
            return message("teaching.heard_once", word=self.rare[0])
        if self.helps:
            return message("teaching.helps", right=self.right, of=self.of)
        pairs = tuple(f"{said} / {taken}" for said, taken in dict.fromkeys(self.mixed_up))
        return message("teaching.too_few", right=self.right, of=self.of, pairs=pairs)


class VoiceProfile(msgspec.Struct, frozen=True):
    """A player and the examples of each word, by word."""

    player: str
    examples: Mapping[str, tuple[SoundFeatures, ...]]

    def check(self) -> ProfileCheck:
        """Takes each example away in turn and looks which word the nearest of the others is."""
        if len(self.examples) < 2:
            return ProfileCheck(0, 0)
        said: list[tuple[str, str]] = []
        for word, sounds in self.examples.items():
            for index, sound in enumerate(sounds):
                rest = {**self.examples, word: sounds[:index] + sounds[index + 1 :]}
                said.append((word, nearest(rest, sound)[0]))
        return ProfileCheck(
            sum(word == taken for word, taken in said),
            len(said),
            tuple((word, taken) for word, taken in said if word != taken),
            tuple(word for word, sounds in self.examples.items() if len(sounds) < 2),
        )

    def shift(self, word: str, samples: NDArray[np.int16], rate: int = 16000) -> float:
        """What the examples say to a piece of sound being `word`: log odds, within -MOST and MOST; 0 where
        the word was not taught or the sound is like none of the examples."""
        margin = self.margin(word, samples, rate)
        return 0.0 if margin is None else max(-MOST, min(MOST, SCALE * margin))

    def margin(self, word: str, samples: NDArray[np.int16], rate: int = 16000) -> float | None:
        """By how much the nearest example of `word` is nearer than that of any other; None: no telling."""
        if word not in self.examples or len(self.examples) < 2:
            return None
        sound = dtw.features(samples, rate)
        if sound is None:
            return None
        own = _away(self.examples[word], sound)
        other = min(_away(sounds, sound) for name, sounds in self.examples.items() if name != word)
        if min(own, other) > STRANGE:
            return None
        return max(-1.0, min(1.0, other - own))

    def second_opinion(self, rate: int = 16000) -> SecondOpinion:
        """As a second opinion for the judge: of a call with several words, what speaks most against it."""

        def opinion(words: Sequence[str], pieces: Sequence[NDArray[np.int16]]) -> float:
            found = [self.shift(word, piece, rate) for word, piece in zip(words, pieces, strict=True)]
            return min(found, default=0.0)

        return opinion


def nearest(examples: Mapping[str, Sequence[SoundFeatures]], sound: SoundFeatures) -> tuple[str, float]:
    """The word whose example is nearest, and how far it is; no word where all are far longer or shorter."""
    away = [(_away(sounds, sound), word) for word, sounds in examples.items()]
    far, word = min(away, default=(math.inf, ""))
    return ("", far) if math.isinf(far) else (word, far)


def learn(player: str, takes: Iterable[tuple[str, NDArray[np.int16]]], rate: int = 16000) -> VoiceProfile:
    """A voice from recordings of single words; those in which nothing is loud or long enough are left out.

    Raises:
        UsageError: the player has no name.
    """
    if not player.strip():
        raise UsageError("teaching.nameless")
    examples: dict[str, tuple[SoundFeatures, ...]] = {}
    for word, samples in takes:
        sound = dtw.features(samples, rate)
        if sound is not None:
            examples[word] = (*examples.get(word, ()), sound)
    return VoiceProfile(player.strip(), examples)


class VoiceProfiles:
    """The taught voices of one data folder, a file each.

    Args:
        folder: where they lie; it is made when the first one is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, voice: VoiceProfile) -> ProfileCheck:
        """Writes a voice in place of the player's former one, all of it or nothing.

        Raises:
            UsageError: it would not help; the former one stays.
            Unavailable: it cannot be written.
        """
        proof = voice.check()
        if not proof.helps:
            raise UsageError.of(proof.message)
        arrays = {"player": np.array(voice.player)}
        for word, sounds in voice.examples.items():
            for index, sound in enumerate(sounds):
                arrays[f"{word}~{index}"] = sound.frames
                arrays[f"{word}~{index}~s"] = np.array(sound.seconds)
        file = self._file(voice.player)
        part = file.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with part.open("wb") as out:
                np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
                out.flush()
                os.fsync(out.fileno())
            os.replace(part, file)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise Unavailable("teaching.cannot_write", player=voice.player, why=error.strerror) from error
        return proof

    def of(self, player: str) -> VoiceProfile | None:
        """The voice of a player; None if it was not taught.

        Raises:
            Unreadable: its file is broken.
        """
        file = self._file(player)
        return _read(file) if file.exists() else None

    def all_of(self, players: Iterable[str]) -> dict[str, VoiceProfile]:
        """The voices of these players, by name; who has none, or a broken file, is judged without."""
        kept = {}
        for player in players:
            try:
                voice = self.of(player)
            except Unreadable:
                logger.exception("the voice of %s is not used", player)
                continue
            if voice is not None:
                kept[player] = voice
        return kept

    def players(self) -> list[str]:
        """Who has taught a voice; broken files are left out."""
        names = []
        for file in sorted(self._folder.glob("*.npz")):
            try:
                names.append(_read(file).player)
            except Unreadable:
                continue
        return sorted(names)

    def forget(self, player: str) -> None:
        """Removes a voice for good.

        Raises:
            UsageError: there is none.
        """
        try:
            self._file(player).unlink()
        except FileNotFoundError as error:
            raise UsageError("teaching.unknown", player=player) from error

    def _file(self, player: str) -> Path:
        """Names may hold anything, file names may not."""
        return self._folder / f"{hashlib.sha256(player.strip().encode()).hexdigest()[:16]}.npz"


# --- inside -----------------------------------------------------------------------------------------------


def _away(sounds: Sequence[SoundFeatures], sound: SoundFeatures) -> float:
    return min((dtw.distance(one, sound) for one in sounds), default=math.inf)


def _read(file: Path) -> VoiceProfile:
    examples: dict[str, tuple[SoundFeatures, ...]] = {}
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as data:
            player = str(data["player"])
            for name in data.files:
                if name.count("~") == 1:
                    sound = SoundFeatures(data[name].astype(np.float32), float(data[f"{name}~s"]))
                    if sound.frames.ndim != 2 or sound.frames.shape[1] != dtw.CEPSTRA + 3:
                        raise ValueError("another kind of course")
                    word = name.partition("~")[0]
                    examples[word] = (*examples.get(word, ()), sound)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise Unreadable("teaching.unreadable", file=file.name) from error
    return VoiceProfile(player, examples)
