"""Sentences that are known again in another language although values stand in them.

Rooms below the pages say in English what is wrong and what to do about it, with file names and numbers filled
in. Nothing but the sentence travels, through threads, JSON and the journal. Here it is laid on the sentences
of a catalogue, blanks and all, and said again in the catalogue's language.

    again = Sentences({"there is no game {game}": "das Spiel {game} gibt es nicht"})
    again("there is no game 'chess'")      # "das Spiel 'chess' gibt es nicht"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

CONTEXT = "sentence"
"""gettext's context (msgctxt) of these sentences: what the table announces has blanks of its own."""
NUMBERS = frozenset({"x", "y"})
"""Blanks in which only numbers stand: places in a picture."""
_BLANK = re.compile(r"\{(\w+)\}")


def word_of(look_up: Callable[[str], str]) -> Callable[[str], str]:
    """Says a value in a sentence: a card, a game. What `look_up` (gettext) does not know stays as it is: a
    path keeps its underscores."""

    def word(value: str) -> str:
        name, _space, number = value.rpartition(" ")
        if number.isdigit() and name:
            return f"{word(name)} {number}"
        spaced = value.replace("_", " ")
        known = look_up(spaced) if spaced else spaced
        return value if known == spaced else known

    return word


def from_catalogue(entries: Mapping[object, str]) -> dict[str, str]:
    """The sentences among the entries of a compiled catalogue, whose keys carry the context before an EOT."""
    mark = f"{CONTEXT}\x04"
    return {key.removeprefix(mark): text for key, text in entries.items() if str(key).startswith(mark)
            and isinstance(key, str) and text}  # fmt: skip


class Sentences:
    """The sentences of one language; a call says one of them again.

    Args:
        translated: English sentence with `{blanks}` -> the same in the language.
        word: says what stood in a blank, where that is a word or a sentence itself.
    """

    def __init__(
        self, translated: Mapping[str, str], word: Callable[[str], str] = lambda value: value
    ) -> None:
        self._plain = {text: said for text, said in translated.items() if not _BLANK.search(text)}
        self._blank = {text: said for text, said in translated.items() if text not in self._plain}
        self._word = word

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """Made when they are first needed: a service that starts should not wait for 200 of them."""
        # The more of a sentence is fixed, the surer it is that one: "{path}: cannot be read" comes late.
        ordered = sorted(self._blank, key=lambda text: -len(_BLANK.sub("", text)))
        return [(_pattern(text), self._blank[text]) for text in ordered]

    def __call__(self, text: str) -> str:
        """The sentence in the language; one that is not known stays as it is."""
        if text in self._plain:
            return self._plain[text]
        for pattern, said in self._patterns:
            found = pattern.fullmatch(text)
            if found:
                return self._filled(said, found.groupdict())
        return text

    def _filled(self, said: str, held: Mapping[str, str]) -> str:
        """The translation with what the blanks held."""
        values = {name: self._value(value) for name, value in held.items()}
        return _BLANK.sub(lambda blank: values.get(blank[1], blank[0]), said)

    def _value(self, value: str) -> str:
        again = self(value)
        return again if again != value else self._word(value)


def _pattern(sentence: str) -> re.Pattern[str]:
    """A sentence as a pattern; a blank that comes again must hold the same again."""
    seen: set[str] = set()
    parts = []
    for index, part in enumerate(_BLANK.split(sentence)):
        if index % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part})")
        else:
            seen.add(part)
            holds = r"-?\d+" if part in NUMBERS else ".*?"
            parts.append(f"(?P<{part}>{holds})")
    return re.compile("".join(parts), re.DOTALL)
