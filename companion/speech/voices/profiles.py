"""Voice profiles: a few recorded examples of each word by one player, and what they add to the verdict.

The speech model is trained on other people. Two "five" by one voice are closer to each other than a "five"
and a "nine" by that voice, so the distance to a player's examples (companion.speech.voices.dtw) is evidence
that the model does not have. It is added to the log odds (fusion of log odds after N. Brümmer and J. du
Preez, "Application-independent evaluation of speaker detection", 2006): LOG_ODDS_PER_DISTANCE for each unit
of distance, fitted on the four real speakers (`python -m bench.speech.taught --fit`), MAX_SHIFT at most.

A profile holds feature frames, not sound: speech cannot be played back from it. Each player has one file, on
this device only.
"""

from __future__ import annotations

import hashlib
import io
import logging
import math
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unavailable, Unreadable, UsageError
from companion.core.message import Message, message
from companion.core.replace_file import replace_file
from companion.speech.voices import dtw
from companion.speech.voices.dtw import SoundFeatures

logger = logging.getLogger(__name__)

EXAMPLES_PER_WORD = 3
"""So many examples of each word are recorded."""
LOG_ODDS_PER_DISTANCE = 16.0
"""Log odds for each unit of distance by which the nearest example of the right word is nearer than the
nearest of any other word."""
MAX_SHIFT = 3.0
"""The examples change the log odds by at most this: the model counts more."""
MAX_DISTANCE = 1.1
"""A sound farther than this from every example is another word, another voice or noise: it is not used."""
MIN_SHARE_RECOGNISED = 0.85
"""A profile is used if at least this share of its examples is recognised by its other examples."""

SecondOpinion = Callable[[Sequence[str], Sequence[NDArray[np.int16]]], float]
"""From the right words and the sound of each (int16) to what is added to the log odds of the call."""


class ProfileCheck(msgspec.Struct, frozen=True):
    """How many examples of a profile are recognised by its other examples."""

    right: int
    """So many examples are recognised,"""
    of: int
    """of so many."""
    mixed_up: tuple[tuple[str, str], ...] = ()
    """Word of each example that was not recognised, and the word it was taken for."""
    rare: tuple[str, ...] = ()
    """Words with fewer than two examples."""

    @property
    def helps(self) -> bool:
        """Whether the profile is good enough to be used."""
        return not self.rare and self.of > 0 and self.right >= MIN_SHARE_RECOGNISED * self.of

    @property
    def message(self) -> Message:
        """The result, and what the player can do."""
        if self.rare:
            return message("teaching.heard_once", word=self.rare[0])
        if self.helps:
            return message("teaching.helps", right=self.right, of=self.of)
        pairs = tuple(f"{said} / {taken}" for said, taken in dict.fromkeys(self.mixed_up))
        return message("teaching.too_few", right=self.right, of=self.of, pairs=pairs)


class VoiceProfile(msgspec.Struct, frozen=True):
    """The examples of one player.

    Attributes:
        examples: by word.
    """

    player: str
    examples: Mapping[str, tuple[SoundFeatures, ...]]

    def check(self) -> ProfileCheck:
        """Leave-one-out test: compares each example with all others."""
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
        """Log odds, within +-MAX_SHIFT, that a piece of sound is `word`.

        0 if the profile has no examples of the word, or the sound is like none of the examples.
        """
        margin = self.margin(word, samples, rate)
        return 0.0 if margin is None else max(-MAX_SHIFT, min(MAX_SHIFT, LOG_ODDS_PER_DISTANCE * margin))

    def margin(self, word: str, samples: NDArray[np.int16], rate: int = 16000) -> float | None:
        """By how much the nearest example of `word` is nearer than that of any other word, within +-1.

        None if the profile has no examples of the word or of another one, or the sound is like none of them.
        """
        if word not in self.examples or len(self.examples) < 2:
            return None
        sound = dtw.features(samples, rate)
        if sound is None:
            return None
        own = _distance(self.examples[word], sound)
        other = min(_distance(sounds, sound) for name, sounds in self.examples.items() if name != word)
        if min(own, other) > MAX_DISTANCE:
            return None
        return max(-1.0, min(1.0, other - own))

    def second_opinion(self, rate: int = 16000) -> SecondOpinion:
        """For verdict.score_call: the lowest shift of the words of a call."""

        def opinion(words: Sequence[str], pieces: Sequence[NDArray[np.int16]]) -> float:
            found = [self.shift(word, piece, rate) for word, piece in zip(words, pieces, strict=True)]
            return min(found, default=0.0)

        return opinion


def nearest(examples: Mapping[str, Sequence[SoundFeatures]], sound: SoundFeatures) -> tuple[str, float]:
    """The word of the nearest example, and its distance; "" and infinity if all lengths differ too much."""
    distances = [(_distance(sounds, sound), word) for word, sounds in examples.items()]
    distance, word = min(distances, default=(math.inf, ""))
    return ("", distance) if math.isinf(distance) else (word, distance)


def learn(player: str, takes: Iterable[tuple[str, NDArray[np.int16]]], rate: int = 16000) -> VoiceProfile:
    """Makes a profile of recordings of single words (int16); recordings without a usable sound are left out.

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
    """The voice profiles of one data folder, one file a player.

    Args:
        folder: is made when the first profile is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, voice: VoiceProfile) -> ProfileCheck:
        """Writes a profile in place of the player's former one, completely or not at all.

        Raises:
            UsageError: it is not good enough to be used; the former one stays.
            Unavailable: the file cannot be written.
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
        packed = io.BytesIO()
        np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(file, packed.getvalue())
        except OSError as error:
            raise Unavailable("teaching.cannot_write", player=voice.player, why=error.strerror) from error
        return proof

    def of(self, player: str) -> VoiceProfile | None:
        """The profile of a player; None if there is none.

        Raises:
            Unreadable: its file is damaged.
        """
        file = self._file(player)
        return _read(file) if file.exists() else None

    def all_of(self, players: Iterable[str]) -> dict[str, VoiceProfile]:
        """The profiles of some players, by name, without those that have none or a damaged file."""
        kept = {}
        for player in players:
            try:
                voice = self.of(player)
            except Unreadable:
                logger.exception("the voice profile of %s is not used", player)
                continue
            if voice is not None:
                kept[player] = voice
        return kept

    def players(self) -> list[str]:
        """The names of all players with a profile, in alphabetical order; damaged files are left out."""
        names = []
        for file in sorted(self._folder.glob("*.npz")):
            try:
                names.append(_read(file).player)
            except Unreadable:
                continue
        return sorted(names)

    def forget(self, player: str) -> None:
        """Deletes a profile.

        Raises:
            UsageError: the player has no trained voice.
        """
        try:
            self._file(player).unlink()
        except FileNotFoundError as error:
            raise UsageError("teaching.unknown", player=player) from error

    def _file(self, player: str) -> Path:
        """Named by a hash: a player's name may hold characters that a file name may not."""
        return self._folder / f"{hashlib.sha256(player.strip().encode()).hexdigest()[:16]}.npz"


# --- inside -----------------------------------------------------------------------------------------------


def _distance(sounds: Sequence[SoundFeatures], sound: SoundFeatures) -> float:
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
                        raise ValueError("feature frames of another shape")
                    word = name.partition("~")[0]
                    examples[word] = (*examples.get(word, ()), sound)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise Unreadable("teaching.unreadable", file=file.name) from error
    return VoiceProfile(player, examples)
