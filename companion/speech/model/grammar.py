"""Grammars: the list of words among which the recogniser decides.

A grammar holds the wanted words and competing words: the other words of the model, other speech, coughs and
laughter. Competing words are recognised and not reported. Without them every noise would be recognised as a
number, and every "nine" as a "five".
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable
from importlib import resources

import msgspec

from companion.core.errors import Unavailable, UsageError

MAX_CLOSED_VOCABULARY = 200
"""A model with more words than this is a dictation model: not all of its words can compete."""

WANTED_WEIGHT = 100
"""A wanted word is this many times as likely, before any sound, as a number that is not wanted. Four held-out
speakers (N = 156 and 68), share of unwanted numbers that are recognised as calls, and share of calls that are
lost: 78 and 3 % without competing words, 6 and 11 % with a weight of 1, 7 and 6 % with 30, 10 and 4 % with
300; with 300 it takes 6 ms to make a recogniser instead of 2 ms."""


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language, spelt as in the word list of its model (companion/speech/languages)."""

    title: str
    """The name of the language in that language."""
    numbers: tuple[str, ...]
    """The words for 0, 1, 2 and so on."""
    commands: tuple[str, ...]
    """The words for stop and start."""
    throat: str
    """Stands for the throat sound of The Nasty 7."""
    unknown: str
    """Stands for other speech."""
    noises: tuple[str, ...]
    """Stand for coughs and laughter."""
    proven: bool = False
    """Whether the shipped model is measured to lead to few wrong accusations (docs/lab/speech/verdict.md)."""

    @property
    def unreported(self) -> frozenset[str]:
        """Words that stand for other speech and noises. They are never reported."""
        return frozenset((self.unknown, *self.noises))

    def calls(self, low: int = 1, high: int = 7) -> tuple[str, ...]:
        """The calls of The Nasty 7: the numbers `low` to `high` and the throat sound."""
        return (*self.numbers[low : high + 1], self.throat)

    def countdown(self) -> tuple[str, ...]:
        """The words of the countdown of Bugs & Co: the numbers 1 to 10 and the word for stop."""
        return (*self.numbers[1:11], self.commands[0])


def language(name: str = "en") -> Language:
    """The words of a language, read from companion/speech/languages/<name>.toml.

    Raises:
        Unavailable: there is no such language.
    """
    file = resources.files("companion.speech") / "languages" / f"{name}.toml"
    if not file.is_file():
        raise Unavailable("speech.no_language", name=name)
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Language)


def with_competing_words(wanted: Iterable[str], known: frozenset[str], lang: Language) -> tuple[str, ...]:
    """The whole vocabulary to listen for: the wanted words, each once and in lower case, then the competing
    words in alphabetical order.

    Args:
        known: the vocabulary of the model.
        lang: of the model.

    Raises:
        UsageError: no word is wanted, or the model does not know one of them.
    """
    words = tuple(dict.fromkeys(word.strip().lower() for word in wanted if word.strip()))
    if not words:
        raise UsageError("speech.no_words")
    unknown = [word for word in words if word not in known]
    if unknown:
        names = ", ".join(sorted(known - lang.unreported))
        raise UsageError("speech.unknown_word", word=unknown[0], known=names)
    return (*words, *sorted(competing_words(words, known, lang)))


def competing_words(
    wanted: Iterable[str], known: frozenset[str], lang: Language | None = None
) -> frozenset[str]:
    """The words to listen for that are not reported.

    These are all other words of a model with at most MAX_CLOSED_VOCABULARY words. A dictation model knows
    tens of thousands: of those, the other numbers and commands of the language (`lang`, default English),
    other speech and noises.
    """
    rest = known - {word.strip().lower() for word in wanted}
    if len(known) <= MAX_CLOSED_VOCABULARY:
        return rest
    lang = lang or language()
    return rest & {*lang.numbers, *lang.commands, lang.throat, lang.unknown, *lang.noises}


def languages() -> tuple[str, ...]:
    """The names of all languages in companion/speech/languages, in alphabetical order."""
    files = (resources.files("companion.speech") / "languages").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def unproven_languages() -> frozenset[str]:
    """Languages whose shipped model is not measured to be good enough to accuse anybody."""
    return frozenset(name for name in languages() if not language(name).proven)


@functools.cache
def _digits() -> frozenset[str]:
    """Zero to nine in every language."""
    return frozenset(word for name in languages() for word in language(name).numbers[:10])


def weighted_phrases(words: Iterable[str], unreported: frozenset[str]) -> list[str]:
    """The phrases of a grammar, each as often as its weight: Vosk counts how often a phrase is listed.

    Wanted words, other speech and noises have the weight WANTED_WEIGHT, competing numbers below ten the
    weight 1. Other competing words ("ten", "stop") are left out: they replaced more right words than wrong
    ones.

    Args:
        words: the whole vocabulary.
        unreported: the competing words in it.
    """
    listed = list(words)
    likely = [word for word in listed if word not in unreported or word.startswith("[")]
    digits = _digits()
    return likely * WANTED_WEIGHT + [word for word in listed if word in unreported and word in digits]


def vosk_grammar(words: Iterable[str], unreported: frozenset[str]) -> str:
    """`weighted_phrases` as JSON for Vosk, without escapes (`fünf` stays `fünf`): Vosk decodes none."""
    return json.dumps(weighted_phrases(words, unreported), ensure_ascii=False)
