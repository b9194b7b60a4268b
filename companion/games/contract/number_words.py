"""Number words from zero to ten and the word that ends a countdown, in the languages a table may count in.

A word is compared without regard to case and to how its accents are encoded. Digits are understood in every
language, whatever a recogniser prefers to write.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

Language = Literal["en", "de", "fr"]

_SPOKEN: dict[str, tuple[str, ...]] = {
    "en": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "de": ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    "fr": ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
}
_STOP = {"en": "stop", "de": "stopp", "fr": "stop"}


def plain(word: str) -> str:
    """The word in the form that is compared: without case and outer spaces, accents in one encoding."""
    return unicodedata.normalize("NFC", word).casefold().strip()


_VALUES = {
    language: {plain(word): value for value, word in enumerate(spoken)}
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
    return _SPOKEN[language][value]


def is_stop(word: str, language: str) -> bool:
    """Whether the word ends a countdown."""
    return plain(word) == _STOP[language]


def stop_word(language: str) -> str:
    """The word that ends a countdown."""
    return _STOP[language]
