"""Number words from zero to ten and the word that ends a countdown, in the languages a table may count in.

Each language has a file `companion/games/number_words/<language>.toml`. The languages are found by looking
into that folder once, when the module is imported. A word is compared without regard to case and to how its
accents are encoded. Digits are understood in every language, whatever a recogniser prefers to write.
"""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from companion.core.languages import english_first


class NumberWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language."""

    numbers: tuple[str, str, str, str, str, str, str, str, str, str, str]
    """The words for 0 to 10."""
    stop: str
    """The word that ends a countdown."""


FOLDER = Path(__file__).parent.parent / "number_words"


def _read(language: str) -> NumberWords:
    text = (FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), NumberWords)


LANGUAGES = english_first(path.stem for path in FOLDER.glob("*.toml"))
"""The languages in which players may count."""
if TYPE_CHECKING:
    CountingLanguage: TypeAlias = str
else:
    CountingLanguage = Literal[LANGUAGES]

_SPOKEN = {language: _read(language) for language in LANGUAGES}


def plain(word: str) -> str:
    """The word in the form that is compared: without case and outer spaces, accents in one encoding."""
    return unicodedata.normalize("NFC", word).casefold().strip()


_VALUES = {
    language: {plain(word): value for value, word in enumerate(spoken.numbers)}
    for language, spoken in _SPOKEN.items()
}


def number(word: str, language: str) -> int | None:
    """The number that a word means in a language, None if it is not a number word. Digits mean their
    value."""
    token = plain(word)
    if token.isascii() and token.isdigit() and len(token) < 10:
        return int(token)
    return _VALUES[language].get(token)


def number_word(value: int, language: str) -> str:
    """The word for a number from 0 to 10."""
    return _SPOKEN[language].numbers[value]


def spoken_numbers() -> dict[str, tuple[str, ...]]:
    """Language -> the words for 0 to 10."""
    return {language: spoken.numbers for language, spoken in _SPOKEN.items()}


def is_stop(word: str, language: str) -> bool:
    """Whether the word ends a countdown."""
    return plain(word) == _SPOKEN[language].stop


def stop_word(language: str) -> str:
    """The word that ends a countdown."""
    return _SPOKEN[language].stop
