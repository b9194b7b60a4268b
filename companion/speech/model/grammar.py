"""From what a game expects to what the recogniser listens for.

A grammar always holds the rivals of the wanted words too: the other words that the model knows, other speech,
coughs and laughter. A closed grammar turns every noise into a number, and every "nine" into a "five".
"""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Iterable
from importlib import resources

import msgspec

from companion.core.errors import Unavailable, UsageError

MOST_RIVALS = 200
"""A model that knows more words is one for dictation."""

UNLIKELY = 100
"""How much less likely a number is that nobody asked for. Four held-out speakers, N = 156 and 68: without
rivals 78 % of such numbers are taken for calls and 3 % of the calls are lost; with equal rivals 6 and 11 %;
with 30, 7 and 6 %; with 300, 10 and 4 %, but a recogniser takes 6 ms to make instead of 2."""


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language as its model writes them."""

    title: str
    numbers: tuple[str, ...]
    """The words for 0, 1, 2 and so on."""
    commands: tuple[str, ...]
    throat: str
    unknown: str
    noises: tuple[str, ...]
    proven: bool = False
    """Whether few players are accused wrongly by the shipped model (docs/lab/speech/verdict.md)."""

    @property
    def unreported(self) -> frozenset[str]:
        """Words that stand for what nobody asked for."""
        return frozenset((self.unknown, *self.noises))

    def calls(self, low: int = 1, high: int = 7) -> tuple[str, ...]:
        """The calls of The Nasty 7: the numbers `low` to `high` and the throat sound."""
        return (*self.numbers[low : high + 1], self.throat)


def language(name: str = "en") -> Language:
    """The language `name` as companion/speech/languages/<name>.toml has it.

    Raises:
        Unavailable: there is no such language.
    """
    file = resources.files("companion.speech") / "languages" / f"{name}.toml"
    if not file.is_file():
        raise Unavailable("speech.no_language", name=name)
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Language)


def listening_words(wanted: Iterable[str], known: frozenset[str], lang: Language) -> tuple[str, ...]:
    """The wanted words, each once and in lower case, and the rivals that the model knows.

    Raises:
        UsageError: none is wanted, or the model does not know one of them.
    """
    asked = tuple(dict.fromkeys(word.strip().lower() for word in wanted if word.strip()))
    if not asked:
        raise UsageError("speech.no_words")
    strange = [word for word in asked if word not in known]
    if strange:
        names = ", ".join(sorted(known - lang.unreported))
        raise UsageError("speech.unknown_word", word=strange[0], known=names)
    return (*asked, *sorted(unasked(asked, known, lang)))


def unasked(wanted: Iterable[str], known: frozenset[str], lang: Language | None = None) -> frozenset[str]:
    """The rivals: what is listened for only to be left out of what is reported.

    All other words of a model of ours; of a dictation model, which knows tens of thousands, the other numbers
    and commands of the language (English if none is given), other speech and noises.
    """
    rest = known - {word.strip().lower() for word in wanted}
    if len(known) <= MOST_RIVALS:
        return rest
    lang = lang or language()
    return rest & {*lang.numbers, *lang.commands, lang.throat, lang.unknown, *lang.noises}


def languages() -> tuple[str, ...]:
    """The names of all languages that there are words of, in order."""
    files = (resources.files("companion.speech") / "languages").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@functools.cache
def _digits() -> frozenset[str]:
    """Zero to nine in every language."""
    return frozenset(word for name in languages() for word in language(name).numbers[:10])


def weighted(words: Iterable[str], unreported: frozenset[str]) -> list[str]:
    """A grammar for Vosk in which a number that nobody asked for is `UNLIKELY` times less likely.

    Vosk counts how often a phrase is listed. Of the rivals the numbers below ten stay, and other speech and
    noises with full weight; the rest ("ten", "stop") swallow more right words than wrong ones.
    """
    listed = list(words)
    likely = [word for word in listed if word not in unreported or word.startswith("[")]
    digits = _digits()
    return likely * UNLIKELY + [word for word in listed if word in unreported and word in digits]


def written(words: Iterable[str], unreported: frozenset[str]) -> str:
    """`weighted` as Vosk reads it: JSON in which "fünf" is written out, for Vosk knows no escapes."""
    return json.dumps(weighted(words, unreported), ensure_ascii=False)
