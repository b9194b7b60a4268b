"""A sentence that has not been written yet: a code and its parameters.

Modules below the pages say what is wrong as a `Message`. The sentence is written at the edge, in the reader's
language: English on the command line and in the log, the phone's own on its pages. The English templates are
in `messages.toml` beside this module; gettext translates the template, then the parameters are filled in.

    >>> from companion.core.message import Renderer, message
    >>> missing = message("journal.no_move", n=7)
    >>> missing
    Message(code='journal.no_move', params={'n': 7})
    >>> str(missing)
    'there is no move 7 in this game'
    >>> german = {"there is no move {n} in this game": "den Zug {n} gibt es in dieser Partie nicht"}
    >>> Renderer(lambda template: german.get(template, template))(missing)
    'den Zug 7 gibt es in dieser Partie nicht'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

CONTEXT = "sentence"
"""gettext's context (msgctxt) of the templates, which keeps them apart from what the table announces."""
CATALOGUE = Path(__file__).with_name("messages.toml")
"""The English templates, one TOML table an area, one key a code."""


class Message(msgspec.Struct, frozen=True):
    """What is to be said: `code` names a template, `params` fills the names in its braces.

    A parameter may be text, a number, another message, or a tuple of texts or messages, which becomes a list.
    `str(message)` is the English sentence.
    """

    code: str
    params: dict[str, Param] = {}

    def __str__(self) -> str:
        return ENGLISH(self)

    def replacing(self, old: str, new: str) -> Message:
        """The message with `new` for `old` in every text, e.g. the name of a file that the reader knows."""
        return Message(self.code, {name: _replaced(value, old, new) for name, value in self.params.items()})

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.params.items())))


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, Message):
        return value.replacing(old, new)
    return tuple(_replaced(one, old, new) for one in value) if isinstance(value, tuple) else value


Param: TypeAlias = "str | int | float | bool | Message | tuple[str | Message, ...] | None"


def message(code: str, /, **params: Param | Path) -> Message:
    """`Message(code, params)` with the parameters as keywords; a path is kept as text."""
    if not params:
        return Message(code)
    return Message(
        code, {name: str(value) if isinstance(value, Path) else value for name, value in params.items()}
    )


@cache
def templates() -> Mapping[str, str]:
    """Code -> English template with names in braces."""
    import tomllib  # only here: most runs of the command line write no message

    areas = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {f"{area}.{name}": text for area, texts in areas.items() for name, text in texts.items()}


class Renderer:
    """Writes messages in one language.

    Args:
        translate: English template -> the template in the language (gettext's `pgettext` with `CONTEXT`).
        word: a parameter that is text -> the text in the language: a card, a game. Unknown text stays.
    """

    def __init__(
        self,
        translate: Callable[[str], str] = lambda template: template,
        word: Callable[[str], str] = lambda text: text,
    ) -> None:
        self._translate = translate
        self._word = word

    def __call__(self, message: Message) -> str:
        """The sentence. A code without a template (a newer version's, a rulebook's) is written as it is."""
        template = templates().get(message.code)
        if template is None:
            return message.code
        values = {name: self._value(value) for name, value in message.params.items()}
        return self._translate(template).format_map(_Values(values))

    def _value(self, value: Any) -> Any:
        if isinstance(value, Message):
            return self(value)
        if isinstance(value, str):
            return self._word(value)
        if isinstance(value, tuple | list):
            separator = "; " if any(isinstance(one, Message) for one in value) else ", "
            return separator.join(str(self._value(one)) for one in value)
        return value


class _Values(dict[str, Any]):
    """A parameter that is missing is shown by its name, so that a sentence is always written."""

    def __missing__(self, name: str) -> str:
        return f"({name})"


ENGLISH = Renderer()
"""Writes English: for logs and for the command line."""


def words(look_up: Callable[[str], str]) -> Callable[[str], str]:
    """How a `Renderer` writes text parameters with gettext's `look_up`.

    "twin_phone 2" is looked up as "twin phone" and keeps its number; text that is not known stays as it is,
    so a path keeps its underscores.
    """

    def word(value: str) -> str:
        name, _space, number = value.rpartition(" ")
        if number.isdigit() and name:
            return f"{word(name)} {number}"
        spaced = value.replace("_", " ")
        known = look_up(spaced) if spaced else spaced
        return value if known == spaced else known

    return word
