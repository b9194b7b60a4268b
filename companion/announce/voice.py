"""Speech of announcements: which ones are spoken, in which words, at most two seconds long.

The text is the one on the pages. The speech synthesiser that renders it is a parameter. Rendered speech is
kept in memory, and phrases without parameters are read from a folder that the installation fills.
"""

from __future__ import annotations

import collections
import hashlib
import re
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.announce.announcement import Announcement
from companion.announce.codes import MEANINGS, Priority
from companion.announce.phrases import NUMBERS, Phrases
from companion.core.errors import Unreadable
from companion.core.sound import Sound

LONGEST_S = 2.0
"""Of speech that is longer, in seconds, only the first sentence is spoken, faster if necessary."""
FASTEST = 1.8
"""Largest factor by which a sentence that is too long is spoken faster."""
KEPT = 128
"""Rendered phrases that are kept in memory."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


Render = Callable[[str, float], Sound]
"""(text, speed) -> its speech; a speed of 1 is the configured one."""


class Voice:
    """Turns announcements into speech.

    Args:
        phrases: the language.
        render: the synthesiser. Its errors reach the caller.
        folder: holds speech that was rendered before (see `prepare`); None: there is no such folder.
    """

    def __init__(self, phrases: Phrases, render: Render, folder: Path | None = None) -> None:
        self._phrases = phrases
        self._render = render
        self._folder = folder
        self._kept: collections.OrderedDict[str, Sound] = collections.OrderedDict()

    def speech(self, announcement: Announcement) -> Sound | None:
        """The speech of an announcement; None for one that is not spoken."""
        if announcement.priority < Priority.NOTE:
            return None
        text = self._phrases.text(announcement.code, announcement.params)
        return self._spoken(text) if any(letter.isalnum() for letter in text) else None

    def prepare(self, folder: Path) -> int:
        """Renders every phrase that has no parameters into a folder; returns how many are there now.

        Raises:
            OSError: it cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        texts = list(self.fixed())
        for text in texts:
            save(self._short(text), folder / file_name(self._phrases.language, text))
        return len(texts)

    def fixed(self) -> Iterator[str]:
        """The texts that are the same in every game: the numbers and the phrases without parameters."""
        yield from (self._phrases.number(number) for number in range(len(NUMBERS)))
        for code, meaning in MEANINGS.items():
            if "{" not in meaning.text and meaning.priority >= Priority.NOTE:
                yield self._phrases.text(code, {})

    def _spoken(self, text: str) -> Sound:
        sound = self._kept.get(text) or self._prepared(text) or self._short(text)
        self._kept[text] = sound
        self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return sound

    def _prepared(self, text: str) -> Sound | None:
        if self._folder is None:
            return None
        path = self._folder / file_name(self._phrases.language, text)
        return load(path) if path.is_file() else None

    def _short(self, text: str) -> Sound:
        sound = self._render(text, 1.0)
        if sound.seconds <= LONGEST_S:
            return sound
        first = _SENTENCE.split(text)[0]
        sound = self._render(first, 1.0)
        if sound.seconds <= LONGEST_S:
            return sound
        return self._render(first, min(FASTEST, 1.15 * sound.seconds / LONGEST_S))


def file_name(language: str, text: str) -> str:
    """The file name of a phrase: its language and a hash of its words, so that a changed phrase is rendered
    again."""
    return f"{language}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.wav"


def save(sound: Sound, path: Path) -> None:
    """Writes speech as a WAV, whole or not at all."""
    part = path.with_suffix(".part")
    with wave.open(str(part), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(sound.samples)
    part.replace(path)


def load(path: Path) -> Sound:
    """Reads speech from a WAV of one channel and 16 bits.

    Raises:
        Unreadable: it is no such WAV.
    """
    try:
        with wave.open(str(path), "rb") as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 2):
                raise Unreadable("voice.wrong_format", path=path)
            return Sound(file.readframes(file.getnframes()), file.getframerate())
    except (wave.Error, EOFError, OSError) as error:
        raise Unreadable("voice.unreadable", path=path, error=str(error)) from error
